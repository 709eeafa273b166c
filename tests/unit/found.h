/* SPDX-License-Identifier: GPL-3.0-or-later */
/* found.h - runs the generator for find on requests, for its tests. */
#ifndef TESTS_FOUND_H
#define TESTS_FOUND_H

#include <stddef.h>

struct found_row {
    const char *request;
    const char *command; /* the first candidate; NULL: there is none */
};

/* In a world where no path is there. Prints the rows that differ; the test
 * fails when there is one. */
void found_check(const struct found_row *rows, size_t n);

/* The k-th candidate (0 is the first), which the caller frees; NULL. */
char *found(const char *request, size_t k);

#endif
