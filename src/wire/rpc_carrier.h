/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rpc_carrier.h - a JSON-RPC connection whose messages its owner transports. */
#ifndef WIRE_RPC_CARRIER_H
#define WIRE_RPC_CARRIER_H

#include "wire/rpc.h"

/* A message on its way out: head, value and "}", one after another. */
struct rpc_sent {
    const struct buf *head;  /* borrowed until `send` returns, as is value */
    const struct buf *value; /* NULL: none */
    bool answers;            /* its request, which no other message follows */
    int code;                /* of an error that is the answer; 0: it is none */
};

/* For a transport without descriptors that brings each message separately, such
 * as HTTP. `way` is the owner's object for the exchange that brought a request,
 * such as an HTTP request: rpc_take gets it, and it is valid until that request
 * is answered. No callback may free the connection. */
struct rpc_carrier {
    /* way is the exchange of the request that the message belongs to; NULL: of
     * none. */
    void (*send)(void *arg, void *way, const struct rpc_sent *m);
    /* The request will have no answer. */
    void (*dropped)(void *arg, void *way);
    /* Pass no more requests to rpc_take for now, or go on. */
    void (*pause)(void *arg, bool paused);
    void *arg;
};

/* Takes a message that was parsed; rc and e are those of jsonrpc_parse, and the
 * fault, if any, is in the params. */
void rpc_take(struct rpc *r, struct jsonrpc *m, int rc, void *way,
              struct err *e);
/* The exchange of a request has ended. cancel: the request is cancelled too. */
void rpc_leave_way(struct rpc *r, const void *way, bool cancel);

/* Answers all open requests with an error. Who has them can still answer them,
 * without effect. */
void rpc_refuse_open(struct rpc *r, int code, const char *message);

/* The transport is gone: our calls fail. */
void rpc_fail_calls(struct rpc *r);

/* As rpc_notify and rpc_call_start, in the exchange of a request. On a
 * connection with descriptors there is no difference. */
int rpc_notify_about(struct rpc_request *rq, const char *method,
                     const struct buf *params, struct err *e);
struct rpc_call *rpc_call_about(struct rpc_request *rq, const char *method,
                                const struct buf *params, int64_t timeout_ms,
                                rpc_answer_cb *cb, void *arg, struct err *e);

#endif
