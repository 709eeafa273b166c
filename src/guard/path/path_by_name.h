/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path_by_name.h - places from which something runs that was not named.
 *
 * A file in a directory of PATH runs when somebody types its name; what login
 * scripts, crontabs, units, hooks and completions say runs when somebody logs
 * in, waits or presses Tab. Who writes there runs a program later, without
 * walls. */
#ifndef GUARD_PATH_BY_NAME_H
#define GUARD_PATH_BY_NAME_H

#include <limits.h>
#include <stdbool.h>

#include "guard/risk/risk.h"

#define PATH_BY_NAME_MAX 32 /* directories of PATH; more count as unknown */

/* The directories of PATH, absolute and clean, as they are written and without
 * links. */
struct path_by_name {
    char *dirs[2 * PATH_BY_NAME_MAX];
    size_t n;
    const struct risk_place *where; /* borrowed */
    bool read; /* PATH is, when it is first asked for: most lines write nothing
                  for which it counts */
    bool all;  /* there are too many, or no memory */
};

/* where->path may be NULL; a relative directory begins at where->cwd.
 * path_by_name_done is due in any case. */
void path_by_name_init(struct path_by_name *p, const struct risk_place *where);
void path_by_name_done(struct path_by_name *p); /* accepts NULL */

/* Whether something runs by its name from an absolute clean path; `below`:
 * or from some place below it that the command could make. */
bool path_by_name_is(struct path_by_name *p, const char *path, bool below);

#endif
