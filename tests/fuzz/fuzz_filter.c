/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_filter.c - what passes the filter is safe, however it was cut. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "term/term_filter.h"

#define OUT_MAX (64u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
    if (!holds)
        abort();
}

/* The whole input in pieces of `piece` bytes. */
static void
filter(unsigned flags, const void *bytes, size_t n, size_t piece,
       struct buf *out)
{
    struct term_filter f;
    const char *p = bytes;

    term_filter_init(&f, flags);
    while (n > 0) {
        size_t k = n < piece ? n : piece;

        must(term_filter_add(&f, p, k, out) == 0);
        p += k;
        n -= k;
    }
    must(term_filter_end(&f, out) == 0);
}

/* Without colours and moves no control characters but these are left. */
static void
check_plain(const struct buf *out)
{
    for (size_t i = 0; i < out->len; i++) {
        unsigned char c = (unsigned char)out->p[i];

        must((c >= 0x20 && c != 0x7F) || strchr("\n\r\t\b", c) != NULL);
    }
}

static void
check(unsigned flags, const uint8_t *data, size_t size)
{
    struct buf whole, other;

    buf_init(&whole, OUT_MAX);
    buf_init(&other, OUT_MAX);
    filter(flags, data, size, size + 1, &whole);
    must(utf8_valid(whole.p, whole.len));
    if (flags == 0)
        check_plain(&whole);
    filter(flags, data, size, 1, &other);
    must(whole.len == other.len && !memcmp(whole.p, other.p, whole.len));
    buf_clear(&other);
    filter(flags, whole.p, whole.len, 3, &other);
    /* what is put back at the end may be put back twice */
    must(flags & TERM_FILTER_SCREEN ? other.len >= whole.len
                                    : other.len == whole.len);
    must(!memcmp(whole.p, other.p, whole.len));
    buf_done(&whole);
    buf_done(&other);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (unsigned flags = 0; flags < 8; flags++)
        check(flags, data, size);
    return 0;
}
