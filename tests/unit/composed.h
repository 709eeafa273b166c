/* SPDX-License-Identifier: GPL-3.0-or-later */
/* composed.h - what a composer makes of a request. */
#ifndef TESTS_COMPOSED_H
#define TESTS_COMPOSED_H

#include "offline/compose/compose.h"

struct composed_row {
    const char *request;
    const char *command; /* the first candidate; NULL: there is none */
};

/* In a world where no path is there. Prints the rows that differ; the test
 * fails when there is one. */
void composed_check(int (*compose)(const struct request *q, struct shortlist *s,
                                   struct err *e),
                    const struct composed_row *rows, size_t n);

/* The k-th candidate (0 is the first), which the caller frees; NULL. */
char *composed(int (*compose)(const struct request *q, struct shortlist *s,
                              struct err *e),
               const char *request, size_t k);

#endif
