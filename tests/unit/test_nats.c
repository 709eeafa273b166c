/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_nats.c - two connections to a real NATS server, which ends and comes
 * back. */
#include "tests/unit/unit.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "tests/unit/nats_server.h"
#include "wire/nats.h"

#define WAIT_MS 20000

struct nats_side {
    struct nats *nats;
    bool connected;
    size_t ups, downs, n, heartbeats;
    uint64_t count; /* by the last one */
    char last[256], reply[256];
};

struct two_sides {
    struct loop *loop;
    struct nats_server server;
    struct nats_side a, b;
};

static void
on_side_nats(void *arg, const char *subject, const char *reply,
             const char *bytes, size_t n)
{
    struct nats_side *s = arg;

    (void)subject;
    (void)n;
    snprintf(s->last, sizeof(s->last), "%s", bytes);
    snprintf(s->reply, sizeof(s->reply), "%s", reply);
    s->n++;
}

static void
on_side_state(void *arg, bool connected)
{
    struct nats_side *s = arg;

    s->connected = connected;
    *(connected ? &s->ups : &s->downs) += 1;
}

static void
on_side_trouble(void *arg, const struct err *why)
{
    (void)arg;
    (void)why;
}

static void
on_side_idle(void *arg, const char *subject, uint64_t count)
{
    struct nats_side *s = arg;

    assert_string_equal(subject, "turns");
    s->count = count;
    s->heartbeats++;
}

static const struct nats_events side_events = {.message = on_side_nats,
                                               .idle = on_side_idle,
                                               .connected = on_side_state,
                                               .trouble = on_side_trouble};

static void
turn_nats_until(struct two_sides *t, const size_t *n, size_t least)
{
    int64_t end = clock_ms() + WAIT_MS;

    while (*n < least && clock_ms() < end)
        loop_turn(t->loop, 50, NULL);
    assert_true(*n >= least);
}

static void
open_sides(struct two_sides *t)
{
    const char *url;

    memset(t, 0, sizeof(*t));
    t->loop = loop_new(NULL);
    nats_server_choose(&t->server, t->loop);
    url = t->server.url;
    /* before the server is there: they wait for it */
    t->a.nats = nats_open(t->loop, url, "a", &side_events, &t->a, NULL);
    t->b.nats = nats_open(t->loop, url, "b", &side_events, &t->b, NULL);
    assert_non_null(t->a.nats);
    assert_non_null(t->b.nats);
    assert_int_equal(nats_publish(t->a.nats, "x", NULL, "", 0, NULL), -1);
    nats_server_start(&t->server);
    turn_nats_until(t, &t->a.ups, 1);
    turn_nats_until(t, &t->b.ups, 1);
}

static void
close_sides(struct two_sides *t)
{
    nats_close(t->a.nats);
    nats_close(t->b.nats);
    nats_server_stop(&t->server);
    nats_server_done(&t->server);
    loop_free(t->loop);
}

/* Publishes until it comes: what was subscribed to may be so a little later. */
static void
send_until_received(struct two_sides *t, const char *text)
{
    int64_t end = clock_ms() + WAIT_MS;

    while (strcmp(t->b.last, text) != 0 && clock_ms() < end) {
        (void)nats_publish(t->a.nats, "to.b", "to.a", text, strlen(text), NULL);
        loop_turn(t->loop, 50, NULL);
    }
    assert_string_equal(t->b.last, text);
}

static void
carries_messages_and_comes_back(void **state)
{
    struct two_sides t;

    (void)state;
    if (!nats_server_is_here())
        return;
    open_sides(&t);
    assert_int_equal(nats_subscribe(t.b.nats, "to.*", NULL), 0);
    send_until_received(&t, "one");
    assert_string_equal(t.b.reply, "to.a");
    nats_server_stop(&t.server); /* SIGKILL */
    turn_nats_until(&t, &t.a.downs, 1);
    turn_nats_until(&t, &t.b.downs, 1);
    assert_false(nats_is_connected(t.a.nats));
    assert_int_equal(nats_publish(t.a.nats, "to.b", NULL, "lost", 4, NULL), -1);
    nats_server_start(&t.server);
    turn_nats_until(&t, &t.a.ups, 2);
    turn_nats_until(&t, &t.b.ups, 2);
    send_until_received(&t, "two");
    close_sides(&t);
}

#define STREAM                                                                 \
    "{\"name\":\"s\",\"subjects\":[\"order\"],\"storage\":\"memory\"}"
#define CONSUMER                                                               \
    "{\"stream_name\":\"s\",\"config\":{\"deliver_subject\":\"turns\","        \
    "\"ack_policy\":\"none\",\"idle_heartbeat\":100000000}}"

static void
ask_jetstream(struct two_sides *t, const char *subject, const char *text)
{
    size_t n = t->b.n;

    assert_int_equal(
        nats_publish(t->b.nats, subject, "replies", text, strlen(text), NULL),
        0);
    turn_nats_until(t, &t->b.n, n + 1);
}

static void
reports_what_an_idle_consumer_has_sent(void **state)
{
    struct two_sides t;

    (void)state;
    if (!nats_server_is_here())
        return;
    open_sides(&t);
    assert_int_equal(nats_subscribe(t.b.nats, "to.*", NULL), 0);
    assert_int_equal(nats_subscribe(t.b.nats, "replies", NULL), 0);
    assert_int_equal(nats_subscribe(t.b.nats, "turns", NULL), 0);
    send_until_received(&t, "one");
    ask_jetstream(&t, "$JS.API.STREAM.CREATE.s", STREAM);
    ask_jetstream(&t, "$JS.API.CONSUMER.CREATE.s", CONSUMER);
    ask_jetstream(&t, "order", "x");
    turn_nats_until(&t, &t.b.heartbeats, t.b.heartbeats + 2);
    assert_int_equal(t.b.count, 1);
    close_sides(&t);
}

static void
ends_without_a_server(void **state)
{
    struct loop *l = loop_new(NULL);
    struct nats_side s = {0};
    int64_t begun = clock_ms();

    (void)state;
    s.nats = nats_open(l, "nats://127.0.0.1:1", "c", &side_events, &s, NULL);
    assert_non_null(s.nats);
    loop_turn(l, 50, NULL);
    nats_close(s.nats);
    assert_true(clock_ms() - begun < 3 * NATS_CLOSE_MS);
    assert_false(s.connected);
    loop_free(l);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carries_messages_and_comes_back),
        cmocka_unit_test(reports_what_an_idle_consumer_has_sent),
        cmocka_unit_test(ends_without_a_server),
    };

    (void)signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
