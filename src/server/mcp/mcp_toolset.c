/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_toolset.c - the tools of one load of the settings, and the rules for
 * them.
 */
#include "server/mcp/mcp_toolset.h"

#include <stdlib.h>

#include "guard/path/secret.h"
#include "server/mcp/mcp_ticket.h"
#include "server/server_policy.h"
#include "tool/call.h"

static int
fill_mcp_toolset(struct mcp_toolset *t, const struct mcp_toolset_setup *set,
                 struct err *e)
{
    const struct seat *s = set->seat;

    t->loop = set->loop;
    t->seat = s;
    t->config = config_hold(set->config);
    t->policy = set->rules ? policy_hold(set->rules)
                           : server_policy_load(set->policy, s, e);
    if (!t->policy || !(t->registry = registry_open(s, t->config, e)) ||
        !(t->pool = tool_pool_new(set->loop, e)))
        return -1;
    t->named = secret_named_in(NULL,
                               config_text(t->config, CONFIG_SANDBOX_READABLE),
                               seat_home(s), seat_dir(s));
    return 0;
}

struct mcp_toolset *
mcp_toolset_load(const struct mcp_toolset_setup *set, struct err *e)
{
    CLEANUP(mcp_toolset_free_p) struct mcp_toolset *t = calloc(1, sizeof(*t));

    if (!t) {
        err_nomem(e);
        return NULL;
    }
    return fill_mcp_toolset(t, set, e) < 0 ? NULL : TAKE_PTR(t);
}

void
mcp_toolset_free(struct mcp_toolset *t)
{
    if (!t)
        return;
    errand_context_free(t->errands);
    tool_pool_free(t->pool);
    secret_named_free(t->named);
    registry_free(t->registry);
    policy_free(t->policy);
    config_free(t->config);
    free(t);
}

int
mcp_toolset_open_errands(struct mcp_toolset *t,
                         const struct errand_record *record, struct err *e)
{
    const struct errand_params params = {
        .loop = t->loop,
        .seat = t->seat,
        .config = t->config,
        .policy = t->policy,
        .registry = t->registry,
        .pool = t->pool,
        .named = (const char *const *)t->named,
        .record = *record,
        .ask = ERRAND_ASK_LATER,
        .ask_ms = MCP_TICKET_MS,
        .by = "an MCP client",
        .yes = "person, by the MCP client",
        .aside = true,
    };

    t->errands = errand_context_new(&params, e);
    return t->errands ? 0 : -1;
}

size_t
mcp_toolset_sweep(struct mcp_toolset **list)
{
    size_t n = 0;

    while (*list) {
        struct mcp_toolset *t = *list;

        if (t->users > 0) {
            list = &t->next;
            n++;
            continue;
        }
        *list = t->next;
        mcp_toolset_free(t);
    }
    return n;
}
