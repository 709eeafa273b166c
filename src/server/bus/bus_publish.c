/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_publish.c - the messages of a bus, from their sender to their end. */
#include "server/bus/bus_publish.h"

#include <stdlib.h>
#include <string.h>

#include "server/bus/bus_topic.h"
#include "wire/jsonrpc.h"

/* Of messages without an answer: a peer that only sends is not read any more;
 * one that also gets messages, and so must be read, is refused. */
#define PAUSE_MESSAGES  1024u
#define PAUSE_BYTES     (1u << 20)
#define REFUSE_MESSAGES 16384u
#define REFUSE_BYTES    (16u << 20)
#define ALL_BYTES       (256u << 20)            /* of all peers */
#define OWN_BYTES       (2 * BUS_MESSAGE_BYTES) /* of a message of the bus's */

#define GOES_ON_RESULT "{\"success\":true,\"stopPropagation\":false}"
#define STOPS_RESULT   "{\"success\":true,\"stopPropagation\":true}"

/* A message of this node that waits for its turn. */
struct bus_pending {
    struct id_entry by_token;
    uint64_t token;
    struct bus_peer *from; /* NULL: the bus itself */
    bool done;
    size_t payload_n;
    size_t id_n;
    const char *id;
    char own_id[];
};

/* A message of another node, which is on its way there. */
struct bus_foreign {
    struct id_entry by_turn;
    struct bus_message *message;
};

static struct relay_bytes
relay_slice(struct bus_slice s)
{
    return (struct relay_bytes){s.p, s.n};
}

static size_t
open_size(size_t payload_n)
{
    return payload_n + sizeof(struct bus_message) + 256;
}

static bool
may_be_paused(const struct bus_peer *p)
{
    return p->n_patterns == 0 && !p->first_owed && p->ws;
}

static void
open_peer_message(struct bus_hub *h, struct bus_peer *p, size_t payload_n)
{
    p->open++;
    p->open_bytes += open_size(payload_n);
    h->open_bytes += open_size(payload_n);
    if (!p->paused && may_be_paused(p) &&
        (p->open >= PAUSE_MESSAGES || p->open_bytes >= PAUSE_BYTES)) {
        p->paused = true;
        websocket_pause(p->ws, true);
    }
}

static void
close_peer_message(struct bus_hub *h, struct bus_peer *p, size_t payload_n)
{
    p->open--;
    p->open_bytes -= open_size(payload_n);
    h->open_bytes -= open_size(payload_n);
    if (p->paused && p->open <= PAUSE_MESSAGES / 2 &&
        p->open_bytes <= PAUSE_BYTES / 2 && p->ws) {
        p->paused = false;
        websocket_pause(p->ws, false);
    }
}

static void
refuse_pending(const struct bus_pending *w, int code, const char *why)
{
    char id[JSONRPC_ID_MAX + 1];

    if (!w->from)
        return;
    memcpy(id, w->id, w->id_n);
    id[w->id_n] = '\0';
    bus_peer_refuse(w->from, id, code, why, NULL);
}

static void
free_pending(struct bus_pending *w)
{
    bus_peer_unref(w->from);
    free(w);
}

/* It goes to the relay, and from there to bus_publish_take. */
static void
publish_message(struct bus_hub *h, struct bus_peer *from, struct bus_slice id,
                const struct relay_message *message)
{
    struct bus_pending now = {.token = ++h->tokens,
                              .from = from,
                              .payload_n = message->payload.n,
                              .id = id.p,
                              .id_n = id.n};
    struct bus_pending *before = h->now, *later;
    struct relay_message m = *message;
    struct err e = {0};

    m.token = now.token;
    m.own = true;
    h->now = &now;
    if (relay_publish(h->relay, &m, &e) < 0) {
        h->now = before;
        refuse_pending(&now, JSONRPC_INTERNAL, e.text);
        if (from)
            close_peer_message(h, from, m.payload.n);
        return;
    }
    h->now = before;
    if (now.done)
        return;
    if (!(later = malloc(sizeof(*later) + id.n))) {
        refuse_pending(&now, JSONRPC_INTERNAL, "out of memory");
        if (from)
            close_peer_message(h, from, m.payload.n);
        return;
    }
    *later = now;
    later->id = later->own_id;
    if (id.n > 0)
        memcpy(later->own_id, id.p, id.n);
    if (from)
        (void)bus_peer_ref(from);
    id_table_add(&h->pending, &later->by_token, later->token, later);
}

/* What was published under a token. */
static struct bus_pending *
take_pending(struct bus_hub *h, uint64_t token)
{
    struct bus_pending *w;

    if (h->now && h->now->token == token) {
        h->now->done = true;
        return h->now;
    }
    if ((w = id_table_find(&h->pending, token)) != NULL)
        id_table_remove(&h->pending, &w->by_token);
    return w;
}

static struct bus_message *
number_message(struct bus_hub *h, const struct relay_message *m, struct err *e)
{
    struct bus_topic_log *log = NULL;
    struct bus_message *message;

    if (h->keep && !(log = bus_keep_log(h->keep, m->topic.p, m->topic.n, e)))
        return NULL;
    if (!(message = bus_message_new(m, log, e)))
        return NULL;
    if (log && bus_keep_add(h->keep, message, e) < 0) {
        bus_message_unref(message);
        return NULL;
    }
    return message;
}

static int
deliver_own(struct bus_hub *h, const struct relay_message *m,
            const struct bus_pending *w, struct err *e)
{
    struct bus_route *route = bus_routes_find(h->routes, m->topic.p, m->topic.n,
                                              e);
    struct bus_message *message = route ? number_message(h, m, e) : NULL;

    if (!message) {
        bus_route_unref(route);
        return -1;
    }
    h->counts.published++;
    return bus_deliveries_start(h->deliveries, message, route, w->from, w->id,
                                w->id_n, e);
}

/* Of another node: it is kept, and its end is told. */
static void
keep_foreign(struct bus_hub *h, const struct relay_message *m)
{
    struct bus_foreign *f = h->keep ? calloc(1, sizeof(*f)) : NULL;
    struct err e = {0};

    if (f && !(f->message = number_message(h, m, &e))) {
        h->log(h->log_arg, e.text);
        free(f);
        f = NULL;
    }
    if (f)
        id_table_add(&h->foreign, &f->by_turn, m->turn, f);
    bus_deliveries_expect(h->deliveries, m->turn, f ? f->message : NULL);
}

void
bus_publish_take(void *arg, const struct relay_message *m)
{
    struct bus_hub *h = arg;
    struct bus_pending *w;
    struct err e = {0};

    if (!m->own) {
        keep_foreign(h, m);
        return;
    }
    if (!(w = take_pending(h, m->token)))
        return;
    if (deliver_own(h, m, w, &e) < 0) {
        refuse_pending(w, JSONRPC_INTERNAL, e.text);
        if (w->from)
            close_peer_message(h, w->from, m->payload.n);
    }
    if (w != h->now)
        free_pending(w);
}

/* A message of the bus's own. */
void
bus_publish_own(struct bus_hub *h, const char *topic, size_t n,
                const struct buf *payload)
{
    CLEANUP_BUF struct buf json = buf_of(6 * BUS_TOPIC_MAX + 64);
    struct json_writer w;

    json_write_init(&w, &json);
    json_put_strn(&w, topic, n);
    if (json.bad || payload->bad || h->closing)
        return;
    publish_message(
        h, NULL, (struct bus_slice){"", 0},
        &(struct relay_message){.topic = {topic, n},
                                .topic_json = {json.p, json.len},
                                .payload = {payload->p, payload->len}});
}

#define DEAD_PREFIX "dead:"

/* Nobody has got it, and so those who look after such messages do. */
static void
publish_dead(struct bus_hub *h, const struct bus_ended *how)
{
    CLEANUP_BUF struct buf payload = buf_of(OWN_BYTES);
    CLEANUP_BUF struct buf topic = buf_of(BUS_TOPIC_MAX);
    const struct bus_message *m = how->message;
    const struct bus_topic_log *log = m->log;
    struct json_writer w;

    if (log->name_n >= 5 && memcmp(log->name, DEAD_PREFIX, 5) == 0)
        return;
    buf_str(&topic, DEAD_PREFIX);
    buf_add(&topic, log->name, log->name_n);
    json_write_init(&w, &payload);
    json_open_object(&w);
    json_key(&w, "topic");
    json_put_raw(&w, m->text + m->topic_at, m->topic_n);
    json_key(&w, "payload");
    json_put_raw(&w, m->text + m->payload_at, m->payload_n);
    json_member_int(&w, "seq", (int64_t)m->seq);
    json_member_str(&w, "reason",
                    how->tried == 0 ? "no subscriber"
                                    : "every subscriber failed");
    json_close_object(&w);
    if (topic.bad)
        return;
    h->counts.dead++;
    bus_publish_own(h, topic.p, topic.len, &payload);
}

/* What is kept comes to the other nodes when they are there again. */
static void
answer_sender(const struct bus_ended *how)
{
    const struct bus_pending w = {
        .from = how->from, .id = how->id, .id_n = how->id_n};

    if (how->unknown && !how->stopped && !how->message->log)
        refuse_pending(&w, JSONRPC_INTERNAL,
                       "the other nodes were lost while it was delivered: "
                       "whether their subscribers have got it is not known");
    else
        bus_peer_answer(how->from, how->id, how->id_n,
                        how->stopped ? STOPS_RESULT : GOES_ON_RESULT);
}

void
bus_publish_ended(void *arg, const struct bus_ended *how)
{
    struct bus_hub *h = arg;
    struct bus_message *m = how->message;

    if (m->handle) {
        relay_answer(h->relay, m->handle,
                     how->stopped  ? RELAY_STOPS
                     : how->failed ? RELAY_FAILED
                                   : RELAY_GOES_ON);
        return;
    }
    if (how->from) {
        answer_sender(how);
        close_peer_message(h, how->from, m->payload_n);
    }
    relay_settle(h->relay, m->turn, how->stopped);
    if (!m->log)
        return;
    bus_replays_settled(h->replays, m->log);
    if (!how->taken && !how->stopped && how->tried == how->failed)
        publish_dead(h, how);
}

void
bus_publish_send(struct bus_hub *h, struct bus_peer *p, struct bus_slice id,
                 struct bus_slice topic, struct bus_slice topic_json,
                 struct bus_slice payload)
{
    const struct bus_pending w = {.from = p, .id = id.p, .id_n = id.n};

    if (h->stopping) {
        h->counts.refused++;
        refuse_pending(&w, JSONRPC_INTERNAL, "the bus is ending");
    } else if (p->open >= REFUSE_MESSAGES || p->open_bytes >= REFUSE_BYTES ||
               h->open_bytes >= ALL_BYTES) {
        h->counts.refused++;
        refuse_pending(&w, JSONRPC_INTERNAL,
                       "too many messages wait for their subscribers");
    } else {
        open_peer_message(h, p, payload.n);
        publish_message(
            h, p, id,
            &(struct relay_message){.topic = relay_slice(topic),
                                    .topic_json = relay_slice(topic_json),
                                    .payload = relay_slice(payload)});
    }
}

/* What was to be published under a token is lost. */
void
bus_publish_lost(void *arg, uint64_t token)
{
    struct bus_hub *h = arg;
    struct bus_pending *w = take_pending(h, token);

    if (!w)
        return;
    refuse_pending(w, JSONRPC_INTERNAL,
                   "the other nodes of the bus cannot be reached: whether "
                   "they have got it is not known");
    if (w->from)
        close_peer_message(h, w->from, w->payload_n);
    if (w != h->now)
        free_pending(w);
}

void
bus_publish_settled(void *arg, uint64_t turn, bool stopped)
{
    struct bus_hub *h = arg;
    struct bus_foreign *f = id_table_find(&h->foreign, turn);

    if (!f)
        return;
    id_table_remove(&h->foreign, &f->by_turn);
    f->message->settled = true;
    f->message->stopped = stopped;
    bus_deliveries_settled(h->deliveries, turn);
    bus_replays_settled(h->replays, f->message->log);
    bus_message_unref(f->message);
    free(f);
}

void
bus_publish_done(struct bus_hub *h)
{
    const struct bus_foreign *f;
    const struct bus_pending *w;

    while ((w = id_table_any(&h->pending)) != NULL)
        free_pending(take_pending(h, w->token));
    while ((f = id_table_any(&h->foreign)) != NULL)
        bus_publish_settled(h, f->message->turn, false);
    id_table_done(&h->pending);
    id_table_done(&h->foreign);
}
