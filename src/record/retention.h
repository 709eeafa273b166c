/* SPDX-License-Identifier: GPL-3.0-or-later */
/* retention.h - deletes old runs from the journal.
 *
 * Only the oldest rows are removed. A row "removed", part of the chain like any
 * other, says how many rows were removed so far, until when, and the hash of
 * the last of them: the chain is valid from there on. */
#ifndef RECORD_RETENTION_H
#define RECORD_RETENTION_H

#include "record/ledger.h"

#define RETENTION_KIND "removed" /* the kind of that row */

struct retention {
    int64_t days; /* 0: for ever */
    int64_t mb;   /* 0: any size */
};

/* Removes rows that are older than k->days, and, if the file exceeds k->mb, the
 * oldest ones down to nine tenths of it, so that not every run has to remove
 * some. The row `before` and later ones stay. run is the current run, which
 * gets the row "removed". */
int retention_trim(struct ledger *l, const char *run, int64_t before,
                   const struct retention *k, struct err *e);

#endif
