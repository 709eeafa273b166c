/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_carried.c - messages that one node delivers to a subscriber of another.
 */
#include "wire/relay_carried.h"

#include <stdlib.h>
#include <string.h>

void
relay_carried_done(struct relay_carried *c)
{
    relay_pendings_done(&c->to_others);
    relay_pendings_done(&c->owed);
}

static void
take_delivery(struct relay_carried *c, struct relay *r,
              const struct relay_record *rec)
{
    uint64_t handle = ++c->handles;

    if (relay_pendings_add(&c->owed, handle, rec->node, rec->a))
        r->events->deliver(r->arg, rec->b, strtoull(rec->parts[1].p, NULL, 10),
                           rec->parts[0], handle);
}

static void
take_relayed_answer_record(struct relay_carried *c, struct relay *r,
                           const struct relay_record *rec)
{
    struct relay_pending *p = relay_pendings_find(&c->to_others, rec->a);

    if (!p || strcmp(p->node, rec->node) != 0 || rec->b > RELAY_FAILED)
        return;
    relay_pendings_remove(&c->to_others, p);
    r->events->answered(r->arg, rec->a, (enum relay_outcome)rec->b);
}

void
relay_carried_take(struct relay_carried *c, struct relay *r,
                   const struct relay_record *rec)
{
    if (rec->kind == RELAY_DELIVER)
        take_delivery(c, r, rec);
    else if (rec->kind == RELAY_ANSWER)
        take_relayed_answer_record(c, r, rec);
}

void
relay_carried_end(struct relay_carried *c, struct relay *r, const char *node)
{
    struct relay_pendings failed = {0}, dropped = {0};

    relay_pendings_move(&c->to_others, node, &failed);
    for (const struct relay_pending *p = failed.oldest; p; p = p->newer)
        r->events->answered(r->arg, p->id, RELAY_FAILED);
    relay_pendings_done(&failed);
    relay_pendings_move(&c->owed, node, &dropped);
    relay_pendings_done(&dropped);
}

bool
relay_carried_answer(struct relay_carried *c, uint64_t handle,
                     enum relay_outcome outcome, struct relay_record *rec,
                     char node[RELAY_NODE_SIZE])
{
    struct relay_pending *p = relay_pendings_find(&c->owed, handle);

    if (!p)
        return false;
    *rec = (struct relay_record){
        .kind = RELAY_ANSWER, .a = p->theirs, .b = outcome};
    memcpy(node, p->node, RELAY_NODE_SIZE);
    relay_pendings_remove(&c->owed, p);
    return true;
}
