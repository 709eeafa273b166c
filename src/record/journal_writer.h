/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal_writer.h - a thread that writes the events of many runs.
 *
 * What is queued while a transaction runs goes into the next one together. The
 * thread blocks all signals and touches nothing but the file, the queue, and an
 * eventfd(2) that wakes the thread that adds. That one alone calls what is
 * here, and never waits for longer than it takes to append to a list; but it
 * may write a little itself while the thread has nothing to do.
 *
 * Positions count what was queued, from 1; 0 is before all. */
#ifndef RECORD_JOURNAL_WRITER_H
#define RECORD_JOURNAL_WRITER_H

#include "record/journal_file.h"

struct journal_writer;

/* Starts the thread, which opens the file. It takes the file, also on failure.
 * wake is an eventfd, which the caller closes after journal_writer_stop
 * returned true. */
struct journal_writer *journal_writer_start(struct journal_file *f, int wake,
                                            struct err *e);

/* Queues an event and takes it; later: the thread need not be woken for it.
 * Returns its position; 0: the queue is full, and the event is lost. */
uint64_t journal_writer_add(struct journal_writer *w,
                            struct journal_event *event, bool later);

/* Counts an event that could not be made as lost. */
void journal_writer_lose(struct journal_writer *w, const struct err *why);

/* Asks for a sync to the disk of all that was queued so far. */
uint64_t journal_writer_sync(struct journal_writer *w,
                             const struct journal_file_run *run);

/* Ends the run, when its events are written, and frees it. */
void journal_writer_end_run(struct journal_writer *w,
                            struct journal_file_run *run);

/* The position up to which all is stored, or lost. */
uint64_t journal_writer_settled(struct journal_writer *w);

/* Stores what is queued before it returns, if the thread has nothing to do, the
 * queue is short and has only events, no other process holds the lock, and the
 * disk was quick the last time: to wake the thread and to be woken by it takes
 * about as long as the write. False: nothing was written. */
bool journal_writer_write_now(struct journal_writer *w);

/* Makes the eventfd readable once the position is settled, at once if it is. Of
 * several calls the last one counts. */
void journal_writer_await(struct journal_writer *w, uint64_t position);

/* As journal_file_take_trouble, and knows what was lost before the thread came
 * to it. */
bool journal_writer_take_trouble(struct journal_writer *w, struct err *out);

/* Writes what is queued and ends the thread; waits for that for 2 s at most.
 * false: the disk hangs, and so does the thread, which keeps the file, the
 * eventfd and w. */
bool journal_writer_stop(struct journal_writer *w);

#endif
