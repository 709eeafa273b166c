/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_subscription.c - subscribes and unsubscribes, once all nodes know. */
#include "server/bus/bus_subscription.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "server/bus/bus_topic.h"

struct from_number {
    struct bus_hub *hub;
    struct bus_peer *peer;
    struct bus_slice pattern;
    uint64_t after;
    struct bus_kept kept;
    struct err *e;
    bool failed;
};

static bool
is_of_pattern(const struct from_number *f, const struct bus_topic_log *log)
{
    return bus_topic_matches(f->pattern.p, f->pattern.n, log->name,
                             log->name_n);
}

static bool
check_first(void *arg, struct bus_topic_log *log)
{
    struct from_number *f = arg;
    uint64_t first = bus_log_first(log);

    if (!is_of_pattern(f, log) || f->after + 1 >= first)
        return true;
    f->failed = true;
    if (f->kept.first < first)
        f->kept.first = first;
    return true;
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
    f->kept.first = log ? bus_log_first(log) : 1;
    f->kept.last = log ? (int64_t)log->last : 0;
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

/* Whether what follows the number can be sent without a gap. */
static int
check_after(struct from_number *f, const char *numbers)
{
    if (!is_of_numbers(f->hub, numbers)) {
        f->kept.first = first_kept(f->hub, f->pattern);
        return err_set(f->e, ERR_NOT_FOUND, "Not kept: the numbers began anew");
    }
    bus_keep_each(f->hub->keep, check_first, f);
    check_last(f);
    if (!f->failed)
        return 0;
    if (f->kept.last < 0)
        return err_set(f->e, ERR_NOT_FOUND,
                       "Not kept: the first one kept is %" PRIu64,
                       f->kept.first);
    return err_set(f->e, ERR_NOT_FOUND,
                   "Not kept: the newest number is %" PRId64
                   "; the bus may have begun anew",
                   f->kept.last);
}

static int
subscribe_own(struct bus_hub *h, const struct bus_asked *a,
              struct bus_kept *kept, struct err *e)
{
    struct from_number f = {.hub = h,
                            .peer = a->peer,
                            .pattern = a->pattern,
                            .after = (uint64_t)a->after,
                            .kept = {.last = -1},
                            .e = e};

    if (a->after >= 0 && check_after(&f, a->numbers) < 0) {
        *kept = f.kept;
        return -1;
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
        a->done(a, NULL, &e);
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
    struct bus_kept kept = {0};
    struct err e = {0};
    int rc;

    while (at && *at && !is_subscription_asked(*at, pattern, on))
        at = &(*at)->next;
    if (!at || !(a = *at))
        return;
    *at = a->next;
    rc = on ? subscribe_own(h, a, &kept, &e) : unsubscribe_own(h, a, &e);
    a->done(a, e.code == ERR_NOT_FOUND ? &kept : NULL, rc < 0 ? &e : NULL);
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
