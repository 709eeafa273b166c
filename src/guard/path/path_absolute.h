/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path_absolute.h - where a path of a command line lies, by its spelling. */
#ifndef GUARD_PATH_ABSOLUTE_H
#define GUARD_PATH_ABSOLUTE_H

#include <limits.h>

#include "guard/risk/risk.h"

/* The absolute form of a path as it stands in a command line, without `.`,
 * `..` and doubled slashes: ~, $HOME and $PWD in front are known, a relative
 * one begins at dir (NULL: not known). From the first component on that
 * holds a pattern or another expansion it is cut off; *cut says so. False
 * when the beginning is not known. */
bool path_absolute(const char *text, const char *dir,
                   const struct risk_place *where, char out[PATH_MAX],
                   bool *cut);

#endif
