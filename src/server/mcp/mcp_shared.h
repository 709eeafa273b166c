/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_shared.h - what the parts of one connection have in common. */
#ifndef SERVER_MCP_MCP_SHARED_H
#define SERVER_MCP_MCP_SHARED_H

#include "server/mcp/mcp_client.h"
#include "server/mcp/mcp_toolset.h"
#include "wire/rpc.h"

/* All of it is borrowed while one of the parts lives. */
struct mcp_shared {
    struct loop *loop;
    struct rpc *rpc;
    const struct seat *seat;   /* it has a directory */
    struct mcp_toolset *tools; /* for the calls that begin */
    struct journal *journal;   /* NULL: none is kept */
    struct mcp_client client;
    void (*log)(void *arg, const char *line); /* for standard error */
    void *log_arg;
};

#endif
