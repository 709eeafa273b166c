/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_batch.h - writes what a commit adds to the write-ahead log at once.
 *
 * SQLite writes each page with two calls, its header and itself: a commit of a
 * few rows has a dozen. While the COMMIT runs, the methods of the log's file
 * are ours: they collect the frames, and write them when the last one of the
 * commit is there, which its header says (the file format of SQLite has it).
 * Until then nobody reads them: a frame counts when SQLite has put it into the
 * index, which it does after that write, and before it gives up its lock.
 *
 * What is written, where, and what is on the disk after a crash are the same: a
 * commit whose last frame is not in the file did not happen. */
#ifndef RECORD_LOG_BATCH_H
#define RECORD_LOG_BATCH_H

#include <sqlite3.h>

#include "base/cleanup.h"

struct log_batch;

/* NULL: there is no memory; then SQLite writes as it does. */
struct log_batch *log_batch_new(void);
void log_batch_free(struct log_batch *b); /* accepts NULL */

/* Around the step of a COMMIT, with the file of the log. Whatever the step
 * returned, nothing is written after it: it has given up its lock. */
void log_batch_begin(struct log_batch *b, sqlite3_file *log);
void log_batch_end(struct log_batch *b);

#endif
