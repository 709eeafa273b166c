/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_progress.h - what a terminal shows while a model is asked: a live line,
 * and a line for each tool that it called.
 *
 * Its functions are events of a turn (action/turn.h). */
#ifndef UI_MODEL_PROGRESS_H
#define UI_MODEL_PROGRESS_H

#include "action/tool_loop.h"
#include "ui/app.h"

struct model_progress; /* NULL is accepted by all, and shows nothing */

/* The model is asked; its name is copied. */
struct model_progress *model_progress_open(struct app *a, const char *model,
                                           struct err *e);

void model_progress_waiting(struct model_progress *p, const char *line);
void model_progress_tool_started(struct model_progress *p, const char *line);
void model_progress_tool_ended(struct model_progress *p,
                               const struct tool_loop_call *c);

/* The text of an answer comes, which is the progress from now on. */
void model_progress_text(struct model_progress *p);

/* Erases the live line, and says how many refused calls had no line of their
 * own. */
void model_progress_close(struct model_progress *p);

#endif
