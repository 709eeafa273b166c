/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_pending.c - what a node waits for, by numbers: a table of them. */
#include "wire/relay_pending.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

void
relay_pendings_done(struct relay_pendings *t)
{
    while (t->oldest)
        relay_pendings_remove(t, t->oldest);
    id_table_done(&t->by_id);
}

static void
append_pending(struct relay_pendings *t, struct relay_pending *p)
{
    id_table_add(&t->by_id, &p->by_id, p->id, p);
    p->older = t->newest;
    p->newer = NULL;
    *(t->newest ? &t->newest->newer : &t->oldest) = p;
    t->newest = p;
}

static void
take_out_pending(struct relay_pendings *t, struct relay_pending *p)
{
    id_table_remove(&t->by_id, &p->by_id);
    *(p->older ? &p->older->newer : &t->oldest) = p->newer;
    *(p->newer ? &p->newer->older : &t->newest) = p->older;
}

struct relay_pending *
relay_pendings_add(struct relay_pendings *t, uint64_t id, const char *node,
                   uint64_t theirs)
{
    struct relay_pending *p = calloc(1, sizeof(*p));

    if (!p)
        return NULL;
    p->id = id;
    p->theirs = theirs;
    p->since_ms = clock_ms();
    snprintf(p->node, sizeof(p->node), "%s", node);
    append_pending(t, p);
    return p;
}

struct relay_pending *
relay_pendings_find(const struct relay_pendings *t, uint64_t id)
{
    return id_table_find(&t->by_id, id);
}

void
relay_pendings_remove(struct relay_pendings *t, struct relay_pending *p)
{
    take_out_pending(t, p);
    free(p);
}

void
relay_pendings_move(struct relay_pendings *t, const char *node,
                    struct relay_pendings *to)
{
    for (struct relay_pending *p = t->oldest, *newer; p; p = newer) {
        newer = p->newer;
        if (strcmp(p->node, node) != 0)
            continue;
        take_out_pending(t, p);
        append_pending(to, p);
    }
}
