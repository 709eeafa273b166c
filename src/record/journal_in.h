/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal_in.h - the journal's inside, for journal.c and its rows. */
#ifndef RECORD_JOURNAL_IN_H
#define RECORD_JOURNAL_IN_H

#include "record/journal.h"
#include "record/ledger.h"

#define JOURNAL_BODY_MAX (1u << 20) /* of one row, as JSON */
#define JOURNAL_RUN_SIZE 24

/* The members as one JSON object, redacted. -1: they do not fit. */
int journal_body(const struct journal_member *members, struct buf *out,
                 struct err *e);

/* A run's name: the time (UTC), two letters for its part of the second, and
 * three by chance. */
int journal_name_run(char name[JOURNAL_RUN_SIZE], struct err *e);

#endif
