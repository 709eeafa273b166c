/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_subscription.h - what a client wants to hear of: resources, tools, tasks.
 *
 * In the handshake era it subscribes to one resource after another; in
 * 2026-07-28 it opens streams (subscriptions/listen), each a request that stays
 * open and names all that it is for. Changes of a resource are told at most
 * every MCP_SUBSCRIPTION_MS, however many there were. */
#ifndef SERVER_MCP_MCP_SUBSCRIPTION_H
#define SERVER_MCP_MCP_SUBSCRIPTION_H

#include "server/mcp/mcp_shared.h"
#include "server/mcp/mcp_task.h"

#define MCP_SUBSCRIPTION_MS    100
#define MCP_SUBSCRIPTION_NAMES 128 /* of one stream, and of all resources */
#define MCP_SUBSCRIPTIONS_MAX  64  /* streams */

struct mcp_subscriptions;

struct mcp_subscriptions *mcp_subscriptions_new(struct mcp_shared *sh,
                                                struct mcp_tasks *tasks,
                                                struct err *e);
void mcp_subscriptions_free(struct mcp_subscriptions *all); /* accepts NULL */
DEFINE_CLEANUP(struct mcp_subscriptions, mcp_subscriptions_free)

/* The methods; each answers the request, but for a stream that is opened. */
void mcp_subscriptions_add(struct mcp_subscriptions *all,
                           struct rpc_request *rq, const struct json *params);
void mcp_subscriptions_remove(struct mcp_subscriptions *all,
                              struct rpc_request *rq,
                              const struct json *params);
void mcp_subscriptions_listen(struct mcp_subscriptions *all,
                              struct rpc_request *rq, const struct json *params,
                              const struct mcp_frame *f);

/* Tell who wants to know it. */
void mcp_subscriptions_resource(struct mcp_subscriptions *all, const char *uri);
void mcp_subscriptions_tools(struct mcp_subscriptions *all);
void mcp_subscriptions_task(struct mcp_subscriptions *all,
                            const struct mcp_task *t);

/* Ends all streams, with their result. */
void mcp_subscriptions_end(struct mcp_subscriptions *all);

#endif
