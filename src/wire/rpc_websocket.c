/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rpc_websocket.c - JSON-RPC on a WebSocket: a message each way is one text. */
#include "wire/rpc_websocket.h"

#include <stdlib.h>

#include "wire/rpc_carrier.h"

struct rpc_websocket {
    struct rpc *rpc;
    struct websocket *ws;
    struct rpc_carrier carrier;
    void (*full)(void *arg, bool full); /* of the setup; may be NULL */
    void *full_arg;
    void (*ended)(void *arg, unsigned status);
    void *arg;
};

static void
send_rpc_message(void *arg, void *way, const struct rpc_sent *m)
{
    struct rpc_websocket *r = arg;
    char end[] = "}";
    struct iovec parts[] = {{m->head->p, m->head->len}, {0}, {end, 1}};

    (void)way;
    if (m->value)
        parts[1] = (struct iovec){m->value->p, m->value->len};
    if (r->ws)
        websocket_send(r->ws, parts, 3, true);
}

static void
drop_rpc_request(void *arg, void *way)
{
    (void)arg;
    (void)way;
}

static void
pause_rpc_peer(void *arg, bool paused)
{
    struct rpc_websocket *r = arg;

    if (r->ws)
        websocket_pause(r->ws, paused);
}

static void
on_rpc_message(void *owner, struct websocket *ws, char *bytes, size_t n,
               bool text)
{
    struct rpc_websocket *r = owner;
    CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
    struct err e = {0};
    int rc = jsonrpc_parse(bytes, n, &m, &e);

    (void)text;
    rpc_take(r->rpc, &m, rc, ws, &e);
}

static void
on_rpc_full(void *owner, struct websocket *ws, bool full)
{
    struct rpc_websocket *r = owner;

    (void)ws;
    if (r->full)
        r->full(r->full_arg, full);
}

static void
on_rpc_closed(void *owner, struct websocket *ws, unsigned status,
              const char *reason)
{
    struct rpc_websocket *r = owner;

    (void)ws;
    (void)reason;
    r->ws = NULL;
    r->ended(r->arg, status);
}

const struct websocket_events *
rpc_websocket_events(void)
{
    static const struct websocket_events events = {
        .message = on_rpc_message, .full = on_rpc_full, .ended = on_rpc_closed};

    return &events;
}

struct rpc_websocket *
rpc_websocket_new(const struct rpc_setup *set,
                  void (*ended)(void *arg, unsigned status), void *arg,
                  struct err *e)
{
    CLEANUP(rpc_websocket_free_p)
    struct rpc_websocket *r = calloc(1, sizeof(*r));
    struct rpc_setup own = *set;

    if (!r) {
        err_nomem(e);
        return NULL;
    }
    r->carrier = (struct rpc_carrier){.send = send_rpc_message,
                                      .dropped = drop_rpc_request,
                                      .pause = pause_rpc_peer,
                                      .arg = r};
    r->full = set->events->full;
    r->full_arg = set->arg;
    r->ended = ended;
    r->arg = arg;
    own.in = own.out = -1;
    own.carrier = &r->carrier;
    r->rpc = rpc_new(&own, e);
    return r->rpc ? TAKE_PTR(r) : NULL;
}

void
rpc_websocket_free(struct rpc_websocket *r)
{
    if (!r)
        return;
    if (r->ws)
        websocket_leave(r->ws, WEBSOCKET_GOING_AWAY, NULL);
    rpc_free(r->rpc);
    free(r);
}

void
rpc_websocket_opened(struct rpc_websocket *r, struct websocket *ws)
{
    r->ws = ws;
}

struct rpc *
rpc_websocket_rpc(struct rpc_websocket *r)
{
    return r->rpc;
}

struct websocket *
rpc_websocket_socket(struct rpc_websocket *r)
{
    return r->ws;
}
