/* SPDX-License-Identifier: GPL-3.0-or-later */
/* utf8.h - UTF-8 as RFC 3629 has it: no surrogates, no overlong forms. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define UTF8_REPLACEMENT 0xFFFDu
#define UTF8_MAX         4 /* bytes of a character */

/* Decodes one character at p (n bytes left, n > 0) into *cp and returns its
 * length, 1-4; 0 when the bytes there are no character. */
size_t utf8_decode(const char *p, size_t n, uint32_t *cp);

/* The bytes of cp, and how many; a surrogate or what lies above U+10FFFF
 * becomes U+FFFD. utf8_encode appends them. */
size_t utf8_bytes(char b[UTF8_MAX], uint32_t cp);
int utf8_encode(struct buf *out, uint32_t cp);

/* A part of a sorted table of characters. */
struct utf8_range {
    uint32_t first, last;
};

bool utf8_is_in(const struct utf8_range *table, size_t n, uint32_t cp);

bool utf8_valid(const char *p, size_t n);

/* Appends the bytes with each maximal bad part replaced by U+FFFD. */
int utf8_mend(struct buf *out, const char *p, size_t n);

/* The largest length at most `at` that does not split a character of the
 * valid text p[0..n). */
size_t utf8_boundary(const char *p, size_t n, size_t at);

/* How many bytes at the end of p[0..n) begin a character that the next read
 * may complete (0-3). For text that arrives in pieces. */
size_t utf8_partial(const char *p, size_t n);

#endif
