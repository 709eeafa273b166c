/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fix.h - ai fix: from the last command, which failed, to a plan.
 *
 * What the command showed is looked for in this order: in the options; in the
 * transcript of the REPL; in tmux, between the last two prompts; by a second
 * run in a view that is dropped (rerun.h). Text that was not captured is
 * another thing than none. */
#ifndef UI_FIX_H
#define UI_FIX_H

#include "ui/assist.h"

/* What the options say of the failure; each may be NULL. Borrowed for the
 * call. */
struct fix_given {
    const char *command, *status, *stderr_file;
};

/* Finds the failure, says in one line where its text came from, and proposes
 * what a rule or a model makes of it. r's text is a hint. Returns what
 * assist_start does. */
int fix_start(struct app *a, const struct assist_request *r,
              const struct fix_given *given);

#endif
