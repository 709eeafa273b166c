/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repl.h - the interactive shell of agentsh.
 *
 * A door: it knows people and a terminal, bash, and how to call the
 * assistant; not what the assistant does. Readline lives here and only here.
 * Every file of this folder but main.c is also in libagentsh.a for the tests;
 * the program is libexec/agentsh/agentsh-repl, so that the front never loads
 * Readline. loadable/ is code that runs inside bash. */
#ifndef REPL_REPL_H
#define REPL_REPL_H

#include "base/err.h"

/* The REPL, from its first prompt to its end; its status. Where there is no
 * terminal, and where bash cannot be had as it must be, this becomes a plain
 * bash. -1: not even that. */
int repl_run(struct err *e);

#endif
