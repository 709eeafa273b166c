/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_result.h - makes a tool's result of an MCP server's answer. */
#ifndef TOOL_MCP_MCP_RESULT_H
#define TOOL_MCP_MCP_RESULT_H

#include "tool/call.h"
#include "wire/jsonrpc.h"

struct mcp_result {
    struct buf out, err; /* the texts of the result */
    struct json *meta;
    struct tool_result result;
};

/* log: what the server logged meanwhile, for the result's stderr; may be empty.
 * a needs mcp_result_done in any case. ERR_PEER: m does not answer a
 * tools/call. */
int mcp_result_make(struct mcp_result *a, const struct jsonrpc *m,
                    const struct buf *log, int64_t duration_ms, struct err *e);
void mcp_result_done(struct mcp_result *a);

#endif
