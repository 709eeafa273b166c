/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preview_list.h - what changed, as a person reads it. */
#ifndef PERSON_PREVIEW_LIST_H
#define PERSON_PREVIEW_LIST_H

#include "sandbox/preview/apply.h"
#include "term/term.h"

#define PREVIEW_TEXT_MAX (4u << 20) /* of a file whose lines are compared */

#define PREVIEW_ALL SIZE_MAX

/* One line a change, at most `most` of them and "and N more"; where there are
 * more, a new directory is one line with all that is in it. What git keeps for
 * itself is only counted. PREVIEW_ALL: every one. Names are escaped. */
void preview_put_list(struct buf *out, const struct term *t,
                      const struct changes_spec *view,
                      const struct changes *list, size_t most);

/* The changed files' lines, as a unified diff; all: of git's own too, and what
 * has no lines is named. Returns how many lines it has. */
size_t preview_put_diff(struct buf *out, const struct term *t,
                        const struct changes_spec *view,
                        const struct changes *list, bool all);

/* Which entries were refused and why, or were done; "" when there are none. */
void preview_put_report(struct buf *out, const struct term *t,
                        const struct changes *list,
                        const struct apply_report *r, size_t most);

#endif
