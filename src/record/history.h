/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.h - the journal, read: its runs, the rows of one, and its state.
 *
 * Nothing here writes, and the file may be anybody's: texts are bytes from
 * outside. */
#ifndef RECORD_HISTORY_H
#define RECORD_HISTORY_H

#include "base/buf.h"
#include "record/chain.h"
#include "record/store.h"

struct history;

/* Opens the journal. ERR_NOT_FOUND: there is none yet. */
struct history *history_open(struct err *e);
void history_close(struct history *h); /* accepts NULL */
DEFINE_CLEANUP(struct history, history_close)
const char *history_path(const struct history *h);
struct store *history_store(struct history *h); /* borrowed */

/* Called for each; texts are borrowed for the call. */
typedef void history_run_cb(void *arg, const char *run);
typedef void history_row_cb(void *arg, const struct chain_row *row);

/* The newest runs, the newest first, at most n; kind: those that have a row
 * of it alone, NULL: all. */
int history_runs(struct history *h, int64_t n, const char *kind,
                 history_run_cb *cb, void *arg, struct err *e);

/* All rows of a run, or of all runs (NULL), in order. */
int history_rows(struct history *h, const char *run, history_row_cb *cb,
                 void *arg, struct err *e);

/* The name of the run that begins or ends with word: appended to out.
 * ERR_NOT_FOUND: none does; ERR_INVALID: several do, and some are named. */
int history_find(struct history *h, const char *word, struct buf *out,
                 struct err *e);

struct history_state {
    int64_t bytes, rows, runs;
    char since[40];    /* time of the first row; "" */
    char verified[40]; /* time of the last verification; "" */
    int64_t faults;    /* that it found */
};
int history_state(struct history *h, struct history_state *s, struct err *e);

#endif
