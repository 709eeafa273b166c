/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_reply.c - the parts of answers that all methods share, of each era. */
#include "server/mcp/mcp_reply.h"

#include <string.h>

#define LIST_TTL_MS 60000 /* tools come and go with the person's settings */
#define DATA_MAX    4096
#define NO_RESOURCE -32002 /* in the handshake era */

#define SERVER_INFO                                                            \
    "{\"name\":\"agentsh\",\"title\":\"agentsh\","                             \
    "\"version\":\"" PACKAGE_VERSION "\"}"

void
mcp_reply_put_server(struct json_writer *w)
{
    json_put_raw(w, SERVER_INFO, strlen(SERVER_INFO));
}

void
mcp_reply_open(struct json_writer *w, struct buf *out, enum mcp_era era,
               const char *type)
{
    json_write_init(w, out);
    json_open_object(w);
    if (era == MCP_ERA_REQUEST)
        json_member_str(w, "resultType", type);
}

void
mcp_reply_close(struct json_writer *w, enum mcp_era era)
{
    if (era == MCP_ERA_REQUEST) {
        json_key(w, "_meta");
        json_open_object(w);
        json_key(w, MCP_ERA_PREFIX "serverInfo");
        mcp_reply_put_server(w);
        json_close_object(w);
    }
    json_close_object(w);
}

static void
put_cache_hint(struct json_writer *w, enum mcp_era era, int64_t ms,
               const char *scope)
{
    if (era != MCP_ERA_REQUEST)
        return;
    json_member_int(w, "ttlMs", ms);
    json_member_str(w, "cacheScope", scope);
}

void
mcp_reply_cache_list(struct json_writer *w, enum mcp_era era)
{
    put_cache_hint(w, era, LIST_TTL_MS, "public");
}

void
mcp_reply_cache_none(struct json_writer *w, enum mcp_era era)
{
    put_cache_hint(w, era, 0, "private");
}

void
mcp_reply_empty(struct rpc_request *rq, enum mcp_era era)
{
    CLEANUP_BUF struct buf b = buf_of(DATA_MAX);
    struct json_writer w;

    mcp_reply_open(&w, &b, era, "complete");
    mcp_reply_close(&w, era);
    rpc_answer(rq, &b);
}

void
mcp_reply_failure(struct rpc_request *rq, const struct err *e)
{
    bool theirs = e->code == ERR_INVALID || e->code == ERR_NOT_FOUND;

    rpc_refuse(rq, theirs ? JSONRPC_INVALID_PARAMS : JSONRPC_INTERNAL, e->text,
               NULL);
}

void
mcp_reply_no_resource(struct rpc_request *rq, enum mcp_era era, const char *uri)
{
    CLEANUP_BUF struct buf data = buf_of(DATA_MAX);
    struct json_writer w;

    json_write_init(&w, &data);
    json_open_object(&w);
    json_key(&w, "uri");
    json_put_strn(&w, uri, strnlen(uri, DATA_MAX / 16));
    json_close_object(&w);
    rpc_refuse(rq,
               era == MCP_ERA_HANDSHAKE ? NO_RESOURCE : JSONRPC_INVALID_PARAMS,
               "uri: there is no such resource", &data);
}

void
mcp_reply_put_versions(struct json_writer *w)
{
    json_open_array(w);
    json_put_str(w, MCP_ERA_REQUEST_VERSION);
    json_put_str(w, MCP_ERA_HANDSHAKE_VERSION);
    json_put_str(w, MCP_CLIENT_OLDEST_VERSION);
    json_close_array(w);
}

static void
refuse_version(struct rpc_request *rq, const char *requested)
{
    CLEANUP_BUF struct buf data = buf_of(DATA_MAX);
    struct json_writer w;

    json_write_init(&w, &data);
    json_open_object(&w);
    json_key(&w, "supported");
    mcp_reply_put_versions(&w);
    json_key(&w, "requested");
    json_put_strn(&w, requested, strnlen(requested, DATA_MAX / 16));
    json_close_object(&w);
    rpc_refuse(rq, MCP_ERA_UNSUPPORTED_VERSION, "Unsupported protocol version",
               &data);
}

void
mcp_reply_bad_frame(struct rpc_request *rq, int code, const struct mcp_frame *f,
                    const struct err *e)
{
    if (code == MCP_ERA_UNSUPPORTED_VERSION)
        refuse_version(rq, f->version);
    else
        rpc_refuse(rq, code, e->text, NULL);
}

static void
refuse_capability(struct rpc_request *rq, const char *why, const char *needed)
{
    CLEANUP_BUF struct buf data = buf_of(DATA_MAX);

    buf_printf(&data, "{\"requiredCapabilities\":%s}", needed);
    rpc_refuse(rq, MCP_ERA_MISSING_CAPABILITY, why, &data);
}

void
mcp_reply_needs_form(struct rpc_request *rq, const char *why)
{
    refuse_capability(rq, why, "{\"elicitation\":{\"form\":{}}}");
}

void
mcp_reply_needs_tasks(struct rpc_request *rq)
{
    refuse_capability(rq, "Missing required client capability",
                      "{\"extensions\":{\"" MCP_EXTENSION_TASKS "\":{}}}");
}
