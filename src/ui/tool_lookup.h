/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_lookup.h - checks the tools that an AiAction names, where a server of
 * MCP may have to be asked for them first.
 *
 * The AiAction is read again and again: a check fails at a tool whose server
 * was not asked, which is then asked on the loop, until no check waits. */
#ifndef UI_TOOL_LOOKUP_H
#define UI_TOOL_LOOKUP_H

#include "action/aiaction.h"
#include "ui/app.h"

struct tool_lookup;

/* For tools of a->registry, which is loaded. */
struct tool_lookup *tool_lookup_new(struct app *a, struct err *e);
void tool_lookup_free(struct tool_lookup *k); /* accepts NULL */
DEFINE_CLEANUP(struct tool_lookup, tool_lookup_free)

/* For aiaction_parse and aiaction_load. Borrowed from k. */
struct aiaction_tools tool_lookup_checker(struct tool_lookup *k);

/* Whether that failed because a server must be asked first. */
bool tool_lookup_waits(const struct tool_lookup *k);

/* Asks it. cb comes once, from the loop, and the AiAction can be read again;
 * what the server does wrong is found then. */
int tool_lookup_ask(struct tool_lookup *k, void (*cb)(void *arg), void *arg,
                    struct err *e);

/* The next AiAction: servers that failed are asked once more. */
void tool_lookup_again(struct tool_lookup *k);

#endif
