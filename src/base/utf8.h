/* SPDX-License-Identifier: GPL-3.0-or-later */
/* utf8.h - decodes, encodes, validates and repairs UTF-8 (RFC 3629: without
 * surrogates and overlong forms). */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define UTF8_REPLACEMENT 0xFFFDu
#define UTF8_MAX         4 /* bytes of a character */

/* Decodes the character at p, of n > 0 bytes, into *cp and returns its length,
 * 1 to 4; 0 when the bytes are no character. */
size_t utf8_decode(const char *p, size_t n, uint32_t *cp);

/* Encodes cp into b and returns the number of bytes; a surrogate and what is
 * above U+10FFFF become U+FFFD. utf8_encode appends the bytes to out. */
size_t utf8_bytes(char b[UTF8_MAX], uint32_t cp);
int utf8_encode(struct buf *out, uint32_t cp);

/* A range of characters in a sorted table. */
struct utf8_range {
    uint32_t first, last;
};

bool utf8_is_in(const struct utf8_range *table, size_t n, uint32_t cp);

/* Whether the encoding of the process's locale is UTF-8, as LC_ALL, LC_CTYPE
 * and LANG say; setlocale(3) is not needed. */
bool utf8_is_locale(void);

bool utf8_valid(const char *p, size_t n);

/* Appends the bytes, each maximal invalid part replaced by U+FFFD. */
int utf8_repair(struct buf *out, const char *p, size_t n);

/* The largest length, at most `at`, that splits no character of the valid text
 * p[0..n). */
size_t utf8_boundary(const char *p, size_t n, size_t at);

/* How many bytes at the end of p[0..n), 0 to 3, begin a character that the next
 * read may complete: for text that arrives in pieces. */
size_t utf8_incomplete_tail(const char *p, size_t n);

#endif
