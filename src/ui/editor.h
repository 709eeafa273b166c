/* SPDX-License-Identifier: GPL-3.0-or-later */
/* editor.h - opens a command in the user's editor. */
#ifndef UI_EDITOR_H
#define UI_EDITOR_H

#include "ui/app.h"

struct command_editor; /* that has the terminal */

/* The editor has ended; it comes once, from the loop, and may close it. text:
 * what the file holds now, without newlines at its end; NULL: nothing is to be
 * changed, and why (ERR_TOOL: the editor failed). Borrowed. */
typedef void editor_cb(void *arg, const char *text, const struct err *why);

/* Starts $VISUAL, else $EDITOR, else editor, vi or nano, on a private temporary
 * file that holds text. It has the terminal until editor_close. */
struct command_editor *editor_open(struct app *a, const char *text,
                                   editor_cb *cb, void *arg, struct err *e);
void editor_close(struct command_editor *d); /* ends it; accepts NULL */
DEFINE_CLEANUP(struct command_editor, editor_close)

#endif
