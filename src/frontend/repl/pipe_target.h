/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pipe_target.h - find a program that would run what `ai` writes into a pipe.
 */
#ifndef FRONTEND_REPL_PIPE_TARGET_H
#define FRONTEND_REPL_PIPE_TARGET_H

#include <stdbool.h>

#include "base/buf.h"

/* Whether bash would pipe the output of the line's first command, directly,
 * through other programs or by >(…), into a program that runs what it reads,
 * such as a shell, an interpreter or sudo: nobody would review that text.
 * Appends the program's name. Programs are known by name, behind env and xargs
 * too; aliases, functions and later lines are not seen. */
bool pipe_target_runs(const char *line, struct buf *name);

#endif
