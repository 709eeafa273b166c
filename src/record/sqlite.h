/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sqlite.h - opens, reads and writes a database; the only user of SQLite.
 *
 * The library is loaded when the first database is opened: a program that
 * records nothing does not load it. Another user may have written the file: its
 * triggers and views are disabled, and so are other things that its schema
 * could make run. What can fail: ERR_PARSE, it is no database or a damaged one;
 * ERR_TIMEOUT, it is locked for longer than busy_ms; ERR_PERMISSION, it is
 * read-only or a symbolic link; ERR_IO, e->sys is ENOSPC when the disk is full;
 * ERR_UNSUPPORTED, SQLite is not installed. */
#ifndef RECORD_SQLITE_H
#define RECORD_SQLITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"

struct sqlite;       /* an open database */
struct sqlite_query; /* a statement of it, to be run as often as needed */

enum sqlite_mode { SQLITE_MODE_READ, SQLITE_MODE_WRITE };

/* The file must exist (an empty one is an empty database), and must be no
 * symbolic link. A commit is visible to other processes at once, and on the
 * disk after sqlite_sync. */
struct sqlite *sqlite_open(const char *path, enum sqlite_mode mode, int busy_ms,
                           struct err *e);
void sqlite_close(struct sqlite *s); /* accepts NULL; after its queries */
DEFINE_CLEANUP(struct sqlite, sqlite_close)

/* From now on. 0: neither for a lock nor for a checkpoint, which a commit makes
 * otherwise where the log has grown too long. */
void sqlite_set_busy_timeout(struct sqlite *s, int busy_ms);

/* Runs statements that return no rows. */
int sqlite_exec(struct sqlite *s, const char *sql, struct err *e);

/* A transaction: in between no other process writes. keep: the changes become
 * visible together, by one write to the log (record/log_batch.h). Else, and
 * where that fails, they are undone and -1 is returned. */
int sqlite_begin(struct sqlite *s, struct err *e);
int sqlite_end(struct sqlite *s, bool keep, struct err *e);

struct sqlite_query *sqlite_query_new(struct sqlite *s, const char *sql,
                                      struct err *e);
void sqlite_query_free(struct sqlite_query *q); /* accepts NULL */
DEFINE_CLEANUP(struct sqlite_query, sqlite_query_free)

/* Set the values of ?1, ?2 … in the statement. A text is borrowed until the
 * next sqlite_query_reset. */
void sqlite_query_bind_int(struct sqlite_query *q, int at, int64_t v);
void sqlite_query_bind_text(struct sqlite_query *q, int at, const char *p,
                            size_t n);

/* Fetches the next row: 1; 0: there is no more; -1: it failed. */
int sqlite_query_step(struct sqlite_query *q, struct err *e);
void sqlite_query_reset(struct sqlite_query *q);

/* Runs a statement that returns no row, and resets it. */
int sqlite_query_run(struct sqlite_query *q, struct err *e);

/* The columns of the row, from 0. Texts are never NULL, end with a NUL, and are
 * valid until the next step. */
int64_t sqlite_query_int(struct sqlite_query *q, int column);
const char *sqlite_query_text(struct sqlite_query *q, int column, size_t *n);

/* Runs one statement and returns its only value. */
int sqlite_number(struct sqlite *s, const char *sql, int64_t *out,
                  struct err *e);

/* Syncs all commits to the disk, with one fsync(2); `soon`: without waiting for
 * it (file_sync_in_background). */
int sqlite_sync(struct sqlite *s, bool soon, struct err *e);

/* Whether the next commit waits for the disk: it moves a log that is so long,
 * or syncs the beginning of a new one. Others may have moved it meanwhile. */
bool sqlite_commit_waits(const struct sqlite *s);

/* Moves the write-ahead log into the file when it has grown long. */
void sqlite_checkpoint(struct sqlite *s);

/* The same however short it is: nothing is left in the log. ERR_TIMEOUT: others
 * read or write at the moment. */
int sqlite_empty_log(struct sqlite *s, struct err *e);

#endif
