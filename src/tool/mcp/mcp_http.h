/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_http.h - what the client and agentsh-mcp-http say to each other.
 *
 * A server over HTTP is spoken to by a program of its own, which the client
 * starts in place of the server's (model/mcp_http/): only libraries of model/
 * speak HTTP. Its first line of input is one object: "url", "headers" (an
 * object of strings), and "plain" where http: to another machine is allowed. No
 * secret stands in its arguments or environment then. Each further line is a
 * message for the server, and each line of its output is one of the server's.
 * It ends when its input does, once it has ended the server's session. */
#ifndef TOOL_MCP_MCP_HTTP_H
#define TOOL_MCP_MCP_HTTP_H

#include "base/buf.h"
#include "tool/manifest_reader.h"
#include "tool/mcp/mcp_config.h"

#define MCP_HTTP_PROGRAM "agentsh-mcp-http" /* a program of libexec */
#define MCP_HTTP_LINE    (16u << 20) /* bytes of a message, in each direction */
#define MCP_HTTP_HEADERS (64u << 10) /* bytes of the headers of an entry */

/* The time that it has to end by itself, for what it still has to send. */
#define MCP_HTTP_LEAVE_MS 1000

/* The code of its own errors, which answer a request in the server's place: the
 * server cannot be reached, or answers with something else than a message. In
 * the range of an implementation (2026-07-28, Error Codes). */
#define MCP_HTTP_FAILED (-32010)

/* Whether an entry is that of a server over HTTP. */
bool mcp_http_is_entry(const struct json *entry);

/* Reads url, headers and agentsh of an entry; `expand` reads a string, with the
 * variables in it. The server is then started by MCP_HTTP_PROGRAM. */
typedef char *mcp_http_expand(const struct json *v, const struct mcp_server *m,
                              const struct manifest_spot *at, struct err *e);
int mcp_http_read_entry(const struct json *entry, struct mcp_server *m,
                        mcp_http_expand *expand, const struct manifest_spot *at,
                        struct err *e);

/* Appends the first line of input, without its newline. */
void mcp_http_write_first_line(const struct mcp_server *m, struct buf *out);

/* Appends the URL as a person may see it: without its query, which may hold a
 * key. */
void mcp_http_write_url(const struct mcp_server *m, struct buf *out);

#endif
