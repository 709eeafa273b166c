/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rpc_websocket.c - JSON-RPC on a WebSocket: a message each way is one text. */
#include "wire/rpc_websocket.h"

#include <stdlib.h>

#include "wire/parse_thread.h"
#include "wire/rpc_carrier.h"

struct rpc_websocket {
    struct rpc *rpc;
    struct websocket *ws;
    struct rpc_carrier carrier;
    struct loop *loop;
    struct parse_thread *parsing; /* of a long message; NULL: none. Nothing is
                                     read meanwhile */
    bool paused;                  /* by rpc */
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
apply_rpc_pause(struct rpc_websocket *r)
{
    if (r->ws)
        websocket_pause(r->ws, r->paused || r->parsing);
}

static void
pause_rpc_peer(void *arg, bool paused)
{
    struct rpc_websocket *r = arg;

    r->paused = paused;
    apply_rpc_pause(r);
}

static void
on_long_rpc_message(void *arg, struct jsonrpc *m, int rc, struct err *e)
{
    struct rpc_websocket *r = arg;

    parse_thread_free(TAKE_PTR(r->parsing));
    apply_rpc_pause(r);
    if (r->ws)
        rpc_take(r->rpc, m, rc, r->ws, e);
}

/* False: it could not be begun. */
static bool
parse_rpc_aside(struct rpc_websocket *r, const char *bytes, size_t n)
{
    CLEANUP_BUF struct buf text = buf_of(n);

    if (!websocket_take_message(r->ws, &text) && buf_add(&text, bytes, n) < 0)
        return false;
    r->parsing = parse_thread_start(r->loop, &text, n, on_long_rpc_message, r);
    if (!r->parsing) { /* without a thread it takes its time here */
        CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
        struct err e = {0};
        int rc = jsonrpc_parse(text.p, n, &m, &e);

        rpc_take(r->rpc, &m, rc, r->ws, &e);
        return true;
    }
    apply_rpc_pause(r);
    return true;
}

static void
on_rpc_message(void *owner, struct websocket *ws, char *bytes, size_t n,
               bool text)
{
    struct rpc_websocket *r = owner;
    CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
    struct err e = {0};
    int rc;

    (void)text;
    if (n > PARSE_THREAD_LEAST && r->ws && parse_rpc_aside(r, bytes, n))
        return;
    rc = jsonrpc_parse(bytes, n, &m, &e);
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
    r->loop = set->loop;
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
    parse_thread_free(r->parsing);
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
