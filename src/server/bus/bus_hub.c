/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_hub.c - the peers of a bus, of this node and of others. */
#include "server/bus/bus_hub.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"
#include "server/bus/bus_numbers.h"
#include "server/bus/bus_publish.h"
#include "server/bus/bus_subscription.h"
#include "server/bus/bus_topic.h"
#include "json/json.h"
#include "json/write.h"

/* A whole number without a sign; 0: none of ours. */
static uint64_t
read_request_id(struct bus_slice id)
{
    uint64_t v = 0;

    if (id.n > 18)
        return 0;
    for (size_t i = 0; i < id.n; i++) {
        if (id.p[i] < '0' || id.p[i] > '9')
            return 0;
        v = v * 10 + (uint64_t)(id.p[i] - '0');
    }
    return v;
}

void
bus_hub_answer(struct bus_hub *h, struct bus_peer *p, struct bus_slice id,
               enum relay_outcome outcome)
{
    uint64_t v = read_request_id(id);

    if (v > 0)
        bus_deliveries_answered(h->deliveries, p, v, outcome);
}

static struct bus_peer *
add_peer_at(struct bus_hub *h, uint64_t place, struct err *e)
{
    struct bus_peer *p = bus_peer_new(h, place, e);

    if (!p)
        return NULL;
    p->prev = h->last;
    *(h->last ? &h->last->next : &h->first) = p;
    h->last = p;
    id_table_add(&h->places, &p->by_place, place, p);
    return p;
}

struct bus_peer *
bus_hub_join(struct bus_hub *h, struct err *e)
{
    return add_peer_at(h, relay_place(h->relay), e);
}

/* A message on agent:CLIENT. event: spawn, complete, error. */
static void
publish_lifecycle(struct bus_hub *h, const struct bus_peer *p,
                  const char *event, const char *info, const char *reason)
{
    CLEANUP_BUF struct buf topic = buf_of(BUS_TOPIC_MAX);
    CLEANUP_BUF struct buf payload = buf_of(BUS_MESSAGE_BYTES);
    struct json_writer w;

    if (!h->lifecycle || h->stopping)
        return;
    buf_printf(&topic, "agent:%s", p->client_id);
    json_write_init(&w, &payload);
    json_open_object(&w);
    json_member_str(&w, "event", event);
    json_member_str(&w, "clientId", p->client_id);
    if (info) {
        json_key(&w, "clientInfo");
        json_put_raw(&w, info, strlen(info));
    }
    if (reason)
        json_member_str(&w, "reason", reason);
    json_close_object(&w);
    if (!topic.bad)
        bus_publish_own(h, topic.p, topic.len, &payload);
}

void
bus_hub_welcome(struct bus_hub *h, struct bus_peer *p, const char *info)
{
    p->initialized = true;
    h->counts.clients++;
    h->counts.clients_ever++;
    publish_lifecycle(h, p, "spawn", info, NULL);
}

static const char *
leaving_reason(unsigned status)
{
    switch (status) {
    case WEBSOCKET_TRY_LATER:
        return "it read too slowly";
    case WEBSOCKET_LOST:
        return "the connection was lost";
    default:
        return "the connection was closed by an error";
    }
}

void
bus_hub_leave(struct bus_hub *h, struct bus_peer *p, unsigned status)
{
    bool own = !p->foreign;
    bool clean = status == WEBSOCKET_NORMAL || status == WEBSOCKET_GOING_AWAY ||
                 status == WEBSOCKET_NO_STATUS;

    p->ws = NULL;
    *(p->prev ? &p->prev->next : &h->first) = p->next;
    *(p->next ? &p->next->prev : &h->last) = p->prev;
    id_table_remove(&h->places, &p->by_place);
    bus_subscription_forget(p);
    bus_routes_leave(h->routes, p);
    bus_replays_left(p);
    if (own)
        relay_leave(h->relay, p->place);
    bus_deliveries_left(h->deliveries, p);
    if (p->initialized) {
        h->counts.clients--;
        publish_lifecycle(h, p, clean ? "complete" : "error", NULL,
                          clean ? NULL : leaving_reason(status));
    }
    bus_peer_unref(p);
}

void
bus_hub_full(struct bus_hub *h, struct bus_peer *p, bool full)
{
    p->full = full;
    if (full || !p->ws)
        return;
    bus_deliveries_room(h->deliveries, p);
    bus_replays_room(h->replays, p);
}

static bool
has_replay(void *arg, const struct bus_peer *p, const struct bus_message *m)
{
    (void)arg;
    return bus_replay_has(p, m);
}

static bool
replays_first(void *arg, const struct bus_peer *p, const struct bus_message *m)
{
    (void)arg;
    return bus_replay_is_first(p, m);
}

static void
note_missed(void *arg, struct bus_peer *p, struct bus_message *m)
{
    const struct bus_hub *h = arg;

    if (p->ws)
        bus_replay_add(h->replays, p, m);
}

static void
part_deliveries(void *arg)
{
    const struct bus_hub *h = arg;

    bus_deliveries_part(h->deliveries);
}

static void
log_relay_trouble(void *arg, const struct err *why)
{
    const struct bus_hub *h = arg;

    if (why && why->code == ERR_PEER)
        bus_deliveries_apart(h->deliveries);
    h->log(h->log_arg, why ? why->text : "the other nodes are there again");
}

static void
take_relayed_answer(void *arg, uint64_t delivery, enum relay_outcome outcome)
{
    const struct bus_hub *h = arg;

    bus_deliveries_relayed(h->deliveries, delivery, outcome);
}

/* Peers of other nodes are in the routes like our own. */
static struct bus_peer *
find_remote(const struct bus_hub *h, uint64_t place)
{
    struct bus_peer *p = id_table_find(&h->places, place);

    return p && p->remote ? p : NULL;
}

static void
drop_remote(void *arg, uint64_t place)
{
    struct bus_hub *h = arg;
    struct bus_peer *p = find_remote(h, place);

    if (!p)
        return;
    p->remote = false;
    bus_hub_leave(h, p, WEBSOCKET_LOST);
}

static void
subscribe_remote(void *arg, uint64_t place, struct relay_bytes pattern, bool on)
{
    struct bus_hub *h = arg;
    struct bus_peer *p = find_remote(h, place);
    struct err e = {0};

    if (!p && on && (p = add_peer_at(h, place, &e)))
        p->remote = p->foreign = true;
    if (p && !on)
        (void)bus_routes_unsubscribe(h->routes, p, pattern.p, pattern.n);
    else if (on && (!p || bus_routes_subscribe(h->routes, p, pattern.p,
                                               pattern.n, &e) < 0))
        h->log(h->log_arg, e.text);
}

/* A message of another node for one of our peers. */
static void
deliver_for_relay(void *arg, uint64_t place, uint64_t turn,
                  struct relay_bytes text, uint64_t handle)
{
    struct bus_hub *h = arg;
    struct bus_peer *p = id_table_find(&h->places, place);
    struct bus_route *route = malloc(sizeof(*route) + sizeof(p));
    struct bus_message *m = bus_message_of_text(text, handle, NULL);

    if (!p || !p->ws || !route || !m) {
        free(route);
        bus_message_unref(m);
        relay_answer(h->relay, handle, RELAY_FAILED);
        return;
    }
    m->turn = h->keep ? turn : 0;
    route->refs = 1;
    route->n = 1;
    route->peers[0] = bus_peer_ref(p);
    if (bus_deliveries_start(h->deliveries, m, route, NULL, "", 0, NULL) < 0)
        relay_answer(h->relay, handle, RELAY_FAILED);
}

int
bus_hub_init(struct bus_hub *h, const struct bus_hub_setup *set, struct err *e)
{
    static const struct bus_delivery_events deliveries = {
        .ended = bus_publish_ended,
        .replay_has = has_replay,
        .replay_is_first = replays_first,
        .missed = note_missed};
    static const struct relay_events relays = {
        .published = bus_publish_take,
        .lost = bus_publish_lost,
        .effective = bus_subscription_holds,
        .apart = part_deliveries,
        .anew = bus_numbers_anew,
        .state = bus_numbers_put,
        .restore = bus_numbers_take,
        .adopt = bus_numbers_adopt,
        .settled = bus_publish_settled,
        .subscribed = subscribe_remote,
        .left = drop_remote,
        .answered = take_relayed_answer,
        .deliver = deliver_for_relay,
        .trouble = log_relay_trouble};

    *h = (struct bus_hub){.loop = set->loop,
                          .relay = set->relay,
                          .lifecycle = set->lifecycle,
                          .started_ms = clock_ms(),
                          .log = set->log,
                          .log_arg = set->log_arg};
    h->relay->events = &relays;
    h->relay->arg = h;
    if (set->keeps && (!(h->keep = bus_keep_new(set->loop, &set->keep, e)) ||
                       (!set->shares && bus_numbers_name(&h->numbers, e) < 0)))
        return -1;
    if (!(h->routes = bus_routes_new(e)) ||
        !(h->deliveries = bus_deliveries_new(set->loop, h->relay, &deliveries,
                                             h, e)) ||
        !(h->replays = bus_replays_new(set->loop, h->deliveries, e)))
        return -1;
    return 0;
}

void
bus_hub_done(struct bus_hub *h)
{
    h->closing = h->stopping = true;
    for (struct bus_peer *p = h->first; p; p = p->next) {
        p->ws = NULL;
        p->remote = false;
    }
    while (h->first) {
        bus_hub_leave(h, h->first, WEBSOCKET_GOING_AWAY);
    }
    bus_publish_done(h);
    id_table_done(&h->places);
    bus_deliveries_free(h->deliveries);
    bus_replays_free(h->replays);
    bus_routes_free(h->routes);
    bus_keep_free(h->keep);
    relay_free(h->relay);
}

void
bus_hub_put_stats(const struct bus_hub *h, struct buf *out)
{
    struct bus_delivery_counts d = bus_deliveries_count(h->deliveries);
    struct bus_route_counts r = bus_routes_count(h->routes);
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_int(&w, "uptime_ms", clock_ms() - h->started_ms);
    json_member_int(&w, "clients", (int64_t)h->counts.clients);
    json_member_int(&w, "clients_total", (int64_t)h->counts.clients_ever);
    json_member_int(&w, "subscriptions", (int64_t)r.subscriptions);
    json_member_int(&w, "patterns", (int64_t)r.patterns);
    json_member_int(&w, "published", (int64_t)h->counts.published);
    json_member_int(&w, "delivered", (int64_t)d.delivered);
    json_member_int(&w, "failed", (int64_t)d.failed);
    json_member_int(&w, "late", (int64_t)d.late);
    json_member_int(&w, "stopped", (int64_t)d.stopped);
    json_member_int(&w, "refused", (int64_t)h->counts.refused);
    json_member_int(&w, "in_flight", (int64_t)d.flying);
    if (h->keep) {
        struct bus_keep_counts k = bus_keep_count(h->keep);

        json_member_int(&w, "dead", (int64_t)h->counts.dead);
        json_key(&w, "kept");
        json_open_object(&w);
        json_member_int(&w, "topics", (int64_t)k.topics);
        json_member_int(&w, "messages", (int64_t)k.messages);
        json_member_int(&w, "bytes", (int64_t)k.bytes);
        json_close_object(&w);
    }
    json_close_object(&w);
}
