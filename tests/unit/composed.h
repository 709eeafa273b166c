/* SPDX-License-Identifier: GPL-3.0-or-later */
/* composed.h - runs the generators on requests, for their tests. */
#ifndef TESTS_COMPOSED_H
#define TESTS_COMPOSED_H

#include <stddef.h>

struct composed {
    const char *wish, *command; /* the one that fits best; "" for none */
};

/* Composes each wish where no file exists, says which are made into another
 * command, and fails the test when one is. */
void composed_check(const struct composed *rows, size_t n);

#endif
