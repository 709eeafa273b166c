/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file.h - whole files, bounded and atomic. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <sys/types.h>

#include "base/buf.h"

/* Appends the file's bytes; fails when they pass out->max. */
int file_read(const char *path, struct buf *out, struct err *e);
/* The same of a regular file only (ERR_PARSE: it is something else), and never
 * waiting for a writer: where anybody may have put something of that name. */
int file_read_regular(const char *path, struct buf *out, struct err *e);
int file_read_fd(int fd, struct buf *out, struct err *e); /* until its end */

/* Writes by a temporary file in the same directory, fsync and rename: readers
 * see the old bytes or the new ones, a crash leaves one of them whole. */
int file_write(const char *path, const void *bytes, size_t n, mode_t mode,
               struct err *e);

/* The same for a path that a person chose. A link stays, and its target is
 * what is written; what is no regular file (a FIFO, a device) is opened and
 * written as it is, and keeps its mode. Where the reader of a FIFO is awaited,
 * this waits. */
int file_save(const char *path, const void *bytes, size_t n, mode_t mode,
              struct err *e);

/* Has the bytes of an open file put on the disk without waiting for it, by a
 * child that does nothing else and holds nothing else open. For the end of a
 * process: nobody reaps it before. */
void file_sync_soon(int fd);

/* Makes a directory and its missing parents, each with mode. One that is
 * there already is fine. The home directory, and what is above it, is never
 * made: ERR_CONFIG where it is missing. */
int file_make_dirs(const char *path, mode_t mode, struct err *e);

/* Takes the lock of a directory (fd_lock), for who reads a file in it to write
 * it anew: what another program adds between would be lost. The descriptor is
 * the caller's; to close it gives the lock back. -1: none. */
int file_lock_dir(const char *path, int timeout_ms, struct err *e);

/* A directory of our own in a shared place (/tmp): made with mode 0700, and
 * refused (ERR_PERMISSION) when it is a link, another user's, or open to
 * others. */
int file_private_dir(const char *path, struct err *e);

#endif
