/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_keep.c - changes of the gateway's tables: into the store, or by the
 * stream of the gateways that share their tasks. */
#include "server/gateway/gateway_keep.h"

void
gateway_keep(struct gateway *g, enum gateway_statement what,
             const struct gateway_values *in)
{
    if (g->nodes)
        gateway_nodes_write(g->nodes, what, in);
    else
        gateway_store_write(g->store, what, in);
}

void
gateway_keep_then(struct gateway *g, void (*cb)(void *arg),
                  void (*lost)(void *arg), void *arg)
{
    if (g->nodes)
        gateway_nodes_then(g->nodes, cb, lost, arg);
    else
        gateway_store_then(g->store, cb, arg);
}

const char *
gateway_keep_trouble(const struct gateway *g)
{
    const char *trouble = gateway_store_trouble(g->store);

    return trouble || !g->nodes ? trouble : gateway_nodes_trouble(g->nodes);
}

bool
gateway_keep_is_full(const struct gateway *g)
{
    return gateway_store_is_full(g->store) ||
           (g->nodes && gateway_nodes_is_full(g->nodes));
}

int64_t
gateway_keep_number(const struct gateway *g, int64_t last)
{
    return g->nodes ? gateway_nodes_number(g->nodes, last) : last + 1;
}
