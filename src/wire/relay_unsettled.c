/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_unsettled.c - messages of other nodes, until they are delivered to all
 * or stopped. */
#include "wire/relay_unsettled.h"

#include <string.h>

void
relay_unsettled_publish(struct relay_pendings *t, struct relay *r,
                        const struct relay_record *rec, uint64_t turn)
{
    struct relay_message m = {.topic = rec->parts[0],
                              .topic_json = rec->parts[1],
                              .payload = rec->parts[2],
                              .token = rec->a,
                              .turn = turn};

    if (relay_pendings_add(t, turn, rec->node, 0))
        r->events->published(r->arg, &m);
}

void
relay_unsettled_settle(struct relay_pendings *t, struct relay *r,
                       const struct relay_record *rec)
{
    struct relay_pending *p = relay_pendings_find(t, rec->a);

    if (!p || strcmp(p->node, rec->node) != 0)
        return;
    relay_pendings_remove(t, p);
    r->events->settled(r->arg, rec->a, rec->b != 0);
}

void
relay_unsettled_end(struct relay_pendings *t, struct relay *r, const char *node)
{
    struct relay_pendings over = {0};

    relay_pendings_move(t, node, &over);
    for (const struct relay_pending *p = over.oldest; p; p = p->newer)
        r->events->settled(r->arg, p->id, false);
    relay_pendings_done(&over);
}

void
relay_unsettled_end_unknown(struct relay_pendings *t, struct relay *r,
                            struct relay_nodes *nodes)
{
    struct relay_pending *p = t->oldest;

    while (p) {
        char node[RELAY_NODE_SIZE];

        memcpy(node, p->node, sizeof(node));
        if (relay_nodes_find(nodes, node)) {
            p = p->newer;
        } else {
            relay_unsettled_end(t, r, node);
            p = t->oldest;
        }
    }
}

void
relay_unsettled_catch_up(struct relay_pendings *t, struct relay *r,
                         const struct relay_record *rec, uint64_t turn)
{
    switch (rec->kind) {
    case RELAY_MESSAGE:
        relay_unsettled_publish(t, r, rec, turn);
        break;
    case RELAY_SETTLED:
        relay_unsettled_settle(t, r, rec);
        break;
    case RELAY_DEAD:
        relay_unsettled_end(t, r, rec->other);
        break;
    case RELAY_JOIN:
        relay_unsettled_end(t, r, rec->node);
        if (rec->parts[0].n > 0)
            (void)r->events->restore(r->arg, rec->parts[0]);
        break;
    case RELAY_KNOWN:
        (void)r->events->restore(r->arg, rec->parts[0]);
        break;
    default:
        break;
    }
}
