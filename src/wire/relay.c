/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay.c - the relay of a node without others. */
#include "wire/relay.h"

#include <stdlib.h>

struct relay_alone {
    struct relay head;
    uint64_t places, turns;
};

static void
free_alone(struct relay *r)
{
    free(r);
}

static uint64_t
place_alone(struct relay *r)
{
    struct relay_alone *own = (struct relay_alone *)r;

    return ++own->places;
}

static int
publish_here(struct relay *r, const struct relay_message *m, struct err *e)
{
    struct relay_alone *own = (struct relay_alone *)r;
    struct relay_message in_turn = *m;

    (void)e;
    in_turn.turn = ++own->turns;
    in_turn.own = true;
    r->events->published(r->arg, &in_turn);
    return 0;
}

static void
settle_nowhere(struct relay *r, uint64_t turn, bool stopped)
{
    (void)r;
    (void)turn;
    (void)stopped;
}

static void
subscribe_here(struct relay *r, uint64_t place, struct relay_bytes pattern,
               bool on)
{
    r->events->effective(r->arg, place, pattern, on);
}

static void
leave_nowhere(struct relay *r, uint64_t place)
{
    (void)r;
    (void)place;
}

/* There is no subscriber elsewhere. */
static void
deliver_nowhere(struct relay *r, uint64_t place, uint64_t turn,
                struct relay_bytes text, uint64_t delivery)
{
    (void)place;
    (void)turn;
    (void)text;
    r->events->answered(r->arg, delivery, RELAY_FAILED);
}

static void
answer_nobody(struct relay *r, uint64_t handle, enum relay_outcome outcome)
{
    (void)r;
    (void)handle;
    (void)outcome;
}

struct relay *
relay_alone_new(struct err *e)
{
    static const struct relay_kind kind = {.free = free_alone,
                                           .place = place_alone,
                                           .publish = publish_here,
                                           .settle = settle_nowhere,
                                           .subscribe = subscribe_here,
                                           .leave = leave_nowhere,
                                           .deliver = deliver_nowhere,
                                           .answer = answer_nobody};
    struct relay_alone *own = calloc(1, sizeof(*own));

    if (!own) {
        err_nomem(e);
        return NULL;
    }
    own->head.kind = &kind;
    return &own->head;
}
