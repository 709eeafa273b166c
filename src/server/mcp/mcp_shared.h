/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_shared.h - what the parts of one connection have in common. */
#ifndef SERVER_MCP_MCP_SHARED_H
#define SERVER_MCP_MCP_SHARED_H

#include "server/mcp/mcp_client.h"
#include "tool/registry.h"
#include "wire/rpc.h"

/* All of it is borrowed while one of the parts lives. */
struct mcp_shared {
    struct loop *loop;
    struct rpc *rpc;
    const struct seat *seat; /* it has a directory */
    const struct config *config;
    struct policy *policy;
    struct registry *registry;
    struct tool_pool *pool;
    char **named;            /* paths below home that the settings name */
    struct journal *journal; /* NULL: none is kept */
    struct mcp_client client;
    void (*log)(void *arg, const char *line); /* for standard error */
    void *log_arg;
};

#endif
