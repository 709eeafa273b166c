/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_request.h - what a tools/call asks of an errand. */
#ifndef SERVER_MCP_MCP_REQUEST_H
#define SERVER_MCP_MCP_REQUEST_H

#include "action/errand.h"
#include "server/mcp/mcp_catalog.h"
#include "server/mcp/mcp_client.h"

/* Fills *out, which borrows from all of the others but f. */
void mcp_request_fill(const struct mcp_catalog_tool *t, const struct json *args,
                      const struct mcp_frame *f, struct errand_request *out);

/* About the bytes that a value takes while the call waits: all of the params,
 * since they are kept. */
size_t mcp_request_size(const struct json *v);

#endif
