/* SPDX-License-Identifier: GPL-3.0-or-later */
/* preview_text.h - writes the changes of a preview: a list and a diff. */
#ifndef UI_PREVIEW_TEXT_H
#define UI_PREVIEW_TEXT_H

#include "sandbox/preview/apply.h"
#include "term/term.h"

#define PREVIEW_TEXT_MAX (4u << 20) /* bytes of a file that is compared */

#define PREVIEW_TEXT_ALL SIZE_MAX

/* Appends a line for each change, at most `most` of them, and "and N more".
 * Where there are more, a new directory is one line with all that is in it.
 * Files inside .git are only counted. PREVIEW_TEXT_ALL: every change is
 * listed. Names are escaped. */
void preview_text_list(struct buf *out, const struct term *t,
                       const struct changes_spec *view,
                       const struct changes *list, size_t most);

/* Appends the changed files as a unified diff. all: files inside .git too, and
 * files that are not text are named. Returns how many lines it has. */
size_t preview_text_diff(struct buf *out, const struct term *t,
                         const struct changes_spec *view,
                         const struct changes *list, bool all);

/* Appends which changes were refused and why; where none was, which were made
 * before the failure. */
void preview_text_report(struct buf *out, const struct term *t,
                         const struct changes *list,
                         const struct apply_report *r, size_t most);

#endif
