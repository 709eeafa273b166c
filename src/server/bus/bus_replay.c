/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_replay.c - sends a subscriber what is kept of a topic, from a number on.
 */
#include "server/bus/bus_replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

/* Where a replay has so many messages left, the new ones wait for its end. */
#define JOIN_MAX 1024u
#define TURN_US  2000 /* of work before the loop goes on */

struct bus_replay {
    struct bus_peer *peer;
    struct bus_topic_log *log;
    struct bus_replay *next_of_peer, *next_of_log;
    uint64_t next; /* to be sent */
    uint64_t end;  /* the last; UINT64_MAX: all there are, new ones too */
};

struct bus_replays {
    struct bus_deliveries *deliver;
    struct watch *soon;
    struct bus_peer *first, *last; /* those that are sent some */
    bool runs;                     /* a turn is to come */
};

static struct bus_replay *
find_replay(const struct bus_peer *p, const struct bus_topic_log *log)
{
    struct bus_replay *r = p->replays;

    while (r && r->log != log)
        r = r->next_of_peer;
    return r;
}

bool
bus_replay_has(const struct bus_peer *p, const struct bus_message *m)
{
    const struct bus_replay *r = p->replays ? find_replay(p, m->log) : NULL;

    return r && m->seq >= r->next && m->seq <= r->end;
}

bool
bus_replay_is_first(const struct bus_peer *p, const struct bus_message *m)
{
    const struct bus_replay *r = p->replays ? find_replay(p, m->log) : NULL;

    return r && m->seq > r->end;
}

static void
run_later(struct bus_replays *all)
{
    if (all->runs)
        return;
    all->runs = true;
    watch_again(all->soon, 0);
}

/* The peer has its turn, with the others. */
static void
enqueue_peer(struct bus_replays *all, struct bus_peer *p)
{
    if (p->replay_runs || !p->replays || p->full || !p->ws)
        return;
    p->replay_runs = true;
    p->next_replay = NULL;
    *(all->last ? &all->last->next_replay : &all->first) = bus_peer_ref(p);
    all->last = p;
    run_later(all);
}

static void
free_replay(struct bus_replay *r)
{
    struct bus_replay **at = &r->peer->replays;

    while (*at != r)
        at = &(*at)->next_of_peer;
    *at = r->next_of_peer;
    at = &r->log->replays;
    while (*at != r)
        at = &(*at)->next_of_log;
    *at = r->next_of_log;
    free(r);
}

int
bus_replay_start(struct bus_replays *all, struct bus_peer *p,
                 struct bus_topic_log *log, uint64_t from, struct err *e)
{
    struct bus_replay *r = find_replay(p, log);

    if (r) {
        r->next = from < r->next ? from : r->next;
        enqueue_peer(all, p);
        return 0;
    }
    if (!(r = calloc(1, sizeof(*r))))
        return err_nomem(e);
    *r = (struct bus_replay){.peer = p,
                             .log = log,
                             .next_of_peer = p->replays,
                             .next_of_log = log->replays,
                             .next = from,
                             .end = UINT64_MAX};
    if (log->last + 1 - from <= JOIN_MAX)
        r->end = log->last;
    p->replays = log->replays = r;
    enqueue_peer(all, p);
    return 0;
}

/* Without memory for it the peer has a gap, and so it is closed. */
void
bus_replay_add(struct bus_replays *all, struct bus_peer *p,
               struct bus_message *m)
{
    struct bus_replay *r = find_replay(p, m->log);

    if (r) {
        r->end = r->end < m->seq ? m->seq : r->end;
        return;
    }
    if (bus_replay_start(all, p, m->log, m->seq, NULL) < 0)
        websocket_close(p->ws, WEBSOCKET_TRY_LATER, "out of memory");
    else if ((r = find_replay(p, m->log)))
        r->end = m->seq;
}

/* Sends the next message. False: there is nothing to send now. */
static bool
send_next(struct bus_replays *all, struct bus_replay *r)
{
    const struct bus_message *m;

    if (r->end == UINT64_MAX && r->log->last + 1 - r->next <= JOIN_MAX)
        r->end = r->log->last;
    if (r->next > r->end)
        return false;
    m = bus_log_at(r->log, r->next);
    if (!m) {
        websocket_close(r->peer->ws, WEBSOCKET_TRY_LATER,
                        "what you were to get is no longer kept");
        return false;
    }
    if (!m->settled)
        return false;
    r->next++;
    if (!m->stopped)
        bus_deliveries_send(all->deliver, r->peer, m,
                            bus_deliveries_next_id(all->deliver));
    return true;
}

/* Sends to a peer while there is something, it reads, and time is left. True:
 * there is more to send. */
static bool
send_some(struct bus_replays *all, struct bus_peer *p, int64_t until_us)
{
    struct bus_replay *r = p->replays;
    bool ended = false, more = false;
    unsigned n = 0;

    while (r && !p->full && !more) {
        struct bus_replay *next = r->next_of_peer;

        while (!p->full && !more && send_next(all, r))
            more = (++n & 15) == 0 && clock_us() >= until_us;
        if (r->next > r->end) {
            free_replay(r);
            ended = true;
        }
        r = next;
    }
    if (ended)
        bus_deliveries_room(all->deliver, p);
    return more;
}

static void
on_replays_turn(void *arg, unsigned events)
{
    struct bus_replays *all = arg;
    int64_t until_us = clock_us() + TURN_US;

    (void)events;
    all->runs = false;
    while (all->first && clock_us() < until_us) {
        struct bus_peer *p = all->first;

        all->first = p->next_replay;
        if (!all->first)
            all->last = NULL;
        p->replay_runs = false;
        if (p->ws) {
            struct websocket *ws = p->ws;

            websocket_hold(ws);
            if (send_some(all, p, until_us))
                enqueue_peer(all, p);
            websocket_release(ws);
        }
        bus_peer_unref(p);
    }
    if (all->first)
        run_later(all);
}

void
bus_replays_settled(struct bus_replays *all, struct bus_topic_log *log)
{
    for (struct bus_replay *r = log->replays; r; r = r->next_of_log)
        enqueue_peer(all, r->peer);
}

void
bus_replays_room(struct bus_replays *all, struct bus_peer *p)
{
    enqueue_peer(all, p);
}

void
bus_replays_left(struct bus_peer *p)
{
    while (p->replays)
        free_replay(p->replays);
}

void
bus_replays_unsubscribed(struct bus_replays *all, struct bus_peer *p)
{
    struct bus_replay *r = p->replays;
    bool ended = false;

    while (r) {
        struct bus_replay *next = r->next_of_peer;

        if (!bus_routes_has(p, r->log->name, r->log->name_n)) {
            free_replay(r);
            ended = true;
        }
        r = next;
    }
    if (ended)
        bus_deliveries_room(all->deliver, p);
}

struct bus_replays *
bus_replays_new(struct loop *l, struct bus_deliveries *deliver, struct err *e)
{
    CLEANUP(bus_replays_free_p)
    struct bus_replays *all = calloc(1, sizeof(*all));

    if (!all) {
        err_nomem(e);
        return NULL;
    }
    all->deliver = deliver;
    if (!(all->soon = loop_soon(l, on_replays_turn, all, e)))
        return NULL;
    return TAKE_PTR(all);
}

void
bus_replays_free(struct bus_replays *all)
{
    if (!all)
        return;
    watch_free(all->soon);
    while (all->first) {
        struct bus_peer *p = all->first;

        all->first = p->next_replay;
        bus_peer_unref(p);
    }
    free(all);
}
