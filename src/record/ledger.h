/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ledger.h - the journal's tables: rows in a chain, and where it ends.
 *
 * Table row has the rows; table head has the number and the hash of the last
 * one, so that rows that are gone from the end are missed. Both change in one
 * transaction that takes the lock before it reads, so that two shells at once
 * get all their rows in. */
#ifndef RECORD_LEDGER_H
#define RECORD_LEDGER_H

#include "record/chain.h"
#include "record/store.h"

struct ledger;

/* Opens the file, which must be there; an empty one gets its tables with
 * STORE_WRITE. ERR_PARSE: it is damaged, or no journal. ERR_UNSUPPORTED: a
 * newer agentsh wrote it. */
struct ledger *ledger_open(const char *path, enum store_mode mode, int busy_ms,
                           struct err *e);
void ledger_close(struct ledger *l); /* accepts NULL */
DEFINE_CLEANUP(struct ledger, ledger_close)
struct store *ledger_store(struct ledger *l); /* borrowed */

/* Between these two the ledger is ours alone; ledger_end(false) takes back
 * what was done since. A failed ledger_end took it back. */
int ledger_begin(struct ledger *l, struct err *e);
int ledger_end(struct ledger *l, bool keep, struct err *e);

/* Adds a row behind the last one, within a transaction. seq and hash of r are
 * not looked at; *seq (may be NULL) becomes the row's. */
int ledger_append(struct ledger *l, const struct chain_row *r, int64_t *seq,
                  struct err *e);

/* The time now, as rows have it: "2026-01-02T03:04:05.678Z", 24 bytes. */
#define LEDGER_TIME_SIZE 40
const char *ledger_time(int64_t unix_ms, char text[LEDGER_TIME_SIZE]);
int64_t ledger_now_ms(void);

#endif
