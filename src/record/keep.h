/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keep.h - how long the journal keeps what, and how it lets go.
 *
 * Rows are removed from the oldest end only. A row "removed", part of the
 * chain as any other, says how many rows went so far, until when, and the hash
 * of the last of them: the chain holds from there on. */
#ifndef RECORD_KEEP_H
#define RECORD_KEEP_H

#include "record/ledger.h"

#define KEEP_KIND "removed" /* of the row that says so */

struct keep {
    int64_t days; /* 0: for ever */
    int64_t mb;   /* 0: any size */
};

/* Removes what is older, and what is over the size (to nine tenths of it, so
 * that not every run removes), but nothing from the row `before` on. run is
 * the run that does it. */
int keep_trim(struct ledger *l, const char *run, int64_t before,
              const struct keep *k, struct err *e);

#endif
