/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prompt_line.h - one command, or an answer, for a line that is edited.
 *
 * `agentsh line` prints it for the keys of shells: nothing is run, and nobody
 * is asked. What is printed for the line is one line of text that shows itself
 * as it is, or nothing. */
#ifndef UI_PROMPT_LINE_H
#define UI_PROMPT_LINE_H

#include "action/plan.h"
#include "action/proposal.h"
#include "ui/app.h"

/* What the aliases are, for a model. */
#define PROMPT_LINE_ALIASES "aliases of the shell"

/* Appends the words with the alias that is the first of them, if it is one, in
 * place of it, and so on with what that begins with; none twice, as in a shell.
 * aliases: lines NAME=TEXT; NULL: there are none. */
int prompt_line_expand(const char *words, const char *aliases, struct buf *out,
                       struct err *e);

/* Prints the steps of a plan as one line, and below it, on standard error, why
 * one would be asked about by itself. ERR_ANSWER: it takes several lines, or
 * cannot stand on a prompt; ERR_DENIED: the rules do not allow it. */
int prompt_line_print(struct app *a, const struct aiaction *action,
                      const struct plan *plan, struct err *e);

/* Prints an answer in words where that is wanted; else says that there is no
 * command, and what is nearest. Returns the exit status. */
int prompt_line_answer(struct app *a, const struct proposal *p,
                       enum aiaction_mode mode);

/* Prints the words as a line where they are a command with a subcommand that
 * was mistyped (offline/engine/subcommand.h). False: they are not. */
bool prompt_line_mend(struct app *a, const char *words);

#endif
