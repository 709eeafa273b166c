/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_pane_text.c - the text of a terminal, and plain text of it. The first
 * line is the command that was typed. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "ui/pane_text.h"
#include "ui/plain_text.h"

#define TEXT_MAX 4096 /* of the output: less than the input may be */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP_BUF struct buf command = buf_of(size + 1);
    CLEANUP_BUF struct buf between = buf_of(size + PANE_LINES_MAX);
    CLEANUP_BUF struct buf plain = buf_of(TEXT_MAX);
    const char *text = (const char *)data;
    size_t n = 0;

    while (n < size && text[n] != '\n')
        n++;
    buf_add(&command, text, n);
    n += n < size;
    if (!pane_text_between(text + n, size - n, command.p, &between) &&
        between.len > 0)
        abort();
    plain_text_put(&plain, between.p, between.len);
    buf_clear(&plain);
    plain_text_put(&plain, text, size);
    if (plain.bad || !utf8_valid(plain.p, plain.len) ||
        memchr(plain.p, '\033', plain.len) || memchr(plain.p, '\0', plain.len))
        abort();
    return 0;
}
