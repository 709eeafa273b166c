/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.h - where a path of a command line lies, by its spelling alone. */
#ifndef GUARD_PLACE_H
#define GUARD_PLACE_H

#include <limits.h>

#include "guard/risk/risk.h"

/* The absolute form of a path as it stands in a command line, without `.`,
 * `..` and doubled slashes: ~, $HOME and $PWD in front are known, a relative
 * one begins at dir (NULL: not known). From the first component on that
 * holds a pattern or another expansion it is cut off; *cut says so. False
 * when the beginning is not known. */
bool place_absolute(const char *text, const char *dir,
                    const struct risk_place *where, char out[PATH_MAX],
                    bool *cut);

/* Takes `.`, `..`, doubled and trailing slashes out of an absolute path. */
void place_clean(char *path);

/* Whether path is dir or lies below it; both absolute and clean. */
bool place_is_below(const char *path, const char *dir);

/* Whether the components of part (".git/hooks") stand in path, one after
 * another, wherever. */
bool place_holds(const char *path, const char *part);

/* The path as a person writes it: "~/x" below home, which may be NULL. */
const char *place_short(const char *path, const char *home, char out[PATH_MAX]);

#endif
