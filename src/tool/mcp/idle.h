/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idle.h - servers between two calls. */
#ifndef TOOL_MCP_IDLE_H
#define TOOL_MCP_IDLE_H

#include "tool/mcp/session.h"

/* A list of them; NULL: none. Each is answered what it asks, and leaves the
 * list when it ends. The head must stay where it is. */
struct mcp_idle;

/* Takes the session and the key (launch_key). */
void mcp_idle_give(struct mcp_idle **list, struct mcp_session *s,
                   struct buf *key);
/* The caller's; NULL: none was started so, or it has ended. */
struct mcp_session *mcp_idle_take(struct mcp_idle **list,
                                  const struct buf *key);
void mcp_idle_tell_end(struct mcp_idle *list); /* mcp_session_tell_end */
void mcp_idle_free(struct mcp_idle **list);    /* ends them */

#endif
