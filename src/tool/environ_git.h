/* SPDX-License-Identifier: GPL-3.0-or-later */
/* environ_git.h - git that only looks runs no program of the directory's.
 *
 * Where a child can write nothing, git is there to look, and a repository's
 * configuration may be anybody's: an archive that was unpacked has one. So it
 * gets its settings from the environment, which git believes more: no
 * fsmonitor, hooks or pager, no lock for what it could write down, no question.
 * Filters and diff drivers have names of their own: those that the repository's
 * configuration has a key for are found, and do nothing (git-config(1),
 * gitattributes(5)). */
#ifndef TOOL_ENVIRON_GIT_H
#define TOOL_ENVIRON_GIT_H

#include "base/err.h"

/* More drivers than these are not switched off; the walls stay. */
#define ENVIRON_GIT_MAX 256

/* Calls set for each variable, for a child that looks at dir. Returns -1 when
 * set did. */
typedef int environ_set(void *arg, const char *name, const char *value,
                        struct err *e);
int environ_git(const char *dir, environ_set *set, void *arg, struct err *e);

#endif
