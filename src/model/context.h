/* SPDX-License-Identifier: GPL-3.0-or-later */
/* context.h - what the model is told about this machine and this shell.
 *
 * The specification's names (os, distro, cwd, user, last_command,
 * last_exit_code, last_stderr), plus shell, terminal and git. Gathered in
 * under 2 ms without starting a process, redacted before anyone sees it. */
#ifndef MODEL_CONTEXT_H
#define MODEL_CONTEXT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

/* The last command, from the REPL; from the hook when command is NULL. */
struct last_command {
    const char *command;
    int exit_code;
    const char *stderr_tail; /* NULL: not captured */
};

/* Appends {"context":{…}} as JSON. */
int context_write(const struct last_command *last, struct buf *out,
                  struct err *e);

#endif
