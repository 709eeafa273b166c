/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer.h - what a server answered, as the answer of a tool. */
#ifndef TOOL_MCP_ANSWER_H
#define TOOL_MCP_ANSWER_H

#include "tool/call.h"
#include "wire/jsonrpc.h"

struct mcp_answer {
    struct buf out, err; /* the texts of the result */
    struct json *meta;
    struct tool_result result;
};

/* log: what it said meanwhile, for the result's stderr; it may be "". a needs
 * mcp_answer_done in any case. ERR_PEER: it is no answer to tools/call. */
int mcp_answer_make(struct mcp_answer *a, const struct jsonrpc *m,
                    const struct buf *log, int64_t duration_ms, struct err *e);
void mcp_answer_done(struct mcp_answer *a);

#endif
