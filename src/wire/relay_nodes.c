/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_nodes.c - which nodes there are, and what their subscribers get. */
#include "wire/relay_nodes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include <time.h>

#define BUCKETS    4096u /* a power of two */
#define PLACE_BITS 12    /* of a place, that tell nodes apart */

struct relay_nodes {
    struct relay_node *first;
    size_t n;
    char buried[RELAY_NODES_MAX][RELAY_NODE_SIZE];
    size_t n_buried; /* ever; the oldest are written over */
    struct relay_place *buckets[BUCKETS];
};

static struct relay_place **
place_bucket(struct relay_nodes *all, uint64_t place)
{
    return &all->buckets[(place ^ place >> 12 ^ place >> 24) & (BUCKETS - 1)];
}

struct relay_nodes *
relay_nodes_new(struct err *e)
{
    struct relay_nodes *all = calloc(1, sizeof(*all));

    if (!all)
        err_nomem(e);
    return all;
}

void
relay_nodes_free(struct relay_nodes *all)
{
    if (!all)
        return;
    while (all->first)
        relay_nodes_remove(all, all->first);
    free(all);
}

struct relay_node *
relay_nodes_first(struct relay_nodes *all)
{
    return all->first;
}

struct relay_node *
relay_nodes_find(struct relay_nodes *all, const char *name)
{
    for (struct relay_node *node = all->first; node; node = node->next)
        if (strcmp(node->name, name) == 0)
            return node;
    return NULL;
}

struct relay_node *
relay_nodes_add(struct relay_nodes *all, const char *name, struct err *e)
{
    struct relay_node *node = relay_nodes_find(all, name);

    if (node)
        return node;
    if (all->n == RELAY_NODES_MAX) {
        err_set(e, ERR_NOMEM, "more than %d nodes", RELAY_NODES_MAX);
        return NULL;
    }
    if (!(node = calloc(1, sizeof(*node)))) {
        err_nomem(e);
        return NULL;
    }
    buf_init(&node->list, RELAY_LIST_MAX);
    snprintf(node->name, sizeof(node->name), "%s", name);
    node->heard_ms = clock_ms();
    node->next = all->first;
    all->first = node;
    all->n++;
    return node;
}

bool
relay_nodes_have_reported(const struct relay_nodes *all,
                          const struct relay_node *self)
{
    bool any = false;

    for (const struct relay_node *node = all->first; node; node = node->next) {
        if (node == self)
            continue;
        if (!node->has_reported)
            return false;
        any = true;
    }
    return any;
}

bool
relay_nodes_owe_report(const struct relay_nodes *all,
                       const struct relay_node *self)
{
    const struct relay_node *node = all->first;

    while (node && (node == self || !node->is_there || node->has_reported))
        node = node->next;
    return node != NULL;
}

void
relay_nodes_bury(struct relay_nodes *all, const char *name)
{
    snprintf(all->buried[all->n_buried++ % RELAY_NODES_MAX], RELAY_NODE_SIZE,
             "%s", name);
}

bool
relay_nodes_have_buried(const struct relay_nodes *all, const char *name)
{
    for (size_t i = 0; i < all->n_buried && i < RELAY_NODES_MAX; i++)
        if (strcmp(all->buried[i], name) == 0)
            return true;
    return false;
}

void
relay_nodes_forget_buried(struct relay_nodes *all)
{
    all->n_buried = 0;
}

static void
free_patterns(struct relay_place *place)
{
    while (place->patterns) {
        struct relay_pattern *p = place->patterns;

        place->patterns = p->next;
        free(p);
    }
}

void
relay_nodes_leave(struct relay_nodes *all, struct relay_place *place)
{
    struct relay_place **at = place_bucket(all, place->place);

    while (*at != place)
        at = &(*at)->same;
    *at = place->same;
    *(place->prev ? &place->prev->next : &place->node->places) = place->next;
    if (place->next)
        place->next->prev = place->prev;
    free_patterns(place);
    free(place);
}

void
relay_nodes_remove(struct relay_nodes *all, struct relay_node *node)
{
    struct relay_node **at = &all->first;

    while (node->places)
        relay_nodes_leave(all, node->places);
    while (*at != node)
        at = &(*at)->next;
    *at = node->next;
    all->n--;
    buf_done(&node->list);
    free(node);
}

uint64_t
relay_nodes_next_place(const char *name, uint64_t last)
{
    struct timespec now;
    uint64_t place;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    place = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
    place = place << PLACE_BITS |
            (strtoul(name + RELAY_NODE_SIZE - 4, NULL, 16) &
             ((1u << PLACE_BITS) - 1));
    while (place <= last)
        place += 1u << PLACE_BITS;
    return place;
}

struct relay_place *
relay_nodes_place(struct relay_nodes *all, uint64_t place)
{
    struct relay_place *p = *place_bucket(all, place);

    while (p && p->place != place)
        p = p->same;
    return p;
}

static struct relay_place *
add_relay_place(struct relay_nodes *all, struct relay_node *node,
                uint64_t place, struct err *e)
{
    struct relay_place **at = place_bucket(all, place);
    struct relay_place *p = calloc(1, sizeof(*p));

    if (!p) {
        err_nomem(e);
        return NULL;
    }
    p->node = node;
    p->place = place;
    p->next = node->places;
    if (p->next)
        p->next->prev = p;
    node->places = p;
    p->same = *at;
    *at = p;
    return p;
}

struct relay_pattern *
relay_nodes_pattern(struct relay_place *place, struct relay_bytes pattern)
{
    struct relay_pattern *p = place->patterns;

    while (p && (p->n != pattern.n || memcmp(p->bytes, pattern.p, p->n) != 0))
        p = p->next;
    return p;
}

struct relay_pattern *
relay_nodes_subscribe(struct relay_nodes *all, struct relay_node *node,
                      uint64_t place, struct relay_bytes pattern, struct err *e)
{
    struct relay_place *at = relay_nodes_place(all, place);
    struct relay_pattern *p;

    if (!at && !(at = add_relay_place(all, node, place, e)))
        return NULL;
    if (at->node != node) {
        err_set(e, ERR_INVALID,
                "node %s sent a subscription of a place of node %s", node->name,
                at->node->name);
        return NULL;
    }
    if ((p = relay_nodes_pattern(at, pattern)) != NULL)
        return p;
    if (!(p = calloc(1, sizeof(*p) + pattern.n + 1))) {
        err_nomem(e);
        return NULL;
    }
    p->n = pattern.n;
    if (pattern.n > 0)
        memcpy(p->bytes, pattern.p, pattern.n);
    p->next = at->patterns;
    at->patterns = p;
    return p;
}

void
relay_nodes_unsubscribe(struct relay_place *place, struct relay_bytes pattern)
{
    struct relay_pattern *p = relay_nodes_pattern(place, pattern);
    struct relay_pattern **at = &place->patterns;

    if (!p)
        return;
    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    free(p);
}

void
relay_nodes_take(struct relay_nodes *all, struct relay *r,
                 struct relay_node *node, const struct relay_record *rec)
{
    struct relay_place *at = relay_nodes_place(all, rec->a);

    if (at && at->node != node)
        return;
    if (rec->kind == RELAY_SUBSCRIBE) {
        if (relay_nodes_subscribe(all, node, rec->a, rec->parts[0], NULL))
            r->events->subscribed(r->arg, rec->a, rec->parts[0], true);
    } else if (rec->kind == RELAY_UNSUBSCRIBE && at) {
        relay_nodes_unsubscribe(at, rec->parts[0]);
        r->events->subscribed(r->arg, rec->a, rec->parts[0], false);
    } else if (rec->kind == RELAY_LEAVE && at) {
        relay_nodes_leave(all, at);
        r->events->left(r->arg, rec->a);
    }
}

void
relay_nodes_put(const struct relay_node *node, struct buf *out)
{
    for (const struct relay_place *at = node->places; at; at = at->next)
        for (const struct relay_pattern *p = at->patterns; p; p = p->next)
            if (p->effective) {
                buf_printf(out, "%" PRIu64 " %zu\n", at->place, p->n);
                buf_add(out, p->bytes, p->n);
            }
}

bool
relay_nodes_read(struct relay_bytes list,
                 void (*cb)(void *arg, uint64_t place,
                            struct relay_bytes pattern),
                 void *arg)
{
    const char *at = list.p, *end = list.p + list.n;

    while (at < end) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        uint64_t place;
        char *rest;
        size_t n;

        if (!line || *at < '0' || *at > '9')
            return false;
        place = strtoull(at, &rest, 10);
        if (*rest != ' ' || rest[1] < '0' || rest[1] > '9')
            return false;
        n = strtoull(rest + 1, &rest, 10);
        if (rest != line || n > (size_t)(end - line - 1))
            return false;
        cb(arg, place, (struct relay_bytes){line + 1, n});
        at = line + 1 + n;
    }
    return true;
}

void
relay_nodes_add_names(struct relay_nodes *all, struct relay_bytes names,
                      int64_t now_ms)
{
    const char *at = names.p, *end = names.p + names.n;

    while (at < end) {
        size_t n = strcspn(at, " ");
        char name[RELAY_NODE_SIZE];
        struct relay_node *node;

        if (n >= sizeof(name) || n >= (size_t)(end - at))
            return;
        memcpy(name, at, n);
        name[n] = '\0';
        at += n + 1;
        node = n > 0 ? relay_nodes_add(all, name, NULL) : NULL;
        if (node)
            node->heard_ms = now_ms;
    }
}
