/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edit.h - a command in the person's own editor. */
#ifndef PERSON_EDIT_H
#define PERSON_EDIT_H

#include "base/buf.h"
#include "person/app.h"

/* Opens $VISUAL, else $EDITOR, else editor, vi or nano on a private temporary
 * file that holds text, waits for its end and appends what the file then
 * holds, without the last newline. The editor has the terminal. ERR_TOOL when
 * it fails: nothing was changed. */
int edit_text(struct app *a, const char *text, struct buf *out, struct err *e);

#endif
