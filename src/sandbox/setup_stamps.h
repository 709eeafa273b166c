/* SPDX-License-Identifier: GPL-3.0-or-later */
/* setup_stamps.h - notices that what a sandbox's setup was made from changed.
 *
 * To see which secrets there are, and where links lead, takes some hundred
 * system calls. Who makes the same setup for many calls keeps it with stamps of
 * all that was looked at, and makes it anew when one of them differs:
 *
 *     a directory on the way to a path   which one it is, its mode and owner
 *     a directory whose names were read  the same, and its last change: a name
 *                                        was added, removed or renamed
 *     one that a path is missing in      the same
 *     a link                             the same: where it leads
 *
 * An entry of which only counts that it is there, and no link, has no stamp of
 * its own but that of its directory's names, one for all in a directory.
 *
 * Two changes within one tick of the file system's clock have one time. So
 * stamps that are younger than that do not hold, and the setup is made anew
 * until they are older. What /etc/passwd says and whether this machine has
 * namespaces is not noticed: with an older answer the launcher hides the old
 * home directory too, and fails where it cannot do what it was told. */
#ifndef SANDBOX_SETUP_STAMPS_H
#define SANDBOX_SETUP_STAMPS_H

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/err.h"

/* Paths, each part of one counted once. Of a home directory of many links they
 * may be more: such a setup is made for each call, as without stamps. */
#define SETUP_STAMPS_MAX 512

struct setup_stamps;

/* Begins: what is looked at from now on belongs in it. ERR_NOMEM. */
struct setup_stamps *setup_stamps_new(struct err *e);
void setup_stamps_free(struct setup_stamps *st); /* accepts NULL */
DEFINE_CLEANUP(struct setup_stamps, setup_stamps_free)

/* In all st may be NULL: then nothing is stamped. The path is absolute; it may
 * lead through links, or to nothing. The second is for a directory whose names
 * were read, or whose permissions were asked for; the third for a path whose
 * own permissions do not matter. */
void setup_stamps_path(struct setup_stamps *st, const char *path);
void setup_stamps_names(struct setup_stamps *st, const char *dir);
void setup_stamps_entry(struct setup_stamps *st, const char *path);

/* Whether all is as it was. Costs a system call for each path. */
bool setup_stamps_hold(const struct setup_stamps *st);

#endif
