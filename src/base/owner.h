/* SPDX-License-Identifier: GPL-3.0-or-later */
/* owner.h - checks that nobody else may write or replace a file we trust.
 *
 * One rule for configuration files, for plugins, and for plans that run without
 * a question: a file is trusted if only root and this user may write it, or put
 * another file in its place. Not trusted is a write bit for others; a write bit
 * for the group, unless nobody else is in it (own_group.h); an entry of an
 * access control list (acl.h) that lets somebody else write, or that cannot be
 * read. No other code decides this by the write bits of a mode. */
#ifndef BASE_OWNER_H
#define BASE_OWNER_H

#include "base/err.h"

enum owner_whose {
    OWNER_OURS,  /* this user's, or root's */
    OWNER_ROOTS, /* root's alone */
};

/* Checks an open file or directory, also one opened with O_PATH: 0 when it has
 * the right owner and nobody else may write it. ERR_PERMISSION: the text says
 * who may, and the command that corrects it. name is for the text. */
int owner_check_fd(int fd, enum owner_whose whose, const char *name,
                   struct err *e);

/* The same for a path. Of a symbolic link only the owner is checked, not its
 * target. Call owner_check_parents first: whoever may rename the file could do
 * so between this check and its use. */
int owner_check_path(const char *path, enum owner_whose whose, struct err *e);

/* ERR_PERMISSION: somebody else may replace path, or a directory above it. path
 * is absolute; of a symbolic link in it only the owner is checked. A directory
 * of root's with the sticky bit (/tmp) is acceptable. */
int owner_check_parents(const char *path, struct err *e);

/* Checks an open file and the path that it was opened by: it is ours, and
 * nobody else can replace it, by that path or by its real one. ERR_PERMISSION,
 * with what to do. */
int owner_check_file(int fd, const char *path, struct err *e);

#endif
