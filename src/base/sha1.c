/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sha1.c - SHA-1. */
#include "base/sha1.h"

#include <stdint.h>
#include <string.h>

#define BLOCK_BYTES 64
#define WORDS       80

static uint32_t
rotate(uint32_t v, unsigned by)
{
    return v << by | v >> (32 - by);
}

static void
sha1_block(uint32_t h[5], const unsigned char *p)
{
    uint32_t w[WORDS], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];

    for (size_t i = 0; i < 16; i++, p += 4)
        w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
               (uint32_t)p[2] << 8 | p[3];
    for (size_t i = 16; i < WORDS; i++)
        w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    for (size_t i = 0; i < WORDS; i++) {
        uint32_t f = i < 20   ? ((b & c) | (~b & d)) + 0x5a827999u
                     : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1u
                     : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdcu
                              : (b ^ c ^ d) + 0xca62c1d6u;
        uint32_t next = rotate(a, 5) + f + e + w[i];

        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
}

void
sha1(const void *bytes, size_t n, unsigned char out[SHA1_SIZE])
{
    uint32_t h[5] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u,
                     0xc3d2e1f0u};
    unsigned char last[2 * BLOCK_BYTES] = {0};
    const unsigned char *p = bytes;
    uint64_t bits = (uint64_t)n * 8;
    size_t end;

    for (; n >= BLOCK_BYTES; n -= BLOCK_BYTES, p += BLOCK_BYTES)
        sha1_block(h, p);
    if (n > 0)
        memcpy(last, p, n);
    last[n] = 0x80;
    end = n < BLOCK_BYTES - 8 ? BLOCK_BYTES : sizeof(last);
    for (size_t i = 0; i < 8; i++)
        last[end - 1 - i] = (unsigned char)(bits >> 8 * i);
    for (size_t i = 0; i < end; i += BLOCK_BYTES)
        sha1_block(h, last + i);
    for (size_t i = 0; i < SHA1_SIZE; i++)
        out[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}
