/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tmux_text.h - reads from tmux what the last command showed in its pane. */
#ifndef UI_TMUX_TEXT_H
#define UI_TMUX_TEXT_H

#include "ui/app.h"

struct tmux_text;

/* Is called once, from the loop: with what stands between the last two prompts,
 * "" where that is nothing; NULL: it is not found there, or tmux did not
 * answer. Borrowed. It may free the search. */
typedef void tmux_text_cb(void *arg, const char *text);

/* Asks the tmux of the seat, if this process is at the terminal of its pane.
 * NULL: it is not. command is borrowed. */
struct tmux_text *tmux_text_start(struct app *a, const char *command,
                                  tmux_text_cb *cb, void *arg);
void tmux_text_free(struct tmux_text *t); /* accepts NULL */

#endif
