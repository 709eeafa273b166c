/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_pool.h - keeps MCP servers between two calls. */
#ifndef TOOL_MCP_MCP_POOL_H
#define TOOL_MCP_MCP_POOL_H

#include "tool/mcp/mcp_session.h"

/* A list of servers; NULL: none. Their requests are answered meanwhile, and one
 * that ends leaves the list. The head must stay where it is. */
struct mcp_pool;

/* Takes ownership of the session and of the key (spawn_key). */
void mcp_pool_give(struct mcp_pool **list, struct mcp_session *s,
                   struct buf *key);
/* A session with this key, which is the caller's now; NULL: there is none. */
struct mcp_session *mcp_pool_take(struct mcp_pool **list,
                                  const struct buf *key);
/* Ends those that are servers of this list, which may be freed then. Nothing
 * waits: the loop removes them when they have ended. */
void mcp_pool_end(struct mcp_pool **list, const struct mcp_config *of);
/* mcp_session_terminate for all of them. */
void mcp_pool_terminate(struct mcp_pool *list);
void mcp_pool_free(struct mcp_pool **list); /* ends them */

#endif
