/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus.c - the message bus: its connections, and their end. */
#include "server/bus/bus.h"

#include <stdlib.h>

#include "base/clock.h"
#include "server/bus/bus_method.h"
#include "server/server_http.h"
#include "wire/relay_nats.h"

#define STOP_STEP_MS 5
#define DRAIN_MS     5000  /* for what is on its way, at the end … */
#define CLOSE_MS     1000  /* … and for clients to close too */
#define NATS_NAME    "bus" /* all buses of one NATS server are one */
#define REQUEST_MAX  4096  /* bytes of a body, which no path has */

struct bus {
    struct bus_setup set;
    struct bus_hub hub;
    struct server_http *server;
    struct watch *tick;
    bool closed; /* clients have been told that the bus ends */
    int64_t until_ms;
};

static void
on_bus_message(void *owner, struct websocket *ws, char *bytes, size_t n,
               bool text)
{
    struct bus_peer *p = owner;

    (void)ws;
    bus_method_take(p->hub, p, bytes, n, text);
}

static void
on_bus_full(void *owner, struct websocket *ws, bool full)
{
    struct bus_peer *p = owner;

    (void)ws;
    bus_hub_full(p->hub, p, full);
}

static void
on_bus_ended(void *owner, struct websocket *ws, unsigned status,
             const char *reason)
{
    struct bus_peer *p = owner;

    (void)ws;
    (void)reason;
    bus_hub_leave(p->hub, p, status);
}

static void
on_bus_opened(void *owner, struct websocket *ws)
{
    struct bus_peer *p = owner;

    p->ws = ws;
    if (!ws)
        bus_hub_leave(p->hub, p, WEBSOCKET_LOST);
}

static void
on_bus_request(void *arg, struct http_connection *c)
{
    static const struct websocket_events events = {
        .message = on_bus_message, .full = on_bus_full, .ended = on_bus_ended};
    struct bus *b = arg;
    struct err e = {0};
    struct bus_peer *p = bus_hub_join(&b->hub, &e);

    if (!p)
        http_answer_text(c, 503, NULL, e.text);
    else if (!server_http_open_websocket(b->server, c, &events, p,
                                         on_bus_opened))
        bus_hub_leave(&b->hub, p, WEBSOCKET_LOST);
}

static void
put_bus_metrics(void *arg, struct buf *out)
{
    const struct bus *b = arg;
    const struct bus_hub *h = &b->hub;
    struct bus_delivery_counts d = bus_deliveries_count(h->deliveries);
    struct bus_route_counts r = bus_routes_count(h->routes);
    struct bus_keep_counts k = h->keep ? bus_keep_count(h->keep)
                                       : (struct bus_keep_counts){0};
    const struct bus_metric {
        const char *name, *kind, *help;
        uint64_t value;
    } rows[] = {
        {"agentsh_bus_clients", "gauge", "Clients that have initialized.",
         h->counts.clients},
        {"agentsh_bus_subscriptions", "gauge", "Subscriptions.",
         r.subscriptions},
        {"agentsh_bus_published_total", "counter", "Messages published.",
         h->counts.published},
        {"agentsh_bus_delivered_total", "counter",
         "Deliveries that a subscriber has answered.", d.delivered},
        {"agentsh_bus_failed_total", "counter",
         "Deliveries whose subscriber erred, left or was late.", d.failed},
        {"agentsh_bus_late_total", "counter",
         "Deliveries that were not answered in time.", d.late},
        {"agentsh_bus_stopped_total", "counter",
         "Messages that a subscriber has stopped.", d.stopped},
        {"agentsh_bus_refused_total", "counter",
         "Messages refused, since too many wait or the bus ends.",
         h->counts.refused},
        {"agentsh_bus_in_flight", "gauge", "Messages on their way.", d.flying},
        {"agentsh_bus_dead_total", "counter", "Messages that nobody got.",
         h->counts.dead},
        {"agentsh_bus_kept_messages", "gauge", "Messages kept.", k.messages},
        {"agentsh_bus_kept_bytes", "gauge", "Bytes of messages kept.", k.bytes},
        {"agentsh_bus_kept_topics", "gauge", "Topics that are numbered.",
         k.topics},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        server_http_put_metric(out, rows[i].name, rows[i].kind, rows[i].help,
                               rows[i].value);
}

static void
close_clients(struct bus *b)
{
    b->closed = true;
    b->until_ms = clock_ms() + CLOSE_MS;
    server_http_close_websockets(b->server, "the bus is ending");
}

static void
on_bus_tick(void *arg, unsigned events)
{
    struct bus *b = arg;
    bool over = clock_ms() >= b->until_ms;

    (void)events;
    if (!b->closed &&
        (over || bus_deliveries_count(b->hub.deliveries).flying == 0)) {
        close_clients(b);
    } else if (b->closed && (over || server_http_connections(b->server) == 0)) {
        b->set.ended(b->set.arg);
        return;
    }
    watch_again(b->tick, STOP_STEP_MS);
}

void
bus_stop(struct bus *b)
{
    if (b->hub.stopping)
        return;
    b->hub.stopping = true;
    b->until_ms = clock_ms() + DRAIN_MS;
    server_http_drain(b->server);
    watch_again(b->tick, 0);
}

static struct relay *
open_relay(const struct bus *b, struct err *e)
{
    return b->set.nats ? relay_nats_new(b->set.loop, b->set.nats, NATS_NAME, e)
                       : relay_alone_new(e);
}

static int
open_bus(struct bus *b, struct err *e)
{
    static const struct server_http_route routes[] = {
        {"/", "GET", on_bus_request}, {0}};
    struct server_http_setup http = {.loop = b->set.loop,
                                     .max_body = REQUEST_MAX,
                                     .routes = routes,
                                     .metrics = put_bus_metrics,
                                     .arg = b,
                                     .log = b->set.log,
                                     .log_arg = b->set.arg,
                                     .log_lost = b->set.log_lost};
    struct bus_hub_setup hub = {.loop = b->set.loop,
                                .relay = open_relay(b, e),
                                .keeps = b->set.keeps,
                                .shares = b->set.nats != NULL,
                                .keep = b->set.keep,
                                .lifecycle = b->set.lifecycle,
                                .log = b->set.log,
                                .log_arg = b->set.arg};

    if (!hub.relay || bus_hub_init(&b->hub, &hub, e) < 0 ||
        !(b->tick = loop_timer(b->set.loop, DRAIN_MS, on_bus_tick, b, e)))
        return -1;
    watch_stop(b->tick);
    server_options_fill_http(b->set.options, &http);
    b->server = server_http_new(&http, e);
    return b->server ? 0 : -1;
}

int
bus_load(struct bus *b, struct err *e)
{
    return server_http_reload_certificate(b->server, e);
}

struct bus *
bus_new(const struct bus_setup *set, struct err *e)
{
    CLEANUP(bus_free_p) struct bus *b = calloc(1, sizeof(*b));

    if (!b) {
        err_nomem(e);
        return NULL;
    }
    b->set = *set;
    return open_bus(b, e) < 0 ? NULL : TAKE_PTR(b);
}

void
bus_free(struct bus *b)
{
    if (!b)
        return;
    watch_free(b->tick);
    server_http_free(b->server);
    bus_hub_done(&b->hub);
    free(b);
}
