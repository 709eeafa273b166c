/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal_path.h - finds and makes the journal's file, and checks its owner.
 *
 * The file is journal.db in the state directory. One that turns out to be
 * damaged, or is no journal of ours, is left as it is, and journal-TIME.db is
 * the journal from then on: the newest of them counts. */
#ifndef RECORD_JOURNAL_PATH_H
#define RECORD_JOURNAL_PATH_H

#include "base/err.h"

/* The path of the journal, which need not exist. The caller frees it. */
char *journal_path_find(struct err *e);

/* The number of older journals that were left as they are. */
int journal_path_count_old(void);

/* Makes the directory (mode 0700) and an empty file (0600) where they are
 * missing. ERR_PERMISSION: one of them is a symbolic link, another user's, or
 * not what it should be, or others may write the directory. A file that others
 * may read is made private. */
int journal_path_make(const char *path, struct err *e);

/* Locks the directory of path, so that no other process makes a journal in it
 * until the descriptor is closed. ERR_TIMEOUT: another process holds the lock.
 */
int journal_path_lock(const char *path, struct err *e);

/* A new journal to replace the one at `path`, which cannot be used: made as by
 * journal_path_make, or the one that another process has made meanwhile.
 * Takes the lock, and does not read the environment, so that a thread may call
 * it. The caller frees the path. */
char *journal_path_replace(const char *path, struct err *e);

#endif
