/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_path.h - a path of the line as the files that it means now. */
#ifndef GUARD_EFFECTS_PATH_H
#define GUARD_EFFECTS_PATH_H

#include "guard/effects/effects_look.h"

/* Appends the absolute paths. A pattern that matches nothing is itself, as it
 * is to bash. all_of: the directory of which everything is meant (~ for all of
 * ~), else "". False: some of it is not known; then all_of is "/" where an
 * expansion that may be empty stands before all of it. */
bool effects_path_expand(struct effects_look *l, const struct risk_path *p,
                         struct glob_list *found, char all_of[PATH_MAX]);

#endif
