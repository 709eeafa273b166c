/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file.h - reads and writes whole files: reads are bounded, writes atomic. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"

/* Appends the file's bytes; ERR_NOMEM when they exceed out->max. */
int file_read(const char *path, struct buf *out, struct err *e);
/* The same for a regular file only; ERR_PARSE: it is something else. It never
 * waits for a writer: for a path where anybody may have put a FIFO. */
int file_read_regular(const char *path, struct buf *out, struct err *e);
/* Opens a regular file with a secret, which must be this user's or root's: a
 * descriptor to read from, the caller's. *seen: whether others may read it.
 * ERR_USAGE: it is something else, or others may write it, or where seen is
 * NULL, read it; the text says what to do. */
int file_open_private(const char *path, bool *seen, struct err *e);
/* file_read for such a file that nobody else may read. */
int file_read_private(const char *path, struct buf *out, struct err *e);
int file_read_fd(int fd, struct buf *out,
                 struct err *e); /* from its position to its end */

/* Writes a temporary file in the same directory, syncs and renames it: readers
 * see the old contents or the new ones, and so does a system after a crash. */
int file_write(const char *path, const void *bytes, size_t n, mode_t mode,
               struct err *e);

/* The same without the sync, which a disk may take long for: after a crash of
 * the system the file may be empty, or hold the old contents. */
int file_write_cache(const char *path, const void *bytes, size_t n, mode_t mode,
                     struct err *e);

/* file_write for a path that a person chose: a symbolic link stays and its
 * target is written; a FIFO or a device is opened and written directly, and
 * keeps its mode. It waits where a FIFO has no reader yet. */
int file_save(const char *path, const void *bytes, size_t n, mode_t mode,
              struct err *e);

/* Syncs an open file to the disk without waiting: a child does it that does
 * nothing else and holds nothing else open. For the end of a process: nobody
 * reaps that child. */
void file_sync_in_background(int fd);

/* Locks a directory (fd_lock) for a caller that reads a file in it and rewrites
 * it, so that no addition of another process is lost in between. The caller
 * owns the descriptor, and releases the lock by closing it. -1 on failure. */
int file_lock_dir(const char *path, int timeout_ms, struct err *e);

/* Makes a private directory, mode 0700, in a shared one such as /tmp; one that
 * exists is used. ERR_PERMISSION: it is a symbolic link, another user's, or
 * open to others. */
int file_private_dir(const char *path, struct err *e);

#endif
