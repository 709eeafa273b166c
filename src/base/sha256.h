/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sha256.h - SHA-256 (FIPS 180-4), for approvals and the journal.
 *
 * Implemented here because loading a cryptographic library to hash a few
 * hundred bytes costs more than everything else that the front program does. */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stddef.h>

#define SHA256_HEX_SIZE 65

/* The digest of n bytes in lower-case hexadecimal digits, with a NUL. */
void sha256_hex(const void *bytes, size_t n, char hex[SHA256_HEX_SIZE]);

#endif
