/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hmac.c - HMAC-SHA-256 (RFC 2104), for what a peer keeps for us. */
#include "base/hmac.h"

#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"

#define BLOCK_SIZE  64 /* of SHA-256 */
#define INNER       0x36
#define OUTER       0x5c
#define DIGEST_SIZE 32

static unsigned
hex_value(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* The digest of the key, changed by `pad`, and of n bytes. */
static int
digest_padded(const unsigned char key[HMAC_KEY_SIZE], unsigned char pad,
              const void *bytes, size_t n, char hex[SHA256_HEX_SIZE],
              struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of_secret(BLOCK_SIZE + n);

    for (size_t i = 0; i < BLOCK_SIZE; i++)
        buf_ch(&b, (char)((i < HMAC_KEY_SIZE ? key[i] : 0) ^ pad));
    buf_add(&b, bytes, n);
    if (buf_ok(&b, "a code", e) < 0)
        return -1;
    sha256_hex(b.p, b.len, hex);
    return 0;
}

int
hmac_sha256_hex(const unsigned char key[HMAC_KEY_SIZE], const void *bytes,
                size_t n, char hex[SHA256_HEX_SIZE], struct err *e)
{
    unsigned char digest[DIGEST_SIZE];

    if (digest_padded(key, INNER, bytes, n, hex, e) < 0)
        return -1;
    for (size_t i = 0; i < DIGEST_SIZE; i++)
        digest[i] = (unsigned char)(hex_value(hex[2 * i]) << 4 |
                                    hex_value(hex[2 * i + 1]));
    return digest_padded(key, OUTER, digest, sizeof(digest), hex, e);
}

bool
hmac_is_same(const char a[SHA256_HEX_SIZE], const char b[SHA256_HEX_SIZE])
{
    unsigned char differs = 0;

    for (size_t i = 0; i < SHA256_HEX_SIZE - 1; i++)
        differs |= (unsigned char)(a[i] ^ b[i]);
    return differs == 0;
}
