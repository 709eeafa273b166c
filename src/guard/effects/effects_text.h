/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_text.h - what a line would touch, in words for a person. */
#ifndef GUARD_EFFECTS_TEXT_H
#define GUARD_EFFECTS_TEXT_H

#include "base/buf.h"
#include "guard/effects/effects.h"

#define EFFECTS_NAMED 3 /* paths that the one line names */

/* Appends one line without a newline:
 *     deletes build/, a.log · 4 files, 12.4 MiB, 1 outside ~/proj, 2 not in
 *     git; ends node (pid 48213, started 14:02, yours)
 * "" when nothing is known to be touched. Hidden characters are escapes. dot:
 * what stands before the figures, "·" for instance. What is not there is not
 * named. */
int effects_summary(const struct effects *x, const struct risk_place *where,
                    const char *dot, struct buf *out);

/* Whether the one line leaves out names that the list has. */
bool effects_has_more(const struct effects *x);

/* Appends a line a path and a process, each with a newline, indented by
 * indent blanks; at most max of them, then how many more there are. */
int effects_list(const struct effects *x, const struct risk_place *where,
                 unsigned indent, size_t max, struct buf *out);

#endif
