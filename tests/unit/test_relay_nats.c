/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_relay_nats.c - three nodes of one bus, with a real NATS server. */
#include "tests/unit/unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/proc.h"
#include "tests/unit/nats_server.h"
#include "wire/relay_nats.h"
#include "wire/relay_stream.h"

#define WAIT_MS   20000
#define TURNS_MAX 4096

struct relay_side {
    struct relay *relay;
    const char *state;         /* what it tells who joins */
    uint64_t turns[TURNS_MAX]; /* of messages, in their order */
    char texts[TURNS_MAX][16]; /* their payloads */
    size_t n, own, lost, effective, settled, stopped, left, subscribed;
    size_t answered, ups, downs, pieces;
    size_t apart_at; /* how many had left then */
    enum relay_outcome outcome;
    uint64_t place, handle; /* that others have, or deliver to */
    uint64_t delivered_turn;
    char pattern[64], delivered[64], restored[64];
};

static void
on_published(void *arg, const struct relay_message *m)
{
    struct relay_side *s = arg;

    assert_true(s->n < TURNS_MAX && m->payload.n < 16);
    assert_true(s->n == 0 || m->turn > s->turns[s->n - 1]);
    s->turns[s->n] = m->turn;
    memcpy(s->texts[s->n], m->payload.p, m->payload.n);
    s->texts[s->n][m->payload.n] = '\0';
    s->n++;
    s->own += m->own;
}

static void
on_settled(void *arg, uint64_t turn, bool stopped)
{
    struct relay_side *s = arg;

    (void)turn;
    s->settled++;
    s->stopped += stopped;
}

static void
on_subscribed(void *arg, uint64_t place, struct relay_bytes pattern, bool on)
{
    struct relay_side *s = arg;

    s->place = on ? place : 0;
    s->subscribed++;
    snprintf(s->pattern, sizeof(s->pattern), "%.*s", (int)pattern.n, pattern.p);
}

static void
on_left(void *arg, uint64_t place)
{
    struct relay_side *s = arg;

    (void)place;
    s->left++;
}

static void
on_effective(void *arg, uint64_t place, struct relay_bytes pattern, bool on)
{
    struct relay_side *s = arg;

    (void)place;
    (void)pattern;
    s->effective += on;
}

static void
on_lost(void *arg, uint64_t token)
{
    struct relay_side *s = arg;

    (void)token;
    s->lost++;
}

/* In two pieces, of which the first is of no account. */
static size_t
on_state(void *arg, struct buf *out, size_t from)
{
    const struct relay_side *s = arg;

    buf_str(out, from == 0 ? "piece" : s->state);
    return from == 0 ? 1 : 0;
}

static void
on_restore(void *arg, struct relay_bytes state)
{
    struct relay_side *s = arg;

    s->pieces++;
    snprintf(s->restored, sizeof(s->restored), "%.*s", (int)state.n, state.p);
}

static void
on_answered(void *arg, uint64_t delivery, enum relay_outcome outcome)
{
    struct relay_side *s = arg;

    assert_int_equal(delivery, 77);
    s->answered++;
    s->outcome = outcome;
}

static void
on_deliver(void *arg, uint64_t place, uint64_t turn, struct relay_bytes text,
           uint64_t handle)
{
    struct relay_side *s = arg;

    (void)place;
    s->handle = handle;
    s->delivered_turn = turn;
    snprintf(s->delivered, sizeof(s->delivered), "%.*s", (int)text.n, text.p);
}

static void
on_trouble(void *arg, const struct err *why)
{
    struct relay_side *s = arg;

    *(why ? &s->downs : &s->ups) += 1;
}

static void
on_apart(void *arg)
{
    struct relay_side *s = arg;

    s->apart_at = s->left;
}

static const struct relay_events relay_side_events = {
    .apart = on_apart,
    .published = on_published,
    .settled = on_settled,
    .subscribed = on_subscribed,
    .left = on_left,
    .effective = on_effective,
    .lost = on_lost,
    .state = on_state,
    .restore = on_restore,
    .answered = on_answered,
    .deliver = on_deliver,
    .trouble = on_trouble};

struct relay_nodes_test {
    struct loop *loop;
    struct nats_server server;
    struct relay_side a, b, c;
};

static void
join_node(struct relay_nodes_test *t, struct relay_side *s)
{
    s->relay = relay_nats_new(t->loop, t->server.url, "test-bus", NULL);
    assert_non_null(s->relay);
    s->relay->events = &relay_side_events;
    s->relay->arg = s;
    s->state = s == &t->a ? "of a" : s == &t->b ? "of b" : "of c";
}

static void
turn_until_n(struct relay_nodes_test *t, const size_t *n, size_t least)
{
    int64_t end = clock_ms() + WAIT_MS;

    while (*n < least && clock_ms() < end)
        loop_turn(t->loop, 50, NULL);
    assert_true(*n >= least);
}

static bool
open_nodes(struct relay_nodes_test *t)
{
    memset(t, 0, sizeof(*t));
    if (!nats_server_is_here())
        return false;
    t->loop = loop_new(NULL);
    nats_server_choose(&t->server, t->loop);
    nats_server_start(&t->server);
    join_node(t, &t->a);
    turn_until_n(t, &t->a.ups, 1);
    join_node(t, &t->b);
    turn_until_n(t, &t->b.ups, 1);
    assert_string_equal(t->b.restored, "of a");
    /* it came with what it knew, which all take in its turn */
    assert_string_equal(t->a.restored, "of b");
    assert_int_equal(t->a.pieces, 2);
    assert_int_equal(t->b.pieces, 2);
    return true;
}

static void
close_nodes(struct relay_nodes_test *t)
{
    relay_free(t->a.relay);
    relay_free(t->b.relay);
    relay_free(t->c.relay);
    nats_server_stop(&t->server);
    nats_server_done(&t->server);
    loop_free(t->loop);
}

static struct relay_bytes
text_bytes(const char *s)
{
    return (struct relay_bytes){s, strlen(s)};
}

static int
publish(struct relay_side *s, uint64_t token, const char *text)
{
    struct relay_message m = {.topic = text_bytes("t"),
                              .topic_json = text_bytes("\"t\""),
                              .payload = text_bytes(text),
                              .token = token};

    return relay_publish(s->relay, &m, NULL);
}

static void
gives_all_nodes_one_order(void **state)
{
    struct relay_nodes_test t;
    char text[16];

    (void)state;
    if (!open_nodes(&t))
        return;
    for (unsigned i = 0; i < 500; i++) {
        snprintf(text, sizeof(text), "a%u", i);
        assert_int_equal(publish(&t.a, i + 1, text), 0);
        text[0] = 'b';
        assert_int_equal(publish(&t.b, i + 1, text), 0);
    }
    turn_until_n(&t, &t.a.n, 1000);
    turn_until_n(&t, &t.b.n, 1000);
    assert_memory_equal(t.a.turns, t.b.turns, sizeof(t.a.turns[0]) * 1000);
    for (size_t i = 0; i < 1000; i++)
        assert_string_equal(t.a.texts[i], t.b.texts[i]);
    assert_int_equal(t.a.own, 500);
    assert_int_equal(t.b.own, 500);
    close_nodes(&t);
}

static void
delivers_on_another_node(void **state)
{
    struct relay_nodes_test t;
    uint64_t place;

    (void)state;
    if (!open_nodes(&t))
        return;
    place = relay_place(t.b.relay);
    assert_true(relay_place(t.b.relay) > place);
    relay_subscribe(t.b.relay, place, text_bytes("inbound:*"), true);
    turn_until_n(&t, &t.b.effective, 1);
    turn_until_n(&t, &t.a.subscribed, 1);
    assert_int_equal(t.a.place, place);
    assert_string_equal(t.a.pattern, "inbound:*");
    relay_deliver(t.a.relay, place, 5, text_bytes("hello"), 77);
    while (t.b.handle == 0)
        loop_turn(t.loop, 50, NULL);
    assert_string_equal(t.b.delivered, "hello");
    assert_int_equal(t.b.delivered_turn, 5);
    relay_answer(t.b.relay, t.b.handle, RELAY_STOPS);
    turn_until_n(&t, &t.a.answered, 1);
    assert_int_equal(t.a.outcome, RELAY_STOPS);
    /* who joins now knows of it, and is told */
    join_node(&t, &t.c);
    turn_until_n(&t, &t.c.ups, 1);
    assert_int_equal(t.c.place, place);
    /* what is under way to a node that goes has failed */
    relay_deliver(t.a.relay, place, 6, text_bytes("again"), 77);
    relay_free(t.b.relay);
    t.b.relay = NULL;
    turn_until_n(&t, &t.a.answered, 2);
    assert_int_equal(t.a.outcome, RELAY_FAILED);
    turn_until_n(&t, &t.a.left, 1);
    turn_until_n(&t, &t.c.left, 1);
    close_nodes(&t);
}

#define PATTERNS     600
#define PATTERN_SIZE 1000

/* What a node knows, and its subscriptions, each more than half of a record. */
static void
reports_a_large_state(void **state)
{
    size_t n = RELAY_MESSAGE_MAX / 2;
    char pattern[PATTERN_SIZE + 1], *own = malloc(n);
    struct relay_nodes_test t;
    uint64_t place;

    (void)state;
    assert_non_null(own);
    memset(own, 'o', n);
    own[n - 1] = '\0';
    if (!open_nodes(&t)) {
        free(own);
        return;
    }
    t.a.state = own;
    place = relay_place(t.a.relay);
    memset(pattern, 'x', PATTERN_SIZE);
    pattern[PATTERN_SIZE] = '\0';
    for (unsigned i = 0; i < PATTERNS; i++) {
        snprintf(pattern, 8, "%07u", i);
        pattern[7] = ':';
        relay_subscribe(t.a.relay, place, text_bytes(pattern), true);
    }
    turn_until_n(&t, &t.a.effective, PATTERNS);
    join_node(&t, &t.c);
    turn_until_n(&t, &t.c.ups, 1);
    assert_int_equal(t.c.subscribed, PATTERNS);
    close_nodes(&t);
    free(own);
}

static void
settles_what_a_node_leaves(void **state)
{
    struct relay_nodes_test t;

    (void)state;
    if (!open_nodes(&t))
        return;
    assert_int_equal(publish(&t.a, 1, "one"), 0);
    assert_int_equal(publish(&t.a, 2, "two"), 0);
    turn_until_n(&t, &t.a.n, 2);
    turn_until_n(&t, &t.b.n, 2);
    relay_settle(t.a.relay, t.a.turns[0], true);
    turn_until_n(&t, &t.b.settled, 1);
    assert_int_equal(t.b.stopped, 1);
    relay_free(t.a.relay);
    t.a.relay = NULL;
    turn_until_n(&t, &t.b.settled, 2);
    assert_int_equal(t.b.stopped, 1);
    close_nodes(&t);
}

static void
joins_anew_when_the_server_comes_back(void **state)
{
    struct relay_nodes_test t;
    uint64_t place;

    (void)state;
    if (!open_nodes(&t))
        return;
    place = relay_place(t.b.relay);
    relay_subscribe(t.b.relay, place, text_bytes("x"), true);
    turn_until_n(&t, &t.b.effective, 1);
    turn_until_n(&t, &t.a.subscribed, 1);
    t.a.downs = t.b.downs = t.a.ups = t.b.ups = 0;
    t.a.apart_at = 9;
    nats_server_stop(&t.server); /* SIGKILL */
    turn_until_n(&t, &t.a.downs, 1);
    turn_until_n(&t, &t.b.downs, 1);
    assert_int_equal(t.a.left, 1);
    assert_int_equal(t.a.apart_at, 0); /* it hears of that before */
    assert_int_equal(publish(&t.a, 9, "no"), -1);
    nats_server_start(&t.server);
    turn_until_n(&t, &t.a.ups, 1);
    turn_until_n(&t, &t.b.ups, 1);
    turn_until_n(&t, &t.a.subscribed, 2);
    assert_int_equal(t.a.place, place);
    assert_int_equal(t.b.effective, 1);
    t.a.n = t.b.n = 0;
    assert_int_equal(publish(&t.a, 10, "yes"), 0);
    turn_until_n(&t, &t.b.n, 1);
    assert_string_equal(t.b.texts[0], "yes");
    close_nodes(&t);
}

/* Nodes that were away read what another one took meanwhile. */
static void
reads_what_it_missed(void **state)
{
    struct relay_nodes_test t;
    struct loop *others = NULL;

    (void)state;
    if (!open_nodes(&t))
        return;
    assert_int_equal(publish(&t.a, 1, "one"), 0);
    turn_until_n(&t, &t.a.n, 1);
    turn_until_n(&t, &t.b.n, 1);
    nats_server_stop(&t.server); /* SIGKILL: its files stay */
    turn_until_n(&t, &t.a.downs, 1);
    turn_until_n(&t, &t.b.downs, 1);
    others = t.loop;
    t.loop = loop_new(NULL);
    nats_server_start(&t.server);
    join_node(&t, &t.c);
    turn_until_n(&t, &t.c.ups, 1);
    assert_int_equal(publish(&t.c, 2, "two"), 0);
    assert_int_equal(publish(&t.c, 3, "three"), 0);
    turn_until_n(&t, &t.c.n, 2);
    relay_free(t.c.relay);
    t.c.relay = NULL;
    loop_free(t.loop);
    t.loop = others;
    t.a.ups = t.b.ups = 0;
    turn_until_n(&t, &t.a.ups, 1);
    turn_until_n(&t, &t.b.ups, 1);
    assert_int_equal(publish(&t.b, 4, "four"), 0);
    turn_until_n(&t, &t.a.n, 4);
    turn_until_n(&t, &t.b.n, 4);
    assert_memory_equal(t.a.turns, t.b.turns, sizeof(t.a.turns[0]) * 4);
    assert_string_equal(t.a.texts[1], "two");
    assert_string_equal(t.b.texts[2], "three");
    assert_int_equal(t.a.settled, 2); /* their node is gone */
    close_nodes(&t);
}

#define OTHER "00000000000000ff"
#define THIRD "00000000000000fe"

/* Nodes by hand, beside one that joins. */
struct hand_node {
    struct relay_stream *stream;
    const char *name; /* of the one that sends */
    size_t ready, sent;
};

static void
put_by_hand(struct hand_node *h, struct relay_record rec)
{
    CLEANUP_BUF struct buf b = buf_of(4096);

    snprintf(rec.node, sizeof(rec.node), "%s", h->name);
    relay_record_put(&b, &rec);
    assert_int_equal(relay_stream_put(h->stream, &b, NULL), 0);
}

static void
put_message_by_hand(struct hand_node *h, uint64_t stream, const char *text)
{
    put_by_hand(
        h, (struct relay_record){.kind = RELAY_MESSAGE,
                                 .b = stream,
                                 .parts = {text_bytes("t"), text_bytes("\"t\""),
                                           text_bytes(text)}});
}

static void
on_hand_ready(void *arg, bool goes_on)
{
    struct hand_node *h = arg;

    (void)goes_on;
    h->ready++;
}

static void
on_hand_lost(void *arg, const char *why)
{
    (void)arg;
    (void)why;
}

/* What it had still to send when it lost a stream comes before its join. */
static void
on_hand_record(void *arg, uint64_t turn, const char *bytes, size_t n)
{
    struct hand_node *h = arg;
    uint64_t id = relay_stream_id(h->stream);
    struct relay_record rec;

    (void)turn;
    assert_true(id > 1 && relay_record_read(bytes, n, &rec));
    if (rec.kind != RELAY_JOIN || strcmp(rec.node, OTHER) == 0 || h->sent++)
        return;
    put_by_hand(h, (struct relay_record){.kind = RELAY_SUBSCRIBE,
                                         .a = 5,
                                         .parts = {text_bytes("x")}});
    put_message_by_hand(h, id - 1, "of one before");
    put_message_by_hand(h, id, "before");
    put_by_hand(h, (struct relay_record){.kind = RELAY_JOIN});
    put_message_by_hand(h, id, "behind");
}

/* Opens one node beside those by hand. */
static bool
open_beside(struct relay_nodes_test *t, struct hand_node *h,
            const struct relay_stream_events *events)
{
    if (!nats_server_is_here())
        return false;
    t->loop = loop_new(NULL);
    nats_server_choose(&t->server, t->loop);
    nats_server_start(&t->server);
    h->name = OTHER;
    h->stream = relay_stream_new(t->loop, t->server.url, "test-bus", OTHER,
                                 events, h, NULL);
    assert_non_null(h->stream);
    turn_until_n(t, &h->ready, 1);
    join_node(t, &t->a);
    turn_until_n(t, &t->a.ups, 1);
    return true;
}

/* A message of before a node's join has its turn, as it has for a node that
 * reads what it missed; but nobody delivers it any more. Nobody takes one that
 * was for another stream. */
static void
ends_what_is_before_a_join(void **state)
{
    static const struct relay_stream_events events = {
        .ready = on_hand_ready, .lost = on_hand_lost, .record = on_hand_record};
    struct relay_nodes_test t = {0};
    struct hand_node h = {0};

    (void)state;
    if (!open_beside(&t, &h, &events))
        return;
    turn_until_n(&t, &t.a.n, 2);
    assert_string_equal(t.a.texts[0], "before");
    assert_string_equal(t.a.texts[1], "behind");
    assert_int_equal(t.a.settled, 1);
    assert_int_equal(t.a.subscribed, 1);
    assert_int_equal(t.a.left, 1);
    assert_int_equal(t.a.downs, 0);
    relay_stream_free(h.stream);
    close_nodes(&t);
}

/* One that is joining itself reports first, and does not know the other yet. */
static void
on_join_report(void *arg, uint64_t turn, const char *bytes, size_t n)
{
    struct hand_node *h = arg;
    struct relay_record rec, out = {.kind = RELAY_STATE, .b = 1};

    (void)turn;
    assert_true(relay_record_read(bytes, n, &rec));
    if (rec.kind != RELAY_JOIN || h->sent++)
        return;
    memcpy(out.other, rec.node, sizeof(out.other));
    out.parts[1] = text_bytes(OTHER " ");
    out.parts[2] = text_bytes("too little");
    put_by_hand(h, out);
    h->name = THIRD;
    out.a = 1;
    out.parts[1] = text_bytes(OTHER " " THIRD " ");
    out.parts[2] = text_bytes("all");
    put_by_hand(h, out);
    put_message_by_hand(h, 0, "behind");
}

static void
joins_when_one_that_has_joined_reports(void **state)
{
    static const struct relay_stream_events events = {
        .ready = on_hand_ready, .lost = on_hand_lost, .record = on_join_report};
    struct relay_nodes_test t = {0};
    struct hand_node h = {0};

    (void)state;
    if (!open_beside(&t, &h, &events))
        return;
    assert_string_equal(t.a.restored, "all");
    turn_until_n(&t, &t.a.n, 1);
    assert_int_equal(t.a.downs, 0);
    relay_stream_free(h.stream);
    close_nodes(&t);
}

/* A node whose state cannot be read until the one that joins has left. It goes
 * by the stream alone. */
struct rogue_node {
    struct relay_stream *stream;
    const struct relay_side *joins;
    size_t ready;
};

#define ROGUE_NAME "00000000000000ff"
#define TRIES      10

static void
on_rogue_ready(void *arg, bool goes_on)
{
    struct rogue_node *rogue = arg;

    CLEANUP_BUF struct buf b = buf_of(1024);
    const struct relay_record join = {.kind = RELAY_JOIN, .node = ROGUE_NAME};

    (void)goes_on;
    rogue->ready++;
    relay_record_put(&b, &join); /* so that the others name it */
    assert_int_equal(relay_stream_put(rogue->stream, &b, NULL), 0);
}

static void
on_rogue_lost(void *arg, const char *why)
{
    (void)arg;
    (void)why;
}

static void
on_rogue_record(void *arg, uint64_t turn, const char *bytes, size_t n)
{
    CLEANUP_BUF struct buf b = buf_of(1024);
    struct rogue_node *rogue = arg;
    struct relay_record state = {
        .kind = RELAY_STATE, .node = ROGUE_NAME, .b = 1};
    struct relay_record rec;

    (void)turn;
    assert_true(relay_record_read(bytes, n, &rec));
    if (rec.kind != RELAY_JOIN || strcmp(rec.node, ROGUE_NAME) == 0)
        return;
    memcpy(state.other, rec.node, sizeof(state.other));
    if (rogue->joins->downs == 0)
        state.parts[0] = text_bytes("no list");
    relay_record_put(&b, &state);
    assert_int_equal(relay_stream_put(rogue->stream, &b, NULL), 0);
}

static void
on_rogue_direct(void *arg, const char *bytes, size_t n)
{
    (void)arg;
    (void)bytes;
    (void)n;
}

static void
joins_anew_after_a_state_that_cannot_be_read(void **state)
{
    static const struct relay_stream_events events = {
        .ready = on_rogue_ready,
        .lost = on_rogue_lost,
        .record = on_rogue_record,
        .direct = on_rogue_direct};
    struct relay_nodes_test t;
    struct rogue_node rogue = {.joins = &t.c};

    (void)state;
    if (!open_nodes(&t))
        return;
    rogue.stream = relay_stream_new(t.loop, t.server.url, "test-bus",
                                    ROGUE_NAME, &events, &rogue, NULL);
    assert_non_null(rogue.stream);
    turn_until_n(&t, &rogue.ready, 1);
    for (unsigned i = 0; i < TRIES && t.c.downs == 0; i++) {
        int64_t end = clock_ms() + WAIT_MS;

        relay_free(t.c.relay); /* it did not wait for the rogue's state */
        memset(&t.c, 0, sizeof(t.c));
        join_node(&t, &t.c);
        while (t.c.downs + t.c.ups == 0 && clock_ms() < end)
            loop_turn(t.loop, 50, NULL);
    }
    assert_true(t.c.downs > 0);
    turn_until_n(&t, &t.c.ups, 1);
    relay_stream_free(rogue.stream);
    close_nodes(&t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_all_nodes_one_order),
        cmocka_unit_test(joins_anew_after_a_state_that_cannot_be_read),
        cmocka_unit_test(delivers_on_another_node),
        cmocka_unit_test(reports_a_large_state),
        cmocka_unit_test(settles_what_a_node_leaves),
        cmocka_unit_test(reads_what_it_missed),
        cmocka_unit_test(joins_anew_when_the_server_comes_back),
        cmocka_unit_test(ends_what_is_before_a_join),
        cmocka_unit_test(joins_when_one_that_has_joined_reports),
    };

    (void)signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
