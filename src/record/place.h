/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.h - which file the journal is in, and that nobody else's is taken.
 *
 * The state directory has journal.db; when that turned out to be damaged, or
 * was never ours, it is left as it is and journal-TIME.db is the journal from
 * then on: the newest of them. */
#ifndef RECORD_PLACE_H
#define RECORD_PLACE_H

#include <stdbool.h>

#include "base/err.h"

/* The path of the journal, there or not; the caller frees it. */
char *place_journal(struct err *e);

/* How many journals there are before it, left as they are. */
int place_left(void);

/* Makes the directory (0700) and an empty file (0600) where there is none.
 * ERR_PERMISSION: one of them is a link, another user's, no regular file, or
 * a directory that others may write to. A file that others may read is made
 * private. */
int place_make(const char *path, struct err *e);

/* Keeps other processes from making a journal where path is, or one beside it,
 * until the descriptor is closed. ERR_TIMEOUT: one of them does not end. */
int place_lock(const char *path, struct err *e);

/* A journal beside the one at `path`, which cannot be used: a new file, made
 * as by place_make, or the one that another process began meanwhile. Takes the
 * lock. The caller frees the path. */
char *place_beside(const char *path, struct err *e);

#endif
