/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_glob.c - any bytes as braces and as a pattern: both have bounds. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "guard/effects/glob.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Escaped text matches itself, and nothing else of its length. */
static void
check_quoting(const char *text)
{
    struct buf b = buf_of(1 << 20), back = buf_of(1 << 20);

    glob_quote(&b, text, strlen(text));
    glob_unquote(&back, b.p, b.len);
    if (strcmp(back.p, text) != 0 || !glob_match(b.p, text))
        abort();
    buf_done(&b);
    buf_done(&back);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct glob_list l = {0};
    char *text = strndup((const char *)data, size < 4096 ? size : 4096);
    const char *bar = text ? strchr(text, '|') : NULL;

    if (!text)
        return 0;
    glob_braces(text, &l);
    if (l.n > GLOB_LIST_MAX || (l.n == 0 && !l.more))
        abort();
    glob_list_done(&l);
    if (bar) {
        text[bar - text] = '\0';
        glob_match(text, bar + 1);
        check_quoting(bar + 1);
    }
    glob_matches_all(text, strlen(text));
    free(text);
    return 0;
}
