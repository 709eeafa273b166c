/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain.h - how much of a string's text is ASCII that needs no escape. */
#ifndef JSON_PLAIN_H
#define JSON_PLAIN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PLAIN_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))
#define PLAIN_HIGH       PLAIN_EACH(0x80)

/* Not zero when one of the eight bytes is below `least`, 0x80 at most. A byte
 * that borrows from the next can only be one that is below. */
static inline uint64_t
plain_below(uint64_t word, unsigned least)
{
    return (word - PLAIN_EACH(least)) & ~word & PLAIN_HIGH;
}

/* The length of the text in front of the first control character, quotation
 * mark, backslash or byte beyond ASCII: eight bytes at a time, and up to
 * seven of them are left for the caller to look at one by one. */
static inline size_t
plain_length(const char *s, size_t n)
{
    size_t i = 0;
    uint64_t word;

    for (; n - i >= sizeof(word); i += sizeof(word)) {
        memcpy(&word, s + i, sizeof(word));
        if ((word & PLAIN_HIGH) | plain_below(word, 0x20) |
            plain_below(word ^ PLAIN_EACH('"'), 1) |
            plain_below(word ^ PLAIN_EACH('\\'), 1))
            break;
    }
    return i;
}

#endif
