/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_input.h - answers what an MCP server needs before it can go on.
 *
 * From 2026-07-28 on a server does not call its client. Its result says
 * "input_required" instead, and the request is made again with the answers. */
#ifndef TOOL_MCP_MCP_INPUT_H
#define TOOL_MCP_MCP_INPUT_H

#include "base/buf.h"
#include "json/json.h"

enum mcp_input {
    MCP_INPUT_NONE,     /* the result is complete */
    MCP_INPUT_REQUIRED, /* it is not */
    MCP_INPUT_OTHER,    /* a kind of result that is not known here */
};

enum mcp_input mcp_input_kind(const struct json *result);

/* Appends the members inputResponses and requestState of the next request.
 * roots: the result of roots/list. A question to the person is declined, and
 * sampling is refused: ERR_PEER, as for a result that asks for nothing. */
int mcp_input_answer(const struct json *result, const struct buf *roots,
                     struct buf *out, struct err *e);

#endif
