/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output_delimiter.c - find the delimiter that ends a command's output. */
#include "frontend/repl/output_delimiter.h"

#include <stdio.h>
#include <string.h>

#include "base/random_id.h"

int
output_delimiter_nonce(char nonce[BASH_NONCE_SIZE], struct err *e)
{
    return random_id(nonce, BASH_NONCE_SIZE, e);
}

void
output_delimiter_expect(struct output_delimiter *d, const char *nonce,
                        unsigned long seq)
{
    int n = snprintf(d->text, sizeof(d->text), BASH_DELIMITER_FMT, nonce, seq);

    d->len = (size_t)n < sizeof(d->text) ? (size_t)n : sizeof(d->text) - 1;
    d->held = 0;
    d->expected = true;
}

/* The delimiter's first byte, ESC, is nowhere else in it: a match that fails
 * can only begin anew at the byte that failed. */
size_t
output_delimiter_scan(struct output_delimiter *d, const char *p, size_t n,
                      struct buf *out)
{
    size_t at = 0;

    while (at < n && d->expected) {
        if (d->held == 0) {
            const char *esc = memchr(p + at, d->text[0], n - at);
            size_t clean = esc ? (size_t)(esc - p) - at : n - at;

            buf_add(out, p + at, clean);
            at += clean;
            d->held = esc != NULL;
            at += esc != NULL;
        } else if (p[at] == d->text[d->held]) {
            at++;
            d->expected = ++d->held < d->len;
        } else {
            buf_add(out, d->text, d->held);
            d->held = 0;
        }
    }
    if (!d->expected)
        d->held = 0;
    return at;
}
