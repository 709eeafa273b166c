/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random_id.h - ids that nobody can guess, by getrandom(2). */
#ifndef BASE_RANDOM_ID_H
#define BASE_RANDOM_ID_H

#include <stddef.h>

#include "base/err.h"

#define RANDOM_UUID_SIZE 37

/* Writes size - 1 hexadecimal digits, an even number, and a NUL. */
int random_id(char *out, size_t size, struct err *e);

/* Writes a UUID of random bits: RFC 9562, 5.4. */
int random_uuid(char out[RANDOM_UUID_SIZE], struct err *e);

#endif
