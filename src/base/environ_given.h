/* SPDX-License-Identifier: GPL-3.0-or-later */
/* environ_given.h - collects environment variables that a caller gives to a
 * command, within bounds. */
#ifndef BASE_ENVIRON_GIVEN_H
#define BASE_ENVIRON_GIVEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define ENVIRON_GIVEN_MAX 256 /* variables */
/* All of them as NAME=value with a NUL; the kernel takes no longer one (128
 * KiB, execve(2)). */
#define ENVIRON_GIVEN_BYTES (128u << 10)

struct environ_given {
    char *list[ENVIRON_GIVEN_MAX + 1]; /* NAME=value; NULL at the end */
    size_t n, bytes;
};

/* Adds a variable. ERR_INVALID: its name is none that a shell could assign to
 * ([A-Za-z_][A-Za-z0-9_]*), it contains a NUL, or a bound is met. Begins with
 * one that is all zero. */
int environ_given_add(struct environ_given *g, const char *name, size_t name_n,
                      const char *value, size_t value_n, struct err *e);
void environ_given_done(struct environ_given *g); /* accepts NULL */

/* Whether a NAME=value of another list has the name of one of these. */
bool environ_given_has(const struct environ_given *g, const char *variable);

#endif
