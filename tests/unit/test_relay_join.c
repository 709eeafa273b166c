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
    char to[RELAY_NODE_SIZE];       /* who joins */
    const struct relay_side *joins; /* the same */
    struct watch *timer;
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

/* The report of OTHER. */
static void
report_place_5(struct hand_node *h)
{
    struct relay_record out = {.kind = RELAY_STATE, .a = 1, .b = 1};

    memcpy(out.other, h->to, sizeof(out.other));
    out.parts[0] = relay_side_text("5 1\nx");
    out.parts[2] = relay_side_text("late");
    h->name = OTHER;
    put_by_hand(h, out);
}

#define SLOW_MS 700 /* more than it waits for one that is silent */

static void
on_slow_report(void *arg, unsigned events)
{
    struct hand_node *h = arg;

    (void)events;
    assert_int_equal(h->joins->ups, 0);
    report_place_5(h);
}

/* Opens one node beside those by hand. */
static bool
open_beside(struct relay_nodes_test *t, struct hand_node *h,
            const struct relay_stream_events *events, void **server)
{
    if (!*server)
        return false;
    t->loop = loop_new(NULL);
    t->server = *(const struct nats_server *)*server;
    h->name = OTHER;
    h->timer = h->joins ? loop_timer(t->loop, WAIT_MS, on_slow_report, h, NULL)
                        : NULL;
    h->stream = relay_stream_new(t->loop, t->server.url, "test-bus", OTHER,
                                 events, h, NULL);
    assert_non_null(h->stream);
    relay_side_turn_until(t, &h->ready, 1);
    relay_side_join(t, &t->a);
    relay_side_turn_until(t, &t->a.ups, 1);
    return true;
}

static void
close_beside(struct relay_nodes_test *t, struct hand_node *h)
{
    relay_free(t->a.relay);
    watch_free(h->timer);
    relay_stream_free(h->stream);
    loop_free(t->loop);
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

    if (!open_beside(&t, &h, &events, state))
        return;
    relay_side_turn_until(&t, &t.a.n, 2);
    assert_string_equal(t.a.texts[0], "before");
    assert_string_equal(t.a.texts[1], "behind");
    assert_int_equal(t.a.settled, 1);
    assert_int_equal(t.a.subscribed, 1);
    assert_int_equal(t.a.left, 1);
    assert_int_equal(t.a.downs, 0);
    close_beside(&t, &h);
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
    out.parts[0] = relay_side_text("6 1\nz");
    out.parts[1] = relay_side_text(OTHER " " THIRD " ");
    out.parts[2] = relay_side_text("all");
    put_by_hand(h, out);
    h->name = OTHER; /* and then it has joined itself */
    out.parts[0] = relay_side_text("6 1\ny5 1\nx");
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

    if (!open_beside(&t, &h, &events, state))
        return;
    assert_string_equal(t.a.restored, "all");
    relay_side_turn_until(&t, &t.a.n, 1);
    /* not the pattern that the other has for a place of the third's */
    assert_int_equal(t.a.subscribed, 2);
    assert_string_equal(t.a.pattern, "x");
    assert_int_equal(t.a.downs, 1);
    close_beside(&t, &h);
}

/* What the node THIRD, which has joined, reports; OTHER is there too. */
static void
report_for_both(struct hand_node *h, const char *to)
{
    struct relay_record out = {.kind = RELAY_STATE, .a = 1, .b = 1};

    snprintf(out.other, sizeof(out.other), "%s", to);
    out.parts[1] = relay_side_text(OTHER " " THIRD " ");
    out.parts[2] = relay_side_text("all");
    h->name = THIRD;
    put_by_hand(h, out);
}

static void
on_join_with_both(void *arg, uint64_t turn, const char *bytes, size_t n)
{
    struct hand_node *h = arg;
    struct relay_record rec;

    (void)turn;
    assert_true(relay_record_read(bytes, n, &rec));
    if (rec.kind != RELAY_JOIN || h->sent++)
        return;
    memcpy(h->to, rec.node, sizeof(h->to));
    report_for_both(h, h->to);
}

/* What it has subscribed to comes when it tells, and not what it knew: that is
 * of before. */
static void
takes_a_state_that_is_late(void **state)
{
    static const struct relay_stream_events events = {
        .ready = on_hand_ready,
        .lost = on_hand_lost,
        .record = on_join_with_both};
    struct relay_nodes_test t = {0};
    struct hand_node h = {0};

    if (!open_beside(&t, &h, &events, state))
        return;
    assert_int_equal(t.a.subscribed, 0);
    report_place_5(&h);
    relay_side_turn_until(&t, &t.a.subscribed, 1);
    assert_int_equal(t.a.place, 5);
    assert_string_equal(t.a.restored, "all");
    assert_int_equal(t.a.downs, 0);
    close_beside(&t, &h);
}

static void
on_join_with_busy(void *arg, uint64_t turn, const char *bytes, size_t n)
{
    struct hand_node *h = arg;
    size_t sent = h->sent;

    on_join_with_both(arg, turn, bytes, n);
    if (h->sent == sent)
        return;
    h->name = OTHER;
    put_by_hand(h, (struct relay_record){.kind = RELAY_ALIVE});
    watch_again(h->timer, SLOW_MS);
}

static void
waits_for_a_node_that_is_busy(void **state)
{
    static const struct relay_stream_events events = {
        .ready = on_hand_ready,
        .lost = on_hand_lost,
        .record = on_join_with_busy};
    struct relay_nodes_test t = {0};
    struct hand_node h = {.joins = &t.a};

    if (!open_beside(&t, &h, &events, state))
        return;
    assert_int_equal(t.a.subscribed, 1);
    assert_int_equal(t.a.downs, 0);
    close_beside(&t, &h);
}

/* Only the second time it tells, and the first time too late. */
static void
on_second_join(void *arg, uint64_t turn, const char *bytes, size_t n)
{
    struct hand_node *h = arg;
    struct relay_record rec;

    (void)turn;
    assert_true(relay_record_read(bytes, n, &rec));
    if (rec.kind != RELAY_JOIN || h->sent++ > 1)
        return;
    memcpy(h->to, rec.node, sizeof(h->to));
    if (h->sent == 2)
        report_for_both(h, h->to);
}

/* What it has counted alone is not what the others have. */
static void
joins_anew_when_all_were_late(void **state)
{
    static const struct relay_stream_events events = {
        .ready = on_hand_ready, .lost = on_hand_lost, .record = on_second_join};
    struct relay_nodes_test t = {0};
    struct hand_node h = {0};

    if (!open_beside(&t, &h, &events, state))
        return;
    report_place_5(&h);
    relay_side_turn_until(&t, &t.a.downs, 1);
    relay_side_turn_until(&t, &t.a.ups, 2);
    assert_string_equal(t.a.restored, "all");
    close_beside(&t, &h);
}

static void
on_any_record(void *arg, uint64_t turn, const char *bytes, size_t n)
{
    (void)arg;
    (void)turn;
    (void)bytes;
    (void)n;
}

/* A node that was only slow goes on to send, until it hears that it is dead:
 * its messages have their turns, and nobody joins anew for its sake. */
static void
goes_on_when_a_dead_node_sends(void **state)
{
    static const struct relay_stream_events events = {
        .ready = on_hand_ready, .lost = on_hand_lost, .record = on_any_record};
    struct relay_record dead = {.kind = RELAY_DEAD, .other = OTHER};
    struct relay_nodes_test t = {0};
    struct hand_node h = {0};

    if (!open_beside(&t, &h, &events, state))
        return;
    put_by_hand(&h, (struct relay_record){.kind = RELAY_JOIN});
    put_message_by_hand(&h, 0, "before");
    put_by_hand(&h, dead);
    put_by_hand(&h, (struct relay_record){.kind = RELAY_ALIVE});
    put_message_by_hand(&h, 0, "dead");
    put_by_hand(&h, (struct relay_record){.kind = RELAY_SUBSCRIBE,
                                          .a = 5,
                                          .parts = {relay_side_text("x")}});
    put_by_hand(&h, (struct relay_record){.kind = RELAY_JOIN});
    put_message_by_hand(&h, 0, "again");
    relay_side_turn_until(&t, &t.a.n, 3);
    assert_string_equal(t.a.texts[1], "dead");
    assert_int_equal(t.a.settled, 2);
    assert_int_equal(t.a.subscribed, 0);
    assert_int_equal(t.a.downs, 0);
    close_beside(&t, &h);
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
        .kind = RELAY_STATE, .node = ROGUE_NAME, .a = 1, .b = 1};
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

static void
on_next_join(void *arg, uint64_t turn, const char *bytes, size_t n)
{
    struct hand_node *h = arg;
    struct relay_record rec;

    (void)turn;
    assert_true(relay_record_read(bytes, n, &rec));
    if (rec.kind != RELAY_JOIN || strcmp(rec.node, OTHER) == 0)
        return;
    memcpy(h->to, rec.node, sizeof(h->to));
    if (h->sent++ > 0)
        report_place_5(h);
}

/* It began alone, and joins the one that was there before it. */
static void
joins_one_that_comes_back(void **state)
{
    static const struct relay_stream_events events = {
        .ready = on_hand_ready, .lost = on_hand_lost, .record = on_next_join};
    struct relay_nodes_test t = {.a.yields = true};
    struct hand_node h = {0};

    if (!open_beside(&t, &h, &events, state))
        return;
    put_by_hand(&h, (struct relay_record){.kind = RELAY_JOIN,
                                          .parts = {relay_side_text("old")}});
    relay_side_turn_until(&t, &t.a.downs, 1);
    relay_side_turn_until(&t, &t.a.ups, 2);
    assert_string_equal(t.a.restored, "late");
    assert_int_equal(t.a.subscribed, 1);
    assert_int_equal(t.a.begun, 1);
    close_beside(&t, &h);
}

/* One for all tests with nodes by hand; NULL: none is here. */
static int
start_shared_server(void **state)
{
    struct nats_server *server = calloc(1, sizeof(*server));
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);

    assert_non_null(server);
    *state = NULL;
    if (nats_server_is_here()) {
        nats_server_choose(server, l);
        nats_server_start(server);
        *state = server;
    } else {
        free(server);
    }
    return 0;
}

static int
stop_shared_server(void **state)
{
    if (*state) {
        nats_server_stop(*state);
        nats_server_done(*state);
    }
    free(*state);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_anew_after_a_state_that_cannot_be_read),
        cmocka_unit_test(ends_what_is_before_a_join),
        cmocka_unit_test(joins_when_one_that_has_joined_reports),
        cmocka_unit_test(takes_a_state_that_is_late),
        cmocka_unit_test(waits_for_a_node_that_is_busy),
        cmocka_unit_test(joins_anew_when_all_were_late),
        cmocka_unit_test(goes_on_when_a_dead_node_sends),
        cmocka_unit_test(joins_one_that_comes_back),
    };

    (void)signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, start_shared_server,
                                  stop_shared_server);
}
