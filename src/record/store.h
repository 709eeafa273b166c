/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store.h - tables in a file: the only place that knows SQLite.
 *
 * The library is opened when the first store is: programs that keep nothing
 * do not load it. What a file's own schema could make run (triggers, views,
 * functions) is off, since the file may be anybody's. Codes: ERR_PARSE (no
 * database, or a damaged one), ERR_TIMEOUT (locked for longer than busy_ms),
 * ERR_PERMISSION (read-only, or a link), ERR_IO (e->sys ENOSPC: the disk is
 * full), ERR_UNSUPPORTED (there is no SQLite here). */
#ifndef RECORD_STORE_H
#define RECORD_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"

struct store; /* a file */
struct query; /* a statement of it, to be run as often as needed */

enum store_mode { STORE_READ, STORE_WRITE };

/* The file must be there (an empty one is an empty database); the last part
 * of the path is no link. Commits reach the system at once and the disk at
 * store_sync. */
struct store *store_open(const char *path, enum store_mode mode, int busy_ms,
                         struct err *e);
void store_close(struct store *s); /* accepts NULL; after its queries */
DEFINE_CLEANUP(struct store, store_close)

void store_wait(struct store *s, int busy_ms); /* from now on */

/* Runs statements that give no rows. */
int store_exec(struct store *s, const char *sql, struct err *e);

struct query *store_query(struct store *s, const char *sql, struct err *e);
void query_free(struct query *q); /* accepts NULL */
DEFINE_CLEANUP(struct query, query_free)

/* The values of the statement's ?1, ?2 …; a text is borrowed until the next
 * query_reset. */
void query_bind_int(struct query *q, int at, int64_t v);
void query_bind_text(struct query *q, int at, const char *p, size_t n);

/* 1: a row is there; 0: there is none (more); -1. */
int query_step(struct query *q, struct err *e);
void query_reset(struct query *q);

/* Columns of the row, from 0 on; texts are never NULL, are terminated and
 * valid until the next step. */
int64_t query_int(struct query *q, int column);
const char *query_text(struct query *q, int column, size_t *n);

/* Runs the one statement and gives its only number. */
int store_number(struct store *s, const char *sql, int64_t *out, struct err *e);

/* Puts everything committed on the disk, with one fsync; `soon`: without
 * waiting for it (file_sync_soon). */
int store_sync(struct store *s, bool soon, struct err *e);

/* Folds the log of commits into the file when it has grown long. */
void store_fold(struct store *s);

#endif
