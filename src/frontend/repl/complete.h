/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complete.h - what the Tab key offers.
 *
 * On a command line it offers what bash itself would, programmable completion
 * included: the line is sent to bash, and bash's matches are listed here. On a
 * line for the assistant it offers verbs, options and files. Readline calls
 * back without an argument, so there is one completer for the process. */
#ifndef FRONTEND_REPL_COMPLETE_H
#define FRONTEND_REPL_COMPLETE_H

#include "frontend/repl/bash_channel.h"

/* Keeps ch, and a copy of *w. */
void complete_init(struct bash_channel *ch, const struct bash_waiter *w);

/* Is called at each prompt with the characters at which bash ends a word, and
 * whether the line continues a command (PS2). */
void complete_begin(const char *breaks, bool more);

/* The command of the Tab key, as Readline calls it. */
int complete_key(int count, int key);

/* Whether bash would read the character at line[at] as quoted; the quotation
 * marks themselves count as quoted. Exported for tests and a fuzz target. */
bool complete_is_quoted(const char *line, int at);

#endif
