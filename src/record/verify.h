/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify.h - walks the journal's chain and says where it does not hold. */
#ifndef RECORD_VERIFY_H
#define RECORD_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct verify {
    int64_t rows, runs;
    char since[40];         /* time of the first row; "" */
    int64_t removed;        /* rows that the settings did not keep */
    char removed_until[40]; /* time of the last of them */
    int64_t faults;
};

/* Told of each fault: the row that is not as it was, and how, in words. */
typedef void verify_cb(void *arg, int64_t row, const char *what);

/* Walks all of it as it is at the beginning. out is what was found, and is
 * remembered in the journal, where that can be written, for `doctor`. 0 also
 * when there are faults; ERR_NOT_FOUND: there is no journal. */
int verify_journal(struct verify *out, verify_cb *cb, void *arg, struct err *e);

#endif
