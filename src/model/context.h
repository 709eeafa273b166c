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
#include "model/origin.h"

/* Appends {"context":{…}} as JSON. What is not known is left out; last_stderr
 * is there when the last command failed and what it showed was captured.
 * Notes in o what others could have written: last_stderr, and cwd where
 * another user could have named a directory of it. The rest is the kernel's
 * and root's, and what the person's own shell says: words without blanks, so
 * that whoever sets a variable can say nothing by it. */
int context_write(struct buf *out, struct origin *o, struct err *e);

#endif
