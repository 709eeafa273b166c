/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hmac.h - HMAC-SHA-256 (RFC 2104), for what a peer keeps for us. */
#ifndef BASE_HMAC_H
#define BASE_HMAC_H

#include <stdbool.h>

#include "base/err.h"
#include "base/sha256.h"

#define HMAC_KEY_SIZE 32 /* bytes, which must be random */

/* The code of n bytes, in hexadecimal digits. ERR_NOMEM. */
int hmac_sha256_hex(const unsigned char key[HMAC_KEY_SIZE], const void *bytes,
                    size_t n, char hex[SHA256_HEX_SIZE], struct err *e);

/* Whether two codes are the same, in a time that does not tell where they
 * differ. */
bool hmac_is_same(const char a[SHA256_HEX_SIZE], const char b[SHA256_HEX_SIZE]);

#endif
