/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path_autorun.h - knows the paths from which programs run without being named.
 *
 * A file in a directory of PATH runs when somebody types its name. Login
 * scripts, crontabs, units, hooks and completions run at a login, at a time or
 * at the Tab key. Whoever writes there runs a program later, outside the
 * sandbox. */
#ifndef GUARD_PATH_PATH_AUTORUN_H
#define GUARD_PATH_PATH_AUTORUN_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "guard/path/path_context.h"

#define PATH_AUTORUN_MAX 32 /* directories of PATH; more: every path */

/* The directories of PATH, absolute and clean, as written and with links
 * resolved. */
struct path_autorun {
    char *dirs[2 * PATH_AUTORUN_MAX];
    size_t n;
    const struct path_context *where; /* borrowed */
    bool loaded; /* PATH has been read: only at the first need, since most lines
                  write nothing */
    bool every;  /* too many directories, or no memory: every path counts */
};

/* where->path may be NULL; relative directories begin at where->cwd. The caller
 * calls path_autorun_done in any case. */
void path_autorun_init(struct path_autorun *p,
                       const struct path_context *where);
void path_autorun_done(struct path_autorun *p); /* accepts NULL */

/* Whether a program runs by itself or by its name from path, which is absolute
 * and clean; with `below`, also from a path below it that the command could
 * create. */
bool path_autorun_is(struct path_autorun *p, const char *path, bool below);

#endif
