/* SPDX-License-Identifier: GPL-3.0-or-later */
/* context.h - what the model is told about this machine and this shell.
 *
 * The specification's names (os, distro, cwd, user, last_command,
 * last_exit_code, last_stderr), plus shell, terminal and git. Gathered in
 * under 2 ms without starting a process, redacted before anyone sees it. */
#ifndef MODEL_CONTEXT_H
#define MODEL_CONTEXT_H

#include "base/buf.h"
#include "base/err.h"

/* Appends {"context":{…}} as JSON. What is not known is left out; last_stderr
 * is there when the last command failed and what it showed was captured. */
int context_write(struct buf *out, struct err *e);

#endif
