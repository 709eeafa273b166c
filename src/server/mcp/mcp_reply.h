/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_reply.h - the parts of answers that all methods share, of each era. */
#ifndef SERVER_MCP_MCP_REPLY_H
#define SERVER_MCP_MCP_REPLY_H

#include "server/mcp/mcp_client.h"
#include "wire/rpc.h"
#include "json/write.h"

#define MCP_REPLY_MAX (1u << 20) /* bytes of an answer but a tool's result */

/* Begins a result; the members of the method follow, then mcp_reply_close. type
 * is its resultType, which the handshake era does not have. */
void mcp_reply_open(struct json_writer *w, struct buf *out, enum mcp_era era,
                    const char *type);
void mcp_reply_close(struct json_writer *w, enum mcp_era era);

/* How long a client may keep a list, and of a resource: not at all. The
 * handshake era has no word for it. */
void mcp_reply_cache_list(struct json_writer *w, enum mcp_era era);
void mcp_reply_cache_none(struct json_writer *w, enum mcp_era era);

/* Puts the name and version of this server; and the versions of the protocol,
 * the newest first. */
void mcp_reply_put_server(struct json_writer *w);
void mcp_reply_put_versions(struct json_writer *w);

/* Answers with a result that has no members of its own. */
void mcp_reply_empty(struct rpc_request *rq, enum mcp_era era);

/* Refuses a request: -32602 for ERR_INVALID and ERR_NOT_FOUND, else -32603. */
void mcp_reply_failure(struct rpc_request *rq, const struct err *e);

/* Refuses one for a resource that is not here, which its data names. */
void mcp_reply_no_resource(struct rpc_request *rq, enum mcp_era era,
                           const char *uri);

/* Refuses one whose frame could not be read, with that code. */
void mcp_reply_bad_frame(struct rpc_request *rq, int code,
                         const struct mcp_frame *f, const struct err *e);

/* Refuses it since the client did not declare what it needs. */
void mcp_reply_needs_form(struct rpc_request *rq, const char *why);
void mcp_reply_needs_tasks(struct rpc_request *rq);

#endif
