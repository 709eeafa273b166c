/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_route.c - who subscribed to what, and so who gets a topic's messages. */
#include "server/bus/bus_route.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/bus/bus_topic.h"

#define PATTERN_LISTS 4096u   /* by the hash of a pattern */
#define CACHED_LISTS  1024u   /* by the hash of a topic */
#define CACHED_MAX    4096u   /* topics whose subscribers are remembered … */
#define CACHED_PEERS  262144u /* … and of all of them together */

/* A pattern, with all who subscribed to it in the order of their places. */
struct bus_pattern {
    struct bus_pattern *next; /* with the same hash */
    struct bus_pattern *prev_wild, *next_wild;
    uint64_t hash;
    struct bus_peer **peers;
    size_t n, max;
    size_t text_n;
    char text[];
};

struct cached_route {
    struct cached_route *next;
    uint64_t hash;
    struct bus_route *route;
    size_t n;
    char topic[];
};

struct bus_routes {
    struct bus_pattern *patterns[PATTERN_LISTS];
    struct bus_pattern *wild; /* those that match more than themselves */
    size_t n_patterns, n_subscriptions;
    struct cached_route *cached[CACHED_LISTS];
    size_t n_cached, n_cached_peers;
};

struct bus_routes *
bus_routes_new(struct err *e)
{
    struct bus_routes *r = calloc(1, sizeof(*r));

    if (!r)
        err_nomem(e);
    return r;
}

void
bus_route_unref(struct bus_route *route)
{
    if (!route || --route->refs > 0)
        return;
    for (size_t i = 0; i < route->n; i++)
        bus_peer_unref(route->peers[i]);
    free(route);
}

/* Subscriptions have changed. */
static void
forget_routes(struct bus_routes *r)
{
    if (r->n_cached == 0)
        return;
    for (size_t i = 0; i < CACHED_LISTS; i++) {
        struct cached_route *c = r->cached[i];

        r->cached[i] = NULL;
        while (c) {
            struct cached_route *next = c->next;

            bus_route_unref(c->route);
            free(c);
            c = next;
        }
    }
    r->n_cached = r->n_cached_peers = 0;
}

void
bus_routes_free(struct bus_routes *r)
{
    if (!r)
        return;
    forget_routes(r);
    free(r);
}

static struct bus_pattern *
find_pattern(const struct bus_routes *r, const char *text, size_t n)
{
    uint64_t hash = bus_topic_hash(text, n);
    struct bus_pattern *pat = r->patterns[hash % PATTERN_LISTS];

    while (pat && (pat->hash != hash || pat->text_n != n ||
                   memcmp(pat->text, text, n) != 0))
        pat = pat->next;
    return pat;
}

static struct bus_pattern *
new_pattern_entry(struct bus_routes *r, const char *text, size_t n,
                  struct err *e)
{
    struct bus_pattern *pat = calloc(1, sizeof(*pat) + n + 1);

    if (!pat) {
        err_nomem(e);
        return NULL;
    }
    memcpy(pat->text, text, n);
    pat->text_n = n;
    pat->hash = bus_topic_hash(text, n);
    pat->next = r->patterns[pat->hash % PATTERN_LISTS];
    r->patterns[pat->hash % PATTERN_LISTS] = pat;
    if (bus_topic_kind(text, n) != BUS_TOPIC_ITSELF) {
        pat->next_wild = r->wild;
        if (r->wild)
            r->wild->prev_wild = pat;
        r->wild = pat;
    }
    r->n_patterns++;
    return pat;
}

static void
drop_pattern(struct bus_routes *r, struct bus_pattern *pat)
{
    struct bus_pattern **at = &r->patterns[pat->hash % PATTERN_LISTS];

    while (*at != pat)
        at = &(*at)->next;
    *at = pat->next;
    if (pat->next_wild)
        pat->next_wild->prev_wild = pat->prev_wild;
    if (pat->prev_wild)
        pat->prev_wild->next_wild = pat->next_wild;
    else if (r->wild == pat)
        r->wild = pat->next_wild;
    r->n_patterns--;
    free(pat->peers);
    free(pat);
}

/* Where a place is among the peers of a pattern, or would be. */
static size_t
find_place(const struct bus_pattern *pat, uint64_t place)
{
    size_t low = 0, high = pat->n;

    if (pat->n > 0 && pat->peers[pat->n - 1]->place < place)
        return pat->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (pat->peers[middle]->place < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Room for one more pointer. */
static int
grow_pointers(void *array, size_t n, size_t *max, struct err *e)
{
    size_t more = *max ? *max * 2 : 1;
    void **at = array, *grown;

    if (n < *max)
        return 0;
    grown = realloc(*at, more * sizeof(void *));
    if (!grown)
        return err_nomem(e);
    *at = grown;
    *max = more;
    return 0;
}

int
bus_routes_subscribe(struct bus_routes *r, struct bus_peer *p,
                     const char *pattern, size_t n, struct err *e)
{
    struct bus_pattern *pat = find_pattern(r, pattern, n);
    size_t at = pat ? find_place(pat, p->place) : 0;

    if (pat && at < pat->n && pat->peers[at] == p)
        return err_set(e, ERR_INVALID, "Already subscribed to this topic");
    if (p->n_patterns >= BUS_PATTERNS_MAX)
        return err_set(e, ERR_NOMEM, "at most %d subscriptions",
                       BUS_PATTERNS_MAX);
    if (grow_pointers(&p->patterns, p->n_patterns, &p->max_patterns, e) < 0 ||
        (!pat && !(pat = new_pattern_entry(r, pattern, n, e))))
        return -1;
    if (grow_pointers(&pat->peers, pat->n, &pat->max, e) < 0) {
        if (pat->n == 0)
            drop_pattern(r, pat);
        return -1;
    }
    memmove(pat->peers + at + 1, pat->peers + at,
            (pat->n - at) * sizeof(*pat->peers));
    pat->peers[at] = p;
    pat->n++;
    p->patterns[p->n_patterns++] = pat;
    r->n_subscriptions++;
    forget_routes(r);
    return 0;
}

/* The peer's i-th pattern. */
static void
unsubscribe_one(struct bus_routes *r, struct bus_peer *p, size_t i)
{
    struct bus_pattern *pat = p->patterns[i];
    size_t at = find_place(pat, p->place);

    pat->n--;
    memmove(pat->peers + at, pat->peers + at + 1,
            (pat->n - at) * sizeof(*pat->peers));
    p->patterns[i] = p->patterns[--p->n_patterns];
    r->n_subscriptions--;
    if (pat->n == 0)
        drop_pattern(r, pat);
    forget_routes(r);
}

bool
bus_routes_unsubscribe(struct bus_routes *r, struct bus_peer *p,
                       const char *pattern, size_t n)
{
    for (size_t i = 0; i < p->n_patterns; i++) {
        if (p->patterns[i]->text_n == n &&
            memcmp(p->patterns[i]->text, pattern, n) == 0) {
            unsubscribe_one(r, p, i);
            return true;
        }
    }
    return false;
}

void
bus_routes_leave(struct bus_routes *r, struct bus_peer *p)
{
    while (p->n_patterns > 0)
        unsubscribe_one(r, p, p->n_patterns - 1);
}

bool
bus_routes_has(const struct bus_peer *p, const char *topic, size_t n)
{
    for (size_t i = 0; i < p->n_patterns; i++)
        if (bus_topic_matches(p->patterns[i]->text, p->patterns[i]->text_n,
                              topic, n))
            return true;
    return false;
}

static int
compare_places(const void *a, const void *b)
{
    const struct bus_peer *const *x = a, *const *y = b;

    return (*x)->place < (*y)->place ? -1 : (*x)->place > (*y)->place;
}

/* The patterns that match a topic: how many peers they have together; with
 * `out` their peers are added to it. */
static size_t
gather_peers(const struct bus_routes *r, const char *topic, size_t n,
             struct bus_route *out, size_t *patterns)
{
    const struct bus_pattern *pat = find_pattern(r, topic, n);
    size_t total = 0;

    *patterns = 0;
    if (pat && bus_topic_kind(topic, n) != BUS_TOPIC_ITSELF)
        pat = NULL; /* is found below */
    for (const struct bus_pattern *wild = r->wild; wild || pat;) {
        const struct bus_pattern *one = pat ? pat : wild;

        if (pat || bus_topic_matches(one->text, one->text_n, topic, n)) {
            total += one->n;
            ++*patterns;
            for (size_t i = 0; out && i < one->n; i++)
                out->peers[out->n++] = one->peers[i];
        }
        if (pat)
            pat = NULL;
        else
            wild = wild->next_wild;
    }
    return total;
}

static struct bus_route *
make_route(const struct bus_routes *r, const char *topic, size_t n,
           struct err *e)
{
    size_t patterns, total = gather_peers(r, topic, n, NULL, &patterns), to = 0;
    struct bus_route *route = malloc(sizeof(*route) +
                                     total * sizeof(struct bus_peer *));

    if (!route) {
        err_nomem(e);
        return NULL;
    }
    route->refs = 1;
    route->n = 0;
    (void)gather_peers(r, topic, n, route, &patterns);
    if (patterns > 1)
        qsort(route->peers, route->n, sizeof(struct bus_peer *),
              compare_places);
    for (size_t i = 0; i < route->n; i++)
        if (i == 0 || route->peers[i] != route->peers[to - 1])
            route->peers[to++] = route->peers[i];
    route->n = to;
    for (size_t i = 0; i < route->n; i++)
        (void)bus_peer_ref(route->peers[i]);
    return route;
}

/* Without memory it is not remembered. */
static void
remember_route(struct bus_routes *r, const char *topic, size_t n, uint64_t hash,
               struct bus_route *route)
{
    struct cached_route *c;

    if (r->n_cached >= CACHED_MAX ||
        r->n_cached_peers + route->n > CACHED_PEERS)
        forget_routes(r);
    if (!(c = malloc(sizeof(*c) + n)))
        return;
    c->hash = hash;
    c->route = route;
    route->refs++;
    c->n = n;
    memcpy(c->topic, topic, n);
    c->next = r->cached[hash % CACHED_LISTS];
    r->cached[hash % CACHED_LISTS] = c;
    r->n_cached++;
    r->n_cached_peers += route->n;
}

struct bus_route *
bus_routes_find(struct bus_routes *r, const char *topic, size_t n,
                struct err *e)
{
    uint64_t hash = bus_topic_hash(topic, n);
    struct bus_route *route;

    for (struct cached_route *c = r->cached[hash % CACHED_LISTS]; c;
         c = c->next) {
        if (c->hash == hash && c->n == n && memcmp(c->topic, topic, n) == 0) {
            c->route->refs++;
            return c->route;
        }
    }
    route = make_route(r, topic, n, e);
    if (route)
        remember_route(r, topic, n, hash, route);
    return route;
}

struct bus_route_counts
bus_routes_count(const struct bus_routes *r)
{
    return (struct bus_route_counts){r->n_patterns, r->n_subscriptions};
}
