/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backup.h - what stood at a place, kept beside it.
 *
 * The name is PATH.aishell-YYYYMMDDhhmmss.bak, the time in UTC; where that is
 * taken, the same with -1, -2 and so on after it. */
#ifndef PLUGINS_LIB_BACKUP_H
#define PLUGINS_LIB_BACKUP_H

#include "plugins/lib/place.h"

/* Keeps the regular file at p under a second name: it is the same file, no
 * byte is copied, so that a full disk does not matter; where it has more
 * names already, or the file system knows no second names, it is a copy with
 * the same owner, mode and times. fd is the file, -1 where it cannot be read,
 * st its fstat. *path is the backup's, absolute, the caller's to free. ERR_IO
 * when another file stands there meanwhile. */
int backup_keep(const struct place *p, int fd, const struct stat *st,
                char **path, struct err *e);

/* Renames what stands at p. */
int backup_move(const struct place *p, char **path, struct err *e);

/* Takes back what backup_keep made. */
void backup_drop(const struct place *p, const char *path);

#endif
