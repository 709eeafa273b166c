/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sha1.h - SHA-1 (FIPS 180-4), which WebSocket's handshake asks for.
 *
 * Not for anything that is to be safe from forgery. */
#ifndef BASE_SHA1_H
#define BASE_SHA1_H

#include <stddef.h>

#define SHA1_SIZE 20

void sha1(const void *bytes, size_t n, unsigned char out[SHA1_SIZE]);

#endif
