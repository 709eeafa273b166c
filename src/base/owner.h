/* SPDX-License-Identifier: GPL-3.0-or-later */
/* owner.h - who may write what we go by.
 *
 * One rule for all that configures us and for the plugins that we start: what
 * somebody else than root and this user may write, or put another in the place
 * of, is theirs to say. */
#ifndef BASE_OWNER_H
#define BASE_OWNER_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/err.h"

/* Whether nobody but its owner, who is us or root, may write it. A group that
 * is a user's own, with the user's number, is no one else. */
bool owner_is_ours(const struct stat *st);

/* ERR_PERMISSION: somebody else may put another in the place of path, or of a
 * directory above it. Absolute; of a link on the way only its owner is looked
 * at, not where it leads. A sticky directory of root's (/tmp) will do above. */
int owner_check_above(const char *path, struct err *e);

/* Of an open file and the path that it was opened by: whether it is ours, and
 * nobody else can put another in its place, on that way or where it really is.
 * ERR_PERMISSION, with what to do. */
int owner_check_file(int fd, const char *path, struct err *e);

#endif
