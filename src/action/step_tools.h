/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_tools.h - checks and describes the tools that a step may name. */
#ifndef ACTION_STEP_TOOLS_H
#define ACTION_STEP_TOOLS_H

#include "action/aiaction.h"
#include "model/prompt/origin.h"
#include "tool/registry.h"

/* Accepts the tools of the registry that are built in or trusted, for steps in
 * the seat's directory. Both are borrowed. */
struct aiaction_tools step_tools_checker(struct registry *r,
                                         const struct seat *s);

/* 0: the tool is built in, or trusted as it is now. Else e has this code and
 * says what to do. */
int step_tools_check_trust(const struct tool *t, enum err_code code,
                           struct err *e);

/* Calls put for each tool that a step may name, and for its actions that change
 * something; those that take the same arguments come together, n of them. */
typedef void step_tools_put(void *arg, const struct tool *t,
                            const char *const *actions, size_t n,
                            const struct json *args);
void step_tools_each(struct registry *r, step_tools_put *put, void *arg);

/* Appends what a model must know to name a tool: a line for each, with its
 * actions and the members of their arguments, optional ones with a `?`. Only
 * actions that change something are listed, for a model calls the others by
 * itself. Notes in o what others could have written: a server of mcp.json is
 * trusted, but not its descriptions. */
void step_tools_describe(struct registry *r, struct buf *out, struct origin *o);

#endif
