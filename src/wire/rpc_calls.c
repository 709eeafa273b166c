/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rpc_calls.c - our calls to a peer that have no answer yet. */
#include "wire/rpc_calls.h"

#include <stdlib.h>

struct rpc_call *
rpc_calls_add(struct rpc_calls *l, struct rpc *rpc, rpc_answer_cb *cb,
              void *arg)
{
    struct rpc_call *c = malloc(sizeof(*c));

    if (!c)
        return NULL;
    *c = (struct rpc_call){.next = l->first,
                           .list = l,
                           .rpc = rpc,
                           .id = ++l->last_id,
                           .cb = cb,
                           .arg = arg};
    if (c->next)
        c->next->prev = c;
    l->first = c;
    l->n++;
    return c;
}

void
rpc_call_free(struct rpc_call *c)
{
    *(c->prev ? &c->prev->next : &c->list->first) = c->next;
    if (c->next)
        c->next->prev = c->prev;
    c->list->n--;
    watch_free(c->limit);
    free(c);
}

struct rpc_call *
rpc_calls_find(const struct rpc_calls *l, const struct jsonrpc *m)
{
    struct rpc_call *c = l->first;
    int64_t id;

    if (!json_int(json_get(m->root, "id"), &id))
        return NULL;
    while (c && c->id != id)
        c = c->next;
    return c;
}

void
rpc_call_conclude(struct rpc_call *c, const struct jsonrpc *m,
                  const struct err *why)
{
    rpc_answer_cb *cb = c->cb;
    void *arg = c->arg;

    rpc_call_free(c);
    cb(arg, m, why);
}
