/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rpc_requests.h - the requests of a peer that have no answer yet. */
#ifndef WIRE_RPC_REQUESTS_H
#define WIRE_RPC_REQUESTS_H

#include "base/cleanup.h"
#include "json/json.h"

struct rpc;

struct rpc_request {
    struct rpc_request *prev, *next;
    struct rpc_requests *list; /* NULL: the connection has been freed */
    struct rpc *rpc;           /* the same */
    char *id;                  /* as written by the peer */
    char *key; /* the same value in a canonical form; NULL: not made yet */
    struct json **message; /* while its callback runs; NULL: it has none */
    void *way; /* see rpc_carrier; NULL: it has ended, or there is none */
    void (*on_cancel)(void *arg);
    void *arg;
    bool cancelled;
};

/* Begins with all zero. */
struct rpc_requests {
    struct rpc_request *first, *last; /* oldest first */
    size_t n;
};

/* Adds a request, which takes over the id. NULL: no memory. */
struct rpc_request *rpc_requests_add(struct rpc_requests *l, struct rpc *rpc,
                                     char **id);
void rpc_request_free(struct rpc_request *rq); /* accepts NULL */
DEFINE_CLEANUP(struct rpc_request, rpc_request_free)

/* The connection is being freed: its requests can be answered without effect.
 */
void rpc_requests_leave(struct rpc_requests *l);

/* The oldest that is not yet cancelled, with this id; NULL: with any. */
struct rpc_request *rpc_requests_find(const struct rpc_requests *l,
                                      const struct json *id);

/* Cancels it, unless that was done. */
void rpc_request_cancel(struct rpc_request *rq);

/* The same for the one with this id, if there is one; NULL: for none. */
void rpc_requests_cancel(const struct rpc_requests *l, const struct json *id);

#endif
