/* SPDX-License-Identifier: GPL-3.0-or-later */
/* editor.h - opens a command in the user's editor. */
#ifndef UI_EDITOR_H
#define UI_EDITOR_H

#include "base/buf.h"
#include "ui/app.h"

/* Starts $VISUAL, else $EDITOR, else editor, vi or nano, on a private
 * temporary file that holds text, waits until it ends, and appends what the
 * file holds then, without newlines at its end. The editor has the terminal
 * meanwhile. ERR_TOOL: the editor failed, and nothing was changed. */
int editor_edit(struct app *a, const char *text, struct buf *out,
                struct err *e);

#endif
