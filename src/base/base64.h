/* SPDX-License-Identifier: GPL-3.0-or-later */
/* base64.h - encodes and decodes base64 (RFC 4648, section 4). */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include <stdbool.h>

#include "base/buf.h"

/* How many characters n bytes become, and how many bytes at most become n
 * characters. */
#define BASE64_TEXT_SIZE(n)  (((n) + 2) / 3 * 4)
#define BASE64_BYTES_SIZE(n) ((n) / 4 * 3)

/* Appends the text of n bytes, in one line, with padding. As buf_add. */
int base64_encode(struct buf *out, const void *bytes, size_t n);

/* Appends the bytes of a text of n characters. Only what base64_encode writes
 * is accepted: whole groups of four, padding at the end alone, bits that stand
 * for nothing zero, and neither blanks nor newlines. ERR_INVALID, with the
 * offset of what is wrong in e->at; ERR_NOMEM when out is full. On failure out
 * holds what was decoded until then. */
int base64_decode(struct buf *out, const char *text, size_t n, struct err *e);

/* Whether a text of n characters is whole groups of digits with padding at the
 * end alone. It is not decoded, so bits that stand for nothing may be set. */
bool base64_is_text(const char *text, size_t n);

#endif
