/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_attributes.h - reads and sets what a file has beside its contents:
 * owner, mode, times, extended attributes and access lists.
 *
 * Files are named by descriptors of any kind, O_PATH too, so that one that
 * cannot be read has its attributes kept all the same. */
#ifndef ACTION_UNDO_ATTRIBUTES_H
#define ACTION_UNDO_ATTRIBUTES_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/buf.h"

#define UNDO_ATTRIBUTES_MAX (1u << 20) /* bytes, of one file */

/* Appends the user attributes, access lists and, for root, capabilities: a
 * name, a NUL, the length in decimal, a NUL, the value; again for each. Others
 * are not kept. -1: one cannot be read. */
int undo_attributes_read(int fd, struct buf *out, struct err *e);

/* Gives the file these attributes, and takes away those of the same kinds that
 * it has beside them. */
int undo_attributes_set(int fd, const char *text, size_t n, struct err *e);

/* Sets owner, mode and times, where they differ. times false: those stay as
 * they are. */
int undo_attributes_stat(int fd, const struct stat *was, bool times,
                         struct err *e);

#endif
