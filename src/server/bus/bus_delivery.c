/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_delivery.c - delivers a message to its subscribers, one after another. */
#include "server/bus/bus_delivery.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

#define TURN_US 2000 /* of work before the loop goes on */

enum delivery_state {
    IS_READY,    /* it is in the list of those that go on */
    WAITS_TURN,  /* its message, of another node, is still to come here */
    WAITS_ORDER, /* the message before it has not come to this subscriber */
    WAITS_ROOM,  /* the subscriber does not read, or is sent a replay */
    IS_SENT,
    IS_ELSEWHERE, /* another node delivers it: it is here for the order */
};

/* A double link in a list, by the offset of the delivery's own. */
struct delivery_link {
    struct bus_delivery *prev, *next;
};

struct bus_delivery {
    struct bus_message *message;
    struct bus_route *route;
    size_t at;           /* of the next subscriber, in the route */
    struct bus_peer *to; /* the one at hand; NULL: go on to the next */
    enum delivery_state state;
    struct id_entry known; /* by the id of the request to it; or elsewhere,
                              by the turn of its message */
    int64_t until_ms;      /* 0: it does not run yet */
    struct delivery_link due, peers, flying;
    struct bus_delivery *next_ready;
    struct bus_peer *from;
    size_t tried, failed;
    bool stopped, taken;
    bool lost_foreign; /* a subscriber of another node has not answered */
    uint64_t partings; /* there were, when it began */
    /* Of what another node delivers to a peer here: the one that stands for
     * the message in the order of its topic; and of that one: the deliveries to
     * peers here, of which all but the newest are given up there; the place of
     * the last one that is done with; and whether that node is done with it. */
    struct bus_delivery *elsewhere, *here, *next_here;
    uint64_t passed;
    bool over;
    size_t id_n;
    char request_id[];
};

struct bus_deliveries {
    struct loop *loop;
    struct relay *relay;
    const struct bus_delivery_events *events;
    void *arg;
    struct watch *timer, *soon;
    bool timer_runs, running;
    struct bus_delivery *first_due, *last_due;     /* by time */
    struct bus_delivery *first_ready, *last_ready; /* in order */
    /* messages of other nodes, linked by `due`; deliveries that came before
     * their message, by `peers` */
    struct bus_delivery *first_elsewhere, *last_elsewhere;
    struct bus_delivery *first_early, *last_early;
    uint64_t last_turn;        /* of another node's message */
    struct id_table requests;  /* what is sent, by the id */
    struct id_table elsewhere; /* what is not over, by the turn */
    uint64_t last_id;
    uint64_t partings; /* from the other nodes */
    struct bus_delivery_counts counts;
};

/* The links of a delivery, of which a list has the first and the last. */
#define LINK(d, offset)                                                        \
    ((struct delivery_link *)(void *)((char *)(d) + (offset)))
#define AT_DUE    offsetof(struct bus_delivery, due)
#define AT_PEERS  offsetof(struct bus_delivery, peers)
#define AT_FLYING offsetof(struct bus_delivery, flying)

static void
append_link(struct bus_delivery **first, struct bus_delivery **last,
            struct bus_delivery *d, size_t offset)
{
    *LINK(d, offset) = (struct delivery_link){.prev = *last};
    *(*last ? &LINK(*last, offset)->next : first) = d;
    *last = d;
}

static void
remove_link(struct bus_delivery **first, struct bus_delivery **last,
            struct bus_delivery *d, size_t offset)
{
    struct delivery_link *l = LINK(d, offset);

    *(l->prev ? &LINK(l->prev, offset)->next : first) = l->next;
    *(l->next ? &LINK(l->next, offset)->prev : last) = l->prev;
    *l = (struct delivery_link){0};
}

uint64_t
bus_deliveries_next_id(struct bus_deliveries *all)
{
    return ++all->last_id;
}

void
bus_deliveries_send(struct bus_deliveries *all, struct bus_peer *p,
                    const struct bus_message *m, uint64_t id)
{
    char end[24];
    struct iovec parts[] = {{(char *)m->text, m->n}, {end, 0}};

    if (p->remote) {
        relay_deliver(all->relay, p->place, m->turn,
                      (struct relay_bytes){m->text, m->n}, id);
        return;
    }
    parts[1].iov_len = (size_t)snprintf(end, sizeof(end), "%" PRIu64 "}", id);
    websocket_send(p->ws, parts, 2, true);
}

/* What has the number of a delivery, and its place in the order. */
static const struct bus_message *
numbered_message(const struct bus_delivery *d)
{
    return d->elsewhere ? d->elsewhere->message : d->message;
}

static void
make_ready(struct bus_deliveries *all, struct bus_delivery *d)
{
    if (d->state == WAITS_ORDER)
        numbered_message(d)->log->waiting--;
    d->state = IS_READY;
    d->next_ready = NULL;
    *(all->last_ready ? &all->last_ready->next_ready : &all->first_ready) = d;
    all->last_ready = d;
}

/* The time of the subscriber at hand begins, unless it runs already. All have
 * the same time, so that the list stays in order. */
static void
begin_time(struct bus_deliveries *all, struct bus_delivery *d)
{
    if (d->until_ms)
        return;
    d->until_ms = clock_ms() + BUS_ANSWER_MS;
    append_link(&all->first_due, &all->last_due, d, AT_DUE);
    if (!all->timer_runs) {
        all->timer_runs = true;
        watch_again(all->timer, BUS_ANSWER_MS);
    }
}

/* Takes it out of the lists of the subscriber at hand. */
static void
leave_peer_lists(struct bus_deliveries *all, struct bus_delivery *d)
{
    struct bus_peer *p = d->to;

    if (d->state == IS_SENT) {
        id_table_remove(&all->requests, &d->known);
        remove_link(&p->first_owed, &p->last_owed, d, AT_PEERS);
    } else if (d->state == WAITS_ROOM) {
        remove_link(&p->first_waiting, &p->last_waiting, d, AT_PEERS);
    }
}

/* The subscriber at hand is done with. */
static void
end_subscriber(struct bus_deliveries *all, struct bus_delivery *d,
               enum relay_outcome outcome)
{
    bool foreign = d->to->foreign;

    leave_peer_lists(all, d);
    if (d->until_ms)
        remove_link(&all->first_due, &all->last_due, d, AT_DUE);
    d->until_ms = 0;
    d->to = NULL;
    d->tried++;
    if (outcome == RELAY_FAILED) {
        d->failed++;
        d->lost_foreign = d->lost_foreign || foreign;
        all->counts.failed++;
    } else {
        all->counts.delivered++;
    }
    if (outcome == RELAY_STOPS) {
        d->stopped = true;
        all->counts.stopped++;
    }
    if (d->state != IS_READY)
        make_ready(all, d);
}

static void
free_delivery(struct bus_delivery *d)
{
    bus_message_unref(d->message);
    bus_route_unref(d->route);
    bus_peer_unref(d->from);
    free(d);
}

/* The message behind it, of the same topic, may go on: and those up to the
 * next of this node, since the order among subscribers of other nodes is kept
 * there. */
static void
wake_next(struct bus_deliveries *all, const struct bus_delivery *d)
{
    struct bus_delivery *next = d->flying.next;

    if (d->message->log->waiting == 0)
        return;
    for (; next && next->state == IS_ELSEWHERE; next = next->flying.next)
        for (struct bus_delivery *h = next->here; h; h = h->next_here)
            if (h->state == WAITS_ORDER)
                make_ready(all, h);
    if (next && next->state == WAITS_ORDER)
        make_ready(all, next);
}

/* The message of another node is past this place. */
static void
pass_elsewhere(struct bus_deliveries *all, struct bus_delivery *e,
               uint64_t place)
{
    e->passed = place > e->passed ? place : e->passed;
    wake_next(all, e);
}

static void
free_elsewhere(struct bus_deliveries *all, struct bus_delivery *e)
{
    struct bus_topic_log *log = e->message->log;

    remove_link(&log->first_flying, &log->last_flying, e, AT_FLYING);
    remove_link(&all->first_elsewhere, &all->last_elsewhere, e, AT_DUE);
    bus_message_unref(e->message);
    free(e);
}

static void
leave_elsewhere(struct bus_deliveries *all, struct bus_delivery *d)
{
    struct bus_delivery *e = d->elsewhere, **at = &e->here;

    while (*at != d)
        at = &(*at)->next_here;
    *at = d->next_here;
    d->elsewhere = NULL;
    pass_elsewhere(all, e, d->route->peers[0]->place);
    if (e->over && !e->here)
        free_elsewhere(all, e);
}

static void
finish_delivery(struct bus_deliveries *all, struct bus_delivery *d)
{
    struct bus_topic_log *log = d->message->log;
    struct bus_ended how = {.message = d->message,
                            .from = d->from,
                            .id = d->request_id,
                            .id_n = d->id_n,
                            .tried = d->tried,
                            .failed = d->failed,
                            .stopped = d->stopped,
                            .unknown = d->lost_foreign &&
                                       d->partings != all->partings,
                            .taken = d->taken};

    if (log) {
        wake_next(all, d);
        remove_link(&log->first_flying, &log->last_flying, d, AT_FLYING);
    }
    if (d->elsewhere)
        leave_elsewhere(all, d);
    d->message->settled = true;
    d->message->stopped = d->stopped;
    all->counts.flying--;
    all->events->ended(all->arg, &how);
    free_delivery(d);
}

/* Whether a message of another node is still to be sent to a peer here. */
static bool
waits_here(const struct bus_delivery *e, uint64_t place)
{
    const struct bus_delivery *d = e->here;

    while (d && (d->state == IS_SENT || d->route->peers[0]->place != place))
        d = d->next_here;
    return d != NULL;
}

/* The order at peers of other nodes is kept there; and a message that its node
 * is done with comes to no more of ours. */
static bool
lets_pass(const struct bus_delivery *before, const struct bus_peer *to)
{
    return before->state == IS_ELSEWHERE &&
           (to->remote || (before->over && !waits_here(before, to->place)));
}

/* Whether the message before it is past this subscriber, or never comes. */
static bool
is_in_order(const struct bus_delivery *d)
{
    const struct bus_delivery *before = d->elsewhere ? d->elsewhere->flying.prev
                                                     : d->flying.prev;

    while (before && lets_pass(before, d->to))
        before = before->flying.prev;
    if (!before)
        return true;
    if (before->state == IS_ELSEWHERE)
        return before->passed >= d->to->place &&
               !waits_here(before, d->to->place);
    if (!before->to)
        return false;
    return before->to->place > d->to->place ||
           (before->to == d->to && before->state == IS_SENT);
}

/* Whether it is to be sent to the subscriber at hand. Of a numbered topic it is
 * not where that one has unsubscribed, and so may subscribe behind a number
 * again, or where it has done that and a replay brings it; nor where another
 * node has stopped it meanwhile. */
static bool
is_for_subscriber(struct bus_deliveries *all, struct bus_delivery *d)
{
    const struct bus_message *m = numbered_message(d);
    const struct bus_topic_log *log = m->log;

    if (!bus_peer_is_there(d->to) || (d->elsewhere && m->stopped) ||
        (log && !bus_routes_has(d->to, log->name, log->name_n))) {
        end_subscriber(all, d, RELAY_FAILED);
        return false;
    }
    if (log && all->events->replay_has(all->arg, d->to, m)) {
        end_subscriber(all, d, RELAY_GOES_ON);
        d->taken = true;
        return false;
    }
    return true;
}

/* Chooses the next subscriber, or stays with the one at hand. False: there is
 * none. */
static bool
choose_next(struct bus_deliveries *all, struct bus_delivery *d)
{
    if (d->to && is_for_subscriber(all, d))
        return true;
    while (!d->stopped && d->at < d->route->n) {
        d->to = d->route->peers[d->at++];
        if (is_for_subscriber(all, d))
            return true;
    }
    return false;
}

static void
send_to_subscriber(struct bus_deliveries *all, struct bus_delivery *d)
{
    struct bus_peer *p = d->to;

    begin_time(all, d);
    d->state = IS_SENT;
    id_table_add(&all->requests, &d->known, bus_deliveries_next_id(all), d);
    append_link(&p->first_owed, &p->last_owed, d, AT_PEERS);
    bus_deliveries_send(all, p, d->message, d->known.id);
}

/* Goes on as far as it can. */
static void
advance_delivery(struct bus_deliveries *all, struct bus_delivery *d)
{
    const struct bus_message *m = numbered_message(d);
    struct bus_topic_log *log = m->log;

    if (!choose_next(all, d)) {
        finish_delivery(all, d);
        return;
    }
    if (log && !is_in_order(d)) {
        d->state = WAITS_ORDER;
        log->waiting++;
    } else if (d->to->full ||
               (log && all->events->replay_is_first(all->arg, d->to, m))) {
        d->state = WAITS_ROOM;
        append_link(&d->to->first_waiting, &d->to->last_waiting, d, AT_PEERS);
        begin_time(all, d);
    } else {
        send_to_subscriber(all, d);
        if (d->elsewhere)
            pass_elsewhere(all, d->elsewhere, d->to->place);
    }
    if (log && !d->elsewhere)
        wake_next(all, d);
}

static void
run_ready(struct bus_deliveries *all)
{
    int64_t until_us = clock_us() + TURN_US;
    unsigned n = 0;

    if (all->running)
        return;
    all->running = true;
    while (all->first_ready) {
        struct bus_delivery *d = all->first_ready;

        if ((++n & 31) == 0 && clock_us() >= until_us) {
            watch_again(all->soon, 0);
            break;
        }
        all->first_ready = d->next_ready;
        if (!all->first_ready)
            all->last_ready = NULL;
        advance_delivery(all, d);
    }
    all->running = false;
}

/* Gives what another node delivers its place in the order. What has none is not
 * sent: its node has given it up, and the peer may have got what is behind it.
 */
static void
stand_behind(struct bus_deliveries *all, struct bus_delivery *d)
{
    struct bus_delivery *e = id_table_find(&all->elsewhere, d->message->turn);

    if (e) {
        d->elsewhere = e;
        d->next_here = e->here;
        e->here = d;
    } else if (d->message->turn) {
        d->at = d->route->n;
        d->tried++;
        d->failed++;
        all->counts.failed++;
    }
    make_ready(all, d);
}

static void
release_early(struct bus_deliveries *all)
{
    struct bus_delivery *d = all->first_early, *next;

    for (; d; d = next) {
        next = d->peers.next;
        if (d->message->turn > all->last_turn)
            continue;
        remove_link(&all->first_early, &all->last_early, d, AT_PEERS);
        stand_behind(all, d);
    }
    run_ready(all);
}

/* Without memory for it, nothing of it is sent to a peer here. */
void
bus_deliveries_expect(struct bus_deliveries *all, uint64_t turn,
                      struct bus_message *m)
{
    struct bus_delivery *e = m && m->log ? calloc(1, sizeof(*e) + 1) : NULL;

    if (e) {
        e->message = m;
        m->refs++;
        e->state = IS_ELSEWHERE;
        append_link(&m->log->first_flying, &m->log->last_flying, e, AT_FLYING);
        append_link(&all->first_elsewhere, &all->last_elsewhere, e, AT_DUE);
        id_table_add(&all->elsewhere, &e->known, turn, e);
    }
    all->last_turn = turn;
    release_early(all);
}

/* A peer here that has still to get it gets it in its place. */
static void
end_elsewhere(struct bus_deliveries *all, struct bus_delivery *e)
{
    if (!e->over)
        id_table_remove(&all->elsewhere, &e->known);
    e->over = true;
    wake_next(all, e);
    if (!e->here)
        free_elsewhere(all, e);
}

void
bus_deliveries_settled(struct bus_deliveries *all, uint64_t turn)
{
    struct bus_delivery *e = id_table_find(&all->elsewhere, turn);

    if (e)
        end_elsewhere(all, e);
    run_ready(all);
}

void
bus_deliveries_part(struct bus_deliveries *all)
{
    all->partings++;
}

void
bus_deliveries_apart(struct bus_deliveries *all)
{
    struct bus_delivery *e = all->first_elsewhere, *next;

    for (; e; e = next) {
        next = e->due.next;
        end_elsewhere(all, e);
    }
    all->last_turn = UINT64_MAX;
    release_early(all);
    all->last_turn = 0;
}

int
bus_deliveries_start(struct bus_deliveries *all, struct bus_message *m,
                     struct bus_route *route, struct bus_peer *from,
                     const char *id, size_t id_n, struct err *e)
{
    struct bus_delivery *d = malloc(sizeof(*d) + id_n + 1);

    if (!d) {
        bus_message_unref(m);
        bus_route_unref(route);
        return err_nomem(e);
    }
    *d = (struct bus_delivery){
        .message = m, .route = route, .partings = all->partings, .id_n = id_n};
    d->from = from ? bus_peer_ref(from) : NULL;
    if (id_n > 0)
        memcpy(d->request_id, id, id_n);
    d->request_id[id_n] = '\0';
    all->counts.flying++;
    if (m->log)
        append_link(&m->log->first_flying, &m->log->last_flying, d, AT_FLYING);
    if (m->handle && m->turn > all->last_turn) {
        d->state = WAITS_TURN;
        append_link(&all->first_early, &all->last_early, d, AT_PEERS);
        return 0;
    }
    if (m->handle)
        stand_behind(all, d);
    else
        make_ready(all, d);
    run_ready(all);
    return 0;
}

void
bus_deliveries_answered(struct bus_deliveries *all, struct bus_peer *p,
                        uint64_t id, enum relay_outcome outcome)
{
    struct bus_delivery *d = id_table_find(&all->requests, id);

    if (!d || d->to != p)
        return;
    end_subscriber(all, d, outcome);
    run_ready(all);
}

void
bus_deliveries_relayed(struct bus_deliveries *all, uint64_t id,
                       enum relay_outcome outcome)
{
    const struct bus_delivery *d = id_table_find(&all->requests, id);

    if (d && d->to->remote)
        bus_deliveries_answered(all, d->to, id, outcome);
}

void
bus_deliveries_left(struct bus_deliveries *all, struct bus_peer *p)
{
    while (p->first_owed)
        end_subscriber(all, p->first_owed, RELAY_FAILED);
    while (p->first_waiting)
        end_subscriber(all, p->first_waiting, RELAY_FAILED);
    run_ready(all);
}

void
bus_deliveries_room(struct bus_deliveries *all, struct bus_peer *p)
{
    while (p->first_waiting) {
        struct bus_delivery *d = p->first_waiting;

        remove_link(&p->first_waiting, &p->last_waiting, d, AT_PEERS);
        make_ready(all, d);
    }
    run_ready(all);
}

static void
on_delivery_timer(void *arg, unsigned events)
{
    struct bus_deliveries *all = arg;
    int64_t now = clock_ms();

    (void)events;
    all->timer_runs = false;
    while (all->first_due && all->first_due->until_ms <= now) {
        struct bus_delivery *d = all->first_due;

        /* one that waits here, or was just about to go on */
        if (d->state != IS_SENT && numbered_message(d)->log) {
            all->events->missed(all->arg, d->to,
                                d->elsewhere ? d->elsewhere->message
                                             : d->message);
            d->taken = true;
        }
        all->counts.late++;
        end_subscriber(all, d, RELAY_FAILED);
    }
    if (all->first_due) {
        all->timer_runs = true;
        watch_again(all->timer, all->first_due->until_ms - now);
    }
    run_ready(all);
}

static void
on_deliveries_soon(void *arg, unsigned events)
{
    (void)events;
    run_ready(arg);
}

struct bus_deliveries *
bus_deliveries_new(struct loop *l, struct relay *relay,
                   const struct bus_delivery_events *ev, void *arg,
                   struct err *e)
{
    CLEANUP(bus_deliveries_free_p)
    struct bus_deliveries *all = calloc(1, sizeof(*all));

    if (!all) {
        err_nomem(e);
        return NULL;
    }
    all->loop = l;
    all->relay = relay;
    all->events = ev;
    all->arg = arg;
    if (!(all->timer = loop_timer(l, BUS_ANSWER_MS, on_delivery_timer, all,
                                  e)) ||
        !(all->soon = loop_timer(l, BUS_ANSWER_MS, on_deliveries_soon, all, e)))
        return NULL;
    watch_stop(all->timer);
    watch_stop(all->soon);
    return TAKE_PTR(all);
}

void
bus_deliveries_free(struct bus_deliveries *all)
{
    if (!all)
        return;
    bus_deliveries_apart(all);
    while (all->first_ready)
        run_ready(all);
    watch_free(all->timer);
    watch_free(all->soon);
    id_table_done(&all->requests);
    id_table_done(&all->elsewhere);
    free(all);
}

struct bus_delivery_counts
bus_deliveries_count(const struct bus_deliveries *all)
{
    return all->counts;
}
