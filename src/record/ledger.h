/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ledger.h - the journal's tables: rows in a chain of hashes, and its end.
 *
 * The hash of a row is the SHA-256 of the hash before it and of the row's
 * canonical form, in which each part is preceded by its length, so that no byte
 * can move from one part to the next. Whoever can write the file can compute
 * all hashes anew: the chain reveals changes by mistake, by a program, or by
 * somebody who does not go that far.
 *
 * Table row has the rows. Table head has the number and the hash of the last
 * one, so that rows missing at the end are noticed. Both change in one
 * transaction, which takes the lock before it reads, so that two processes at
 * once get all their rows in. */
#ifndef RECORD_LEDGER_H
#define RECORD_LEDGER_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/sha256.h"
#include "record/sqlite.h"

/* The hash before the first row. */
#define LEDGER_FIRST_HASH                                                      \
    "0000000000000000000000000000000000000000000000000000000000000000"

/* Milliseconds to wait for a lock. Other processes hold it for a millisecond,
 * or, during a checkpoint, for as long as the disk writes: a second when it is
 * busy. */
#define LEDGER_WAIT_MS 3000

/* A row as it is stored; texts are borrowed. */
struct ledger_row {
    int64_t seq; /* 1 and up, without gaps */
    const char *run, *time, *kind, *body, *hash;
    size_t run_len, time_len, kind_len, body_len, hash_len;
};

/* Computes the hash of a row that follows the one with the hash prev. */
int ledger_hash(const char *prev, const struct ledger_row *r,
                char hex[SHA256_HEX_SIZE], struct err *e);

struct ledger;

/* Opens the file, which must exist; an empty one gets its tables with
 * SQLITE_MODE_WRITE. ERR_PARSE: it is damaged, or no journal. ERR_UNSUPPORTED:
 * a newer agentsh wrote it. */
struct ledger *ledger_open(const char *path, enum sqlite_mode mode, int busy_ms,
                           struct err *e);
void ledger_close(struct ledger *l); /* accepts NULL */
DEFINE_CLEANUP(struct ledger, ledger_close)
struct sqlite *ledger_database(struct ledger *l); /* borrowed */

/* A transaction: in between no other process writes. ledger_end(false) undoes
 * the changes, and so does a ledger_end that fails. */
int ledger_begin(struct ledger *l, struct err *e);
int ledger_end(struct ledger *l, bool keep, struct err *e);

/* Adds a row at the end, within a transaction. seq and hash of r are ignored;
 * *seq (seq may be NULL) becomes the row's number. */
int ledger_append(struct ledger *l, const struct ledger_row *r, int64_t *seq,
                  struct err *e);

/* Formats a time as rows have it: "2026-01-02T03:04:05.678Z", 24 bytes. */
#define LEDGER_TIME_SIZE 40
const char *ledger_time(int64_t unix_ms, char text[LEDGER_TIME_SIZE]);
int64_t ledger_now_ms(void);

#endif
