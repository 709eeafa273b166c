/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_client.h - what a client says of itself, and with each request.
 *
 * server/mcp/ offers the tools to other programs by the Model Context Protocol,
 * in both of its eras (tool/mcp/mcp_era.h), chosen by each request. It must not
 * know what a tool does, nor decide what may run: an errand does
 * (action/errand.h). What can fail is what the client sends; the connection
 * survives it. */
#ifndef SERVER_MCP_MCP_CLIENT_H
#define SERVER_MCP_MCP_CLIENT_H

#include "tool/mcp/mcp_era.h"
#include "json/json.h"

#define MCP_CLIENT_OLDEST_VERSION "2025-06-18" /* that is spoken here */
#define MCP_EXTENSION_TASKS       MCP_ERA_PREFIX "tasks"

/* How important a line of the log is, from the least. */
enum mcp_level {
    MCP_LEVEL_DEBUG,
    MCP_LEVEL_INFO,
    MCP_LEVEL_NOTICE,
    MCP_LEVEL_WARNING,
    MCP_LEVEL_ERROR,
    MCP_LEVEL_CRITICAL,
    MCP_LEVEL_ALERT,
    MCP_LEVEL_EMERGENCY,
    MCP_LEVEL_NONE, /* nothing is wanted */
};

const char *mcp_level_name(enum mcp_level level);
/* ERR_INVALID: it is none. */
int mcp_level_read(const struct json *name, enum mcp_level *out, struct err *e);

/* What `initialize` has settled. */
struct mcp_client {
    bool initialized;
    const char *version; /* that is spoken; of the program */
    bool elicits;        /* its user can be asked by a form */
    enum mcp_level level;
    char name[64]; /* "": none was given */
};

/* Reads the params of `initialize`. ERR_INVALID. */
int mcp_client_initialize(struct mcp_client *c, const struct json *params,
                          struct err *e);

/* What holds for one request; it points into its params. */
struct mcp_frame {
    enum mcp_era era;
    bool elicits, tasks; /* what the client can take */
    enum mcp_level level;
    const struct json *token;     /* for progress; NULL: none is wanted */
    const char *version, *client; /* 2026-07-28; may be NULL */
};

/* The era of a request, whatever its version is; MCP_ERA_UNKNOWN: of neither.
 */
enum mcp_era mcp_frame_era(const struct mcp_client *c,
                           const struct json *params);

/* 0, or the code of JSON-RPC by which the request is refused, and why. */
int mcp_frame_read(const struct mcp_client *c, const struct json *params,
                   struct mcp_frame *out, struct err *e);

#endif
