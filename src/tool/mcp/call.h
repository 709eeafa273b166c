/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call.h - a call of a server's tool; inside tool_call. */
#ifndef TOOL_MCP_CALL_H
#define TOOL_MCP_CALL_H

#include "tool/call.h"
#include "tool/mcp/idle.h"

struct mcp_call;

/* As tool_call_start, which has checked the request; waiting NULL: the server
 * is started for this call alone. */
struct mcp_call *mcp_call_start(struct loop *l, const struct tool *t,
                                const struct tool_request *rq,
                                const struct tool_setting *s,
                                const struct tool_events *ev, void *arg,
                                struct mcp_idle **waiting,
                                struct zygote_client *spare, struct err *e);
void mcp_call_signal(struct mcp_call *c, int signo);
void mcp_call_hold(struct mcp_call *c, bool held);
/* Where it is under way, the server is told so, and ended. */
void mcp_call_free(struct mcp_call *c);
DEFINE_CLEANUP(struct mcp_call, mcp_call_free)

#endif
