/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_side.c - nodes of one bus on a real NATS server. */
#include "tests/unit/unit.h"

#include "tests/unit/relay_side.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"

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
on_adopt(void *arg, struct relay_bytes state)
{
    struct relay_side *s = arg;

    s->pieces++;
    snprintf(s->restored, sizeof(s->restored), "%.*s", (int)state.n, state.p);
}

static bool
on_restore(void *arg, struct relay_bytes state)
{
    const struct relay_side *s = arg;

    on_adopt(arg, state);
    return !s->yields;
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

static void
on_anew(void *arg, uint64_t turn)
{
    struct relay_side *s = arg;

    s->begun += turn > 0;
    s->anew_turn = turn;
}

static const struct relay_events relay_side_events = {
    .anew = on_anew,
    .apart = on_apart,
    .published = on_published,
    .settled = on_settled,
    .subscribed = on_subscribed,
    .left = on_left,
    .effective = on_effective,
    .lost = on_lost,
    .state = on_state,
    .restore = on_restore,
    .adopt = on_adopt,
    .answered = on_answered,
    .deliver = on_deliver,
    .trouble = on_trouble};

void
relay_side_join(struct relay_nodes_test *t, struct relay_side *s)
{
    s->relay = relay_nats_new(t->loop, t->server.url, "test-bus", NULL);
    assert_non_null(s->relay);
    s->relay->events = &relay_side_events;
    s->relay->arg = s;
    s->state = s == &t->a ? "of a" : s == &t->b ? "of b" : "of c";
}

void
relay_side_turn_until(struct relay_nodes_test *t, const size_t *n, size_t least)
{
    int64_t end = clock_ms() + WAIT_MS;

    while (*n < least && clock_ms() < end)
        loop_turn(t->loop, 50, NULL);
    assert_true(*n >= least);
}

bool
relay_side_open(struct relay_nodes_test *t)
{
    memset(t, 0, sizeof(*t));
    if (!nats_server_is_here())
        return false;
    t->loop = loop_new(NULL);
    nats_server_choose(&t->server, t->loop);
    nats_server_start(&t->server);
    relay_side_join(t, &t->a);
    relay_side_turn_until(t, &t->a.ups, 1);
    relay_side_join(t, &t->b);
    relay_side_turn_until(t, &t->b.ups, 1);
    assert_string_equal(t->b.restored, "of a");
    /* it came with what it knew, which all take in its turn */
    assert_string_equal(t->a.restored, "of b");
    assert_int_equal(t->a.pieces, 2);
    assert_int_equal(t->b.pieces, 2);
    assert_true(t->a.anew_turn > 0 && t->b.anew_turn > t->a.anew_turn);
    return true;
}

void
relay_side_close(struct relay_nodes_test *t)
{
    relay_free(t->a.relay);
    relay_free(t->b.relay);
    relay_free(t->c.relay);
    nats_server_stop(&t->server);
    nats_server_done(&t->server);
    loop_free(t->loop);
}

struct relay_bytes
relay_side_text(const char *s)
{
    return (struct relay_bytes){s, strlen(s)};
}

int
relay_side_publish(struct relay_side *s, uint64_t token, const char *text)
{
    struct relay_message m = {.topic = relay_side_text("t"),
                              .topic_json = relay_side_text("\"t\""),
                              .payload = relay_side_text(text),
                              .token = token};

    return relay_publish(s->relay, &m, NULL);
}
