/* SPDX-License-Identifier: GPL-3.0-or-later */
/* user_shell.h - writes a plan as a command for the user's own shell. */
#ifndef UI_USER_SHELL_H
#define UI_USER_SHELL_H

#include "action/plan.h"
#include "ui/app.h"

#define USER_SHELL_MAX (4u << 20) /* bytes of such a command */

/* Whether a step can do its work only in the user's own shell: it changes the
 * shell that runs it (cd, export), wants a terminal, or needs sudo. why gets a
 * sentence about the first such step. */
bool user_shell_is_needed(const struct aiaction *a, const struct plan *p,
                          char why[256]);

/* Appends the command, whose syntax is s, so that it runs as root with the
 * seat's home: with sudo in front where it is one call of a program, else as
 * the text of a bash that sudo starts. sudo takes no list, pipe, redirection,
 * assignment or builtin; what follows would run without it. True: such a bash.
 */
bool user_shell_sudo(struct buf *out, const struct seat *seat,
                     const char *command, const struct syntax *s);

/* Appends the steps as one command without a newline at its end. Each step
 * runs only when the one before succeeded. A step with a directory runs in it;
 * the shell stays there only where the step is meant to change the shell.
 * Where the text does not fit, out is bad, and user_shell_insert gives no part
 * of it. */
void user_shell_text(const struct aiaction *a, const struct plan *p,
                     struct buf *out);

/* Puts the command on the user's prompt. Where no shell waits for it, prints
 * it alone and sends it to the clipboard. Says which. */
void user_shell_insert(struct app *a, const struct buf *text);

#endif
