/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_run.h - one run: its operations, one after another, and their events.
 *
 * Each operation is judged by the rules, then it runs, is refused, or the
 * run waits for an approval. A command is an errand (action/errand.h); a
 * file operation is judged as the tool that does the same, and done here
 * (spaces_files.h). Nothing blocks: slow work is done by threads and other
 * processes. A run that has waited for an approval is in the store, which
 * records each operation before it begins. */
#ifndef SERVER_SPACES_SPACES_RUN_H
#define SERVER_SPACES_SPACES_RUN_H

#include "server/spaces/spaces_shared.h"

struct spaces_run;

/* Begins a run of the operations of a line, and takes both. done is called by
 * the loop when the run is completed, waits, or cannot go on. On failure the
 * line and the text are still the caller's. */
struct spaces_run *spaces_run_new(struct spaces_shared *sh,
                                  struct spaces_line *line, struct buf *text,
                                  void (*done)(void *arg), void *arg,
                                  struct err *e);

/* Resumes a run of the store, and takes the claim and the line with its
 * operations. */
struct spaces_run *spaces_run_resume(struct spaces_shared *sh,
                                     struct spaces_claim *claim,
                                     struct spaces_line *line,
                                     void (*done)(void *arg), void *arg,
                                     struct err *e);

/* Ends what runs now, with an event that says why, and calls done at once. */
void spaces_run_stop(struct spaces_run *r, const char *why);
void spaces_run_free(struct spaces_run *r); /* accepts NULL */
DEFINE_CLEANUP(struct spaces_run, spaces_run_free)

/* After done: */
const char *spaces_run_id(const struct spaces_run *r);
enum spaces_status spaces_run_status(const struct spaces_run *r);
enum spaces_result spaces_run_result(const struct spaces_run *r);
bool spaces_run_is_stored(const struct spaces_run *r);
/* Begins the events message in head, and hands over its list. */
void spaces_run_take(struct spaces_run *r, struct buf *head,
                     struct buf *events);

/* Its run in the journal; may be NULL. */
struct journal_run *spaces_run_journal(const struct spaces_run *r);

#endif
