/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verbatim.h - measures how much of a string's text needs no escape. */
#ifndef JSON_VERBATIM_H
#define JSON_VERBATIM_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define VERBATIM_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))
#define VERBATIM_HIGH       VERBATIM_EACH(0x80)

/* Not zero when one of the eight bytes of word is below `least`, which is at
 * most 0x80: the lowest bit that is set belongs to the first such byte. Only a
 * byte that is below can borrow from the next, so wrong bits are above it. */
static inline uint64_t
verbatim_below(uint64_t word, unsigned least)
{
    return (word - VERBATIM_EACH(least)) & ~word & VERBATIM_HIGH;
}

/* The same for bytes that end verbatim text; `high` is VERBATIM_HIGH where
 * bytes above ASCII do, too, else 0. */
static inline uint64_t
verbatim_stop(uint64_t word, uint64_t high)
{
    return (word & high) | verbatim_below(word, 0x20) |
           verbatim_below(word ^ VERBATIM_EACH('"'), 1) |
           verbatim_below(word ^ VERBATIM_EACH('\\'), 1);
}

/* The number of bytes before the first of those. The zeros behind a text of
 * fewer than eight bytes count as one. */
static inline size_t
verbatim_first(uint64_t other)
{
    return (size_t)(ffsll((long long)other) - 1) / 8;
}

/* The length of the text before the first control character, quotation mark,
 * backslash or byte of `high`, by eight bytes at a time. */
static inline size_t
verbatim_until(const char *s, size_t n, uint64_t high)
{
    size_t i = 0;
    uint64_t word, other;

    for (; n - i >= sizeof(word); i += sizeof(word)) {
        memcpy(&word, s + i, sizeof(word));
        other = verbatim_stop(le64toh(word), high);
        if (other)
            return i + verbatim_first(other);
    }
    if (i == n)
        return n;
    word = 0;
    memcpy(&word, s + i, n - i);
    return i + verbatim_first(verbatim_stop(le64toh(word), high));
}

/* What the scanner may copy. */
static inline size_t
verbatim_length(const char *s, size_t n)
{
    return verbatim_until(s, n, VERBATIM_HIGH);
}

/* What the writer may copy of text that is known to be UTF-8. */
static inline size_t
verbatim_length_utf8(const char *s, size_t n)
{
    return verbatim_until(s, n, 0);
}

#endif
