/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_tool_trust.h - ask a person to trust a plugin that is not built in. */
#ifndef FRONTEND_CLI_CMD_TOOL_TRUST_H
#define FRONTEND_CLI_CMD_TOOL_TRUST_H

#include "tool/registry.h"
#include "ui/app.h"

struct tool_trust_question; /* the question on the screen */

/* why->code ERR_NONE: it is trusted from now on. no: the answer was no, which
 * is ERR_DENIED. It comes once, from the loop, and may close it. */
typedef void tool_trust_cb(void *arg, bool no, const struct err *why);

/* Shows what the tool declares and asks; a yes is stored. ERR_DENIED: there is
 * no terminal to ask on. */
struct tool_trust_question *tool_trust_open(struct app *a, struct registry *r,
                                            const struct tool *t,
                                            tool_trust_cb *cb, void *arg,
                                            struct err *e);
void tool_trust_close(struct tool_trust_question *q); /* accepts NULL */
DEFINE_CLEANUP(struct tool_trust_question, tool_trust_close)

#endif
