/* SPDX-License-Identifier: GPL-3.0-or-later */
/* additions_git.h - what git believes of a repository that a step adds.
 *
 * A step that nobody was asked about may add a repository, as `cp -r` and
 * `git clone` do, when nothing in it makes git run a program: samples of hooks,
 * a configuration that is data. */
#ifndef SANDBOX_ADDITIONS_GIT_H
#define SANDBOX_ADDITIONS_GIT_H

#include "sandbox/preview/changes.h"

/* What stands behind the first `.git/` of a path, in it; NULL: nothing. */
const char *additions_git_below(const char *path);

/* Whether a new entry of a repository, of those that git believes
 * (git_trusted.h), makes git run nothing. */
bool additions_git_is_data(const struct changes_spec *spec,
                           const struct change *c);

/* Whether it is a copy of what was lent to another repository for the time of
 * the step (protect.h), which means nothing and is not missed. */
bool additions_git_is_lent(const struct changes_spec *spec,
                           const struct change *c);

#endif
