/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_call.h - makes a call of an MCP server's tool, for tool_call. */
#ifndef TOOL_MCP_MCP_CALL_H
#define TOOL_MCP_MCP_CALL_H

#include "tool/call.h"
#include "tool/mcp/mcp_pool.h"

struct mcp_call;

/* As tool_call_start, which has checked the request. waiting NULL: the server
 * is started for this call alone. */
struct mcp_call *mcp_call_start(struct loop *l, const struct tool *t,
                                const struct tool_request *rq,
                                const struct tool_setting *s,
                                const struct tool_events *ev, void *arg,
                                struct mcp_pool **waiting,
                                struct zygote_client *zygote, struct err *e);
void mcp_call_signal(struct mcp_call *c, int signo);
void mcp_call_hold(struct mcp_call *c, bool paused);
/* An unfinished call is cancelled, and its server is ended. */
void mcp_call_free(struct mcp_call *c);
DEFINE_CLEANUP(struct mcp_call, mcp_call_free)

#endif
