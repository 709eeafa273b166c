/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_tool_trust.h - ask a person to trust a plugin that is not built in. */
#ifndef FRONTEND_CLI_CMD_TOOL_TRUST_H
#define FRONTEND_CLI_CMD_TOOL_TRUST_H

#include "tool/registry.h"
#include "ui/app.h"

/* Shows what the tool declares and asks; a yes is stored. Returns -1 with
 * ERR_DENIED when the answer is no, and then sets *no (no may be NULL), or when
 * there is no terminal to ask on. */
int tool_trust_ask(struct app *a, struct registry *r, const struct tool *t,
                   bool *no, struct err *e);

#endif
