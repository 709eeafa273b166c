/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_pending.c - what a node waits for, by numbers: a table of them. */
#include "wire/relay_pending.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

#define PENDING_BUCKETS 1024u /* a power of two */

void
relay_pendings_done(struct relay_pendings *t)
{
    while (t->oldest)
        relay_pendings_remove(t, t->oldest);
    free(t->buckets);
    t->buckets = NULL;
}

static struct relay_pending **
pending_bucket(const struct relay_pendings *t, uint64_t id)
{
    return &t->buckets[id & (PENDING_BUCKETS - 1)];
}

struct relay_pending *
relay_pendings_add(struct relay_pendings *t, uint64_t id, const char *node,
                   uint64_t theirs)
{
    struct relay_pending *p, **at;

    if (!t->buckets &&
        !(t->buckets = calloc(PENDING_BUCKETS, sizeof(struct relay_pending *))))
        return NULL;
    if (!(p = calloc(1, sizeof(*p))))
        return NULL;
    p->id = id;
    p->theirs = theirs;
    p->since_ms = clock_ms();
    snprintf(p->node, sizeof(p->node), "%s", node);
    at = pending_bucket(t, id);
    p->next = *at;
    *at = p;
    p->older = t->newest;
    *(t->newest ? &t->newest->newer : &t->oldest) = p;
    t->newest = p;
    t->n++;
    return p;
}

struct relay_pending *
relay_pendings_find(const struct relay_pendings *t, uint64_t id)
{
    struct relay_pending *p = t->buckets ? *pending_bucket(t, id) : NULL;

    while (p && p->id != id)
        p = p->next;
    return p;
}

void
relay_pendings_remove(struct relay_pendings *t, struct relay_pending *p)
{
    struct relay_pending **at = pending_bucket(t, p->id);

    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    *(p->older ? &p->older->newer : &t->oldest) = p->newer;
    *(p->newer ? &p->newer->older : &t->newest) = p->older;
    t->n--;
    free(p);
}

struct relay_pending *
relay_pendings_of(const struct relay_pendings *t, const char *node)
{
    struct relay_pending *p = t->oldest;

    while (p && node && strcmp(p->node, node) != 0)
        p = p->newer;
    return p;
}
