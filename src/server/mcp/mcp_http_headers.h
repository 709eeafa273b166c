/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_http_headers.h - what the headers of a request must say.
 *
 * In 2026-07-28 some members of a message stand in headers too, for proxies,
 * and both must agree. */
#ifndef SERVER_MCP_MCP_HTTP_SERVER_HEADERS_H
#define SERVER_MCP_MCP_HTTP_SERVER_HEADERS_H

#include "wire/http_parser.h"
#include "wire/jsonrpc.h"

/* Whether the body is said to be JSON; whether the client can take both forms
 * of an answer, or event streams alone. One that says nothing takes any. */
bool mcp_http_sends_json(const struct http_incoming *r);
bool mcp_http_takes_answers(const struct http_incoming *r);
bool mcp_http_takes_streams(const struct http_incoming *r);

/* Whether MCP-Protocol-Version, where it is there, is of the handshake eras. */
bool mcp_http_version_is_known(const struct http_incoming *r);

/* Holds the headers against a request of 2026-07-28. schema: of the arguments
 * of the tool that it calls; NULL: none is known. ERR_INVALID: they differ. */
int mcp_http_check_headers(const struct http_incoming *r,
                           const struct jsonrpc *m, const struct json *schema,
                           struct err *e);

#endif
