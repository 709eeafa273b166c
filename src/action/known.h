/* SPDX-License-Identifier: GPL-3.0-or-later */
/* known.h - the tools that a step of an AiAction may name. */
#ifndef ACTION_KNOWN_H
#define ACTION_KNOWN_H

#include "action/aiaction.h"
#include "model/prompt/origin.h"
#include "tool/registry.h"

/* Those of the registry, borrowed, that are built in or agreed to. */
struct aiaction_tools known_tools(struct registry *r);

/* Whether it is built in or agreed to as it is now; else e has this code, and
 * says what to do. */
int known_check_trust(const struct tool *t, enum err_code code, struct err *e);

/* Appends what a model must know to name one: a line each, with actions and
 * the members of their arguments, those that may be left out with a `?`. Only
 * actions that change something: the others a model calls by itself. Notes in
 * o what others could have written of it: a server of mcp.json was agreed to,
 * and not what it says. */
void known_write(struct registry *r, struct buf *out, struct origin *o);

#endif
