/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_http_server.h - the Model Context Protocol over HTTP, at /mcp.
 *
 * Both eras at one path: a request that says its version in its _meta is of
 * 2026-07-28 and stands alone; `initialize` opens a session, whose id the
 * requests after it show. */
#ifndef SERVER_MCP_MCP_HTTP_SERVER_H
#define SERVER_MCP_MCP_HTTP_SERVER_H

#include "server/mcp/mcp_service.h"
#include "server/server_options.h"

#define MCP_HTTP_SESSIONS_MAX 64
#define MCP_HTTP_IDLE_MS      (30 * 60 * 1000) /* of a session, until its end */
#define MCP_HTTP_MAY_END_MS   (60 * 1000) /* until it may end for a new one */

struct mcp_http_server;

/* Borrowed while it lives. */
struct mcp_http_server_setup {
    struct mcp_service_setup service; /* of each session, with log and arg */
    const struct server_options *options;
    const char *authorization_server; /* NULL: none */
};

struct mcp_http_server *
mcp_http_server_new(const struct mcp_http_server_setup *set, struct err *e);
/* Ends all that runs. Accepts NULL. */
void mcp_http_server_free(struct mcp_http_server *h);
DEFINE_CLEANUP(struct mcp_http_server, mcp_http_server_free)

/* What begins from now on has these settings, and the rules and the tools that
 * are there now: sessions that open, and requests of no session. Where it fails
 * nothing is changed. */
int mcp_http_server_load(struct mcp_http_server *h, struct config *config,
                         struct err *e);

/* Lets what runs end, for a while, and then calls `ended` of the service. */
void mcp_http_server_stop(struct mcp_http_server *h);

#endif
