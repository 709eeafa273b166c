/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_listing.h - waits for the tools of MCP servers, for who needs them now.
 *
 * Each of these turns the loop of the app until every server that is asked has
 * answered, or its time is over: none may be called from a callback of it. What
 * a server does wrong is the fault of its entry in the registry. */
#ifndef UI_TOOL_LISTING_H
#define UI_TOOL_LISTING_H

#include "action/aiaction.h"
#include "ui/app.h"

/* Asks all servers whose tools are not known. stop: ends the wait when it is
 * not 0, for a signal's number; NULL: nothing does. ERR_INTERRUPTED. */
int tool_listing_wait(struct app *a, struct registry *r, const int *stop,
                      struct err *e);

/* registry_find; the server whose tool this would be is asked first, when its
 * tools are not known. */
const struct tool *tool_listing_find(struct app *a, struct registry *r,
                                     const char *name, const int *stop,
                                     struct err *e);

/* step_tools_checker for a->registry, which finds tools as tool_listing_find
 * does. For what is read outside of callbacks. */
struct aiaction_tools tool_listing_checker(struct app *a);

#endif
