/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_param_headers.h - arguments of a tool that its server wants as headers.
 *
 * From 2026-07-28 on a schema may mark an argument by "x-mcp-header": over HTTP
 * its value is then sent as the header Mcp-Param-NAME too, so that a proxy can
 * read it (Streamable HTTP, Custom Headers from Tool Parameters). */
#ifndef TOOL_MCP_MCP_PARAM_HEADERS_H
#define TOOL_MCP_MCP_PARAM_HEADERS_H

#include "json/json.h"

#define MCP_PARAM_HEADERS_MARK "x-mcp-header"
#define MCP_PARAM_HEADERS_MAX  64 /* of a tool */

/* Checks the marks of a tool's schema; ERR_INVALID: a client must not use the
 * tool. */
int mcp_param_headers_check(const struct json *schema, struct err *e);

/* Calls cb for each marked argument that has a value. The schema was checked.
 */
typedef void mcp_param_headers_cb(void *arg, const char *name,
                                  const char *value, size_t n);
void mcp_param_headers_each(const struct json *schema, const struct json *args,
                            mcp_param_headers_cb *cb, void *arg);

#endif
