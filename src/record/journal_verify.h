/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal_verify.h - verifies the journal's chain of hashes. */
#ifndef RECORD_JOURNAL_VERIFY_H
#define RECORD_JOURNAL_VERIFY_H

#include <stdint.h>

#include "base/err.h"

struct journal_verify {
    int64_t rows, runs;
    char since[40];         /* time of the first row; "" */
    int64_t removed;        /* rows that retention has removed */
    char removed_until[40]; /* time of the last of them */
    int64_t faults;
};

/* Called for each fault: the row, and what is wrong with it as a message. */
typedef void journal_verify_cb(void *arg, int64_t row, const char *what);

/* Verifies the journal as it is at the start. out is the result, which is also
 * stored in the journal for `doctor`, if that can be written. Returns 0 also
 * when there are faults; ERR_NOT_FOUND: there is no journal. */
int journal_verify(struct journal_verify *out, journal_verify_cb *cb, void *arg,
                   struct err *e);

#endif
