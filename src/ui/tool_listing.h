/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_listing.h - asks MCP servers for their tools, for who needs to know them
 * before it goes on. What a server does wrong is the fault of its entry in the
 * registry. */
#ifndef UI_TOOL_LISTING_H
#define UI_TOOL_LISTING_H

#include "tool/registry.h"
#include "ui/app.h"

struct tool_listing; /* servers that are being asked */

/* Asks all servers whose tools are not known; with `tool` the one whose tool
 * this would be, even if it failed a moment ago. cb comes once, from the loop,
 * at once where there is nothing to ask; it may close the listing. The registry
 * is borrowed until then. */
struct tool_listing *tool_listing_open(struct app *a, struct registry *r,
                                       const char *tool, void (*cb)(void *arg),
                                       void *arg, struct err *e);
void tool_listing_close(struct tool_listing *t); /* accepts NULL */
DEFINE_CLEANUP(struct tool_listing, tool_listing_close)

#endif
