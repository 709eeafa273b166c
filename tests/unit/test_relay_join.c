/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_relay_join.c - a node that joins others, whose records are written by
 * hand, on a real NATS server. */
#include "tests/unit/unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tests/unit/relay_side.h"
#include "wire/relay_stream.h"

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
    put_by_hand(h, (struct relay_record){.kind = RELAY_MESSAGE,
                                         .b = stream,
                                         .parts = {relay_side_text("t"),
                                                   relay_side_text("\"t\""),
                                                   relay_side_text(text)}});
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
                                         .parts = {relay_side_text("x")}});
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
    relay_side_turn_until(t, &h->ready, 1);
    relay_side_join(t, &t->a);
    relay_side_turn_until(t, &t->a.ups, 1);
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
    relay_side_turn_until(&t, &t.a.n, 2);
    assert_string_equal(t.a.texts[0], "before");
    assert_string_equal(t.a.texts[1], "behind");
    assert_int_equal(t.a.settled, 1);
    assert_int_equal(t.a.subscribed, 1);
    assert_int_equal(t.a.left, 1);
    assert_int_equal(t.a.downs, 0);
    relay_stream_free(h.stream);
    relay_side_close(&t);
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
    out.parts[1] = relay_side_text(OTHER " ");
    out.parts[2] = relay_side_text("too little");
    put_by_hand(h, out);
    h->name = THIRD;
    out.a = 1;
    out.parts[1] = relay_side_text(OTHER " " THIRD " ");
    out.parts[2] = relay_side_text("all");
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
    relay_side_turn_until(&t, &t.a.n, 1);
    assert_int_equal(t.a.downs, 0);
    relay_stream_free(h.stream);
    relay_side_close(&t);
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
        state.parts[0] = relay_side_text("no list");
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
    if (!relay_side_open(&t))
        return;
    rogue.stream = relay_stream_new(t.loop, t.server.url, "test-bus",
                                    ROGUE_NAME, &events, &rogue, NULL);
    assert_non_null(rogue.stream);
    relay_side_turn_until(&t, &rogue.ready, 1);
    for (unsigned i = 0; i < TRIES && t.c.downs == 0; i++) {
        int64_t end = clock_ms() + WAIT_MS;

        relay_free(t.c.relay); /* it did not wait for the rogue's state */
        memset(&t.c, 0, sizeof(t.c));
        relay_side_join(&t, &t.c);
        while (t.c.downs + t.c.ups == 0 && clock_ms() < end)
            loop_turn(t.loop, 50, NULL);
    }
    assert_true(t.c.downs > 0);
    relay_side_turn_until(&t, &t.c.ups, 1);
    relay_stream_free(rogue.stream);
    relay_side_close(&t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_anew_after_a_state_that_cannot_be_read),
        cmocka_unit_test(ends_what_is_before_a_join),
        cmocka_unit_test(joins_when_one_that_has_joined_reports),
    };

    (void)signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
