/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sign.h - bash's prompt with the sign that this is agentsh. */
#ifndef REPL_SIGN_H
#define REPL_SIGN_H

#include "base/buf.h"

/* What stands before the prompt unless AGENTSH_MARK says otherwise: in the
 * manner of Python's environments, which people know how to read. */
#define SIGN_DEFAULT "(" AI_NAME ") "

/* Appends the prompt with the sign at the beginning of the first line that
 * shows something: newlines and titles may stand in front. */
void sign_prompt(struct buf *out, const char *prompt, const char *sign);

#endif
