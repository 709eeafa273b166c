/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_toolset.h - the tools of one load of the settings, and the rules for
 * them.
 *
 * A call keeps the ones that it began with, also where others are loaded. */
#ifndef SERVER_MCP_MCP_TOOLSET_H
#define SERVER_MCP_MCP_TOOLSET_H

#include "action/errand.h"
#include "guard/policy/policy.h"
#include "tool/registry.h"

struct mcp_toolset {
    struct mcp_toolset *next; /* an older one */
    size_t users;             /* calls that began with them */
    struct config *config;
    struct policy *policy;
    struct registry *registry;
    struct tool_pool *pool;
    char **named; /* paths below home that the settings name */
    struct errand_context *errands; /* NULL until they are opened */
    struct loop *loop;              /* of the setup, as is … */
    const struct seat *seat;        /* … this */
};

struct mcp_toolset_setup {
    struct loop *loop;
    const struct seat *seat;
    struct config *config; /* held */
    struct policy *rules;  /* held; NULL: those that policy names are loaded */
    const char *policy;    /* as for server_policy_load */
};

struct mcp_toolset *mcp_toolset_load(const struct mcp_toolset_setup *set,
                                     struct err *e);
void mcp_toolset_free(struct mcp_toolset *t); /* accepts NULL */
DEFINE_CLEANUP(struct mcp_toolset, mcp_toolset_free)

/* Makes the context of its calls, which are written down so. */
int mcp_toolset_open_errands(struct mcp_toolset *t,
                             const struct errand_record *record, struct err *e);

/* Frees those of the list that no call uses; returns how many are left. */
size_t mcp_toolset_sweep(struct mcp_toolset **list);

#endif
