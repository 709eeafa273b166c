/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_http_resource.h - tells clients who gives the tokens (RFC 9728).
 *
 * /mcp is then a protected resource of an authorization server. A token is
 * opaque here: only the one of --token-file is taken, which that server, or a
 * proxy before us, has to hand out. Others cannot be checked, and are refused.
 */
#ifndef SERVER_MCP_MCP_HTTP_RESOURCE_H
#define SERVER_MCP_MCP_HTTP_RESOURCE_H

#include "wire/http_parser.h"

#define MCP_RESOURCE_PATH "/mcp"
/* Where the metadata is (RFC 9728, 3.1); at the root too, where clients look
 * second. */
#define MCP_METADATA_ROOT "/.well-known/oauth-protected-resource"
#define MCP_METADATA_PATH MCP_METADATA_ROOT MCP_RESOURCE_PATH

/* What is wrong with an authorization server's URL, or with having one without
 * a token: ERR_USAGE. */
int mcp_http_resource_check(const char *server, bool has_token, struct err *e);

/* Appends the metadata, of the resource as the client of r names it. tls: the
 * connection is of TLS. */
void mcp_http_resource_put(struct buf *out, const struct http_incoming *r,
                           bool tls, const char *server);
/* Appends what a refusal says behind "Bearer". shown: there was a token, which
 * is the wrong one. */
void mcp_http_resource_put_challenge(struct buf *out,
                                     const struct http_incoming *r, bool tls,
                                     bool shown);

#endif
