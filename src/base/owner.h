/* SPDX-License-Identifier: GPL-3.0-or-later */
/* owner.h - who may write what we go by.
 *
 * One rule for all that configures us, for the plugins that we start and for
 * the plans that run unasked: what somebody else than root and this user may
 * write, or put another in the place of, is theirs to say. A write bit for all
 * is somebody else's; one for the group is, unless nobody else is in the group
 * (own_group.h); so is an entry of an access control list (acl.h) that lets
 * anybody else write, or that cannot be read. No other code looks at the write
 * bits of a mode for this. */
#ifndef BASE_OWNER_H
#define BASE_OWNER_H

#include "base/err.h"

enum owner_whose {
    OWNER_OURS,  /* this user's, or root's */
    OWNER_ROOTS, /* root's alone */
};

/* Of an open file or directory, whose descriptor may be an O_PATH one: 0 when
 * it belongs to whom it must, and nobody else may write it. ERR_PERMISSION
 * says who may, and the command that mends it. name is for the text. */
int owner_check_fd(int fd, enum owner_whose whose, const char *name,
                   struct err *e);

/* The same of what a path names. Of a link only who owns it is looked at, not
 * where it leads. Whoever may rename it may have done so in between: ask
 * owner_check_above first. */
int owner_check_path(const char *path, enum owner_whose whose, struct err *e);

/* ERR_PERMISSION: somebody else may put another in the place of path, or of a
 * directory above it. Absolute; of a link on the way only its owner is looked
 * at, not where it leads. A sticky directory of root's (/tmp) will do above. */
int owner_check_above(const char *path, struct err *e);

/* Of an open file and the path that it was opened by: whether it is ours, and
 * nobody else can put another in its place, on that way or where it really is.
 * ERR_PERMISSION, with what to do. */
int owner_check_file(int fd, const char *path, struct err *e);

#endif
