/* SPDX-License-Identifier: GPL-3.0-or-later */
/* entry.h - one name of a directory, for a person and for a program. */
#ifndef PLUGINS_FS_LIST_DIR_ENTRY_H
#define PLUGINS_FS_LIST_DIR_ENTRY_H

#include <sys/stat.h>

#include "base/buf.h"
#include "json/write.h"

/* A line: control bytes and backslashes of the name as escapes, so that a
 * name is always one line, then a mark as `ls -F` has it. */
void entry_line(struct buf *out, const char *name, const struct stat *st);

/* {"name":…,"type":…,"size":…,"mtime":…,"mode":…,"target":…}; st NULL: only
 * the name is known. The target of a link is read in `dir`. */
void entry_object(struct json_writer *w, int dir, const char *name,
                  const struct stat *st);

#endif
