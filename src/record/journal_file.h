/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal_file.h - the file that the events of a process are written to.
 *
 * One thread uses it at a time, and waits here: for another process's lock, or
 * for the disk. No failure ends it: what could not be written is counted, and a
 * row "gap" says so when rows can be written again. */
#ifndef RECORD_JOURNAL_FILE_H
#define RECORD_JOURNAL_FILE_H

#include "record/journal_event.h"

#define JOURNAL_RUN_SIZE 24

/* A run, as the file knows it. The file frees it (journal_file_end_run). */
struct journal_file_run {
    char name[JOURNAL_RUN_SIZE];
    int64_t first; /* number of its first row; 0: it has none yet */
    struct journal_file_run *next;       /* of the file's */
    struct journal_file_run *next_ended; /* the caller's */
};

struct journal_file;

/* Finds the journal, and makes the file where there is none; journal_file_open
 * comes next. in_thread: the caller is a thread that nobody waits for. It waits
 * for another process as often as it must, tries again later to open what
 * cannot be opened, and can be stopped by journal_file_give_up. */
struct journal_file *journal_file_new(int64_t keep_days, int64_t keep_mb,
                                      bool in_thread, struct err *e);

/* Opens it, or a new one beside it where it is damaged. -1: also noted, for
 * journal_file_take_trouble. */
int journal_file_open(struct journal_file *f, struct err *e);

/* Adds all events of a list in one transaction, and frees them. */
int journal_file_write(struct journal_file *f, struct journal_event *first);

/* The same without waiting for another process, or for the disk. False:
 * that could not be, and the events are still the caller's, for
 * journal_file_write, which notes trouble. */
bool journal_file_write_now(struct journal_file *f,
                            struct journal_event *first);

/* Syncs the rows to the disk, and removes what the settings no longer keep, but
 * no row of a run that is not ended. run is the one that asks; soon: without
 * waiting for the disk. */
int journal_file_sync(struct journal_file *f,
                      const struct journal_file_run *run, bool soon);

/* Ends a run, whose events are all written, and frees it. */
void journal_file_end_run(struct journal_file *f, struct journal_file_run *run);

/* Counts n events as lost, for a reason that was reported already or, with
 * report, that is to be. Returns -1. */
int journal_file_lose(struct journal_file *f, int64_t n, const struct err *why,
                      bool report);

/* Whether there is trouble that has not been taken: the first one (in_thread:
 * since rows could be written again), and each time a new journal was begun. */
bool journal_file_take_trouble(struct journal_file *f, struct err *out);
/* Whether there is any, taken or not. */
bool journal_file_has_trouble(const struct journal_file *f);

/* From the time at_ms (clock_ms) on it waits for no other process any more.
 * Another thread may call it. */
void journal_file_give_up(struct journal_file *f, int64_t at_ms);

void journal_file_close(struct journal_file *f); /* accepts NULL */
DEFINE_CLEANUP(struct journal_file, journal_file_close)

#endif
