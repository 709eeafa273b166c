/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_session_cursor.c - a cursor of a list, whatever is in it.
 *
 * The first line is the directory, the rest the cursor. What is accepted is
 * what would have been written. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "record/session_cursor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
try_cursor(const char *text, const char *directory)
{
    char same[SESSION_CURSOR_SIZE];
    struct err e = {0};
    int64_t change = -1;

    if (session_cursor_parse(text, directory, &change, &e) < 0) {
        if (e.code != ERR_INVALID || change != -1)
            abort();
        return;
    }
    session_cursor_format(change, directory, same);
    if (change <= 0 || strcmp(same, text) != 0)
        abort();
}

/* A number that the bytes choose comes back. */
static void
try_number(const char *text, const char *directory)
{
    char cursor[SESSION_CURSOR_SIZE];
    int64_t change = 0, back = 0;

    memcpy(&change, text, strnlen(text, sizeof(change)));
    change = (change & INT64_MAX) | 1;
    session_cursor_format(change, directory, cursor);
    if (session_cursor_parse(cursor, directory, &back, NULL) < 0 ||
        back != change)
        abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
    size_t len = end ? (size_t)(end - data) : 0;
    CLEANUP(free_p) char *directory = strndup((const char *)data, len);
    CLEANUP(free_p)
    char *text = end ? strndup((const char *)end + 1, size - len - 1)
                     : strndup((const char *)data, size);

    if (!directory || !text)
        return 0;
    try_cursor(text, end ? directory : NULL);
    try_number(text, end ? directory : NULL);
    return 0;
}
