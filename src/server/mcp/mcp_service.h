/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_service.h - the Model Context Protocol for one client: its methods. */
#ifndef SERVER_MCP_MCP_SERVICE_H
#define SERVER_MCP_MCP_SERVICE_H

#include "base/seat.h"
#include "config/config.h"
#include "record/journal.h"
#include "server/mcp/mcp_client.h"
#include "wire/rpc_carrier.h"

#define MCP_STOP_MS 1500 /* for what runs, when the client has left */

struct mcp_service;
struct mcp_toolset;

/* All is borrowed while it lives, but for the policy's name. */
struct mcp_service_setup {
    struct loop *loop;
    const struct seat *seat; /* of the process */
    struct config *config;   /* held */
    struct policy *rules;    /* held; NULL: those that policy names */
    const char *policy;      /* --policy; NULL: the person's rules */
    struct journal *journal; /* NULL: none is kept */
    int in, out;
    const struct rpc_carrier *carrier;        /* instead of them; or NULL */
    void (*log)(void *arg, const char *line); /* for standard error */
    void (*ended)(void *arg);                 /* the client has left */
    void *arg;
};

struct mcp_service *mcp_service_new(const struct mcp_service_setup *set,
                                    struct err *e);
/* Ends all that runs. Accepts NULL. */
void mcp_service_free(struct mcp_service *s);
DEFINE_CLEANUP(struct mcp_service, mcp_service_free)

/* With a carrier: as rpc_take and rpc_leave_way (wire/rpc_carrier.h). */
void mcp_service_take(struct mcp_service *s, struct jsonrpc *m, int rc,
                      void *way, struct err *e);
void mcp_service_leave_way(struct mcp_service *s, const void *way, bool cancel);

/* As rpc_refuse_open: what runs is not ended. */
void mcp_service_refuse_open(struct mcp_service *s, int code,
                             const char *message);

/* The schema of a tool's arguments; NULL: there is none of that name. */
const struct json *mcp_service_tool_schema(struct mcp_service *s,
                                           const char *name);

/* What `initialize` has settled. */
const struct mcp_client *mcp_service_client(const struct mcp_service *s);

/* Lets what runs end, for MCP_STOP_MS or ms at most; then `ended` is called. */
void mcp_service_stop(struct mcp_service *s);
void mcp_service_stop_within(struct mcp_service *s, int64_t ms);

/* The tools that are installed now, with these settings and rules, for
 * mcp_service_use, which takes them: calls that begin from then on have them.
 */
struct mcp_toolset *mcp_service_prepare(struct mcp_service *s,
                                        struct config *config,
                                        struct policy *rules, struct err *e);
void mcp_service_use(struct mcp_service *s, struct mcp_toolset *fresh);
/* Called now and then: frees what no call uses any more. */
void mcp_service_sweep(struct mcp_service *s);

#endif
