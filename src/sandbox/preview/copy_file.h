/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copy_file.h - copies a file's bytes, attributes, mode, owner and times. */
#ifndef SANDBOX_PREVIEW_COPY_FILE_H
#define SANDBOX_PREVIEW_COPY_FILE_H

#include "sandbox/preview/changes.h"

/* Returns the permission bits that a file or directory gets: none of setuid and
 * setgid that its original did not have. */
mode_t copy_file_mode(const struct change *c);

/* Fills a new file from one of the view: bytes, mode, owner, times, extended
 * attributes. sync: the bytes are on disk when this returns. */
int copy_file_all(int from, int to, const struct change *c, bool sync,
                  struct err *e);

/* Shares the bytes of a file with an empty one (reflink). Returns false, and
 * does nothing, where the filesystem cannot do that. */
bool copy_file_clone(int from, int to);

/* Copies only the bytes, without the holes. Calls ask, unless NULL, before each
 * few MiB; -1 from it ends the copy. */
typedef int copy_file_slice_fn(void *arg, size_t bytes, struct err *e);
int copy_file_bytes(int from, int to, off_t size, copy_file_slice_fn *ask,
                    void *arg, struct err *e);

/* Copies user attributes, access lists, and default access lists. 1: there are
 * more than can be copied; -1: `to` cannot hold them. */
int copy_file_all_xattrs(int from, int to, struct err *e);

/* Removes the attributes by which a view marks its files. */
int copy_file_forget_view(int fd, struct err *e);

/* Like copy_file_all for a file that shall be as any new file of the person's:
 * bytes, mode, times and user attributes, but no owner and no access list. */
int copy_file_as_own(int from, int to, const struct change *c, struct err *e);

/* Sets mode, owner and times of a file or directory that is in place. */
int copy_file_attributes(int place, const struct change *c, struct err *e);

#endif
