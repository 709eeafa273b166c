/* SPDX-License-Identifier: GPL-3.0-or-later */
/* context.h - describes this machine and this shell for the model.
 *
 * The members are os, distro, user, root, sudo (there is such a program),
 * packages (apt, dnf, ...), init (systemd, openrc, ...), shell, cwd, git,
 * terminal, last_command, last_exit_code and last_stderr. They are gathered in
 * less than 2 ms without starting a process, and secrets are redacted. */
#ifndef MODEL_PROMPT_CONTEXT_H
#define MODEL_PROMPT_CONTEXT_H

#include "base/buf.h"
#include "base/err.h"
#include "base/seat.h"
#include "model/prompt/origin.h"

/* Appends {"context":{…}} as JSON, for who works from the seat. Unknown members
 * are left out; last_stderr is there when the last command failed, or with
 * `shown`, and its output was captured; or where seen, which is what another
 * source has of it, is not NULL.
 *
 * Notes in o the parts that other people could have written: last_stderr, and
 * cwd when another user could have named one of its directories. The other
 * members come from the kernel, from root, or from variables of the person's
 * shell, which are restricted to words without blanks, so that no sentence can
 * be put into them. */
int context_write(const struct seat *s, bool shown, const char *seen,
                  struct buf *out, struct origin *o, struct err *e);

#endif
