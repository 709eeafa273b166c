/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prompt.h - bash's prompt with the sign that this is agentsh. */
#ifndef REPL_PROMPT_H
#define REPL_PROMPT_H

#include "base/buf.h"

/* What stands before the prompt unless AGENTSH_MARK says otherwise: in the
 * manner of Python's environments, which people know how to read. */
#define PROMPT_SIGN "(" AI_NAME ") "

/* Appends the prompt with the sign at the beginning of the first line that
 * shows something: newlines and titles may stand in front. */
void prompt_sign(struct buf *out, const char *prompt, const char *sign);

#endif
