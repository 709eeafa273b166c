/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_servers.h - the MCP servers that an editor hands to a session. */
#ifndef SERVER_ACP_ACP_SERVERS_H
#define SERVER_ACP_ACP_SERVERS_H

#include "base/buf.h"
#include "server/acp/acp_session.h"
#include "json/json.h"

#define ACP_SERVERS_MAX (1u << 20) /* bytes of them all, as mcp.json */

/* Writes the array mcpServers in the form of mcp.json. A server with "sse" is
 * refused, as the capabilities say; one whose name an earlier one has is left
 * out. ERR_INVALID. */
int acp_servers_read(const struct json *servers, struct buf *out,
                     struct err *e);

/* Hands them to a session; NULL: there are none. One that cannot be started is
 * said in the log. ERR_INVALID. */
int acp_servers_add(struct acp_session *s, const struct json *servers,
                    struct err *e);

#endif
