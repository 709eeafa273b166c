/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_nats.c - the relay of several nodes, which a NATS server joins. */
#include "wire/relay_nats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"
#include "wire/relay_carried.h"
#include "wire/relay_held.h"
#include "wire/relay_stream.h"
#include "wire/relay_unsettled.h"

#define TICK_MS  1000
#define SYNC_MS  500         /* for the other nodes to tell who joins */
#define ECHO_MS  5000        /* for what was sent to the stream to come back */
#define HELD_MAX (64u << 20) /* bytes of records while a node joins */
/* Of a state, in one record: what the bus knows, names, subscriptions. */
#define OWN_BYTES   (RELAY_MESSAGE_MAX / 2)
#define NAMES_BYTES (RELAY_NODES_MAX * RELAY_NODE_SIZE)
#define LIST_BYTES  (RELAY_MESSAGE_MAX - OWN_BYTES - NAMES_BYTES)

enum relay_nats_state {
    APART,   /* no records come */
    JOINING, /* our own join is to come back; what was missed comes first */
    SYNCING, /* it has: the others tell what there is */
    JOINED,
};

struct relay_nats {
    struct relay head;
    struct relay_stream *stream;
    struct watch *timer;
    enum relay_nats_state state;
    int64_t since_ms; /* of the state */
    int64_t echo_ms;  /* when something of ours last came back */
    char name[RELAY_NODE_SIZE];
    uint64_t last_place; /* that was given */
    uint64_t joins;      /* that were sent */
    bool catches_up;     /* what comes before the join is what it missed */
    bool informed;       /* since then: one that has joined has reported */
    struct relay_nodes *nodes;
    struct relay_node *self;
    struct buf held;            /* records that came while it was syncing */
    struct relay_pendings sent; /* own messages without their turn: token */
    struct relay_pendings unsettled; /* of others: turn */
    struct relay_carried carried;
    bool reported; /* that it is apart */
};

static struct relay_nats *
nats_relay(struct relay *r)
{
    return (struct relay_nats *)r;
}

static const struct relay_events *
events_of(const struct relay_nats *r)
{
    return r->head.events;
}

static void
enter_state(struct relay_nats *r, enum relay_nats_state state)
{
    r->state = state;
    r->since_ms = clock_ms();
}

/* Sends a record of this node: to a node, or into the stream (NULL). */
static int
send_record(struct relay_nats *r, const char *node, struct relay_record *rec,
            struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(RELAY_MESSAGE_MAX + RELAY_RECORD_HEAD);

    snprintf(rec->node, sizeof(rec->node), "%s", r->name);
    relay_record_put(&b, rec);
    if (buf_ok(&b, "a message between nodes", e) < 0)
        return -1;
    return node ? relay_stream_send(r->stream, node, &b, e)
                : relay_stream_put(r->stream, &b, e);
}

/* The same for what is sent again, or anew, where it is lost. */
static void
send_to_stream(struct relay_nats *r, struct relay_record rec)
{
    struct err e = {0};

    if (send_record(r, NULL, &rec, &e) < 0 && r->state == JOINED)
        events_of(r)->trouble(r->head.arg, &e);
}

/* A node is no more, or begins anew: what it had is over. */
static void
forget_node(struct relay_nats *r, struct relay_node *node)
{
    while (node->places) {
        uint64_t place = node->places->place;

        relay_nodes_leave(r->nodes, node->places);
        events_of(r)->left(r->head.arg, place);
    }
    relay_carried_end(&r->carried, &r->head, node->name);
    relay_unsettled_end(&r->unsettled, &r->head, node->name);
    relay_nodes_remove(r->nodes, node);
}

static void
forget_others(struct relay_nats *r)
{
    for (struct relay_node *node = relay_nodes_first(r->nodes), *next; node;
         node = next) {
        next = node->next;
        if (node != r->self)
            forget_node(r, node);
    }
    relay_nodes_forget_buried(r->nodes);
}

/* This node is apart from the others, until it has joined them anew. */
static void
part_from_others(struct relay_nats *r, const char *why)
{
    struct relay_pending *p;
    struct err e = {0};

    if (r->state == APART && r->reported)
        return;
    enter_state(r, APART);
    relay_held_rewind(&r->held, 0, r->stream);
    buf_clear(&r->held);
    events_of(r)->apart(r->head.arg);
    forget_others(r);
    for (struct relay_place *at = r->self->places; at; at = at->next)
        for (struct relay_pattern *s = at->patterns; s; s = s->next)
            s->effective = false;
    while ((p = r->sent.oldest) != NULL) {
        uint64_t token = p->id;

        relay_pendings_remove(&r->sent, p);
        events_of(r)->lost(r->head.arg, token);
    }
    err_set(&e, ERR_PEER, "apart from the other nodes: %s", why);
    r->reported = true;
    events_of(r)->trouble(r->head.arg, &e);
}

/* The same where this node is the one that noticed. */
static void
leave_others(struct relay_nats *r, const char *why)
{
    part_from_others(r, why);
    relay_stream_again(r->stream);
}

/* Sends what the bus knows here in the part `at` of records like rec, up to the
 * last piece of it, which stays there. */
static void
send_own_state(struct relay_nats *r, struct relay_record *rec, size_t at,
               struct buf *own)
{
    size_t from = events_of(r)->state(r->head.arg, own, 0);

    for (; from > 0; from = events_of(r)->state(r->head.arg, own, from)) {
        rec->parts[at] = (struct relay_bytes){own->p, own->len};
        send_to_stream(r, *rec);
        buf_clear(own);
    }
    rec->parts[at] = (struct relay_bytes){own->p, own->len};
}

/* What a node that joins must know, in as many records as it takes. */
static void
send_node_state(struct relay_nats *r, const char *to)
{
    CLEANUP_BUF struct buf list = buf_of(RELAY_LIST_MAX);
    CLEANUP_BUF struct buf names = buf_of(NAMES_BYTES);
    CLEANUP_BUF struct buf own = buf_of(OWN_BYTES);
    struct relay_record rec = {.kind = RELAY_STATE, .a = r->state == JOINED};
    size_t at = 0;

    snprintf(rec.other, sizeof(rec.other), "%s", to);
    if (r->state == JOINED)
        relay_nodes_put(r->self, &list);
    for (struct relay_node *node = relay_nodes_first(r->nodes); node;
         node = node->next)
        buf_printf(&names, "%s ", node->name);
    if (r->state == JOINED)
        send_own_state(r, &rec, 2, &own);
    for (; list.len - at > LIST_BYTES; at += LIST_BYTES) {
        rec.parts[0] = (struct relay_bytes){list.p + at, LIST_BYTES};
        send_to_stream(r, rec);
    }
    rec.parts[0] = (struct relay_bytes){list.p + at, list.len - at};
    rec.parts[1] = (struct relay_bytes){names.p, names.len};
    rec.b = 1;
    send_to_stream(r, rec);
}

static struct relay_node *
known_node(struct relay_nats *r, const char *name)
{
    struct relay_node *node = relay_nodes_find(r->nodes, name);

    if (node)
        node->heard_ms = clock_ms();
    return node;
}

/* What the state of another node says, before what comes behind it. */
struct state_reader {
    struct relay_nats *r;
    struct relay_node *node;
    struct err why; /* a subscription was dropped */
};

static void
take_subscription(void *arg, uint64_t place, struct relay_bytes pattern)
{
    struct state_reader *s = arg;

    if (relay_nodes_subscribe(s->r->nodes, s->node, place, pattern, &s->why))
        events_of(s->r)->subscribed(s->r->head.arg, place, pattern, true);
}

/* One that is joining itself, from before this one on, does not know yet what
 * there is, and tells when it has joined. */
static void
take_node_state(struct relay_nats *r, const struct relay_record *rec)
{
    struct relay_node *node = relay_nodes_add(r->nodes, rec->node, NULL);
    struct state_reader reader = {r, node, {0}};

    if (!node || node->has_reported)
        return;
    node->is_there = true;
    /* whoever it knows is to tell too */
    relay_nodes_add_names(r->nodes, rec->parts[1], clock_ms());
    if (!rec->a || buf_add(&node->list, rec->parts[0].p, rec->parts[0].n) < 0)
        return;
    if (rec->parts[2].n > 0 && r->state == SYNCING)
        events_of(r)->adopt(r->head.arg, rec->parts[2]);
    if (!rec->b)
        return;
    node->has_reported = r->informed = true;
    if (!relay_nodes_read((struct relay_bytes){node->list.p, node->list.len},
                          take_subscription, &reader)) {
        /* which frees node */
        leave_others(r, "a node sent subscriptions that cannot be read");
        return;
    }
    if (reader.why.code != ERR_NONE)
        events_of(r)->trouble(r->head.arg, &reader.why);
    buf_done(&node->list);
}

/* The state of a node that was too slow for this one to wait for it. One that
 * had joined has told what all of them know, and what the slow one has sent
 * since it saw the join is taken already: so its subscriptions are all that is
 * missing. Where nobody has told that, what this node did since is of no use to
 * the others. */
static void
take_late_state(struct relay_nats *r, const struct relay_record *rec,
                uint64_t turn)
{
    const struct relay_node *node = relay_nodes_find(r->nodes, rec->node);

    if (strcmp(rec->other, r->name) != 0 || !rec->a ||
        (node && node->has_reported) ||
        relay_nodes_have_buried(r->nodes, rec->node))
        return;
    if (node && r->informed) {
        take_node_state(r, rec);
        return;
    }
    relay_stream_rewind(r->stream, turn);
    leave_others(r, "a node was slow to tell what it has");
}

/* A node that was apart may know more than those that are together; or it is
 * one that they are to join, since they began without it. */
static void
take_joining_state(struct relay_nats *r, const struct relay_record *rec)
{
    if (rec->parts[0].n > 0 && strcmp(rec->node, r->name) != 0 &&
        !events_of(r)->restore(r->head.arg, rec->parts[0]))
        leave_others(r, "they began without one that joins");
}

/* Another node begins: nothing of before is its. */
static void
take_join(struct relay_nats *r, const char *name)
{
    struct relay_node *node = relay_nodes_find(r->nodes, name);

    if (node)
        forget_node(r, node);
    if (!(node = relay_nodes_add(r->nodes, name, NULL)))
        return;
    node->heard_ms = clock_ms();
    node->has_reported = true;
}

static void
take_own_subscription(struct relay_nats *r, const struct relay_record *rec)
{
    struct relay_place *at = relay_nodes_place(r->nodes, rec->a);
    struct relay_pattern *p = at ? relay_nodes_pattern(at, rec->parts[0])
                                 : NULL;
    bool first = p && !p->reported;

    if (!p)
        return; /* it was taken back meanwhile */
    p->effective = p->reported = true;
    if (first)
        events_of(r)->effective(r->head.arg, rec->a, rec->parts[0], true);
}

static void
settle_in_stream(struct relay *relay, uint64_t turn, bool stopped)
{
    struct relay_nats *r = nats_relay(relay);

    /* for those that are apart from this node it is settled */
    if (r->state == JOINED)
        send_to_stream(r, (struct relay_record){
                              .kind = RELAY_SETTLED, .a = turn, .b = stopped});
}

static void
take_own_message(struct relay_nats *r, const struct relay_record *rec,
                 uint64_t turn)
{
    struct relay_message m = {.topic = rec->parts[0],
                              .topic_json = rec->parts[1],
                              .payload = rec->parts[2],
                              .token = rec->a,
                              .turn = turn,
                              .own = true};
    struct relay_pending *p = relay_pendings_find(&r->sent, rec->a);

    if (p) {
        relay_pendings_remove(&r->sent, p);
        events_of(r)->published(r->head.arg, &m);
        return;
    }
    /* it was given up, but the others have it: nobody delivers it */
    relay_unsettled_publish(&r->unsettled, &r->head, rec, turn);
    relay_unsettled_end(&r->unsettled, &r->head, r->name);
    settle_in_stream(&r->head, turn, false);
}

static void
take_dead(struct relay_nats *r, const struct relay_record *rec)
{
    struct relay_node *node = relay_nodes_find(r->nodes, rec->other);

    if (node == r->self) {
        leave_others(r, "they took this one for dead");
        return;
    }
    if (node)
        forget_node(r, node);
    relay_nodes_bury(r->nodes, rec->other);
}

/* A record of another node, in its turn. */
static void
take_others_record(struct relay_nats *r, const struct relay_record *rec,
                   uint64_t turn)
{
    struct relay_node *node = known_node(r, rec->node);

    if (!node && relay_nodes_have_buried(r->nodes, rec->node)) {
        /* it reads its messages when it joins anew, and so they have turns */
        if (rec->kind == RELAY_MESSAGE)
            relay_unsettled_publish(&r->unsettled, &r->head, rec, turn);
        relay_unsettled_end(&r->unsettled, &r->head, rec->node);
        return;
    }
    if (!node) {
        /* it was slow to tell; only all of it is of use */
        relay_stream_rewind(r->stream, turn);
        leave_others(r, "a node that had not told what it has");
        return;
    }
    if (rec->kind == RELAY_MESSAGE)
        relay_unsettled_publish(&r->unsettled, &r->head, rec, turn);
    else if (rec->kind == RELAY_SETTLED)
        relay_unsettled_settle(&r->unsettled, &r->head, rec);
    else
        relay_nodes_take(r->nodes, &r->head, node, rec);
}

/* What it knows takes its turn, and is in what it is told. */
static void
take_others_join(struct relay_nats *r, const struct relay_record *rec)
{
    take_joining_state(r, rec);
    if (r->state != JOINED)
        return;
    take_join(r, rec->node); /* and so nothing that was held before it is */
    send_node_state(r, rec->node);
}

/* A record, when this node has joined. */
static void
take_record_in_turn(struct relay_nats *r, const struct relay_record *rec,
                    uint64_t turn)
{
    bool own = strcmp(rec->node, r->name) == 0;

    if (rec->kind == RELAY_DEAD)
        take_dead(r, rec);
    else if (rec->kind == RELAY_KNOWN || (rec->kind == RELAY_JOIN && own))
        take_joining_state(r, rec);
    else if (rec->kind == RELAY_JOIN)
        take_others_join(r, rec);
    else if (rec->kind == RELAY_STATE)
        take_late_state(r, rec, turn);
    else if (!own)
        take_others_record(r, rec, turn);
    else if (rec->kind == RELAY_SUBSCRIBE)
        take_own_subscription(r, rec);
    else if (rec->kind == RELAY_MESSAGE)
        take_own_message(r, rec, turn);
}

/* What came while the others told is taken now, in its order. */
static void
end_syncing(struct relay_nats *r)
{
    CLEANUP_BUF struct buf held = r->held;
    struct relay_pattern *p;
    struct relay_record rec;
    uint64_t turn;
    size_t at = 0;

    buf_init(&r->held, HELD_MAX);
    enter_state(r, JOINED);
    while (r->state == JOINED && relay_held_next(&held, &at, &turn, &rec))
        take_record_in_turn(r, &rec, turn);
    if (r->state != JOINED) {
        relay_held_rewind(&held, at, r->stream);
        return;
    }
    relay_unsettled_end_unknown(&r->unsettled, &r->head, r->nodes);
    r->reported = false;
    events_of(r)->trouble(r->head.arg, NULL);
    for (struct relay_place *place = r->self->places; place;
         place = place->next)
        for (p = place->patterns; p; p = p->next)
            send_to_stream(r,
                           (struct relay_record){.kind = RELAY_SUBSCRIBE,
                                                 .a = place->place,
                                                 .parts = {{p->bytes, p->n}}});
}

static void
take_before_join(struct relay_nats *r, const struct relay_record *rec,
                 uint64_t turn, bool own)
{
    if (own && rec->kind == RELAY_JOIN && rec->b == r->joins) {
        relay_unsettled_end(&r->unsettled, &r->head, r->name);
        enter_state(r, SYNCING);
        r->informed = false;
        if (!r->catches_up)
            events_of(r)->anew(r->head.arg, turn);
        watch_again(r->timer, SYNC_MS);
    } else if (r->catches_up) {
        relay_unsettled_catch_up(&r->unsettled, &r->head, rec, turn);
    }
}

/* A message that was still to be sent when the stream was lost, and came to the
 * one that is there instead: its node does not count it, and so nobody does. */
static bool
is_of_stream_before(const struct relay_nats *r, const struct relay_record *rec)
{
    uint64_t id = relay_stream_id(r->stream);

    return rec->kind == RELAY_MESSAGE && rec->b && id && rec->b != id;
}

/* What others send while this node waits for their state is for later, but who
 * sends is there, and will tell. */
static bool
hold_record(struct relay_nats *r, const struct relay_record *rec, uint64_t turn,
            struct relay_bytes bytes)
{
    bool dead = rec->kind == RELAY_DEAD;
    struct relay_node *node = dead ? relay_nodes_find(r->nodes, rec->other)
                                   : relay_nodes_add(r->nodes, rec->node, NULL);

    if (node && node != r->self && dead)
        node->has_reported = true; /* it has no more to tell */
    else if (node && node != r->self)
        node->is_there = true;
    return relay_held_add(&r->held, turn, bytes.p, bytes.n);
}

static void
on_stream_record(void *arg, uint64_t turn, const char *bytes, size_t n)
{
    struct relay_nats *r = arg;
    struct relay_record rec;
    bool own, held = true;

    if (!relay_record_read(bytes, n, &rec) || is_of_stream_before(r, &rec))
        return;
    own = strcmp(rec.node, r->name) == 0;
    if (own)
        r->echo_ms = clock_ms();
    if (r->state == JOINING) {
        take_before_join(r, &rec, turn, own);
        return;
    }
    if (r->state == JOINED) {
        take_record_in_turn(r, &rec, turn);
    } else if (!own && rec.kind == RELAY_JOIN) {
        take_join(r, rec.node);
        send_node_state(r, rec.node);
        held = relay_held_add(&r->held, turn, bytes, n);
    } else if (rec.kind == RELAY_STATE && strcmp(rec.other, r->name) == 0) {
        take_node_state(r, &rec);
    } else {
        held = hold_record(r, &rec, turn, (struct relay_bytes){bytes, n});
    }
    if (!held)
        leave_others(r, "too much came while it joined them");
    else if (r->state == SYNCING && r->informed &&
             relay_nodes_have_reported(r->nodes, r->self))
        end_syncing(r);
}

static void
on_direct_record(void *arg, const char *bytes, size_t n)
{
    struct relay_nats *r = arg;
    struct relay_record rec;

    if (r->state == JOINED && relay_record_read(bytes, n, &rec) &&
        known_node(r, rec.node))
        relay_carried_take(&r->carried, &r->head, &rec);
}

static void
on_stream_ready(void *arg, bool goes_on)
{
    struct relay_nats *r = arg;
    CLEANUP_BUF struct buf own = buf_of(OWN_BYTES);
    struct relay_record rec = {.kind = RELAY_KNOWN};

    enter_state(r, JOINING);
    r->catches_up = goes_on;
    r->echo_ms = clock_ms();
    if (!goes_on)
        events_of(r)->anew(r->head.arg, 0);
    send_own_state(r, &rec, 0, &own);
    rec.kind = RELAY_JOIN;
    rec.b = ++r->joins;
    send_to_stream(r, rec);
}

static void
on_stream_lost(void *arg, const char *why)
{
    part_from_others(arg, why);
}

/* Nodes that are silent are declared dead, in the stream: the first to do so
 * does it for all. */
static void
check_silent_nodes(struct relay_nats *r, int64_t now_ms)
{
    for (struct relay_node *node = relay_nodes_first(r->nodes); node;
         node = node->next) {
        struct relay_record rec = {.kind = RELAY_DEAD};

        if (node == r->self || now_ms - node->heard_ms < RELAY_DEAD_MS)
            continue;
        snprintf(rec.other, sizeof(rec.other), "%s", node->name);
        send_to_stream(r, rec);
    }
}

static void
check_joined(struct relay_nats *r, int64_t now_ms)
{
    if (now_ms - r->echo_ms > ECHO_MS ||
        (r->sent.oldest && now_ms - r->sent.oldest->since_ms > ECHO_MS)) {
        leave_others(r, "what is sent does not come back from NATS");
        return;
    }
    send_to_stream(r, (struct relay_record){.kind = RELAY_ALIVE});
    check_silent_nodes(r, now_ms);
}

static void
on_relay_timer(void *arg, unsigned events)
{
    struct relay_nats *r = arg;
    int64_t now_ms = clock_ms(), spent_ms = now_ms - r->since_ms;

    (void)events;
    if (r->state == JOINED)
        check_joined(r, now_ms);
    else if (r->state == SYNCING && spent_ms >= SYNC_MS &&
             (spent_ms >= RELAY_DEAD_MS ||
              !relay_nodes_owe_report(r->nodes, r->self)))
        end_syncing(r);
    else if (r->state == JOINING && spent_ms >= ECHO_MS)
        leave_others(r, "what is sent does not come back from NATS");
    watch_again(r->timer, r->state == SYNCING ? SYNC_MS : TICK_MS);
}

static void
free_nats_relay(struct relay *relay)
{
    struct relay_nats *r = nats_relay(relay);

    if (r->state == JOINED) {
        struct relay_record rec = {.kind = RELAY_DEAD};

        snprintf(rec.other, sizeof(rec.other), "%s", r->name);
        (void)send_record(r, NULL, &rec, NULL);
    }
    relay_stream_free(r->stream);
    watch_free(r->timer);
    relay_nodes_free(r->nodes);
    relay_pendings_done(&r->sent);
    relay_pendings_done(&r->unsettled);
    relay_carried_done(&r->carried);
    buf_done(&r->held);
    free(r);
}

static uint64_t
next_nats_place(struct relay *relay)
{
    struct relay_nats *r = nats_relay(relay);

    r->last_place = relay_nodes_next_place(r->name, r->last_place);
    return r->last_place;
}

static int
publish_to_stream(struct relay *relay, const struct relay_message *m,
                  struct err *e)
{
    struct relay_nats *r = nats_relay(relay);
    struct relay_record rec = {.kind = RELAY_MESSAGE,
                               .a = m->token,
                               .b = relay_stream_id(r->stream),
                               .parts = {m->topic, m->topic_json, m->payload}};
    struct relay_pending *p;

    if (r->state != JOINED)
        return err_set(e, ERR_PEER, "this node is apart from the others");
    if (m->topic.n + m->topic_json.n + m->payload.n > RELAY_MESSAGE_MAX)
        return err_set(e, ERR_INVALID, "a message that is too large for NATS");
    if (!(p = relay_pendings_add(&r->sent, m->token, r->name, 0)))
        return err_nomem(e);
    if (send_record(r, NULL, &rec, e) == 0)
        return 0;
    relay_pendings_remove(&r->sent, p);
    return -1;
}

static void
subscribe_in_stream(struct relay *relay, uint64_t place,
                    struct relay_bytes pattern, bool on)
{
    struct relay_nats *r = nats_relay(relay);
    struct relay_record rec = {.kind = on ? RELAY_SUBSCRIBE : RELAY_UNSUBSCRIBE,
                               .a = place,
                               .parts = {pattern}};
    struct relay_place *at;

    if (on) {
        struct err e = {0};

        if (!relay_nodes_subscribe(r->nodes, r->self, place, pattern, &e))
            events_of(r)->trouble(r->head.arg, &e);
    } else if ((at = relay_nodes_place(r->nodes, place)) != NULL) {
        relay_nodes_unsubscribe(at, pattern);
        events_of(r)->effective(r->head.arg, place, pattern, false);
    }
    if (r->state == JOINED)
        send_to_stream(r, rec);
}

static void
leave_in_stream(struct relay *relay, uint64_t place)
{
    struct relay_nats *r = nats_relay(relay);
    struct relay_place *at = relay_nodes_place(r->nodes, place);

    if (!at)
        return;
    relay_nodes_leave(r->nodes, at);
    if (r->state == JOINED)
        send_to_stream(r,
                       (struct relay_record){.kind = RELAY_LEAVE, .a = place});
}

static void
deliver_to_node(struct relay *relay, uint64_t place, uint64_t turn,
                struct relay_bytes text, uint64_t delivery)
{
    char digits[24];
    int n = snprintf(digits, sizeof(digits), "%" PRIu64, turn);
    struct relay_nats *r = nats_relay(relay);
    struct relay_place *at = relay_nodes_place(r->nodes, place);
    struct relay_record rec = {.kind = RELAY_DELIVER,
                               .a = delivery,
                               .b = place,
                               .parts = {text, {digits, (size_t)n}}};
    struct relay_pending *p;

    if (at && at->node != r->self && r->state == JOINED &&
        (p = relay_pendings_add(&r->carried.to_others, delivery, at->node->name,
                                0))) {
        if (send_record(r, at->node->name, &rec, NULL) == 0)
            return;
        relay_pendings_remove(&r->carried.to_others, p);
    }
    events_of(r)->answered(r->head.arg, delivery, RELAY_FAILED);
}

static void
answer_node(struct relay *relay, uint64_t handle, enum relay_outcome outcome)
{
    struct relay_nats *r = nats_relay(relay);
    struct relay_record rec;
    char node[RELAY_NODE_SIZE];

    if (relay_carried_answer(&r->carried, handle, outcome, &rec, node))
        (void)send_record(r, node, &rec, NULL);
}

static int
open_nats_relay(struct relay_nats *r, struct loop *l, const char *url,
                const char *bus, struct err *e)
{
    static const struct relay_stream_events events = {
        .ready = on_stream_ready,
        .lost = on_stream_lost,
        .record = on_stream_record,
        .direct = on_direct_record};
    uint64_t id;

    if (getrandom(&id, sizeof(id), 0) != (ssize_t)sizeof(id))
        return err_sys(e, "random bytes");
    snprintf(r->name, sizeof(r->name), "%016" PRIx64, id);
    if (!(r->nodes = relay_nodes_new(e)) ||
        !(r->self = relay_nodes_add(r->nodes, r->name, e)) ||
        !(r->timer = loop_timer(l, TICK_MS, on_relay_timer, r, e)))
        return -1;
    r->stream = relay_stream_new(l, url, bus, r->name, &events, r, e);
    return r->stream ? 0 : -1;
}

struct relay *
relay_nats_new(struct loop *l, const char *url, const char *bus, struct err *e)
{
    static const struct relay_kind kind = {.free = free_nats_relay,
                                           .place = next_nats_place,
                                           .publish = publish_to_stream,
                                           .settle = settle_in_stream,
                                           .subscribe = subscribe_in_stream,
                                           .leave = leave_in_stream,
                                           .deliver = deliver_to_node,
                                           .answer = answer_node};
    struct relay_nats *r = calloc(1, sizeof(*r));

    if (!r) {
        err_nomem(e);
        return NULL;
    }
    r->head.kind = &kind;
    buf_init(&r->held, HELD_MAX);
    if (open_nats_relay(r, l, url, bus, e) < 0) {
        free_nats_relay(&r->head);
        return NULL;
    }
    return &r->head;
}
