/* SPDX-License-Identifier: GPL-3.0-or-later */
/* generated.h - runs the generators on requests, for their tests. */
#ifndef TESTS_GENERATED_H
#define TESTS_GENERATED_H

#include <stddef.h>

struct generated {
    const char *request, *command; /* the one that fits best; "" for none */
};

/* Generates commands for each request where few files exist, prints those for
 * which another command fits best, and fails the test when one is. */
void generated_check(const struct generated *rows, size_t n);

#endif
