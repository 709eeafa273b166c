/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_relay_nats.c - three nodes of one bus, with a real NATS server. */
#include "tests/unit/unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/relay_side.h"

static void
gives_all_nodes_one_order(void **state)
{
    struct relay_nodes_test t;
    char text[16];

    (void)state;
    if (!relay_side_open(&t))
        return;
    for (unsigned i = 0; i < 500; i++) {
        snprintf(text, sizeof(text), "a%u", i);
        assert_int_equal(relay_side_publish(&t.a, i + 1, text), 0);
        text[0] = 'b';
        assert_int_equal(relay_side_publish(&t.b, i + 1, text), 0);
    }
    relay_side_turn_until(&t, &t.a.n, 1000);
    relay_side_turn_until(&t, &t.b.n, 1000);
    assert_memory_equal(t.a.turns, t.b.turns, sizeof(t.a.turns[0]) * 1000);
    for (size_t i = 0; i < 1000; i++)
        assert_string_equal(t.a.texts[i], t.b.texts[i]);
    assert_int_equal(t.a.own, 500);
    assert_int_equal(t.b.own, 500);
    relay_side_close(&t);
}

static void
delivers_on_another_node(void **state)
{
    struct relay_nodes_test t;
    uint64_t place;

    (void)state;
    if (!relay_side_open(&t))
        return;
    place = relay_place(t.b.relay);
    assert_true(relay_place(t.b.relay) > place);
    relay_subscribe(t.b.relay, place, relay_side_text("inbound:*"), true);
    relay_side_turn_until(&t, &t.b.effective, 1);
    relay_side_turn_until(&t, &t.a.subscribed, 1);
    assert_int_equal(t.a.place, place);
    assert_string_equal(t.a.pattern, "inbound:*");
    relay_deliver(t.a.relay, place, 5, relay_side_text("hello"), 77);
    while (t.b.handle == 0)
        loop_turn(t.loop, 50, NULL);
    assert_string_equal(t.b.delivered, "hello");
    assert_int_equal(t.b.delivered_turn, 5);
    relay_answer(t.b.relay, t.b.handle, RELAY_STOPS);
    relay_side_turn_until(&t, &t.a.answered, 1);
    assert_int_equal(t.a.outcome, RELAY_STOPS);
    /* who joins now knows of it, and is told */
    relay_side_join(&t, &t.c);
    relay_side_turn_until(&t, &t.c.ups, 1);
    assert_int_equal(t.c.place, place);
    /* what is under way to a node that goes has failed */
    relay_deliver(t.a.relay, place, 6, relay_side_text("again"), 77);
    relay_free(t.b.relay);
    t.b.relay = NULL;
    relay_side_turn_until(&t, &t.a.answered, 2);
    assert_int_equal(t.a.outcome, RELAY_FAILED);
    relay_side_turn_until(&t, &t.a.left, 1);
    relay_side_turn_until(&t, &t.c.left, 1);
    relay_side_close(&t);
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
    if (!relay_side_open(&t)) {
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
        relay_subscribe(t.a.relay, place, relay_side_text(pattern), true);
    }
    relay_side_turn_until(&t, &t.a.effective, PATTERNS);
    relay_side_join(&t, &t.c);
    relay_side_turn_until(&t, &t.c.ups, 1);
    assert_int_equal(t.c.subscribed, PATTERNS);
    relay_side_close(&t);
    free(own);
}

static void
settles_what_a_node_leaves(void **state)
{
    struct relay_nodes_test t;

    (void)state;
    if (!relay_side_open(&t))
        return;
    assert_int_equal(relay_side_publish(&t.a, 1, "one"), 0);
    assert_int_equal(relay_side_publish(&t.a, 2, "two"), 0);
    relay_side_turn_until(&t, &t.a.n, 2);
    relay_side_turn_until(&t, &t.b.n, 2);
    relay_settle(t.a.relay, t.a.turns[0], true);
    relay_side_turn_until(&t, &t.b.settled, 1);
    assert_int_equal(t.b.stopped, 1);
    relay_free(t.a.relay);
    t.a.relay = NULL;
    relay_side_turn_until(&t, &t.b.settled, 2);
    assert_int_equal(t.b.stopped, 1);
    relay_side_close(&t);
}

static void
joins_anew_when_the_server_comes_back(void **state)
{
    struct relay_nodes_test t;
    uint64_t place;

    (void)state;
    if (!relay_side_open(&t))
        return;
    place = relay_place(t.b.relay);
    relay_subscribe(t.b.relay, place, relay_side_text("x"), true);
    relay_side_turn_until(&t, &t.b.effective, 1);
    relay_side_turn_until(&t, &t.a.subscribed, 1);
    t.a.downs = t.b.downs = t.a.ups = t.b.ups = 0;
    t.a.apart_at = 9;
    nats_server_stop(&t.server); /* SIGKILL */
    relay_side_turn_until(&t, &t.a.downs, 1);
    relay_side_turn_until(&t, &t.b.downs, 1);
    assert_int_equal(t.a.left, 1);
    assert_int_equal(t.a.apart_at, 0); /* it hears of that before */
    assert_int_equal(relay_side_publish(&t.a, 9, "no"), -1);
    nats_server_start(&t.server);
    relay_side_turn_until(&t, &t.a.ups, 1);
    relay_side_turn_until(&t, &t.b.ups, 1);
    relay_side_turn_until(&t, &t.a.subscribed, 2);
    assert_int_equal(t.a.place, place);
    assert_int_equal(t.b.effective, 1);
    assert_int_equal(t.a.begun, 1); /* it has read all there was */
    assert_int_equal(t.b.begun, 1);
    t.a.n = t.b.n = 0;
    assert_int_equal(relay_side_publish(&t.a, 10, "yes"), 0);
    relay_side_turn_until(&t, &t.b.n, 1);
    assert_string_equal(t.b.texts[0], "yes");
    relay_side_close(&t);
}

/* Nodes that were away read what another one took meanwhile. */
static void
reads_what_it_missed(void **state)
{
    struct relay_nodes_test t;
    struct loop *others = NULL;

    (void)state;
    if (!relay_side_open(&t))
        return;
    assert_int_equal(relay_side_publish(&t.a, 1, "one"), 0);
    relay_side_turn_until(&t, &t.a.n, 1);
    relay_side_turn_until(&t, &t.b.n, 1);
    nats_server_stop(&t.server); /* SIGKILL: its files stay */
    relay_side_turn_until(&t, &t.a.downs, 1);
    relay_side_turn_until(&t, &t.b.downs, 1);
    others = t.loop;
    t.loop = loop_new(NULL);
    nats_server_start(&t.server);
    relay_side_join(&t, &t.c);
    relay_side_turn_until(&t, &t.c.ups, 1);
    assert_int_equal(relay_side_publish(&t.c, 2, "two"), 0);
    assert_int_equal(relay_side_publish(&t.c, 3, "three"), 0);
    relay_side_turn_until(&t, &t.c.n, 2);
    relay_free(t.c.relay);
    t.c.relay = NULL;
    loop_free(t.loop);
    t.loop = others;
    t.a.ups = t.b.ups = 0;
    relay_side_turn_until(&t, &t.a.ups, 1);
    relay_side_turn_until(&t, &t.b.ups, 1);
    assert_int_equal(relay_side_publish(&t.b, 4, "four"), 0);
    relay_side_turn_until(&t, &t.a.n, 4);
    relay_side_turn_until(&t, &t.b.n, 4);
    assert_memory_equal(t.a.turns, t.b.turns, sizeof(t.a.turns[0]) * 4);
    assert_string_equal(t.a.texts[1], "two");
    assert_string_equal(t.b.texts[2], "three");
    assert_int_equal(t.a.settled, 2); /* their node is gone */
    relay_side_close(&t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_all_nodes_one_order),
        cmocka_unit_test(delivers_on_another_node),
        cmocka_unit_test(reports_a_large_state),
        cmocka_unit_test(settles_what_a_node_leaves),
        cmocka_unit_test(reads_what_it_missed),
        cmocka_unit_test(joins_anew_when_the_server_comes_back),
    };

    (void)signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
