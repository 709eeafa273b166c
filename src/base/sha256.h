/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sha256.h - SHA-256 (FIPS 180-4), for what a person approved.
 *
 * Ours because the front must not load a cryptographic library to hash a few
 * hundred bytes: loading one costs more than everything else it does. */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stddef.h>

#define SHA256_HEX_SIZE 65

/* Lower-case hexadecimal digest of n bytes, terminated. */
void sha256_hex(const void *bytes, size_t n, char hex[SHA256_HEX_SIZE]);

#endif
