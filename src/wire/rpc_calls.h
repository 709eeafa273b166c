/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rpc_calls.h - our calls to a peer that have no answer yet. */
#ifndef WIRE_RPC_CALLS_H
#define WIRE_RPC_CALLS_H

#include "wire/rpc.h"

struct rpc_call {
    struct rpc_call *prev, *next;
    struct rpc_calls *list;
    struct rpc *rpc;
    int64_t id;
    rpc_answer_cb *cb;
    void *arg;
    struct watch *limit; /* NULL: none */
};

/* Begins with all zero. */
struct rpc_calls {
    struct rpc_call *first;
    size_t n;
    int64_t last_id;
};

/* Adds a call with a new id. NULL: no memory. */
struct rpc_call *rpc_calls_add(struct rpc_calls *l, struct rpc *rpc,
                               rpc_answer_cb *cb, void *arg);
void rpc_call_free(struct rpc_call *c); /* cb is not called */

/* The call that a message answers, by its id alone; NULL: there is none. */
struct rpc_call *rpc_calls_find(const struct rpc_calls *l,
                                const struct jsonrpc *m);

/* Ends a call with its answer, or with the reason why there is none. */
void rpc_call_conclude(struct rpc_call *c, const struct jsonrpc *m,
                       const struct err *why);

#endif
