/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_text.h - writes what a line would touch, for a person. */
#ifndef GUARD_EFFECTS_EFFECTS_TEXT_H
#define GUARD_EFFECTS_EFFECTS_TEXT_H

#include "base/buf.h"
#include "guard/effects/effects.h"

#define EFFECTS_NAMED 3 /* paths that the summary names */

/* Appends one line without a newline:
 *     deletes build/, a.log · 4 files, 12.4 MiB, 1 outside ~/proj, 2 not in
 *     git; ends node (pid 48213, started 14:02, yours)
 * or "" when nothing is known to be touched. Control characters are escaped.
 * dot stands before the figures, with its blanks (" · "). Paths that do not
 * exist are not named. */
int effects_summary(const struct effects *x, const struct path_context *where,
                    const char *dot, struct buf *out);

/* Whether effects_list has names that the summary leaves out. */
bool effects_has_more(const struct effects *x);

/* Appends a line for each path and process, with its newline and indented by
 * `indent` blanks; at most max lines, then how many more there are. */
int effects_list(const struct effects *x, const struct path_context *where,
                 unsigned indent, size_t max, struct buf *out);

#endif
