/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rpc_dispatch.h - hands a message of a peer's to whom it is for.
 *
 * A request or notification goes to its method, an answer to the call that
 * waits for it. */
#ifndef WIRE_RPC_DISPATCH_H
#define WIRE_RPC_DISPATCH_H

#include "wire/rpc.h"
#include "wire/rpc_calls.h"
#include "wire/rpc_requests.h"

struct rpc_dispatch {
    struct rpc *rpc;
    const struct rpc_setup *set;
    struct rpc_requests requests;
    struct rpc_calls calls;
    bool dead; /* the connection was freed by what was called */
    /* Answers a request with an error; id NULL: null. */
    void (*refuse)(struct rpc *r, void *way, const char *id, int code,
                   const char *message);
};

/* rc and e are of jsonrpc_parse; way as of rpc_take. The caller keeps d during
 * this, after which it may be dead. */
void rpc_dispatch_message(struct rpc_dispatch *d, struct jsonrpc *m, int rc,
                          void *way, struct err *e);

#endif
