/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listing.h - asking a server for its tools. */
#ifndef TOOL_MCP_LISTING_H
#define TOOL_MCP_LISTING_H

#include "config/config.h"
#include "tool/mcp/list.h"
#include "tool/mcp/session.h"

/* Asks for the first page, of a session that is ready. */
int mcp_listing_begin(struct mcp_list *l, struct mcp_session *s, struct err *e);
/* An answer: 1, the list is whole; 0, the next page was asked for; -1. */
int mcp_listing_take(struct mcp_list *l, struct mcp_session *s,
                     const struct jsonrpc *m, struct err *e);

/* Starts the server of the tool, which stands for it, asks, and ends it: this
 * waits, at most half a minute. The list is kept for the tool's hash. */
int mcp_listing_fetch(const struct tool *t, const struct config *c,
                      struct err *e);

#endif
