/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_prompt.h - the verbs of ai(1) as prompts for a client's own model. */
#ifndef SERVER_MCP_MCP_PROMPT_H
#define SERVER_MCP_MCP_PROMPT_H

#include "base/seat.h"
#include "server/mcp/mcp_client.h"
#include "wire/rpc.h"

/* The methods; each answers the request. */
void mcp_prompts_list(struct rpc_request *rq, const struct json *params,
                      enum mcp_era era);
void mcp_prompts_get(struct rpc_request *rq, const struct json *params,
                     enum mcp_era era, const struct seat *seat);

/* The verb of a prompt with such an argument, as a literal; NULL: none. */
const char *mcp_prompt_verb(const char *name, const char *argument);

#endif
