/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_markdown.c - markdown is harmless and the same however it came. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "term/markdown.h"

#define OUT_MAX (256u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
    if (!holds)
        abort();
}

static void
render(const struct term *t, const uint8_t *p, size_t n, size_t piece,
       struct buf *out)
{
    CLEANUP(markdown_free_p) struct markdown *m = markdown_new(t, 2, NULL);

    must(m != NULL);
    while (n > 0) {
        size_t k = n < piece ? n : piece;

        must(markdown_add(m, p, k, out) == 0);
        p += k;
        n -= k;
    }
    must(markdown_end(m, out) == 0);
}

/* Text, newlines, tabs, and the styles that are ours. */
static void
check_harmless(const struct term *t, const struct buf *out)
{
    bool sgr = false;

    must(utf8_valid(out->p, out->len));
    for (size_t i = 0; i < out->len; i++) {
        unsigned char c = (unsigned char)out->p[i];

        if (c == 0x1B && t->color) {
            must(out->p[i + 1] == '[');
            sgr = true;
        } else if (sgr) {
            must((c >= '0' && c <= '9') || strchr("[;m", c));
            sgr = c != 'm';
        } else {
            must((c >= 0x20 && c != 0x7F) || c == '\n' || c == '\t');
        }
    }
    must(!sgr && (out->len == 0 || out->p[out->len - 1] == '\n'));
}

static void
check(const struct term *t, const uint8_t *data, size_t size)
{
    struct buf whole, parts;

    buf_init(&whole, OUT_MAX);
    buf_init(&parts, OUT_MAX);
    render(t, data, size, size + 1, &whole);
    check_harmless(t, &whole);
    render(t, data, size, 3, &parts);
    must(whole.len == parts.len && !memcmp(whole.p, parts.p, whole.len));
    buf_done(&whole);
    buf_done(&parts);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct term terms[] = {
        {.columns = 80},
        {.columns = 40, .tty = true, .color = true, .unicode = true},
        {.columns = 1, .tty = true},
    };

    for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++)
        check(&terms[i], data, size);
    return 0;
}
