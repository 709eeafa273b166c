/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_subscription.c - subscribes and unsubscribes, once all nodes know. */
#include "server/bus/bus_subscription.h"

#include <stdlib.h>
#include <string.h>

#include "server/bus/bus_topic.h"

struct from_number {
    struct bus_hub *hub;
    struct bus_peer *peer;
    struct bus_slice pattern;
    uint64_t after, first;
    struct err *e;
    bool failed;
};

static bool
is_of_pattern(const struct from_number *f, const struct bus_topic_log *log)
{
    return bus_topic_matches(f->pattern.p, f->pattern.n, log->name,
                             log->name_n);
}

/* False, and so no more are asked: its number is not kept any more. */
static bool
check_first(void *arg, struct bus_topic_log *log)
{
    struct from_number *f = arg;

    if (!is_of_pattern(f, log) || f->after + 1 >= bus_log_first(log))
        return true;
    f->first = bus_log_first(log);
    f->failed = true;
    return false;
}

static bool
start_replay(void *arg, struct bus_topic_log *log)
{
    struct from_number *f = arg;

    if (!is_of_pattern(f, log) || f->after >= log->last)
        return true;
    f->failed = bus_replay_start(f->hub->replays, f->peer, log, f->after + 1,
                                 f->e) < 0;
    return !f->failed;
}

/* Of one topic a number that is not there yet is none that anybody has seen. */
static void
check_last(struct from_number *f)
{
    const struct bus_topic_log *log;

    if (f->failed ||
        bus_topic_kind(f->pattern.p, f->pattern.n) != BUS_TOPIC_ITSELF)
        return;
    log = bus_keep_find(f->hub->keep, f->pattern.p, f->pattern.n);
    if (f->after <= (log ? log->last : 0))
        return;
    f->first = log ? bus_log_first(log) : 1;
    f->failed = true;
}

/* Whether a number is one of those that there are: those of a bus that ended
 * since are others. */
static bool
is_of_numbers(const struct bus_hub *h, const char *numbers)
{
    return !numbers || !*numbers || strcmp(numbers, h->numbers.name) == 0;
}

static uint64_t
first_kept(const struct bus_hub *h, struct bus_slice topic)
{
    const struct bus_topic_log *log = bus_keep_find(h->keep, topic.p, topic.n);

    return log ? bus_log_first(log) : 1;
}

static int
subscribe_own(struct bus_hub *h, const struct bus_asked *a, uint64_t *first,
              struct err *e)
{
    struct from_number f = {.hub = h,
                            .peer = a->peer,
                            .pattern = a->pattern,
                            .after = (uint64_t)a->after,
                            .e = e};

    if (a->after >= 0 && !is_of_numbers(h, a->numbers)) {
        *first = first_kept(h, a->pattern);
        return err_set(e, ERR_NOT_FOUND, "Not kept: the numbers began anew");
    }
    if (a->after >= 0) {
        bus_keep_each(h->keep, check_first, &f);
        check_last(&f);
    }
    if (f.failed) {
        *first = f.first;
        return err_set(e, ERR_NOT_FOUND, "Not kept: the first one kept is %llu",
                       (unsigned long long)f.first);
    }
    if (bus_routes_subscribe(h->routes, a->peer, a->pattern.p, a->pattern.n,
                             e) < 0)
        return -1;
    if (a->after >= 0)
        bus_keep_each(h->keep, start_replay, &f);
    if (!f.failed)
        return 0;
    (void)bus_routes_unsubscribe(h->routes, a->peer, a->pattern.p,
                                 a->pattern.n);
    bus_replays_unsubscribed(h->replays, a->peer);
    return -1;
}

static int
unsubscribe_own(struct bus_hub *h, const struct bus_asked *a, struct err *e)
{
    if (!bus_routes_unsubscribe(h->routes, a->peer, a->pattern.p, a->pattern.n))
        return err_set(e, ERR_INVALID, "Subscription not found");
    bus_replays_unsubscribed(h->replays, a->peer);
    return 0;
}

static void
free_asked(struct bus_asked *a)
{
    bus_peer_unref(a->peer);
    free(a);
}

static struct bus_asked *
copy_asked(const struct bus_asked *a)
{
    size_t id_n = strlen(a->id) + 1;
    size_t numbers_n = a->numbers ? strlen(a->numbers) + 1 : 0;
    struct bus_asked *copy = malloc(sizeof(*copy) + a->pattern.n + id_n +
                                    numbers_n);
    char *bytes;

    if (!copy)
        return NULL;
    *copy = *a;
    bytes = (char *)(copy + 1);
    memcpy(bytes, a->pattern.p, a->pattern.n);
    memcpy(bytes + a->pattern.n, a->id, id_n);
    copy->pattern.p = bytes;
    copy->id = bytes + a->pattern.n;
    if (a->numbers) {
        memcpy(bytes + a->pattern.n + id_n, a->numbers, numbers_n);
        copy->numbers = bytes + a->pattern.n + id_n;
    }
    copy->peer = bus_peer_ref(a->peer);
    copy->next = NULL;
    return copy;
}

void
bus_subscription_ask(struct bus_hub *h, const struct bus_asked *a)
{
    struct bus_asked *copy = copy_asked(a), **at = &a->peer->asked;
    struct err e = {0};

    if (!copy) {
        err_nomem(&e);
        a->done(a, 0, &e);
        return;
    }
    while (*at)
        at = &(*at)->next;
    *at = copy;
    relay_subscribe(h->relay, a->peer->place,
                    (struct relay_bytes){a->pattern.p, a->pattern.n}, a->on);
}

static bool
is_subscription_asked(const struct bus_asked *a, struct relay_bytes pattern,
                      bool on)
{
    return a->on == on && a->pattern.n == pattern.n &&
           memcmp(a->pattern.p, pattern.p, pattern.n) == 0;
}

/* A subscription holds on all nodes, and so it does here. */
void
bus_subscription_holds(void *arg, uint64_t place, struct relay_bytes pattern,
                       bool on)
{
    struct bus_hub *h = arg;
    struct bus_peer *p = id_table_find(&h->places, place);
    struct bus_asked **at = p ? &p->asked : NULL, *a;
    uint64_t first = 0;
    struct err e = {0};
    int rc;

    while (at && *at && !is_subscription_asked(*at, pattern, on))
        at = &(*at)->next;
    if (!at || !(a = *at))
        return;
    *at = a->next;
    rc = on ? subscribe_own(h, a, &first, &e) : unsubscribe_own(h, a, &e);
    a->done(a, first, rc < 0 ? &e : NULL);
    /* it has not come about here, and so is taken back elsewhere */
    if (on && rc < 0 && e.code != ERR_INVALID)
        relay_subscribe(h->relay, place, pattern, false);
    free_asked(a);
}

/* The peer is gone. */
void
bus_subscription_forget(struct bus_peer *p)
{
    while (p->asked) {
        struct bus_asked *a = p->asked;

        p->asked = a->next;
        free_asked(a);
    }
}
