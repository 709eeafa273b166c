/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rpc_dispatch.h - dispatches the messages of a peer.
 *
 * A request or notification goes to its method, an answer to its call. */
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
    bool dead; /* a callback has freed the connection */
    /* Answers a request with an error; id NULL: null. */
    void (*refuse)(struct rpc *r, void *way, const char *id, int code,
                   const char *message);
};

/* rc and e are those of jsonrpc_parse, way that of rpc_take. d stays valid
 * during the call, after which it may be dead. */
void rpc_dispatch_message(struct rpc_dispatch *d, struct jsonrpc *m, int rc,
                          void *way, struct err *e);

#endif
