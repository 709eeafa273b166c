/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pipe_target.h - what the assistant's words are piped into. */
#ifndef REPL_PIPE_TARGET_H
#define REPL_PIPE_TARGET_H

#include <stdbool.h>

#include "base/buf.h"

/* Whether bash would pipe what the line's first command writes, through
 * others or >(…), into a program that runs what it reads, such as a shell, an
 * interpreter or sudo: nobody has reviewed these words. Appends the program's
 * name. Programs are known by name, behind env and xargs too; aliases,
 * functions and what stands on the next lines are not seen. */
bool pipe_target_runs(const char *line, struct buf *name);

#endif
