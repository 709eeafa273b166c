/* SPDX-License-Identifier: GPL-3.0-or-later */
/* audit_log.h - ai log: prints the journal for a user or a program.
 *
 * All of the journal is bytes from outside: every byte is printed so that it
 * is visible. Each verb prints in the form that was asked for (a->output) and
 * returns the exit status. */
#ifndef UI_AUDIT_LOG_H
#define UI_AUDIT_LOG_H

#include "record/journal_read.h"
#include "ui/app.h"
#include "json/write.h"

/* Which runs are listed. NULL: all of them. */
struct audit_log_filter {
    const char *words;     /* each must be in a request, a plan or an answer */
    const char *status;    /* "ran", "failed", "shown" (nothing was to run),
                              "denied", "stopped" or "unfinished" */
    const char *directory; /* the request was made here or below */
};

/* Prints the newest runs, the newest first: n of them, or (n < 1) as many as
 * the screen has lines. As text, runs of `agentsh tool call` are left out,
 * unless they are asked for (tools) or there are no others, since a program
 * that calls tools makes many of them. With a filter all runs are read, and n
 * of those that match are printed. */
int audit_log_list(struct app *a, int64_t n, bool tools,
                   const struct audit_log_filter *filter);

/* Prints every event of one run; word is the beginning or the end of its
 * name. In audit_run.c. */
int audit_log_run(struct app *a, const char *word);

/* Prints whether the journal's hash chain holds; 1: it does not. In
 * audit_verify.c. */
int audit_log_verify(struct app *a);

/* Prints what models cost: the tokens and the amounts of each day and model,
 * the newest day first, and the sum for each currency. A run counts on the
 * local day of its first row, with the price of its time. In audit_cost.c. */
int audit_log_cost(struct app *a);

/* What these and the fuzzer of journal rows share: */

/* Bytes of text: the rows of a run, each byte an escape. */
#define AUDIT_LOG_MAX (64u << 20)

/* Writes a stored time (UTC) as local time, "2026-01-02 03:04:05"; "?" where
 * it is not a time. Returns out. */
#define AUDIT_LOG_TIME_SIZE 64
#define AUDIT_LOG_MINUTES   16 /* bytes of it without the seconds */
const char *audit_log_time(const char *time, char out[AUDIT_LOG_TIME_SIZE]);

/* Appends a row as JSON; a body that is not JSON becomes a string. */
void audit_log_row_json(struct json_writer *w, const struct ledger_row *r);

/* Appends a row as lines of text. */
void audit_log_row_text(struct buf *out, const struct term *t,
                        const struct ledger_row *r);

#endif
