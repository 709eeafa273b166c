/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_trust.h - a plugin that is not built in, and a person's yes to it. */
#ifndef DOOR_CLI_TOOL_TRUST_H
#define DOOR_CLI_TOOL_TRUST_H

#include "person/app.h"
#include "tool/registry.h"

/* Shows what the tool declares and asks; a yes is kept. ERR_DENIED: the answer
 * was no, which *no says (it may be NULL), or nobody can be asked. */
int tool_trust_ask(struct app *a, struct registry *r, const struct tool *t,
                   bool *no, struct err *e);

#endif
