/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_spec.c - the launcher's words: what reads, writes back and reads. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sandbox/spec.h"

#define WORDS_MAX 128

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
    if (!holds)
        abort();
}

/* The words of the input, one after each NUL or newline. */
static int
split(char *text, size_t n, char **argv, char between)
{
    int words = 0;
    char *p = text;

    while (p < text + n && words < WORDS_MAX) {
        char *end = memchr(p, between, (size_t)(text + n - p));

        argv[words++] = p;
        if (!end)
            break;
        *end = '\0';
        p = end + 1;
    }
    argv[words] = NULL;
    return words;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP_BUF struct buf text = buf_of(1u << 20), out = buf_of(8u << 20);
    char *argv[WORDS_MAX + 1], *again[WORDS_MAX + 1];
    struct sandbox_spec s, back;
    size_t words;
    int n, rest, rest_again;

    buf_str(&text, "agentsh-launch\n");
    if (buf_add(&text, data, size) < 0)
        return 0;
    n = split(text.p, text.len, argv, '\n');
    if (spec_read(n, argv, &s, &rest, NULL) < 0)
        return 0;
    must(rest > 1 && rest < n);
    must(spec_write(&s, (const char *const *)argv + rest, &out, &words, NULL) ==
         0);
    if (words > WORDS_MAX)
        return 0;
    must((size_t)split(out.p, out.len, again, '\0') == words);
    must(spec_read((int)words, again, &back, &rest_again, NULL) == 0);
    must((int)words - rest_again == n - rest);
    must(back.profile == s.profile && back.limit_ms == s.limit_ms);
    return 0;
}
