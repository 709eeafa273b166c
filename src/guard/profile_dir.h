/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile_dir.h - the directory that has to be writable for a path. */
#ifndef GUARD_PROFILE_DIR_H
#define GUARD_PROFILE_DIR_H

#include <limits.h>

#include "guard/risk/risk.h"

/* The nearest directory above an absolute, clean path that is there; the path
 * itself where `itself` and it is one. False: no profile makes it writable,
 * since it is the system's, holds settings of the person, or, where `writes`,
 * because what lies there is run by its name. dir is set in any case. */
bool profile_dir_find(const char *path, const struct risk_place *where,
                      bool itself, bool writes, char dir[PATH_MAX]);

#endif
