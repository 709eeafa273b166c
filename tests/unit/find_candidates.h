/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_candidates.h - runs the generator for find on requests, for its tests.
 */
#ifndef TESTS_FIND_CANDIDATES_H
#define TESTS_FIND_CANDIDATES_H

#include <stddef.h>

struct find_candidates_row {
    const char *request;
    const char *command; /* the first candidate; NULL: there is none */
};

/* In a world where no path is there. Prints the rows that differ; the test
 * fails when there is one. */
void find_candidates_check(const struct find_candidates_row *rows, size_t n);

/* The k-th candidate (0 is the first), which the caller frees; NULL. */
char *find_candidates_nth(const char *request, size_t k);

#endif
