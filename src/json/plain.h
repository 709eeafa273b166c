/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain.h - how much of a string's text stands there as it is. */
#ifndef JSON_PLAIN_H
#define JSON_PLAIN_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PLAIN_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))
#define PLAIN_HIGH       PLAIN_EACH(0x80)

/* Not zero when one of the eight bytes is below `least`, 0x80 at most: the
 * lowest bit is the first such byte's. A byte that borrows from the next can
 * only be one that is below, so that what is wrong stands above it. */
static inline uint64_t
plain_below(uint64_t word, unsigned least)
{
    return (word - PLAIN_EACH(least)) & ~word & PLAIN_HIGH;
}

/* The same for what is no text as it is; `beyond`: PLAIN_HIGH, when bytes
 * beyond ASCII count too, or 0. */
static inline uint64_t
plain_other(uint64_t word, uint64_t beyond)
{
    return (word & beyond) | plain_below(word, 0x20) |
           plain_below(word ^ PLAIN_EACH('"'), 1) |
           plain_below(word ^ PLAIN_EACH('\\'), 1);
}

/* How many bytes stand before the first of those; the zeros behind a text of
 * fewer than eight are such, too. */
static inline size_t
plain_first(uint64_t other)
{
    return (size_t)(ffsll((long long)other) - 1) / 8;
}

/* The length of the text in front of the first control character, quotation
 * mark, backslash or byte of `beyond`, eight bytes at a time. */
static inline size_t
plain_until(const char *s, size_t n, uint64_t beyond)
{
    size_t i = 0;
    uint64_t word, other;

    for (; n - i >= sizeof(word); i += sizeof(word)) {
        memcpy(&word, s + i, sizeof(word));
        other = plain_other(le64toh(word), beyond);
        if (other)
            return i + plain_first(other);
    }
    if (i == n)
        return n;
    word = 0;
    memcpy(&word, s + i, n - i);
    return i + plain_first(plain_other(le64toh(word), beyond));
}

/* What a reader may copy. */
static inline size_t
plain_length(const char *s, size_t n)
{
    return plain_until(s, n, PLAIN_HIGH);
}

/* What a writer may, when all of it is known to be UTF-8. */
static inline size_t
plain_unescaped(const char *s, size_t n)
{
    return plain_until(s, n, 0);
}

#endif
