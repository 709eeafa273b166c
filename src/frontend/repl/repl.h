/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repl.h - the interactive shell of agentsh.
 *
 * This frontend knows a terminal, a person, one bash and how to start `ai`; it
 * does not know what `ai` does. Only this folder uses Readline, and it is a
 * program of its own (libexec/agentsh/agentsh-repl), so that the front never
 * loads that library. All files but main.c are in libagentsh.a too, for the
 * tests. loadable/ is code that runs inside bash. When bash cannot load it,
 * the REPL becomes a plain bash: a person always gets a shell. */
#ifndef FRONTEND_REPL_REPL_H
#define FRONTEND_REPL_REPL_H

#include <stdbool.h>

#include "base/err.h"

/* Runs the REPL from its first prompt to its end and returns its status.
 * login: as a login shell.
 * Without a terminal, and when bash cannot load the loadable, this process
 * becomes a plain bash. Returns -1 with e set when even that fails. */
int repl_run(bool login, struct err *e);

/* Prints why something failed, to standard error. */
void repl_complain(const struct err *e);

#endif
