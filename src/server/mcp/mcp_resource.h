/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_resource.h - what a client can read: runs of the journal, the last
 * output. */
#ifndef SERVER_MCP_MCP_RESOURCE_H
#define SERVER_MCP_MCP_RESOURCE_H

#include "server/mcp/mcp_client.h"
#include "server/mcp/mcp_journal_job.h"

#define MCP_RESOURCE_LAST    "agentsh://output/last"
#define MCP_RESOURCE_RUNS    "agentsh://runs/" /* and the name of a run */
#define MCP_RESOURCE_URI_MAX 256
#define MCP_RESOURCE_OUTPUT  (64u << 10) /* bytes that are kept of each text */

struct mcp_resources;

struct mcp_resources *mcp_resources_new(struct mcp_jobs *jobs, struct err *e);
void mcp_resources_free(struct mcp_resources *all); /* accepts NULL */
DEFINE_CLEANUP(struct mcp_resources, mcp_resources_free)

/* Whether a URI has the form of one that may be here. */
bool mcp_resource_is_uri(const char *uri);

/* Keeps what a call has written as the last output. */
void mcp_resources_keep(struct mcp_resources *all, const char *tool,
                        const char *out, size_t n_out, const char *err,
                        size_t n_err);

/* The methods; each answers the request. */
void mcp_resources_list(struct mcp_resources *all, struct rpc_request *rq,
                        const struct json *params, enum mcp_era era);
void mcp_resources_templates(struct rpc_request *rq, enum mcp_era era);
void mcp_resources_read(struct mcp_resources *all, struct rpc_request *rq,
                        const struct json *params, enum mcp_era era);

/* completion/complete, of the argument of a prompt or a template. */
void mcp_resources_complete(struct mcp_resources *all, struct rpc_request *rq,
                            const struct json *params, enum mcp_era era);

#endif
