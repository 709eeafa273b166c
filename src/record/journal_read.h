/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal_read.h - reads the journal: its runs, their rows, and its state.
 *
 * Nothing here writes. Another user may have written the file: its texts are
 * untrusted. */
#ifndef RECORD_JOURNAL_READ_H
#define RECORD_JOURNAL_READ_H

#include "base/buf.h"
#include "record/ledger.h"
#include "record/sqlite.h"

struct journal_reader;

/* Opens the journal. ERR_NOT_FOUND: there is none yet. */
struct journal_reader *journal_read_open(struct err *e);
void journal_read_close(struct journal_reader *h); /* accepts NULL */
DEFINE_CLEANUP(struct journal_reader, journal_read_close)
const char *journal_read_path(const struct journal_reader *h);
struct sqlite *journal_read_database(struct journal_reader *h); /* borrowed */

/* Called for each run or row; texts are borrowed for the call. */
typedef void journal_read_run_cb(void *arg, const char *run);
typedef void journal_read_row_cb(void *arg, const struct ledger_row *row);

/* Reads at most n runs, the newest first: those with a row of the kind, or all
 * (NULL). */
int journal_read_runs(struct journal_reader *h, int64_t n, const char *kind,
                      journal_read_run_cb *cb, void *arg, struct err *e);

/* Reads all rows of a run, or of all runs (NULL), in order. */
int journal_read_rows(struct journal_reader *h, const char *run,
                      journal_read_row_cb *cb, void *arg, struct err *e);

/* Appends the name of the run that begins or ends with word. ERR_NOT_FOUND:
 * none does. ERR_INVALID: several do, and the text names some. */
int journal_read_find_run(struct journal_reader *h, const char *word,
                          struct buf *out, struct err *e);

/* Called for each run of a session (of an editor, or of a shell) in the
 * journal, the oldest first; time: of its request, as in a row. */
typedef void journal_read_session_cb(void *arg, const char *run,
                                     const char *time);
int journal_read_session(struct journal_reader *h, const char *session,
                         journal_read_session_cb *cb, void *arg, struct err *e);

struct journal_state {
    int64_t bytes, rows, runs;
    char since[40];    /* time of the first row; "" */
    char verified[40]; /* time of the last verification; "" */
    int64_t faults;    /* that the verification found */
};
int journal_read_state(struct journal_reader *h, struct journal_state *s,
                       struct err *e);

#endif
