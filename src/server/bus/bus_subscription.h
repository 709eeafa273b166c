/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_subscription.h - subscribes and unsubscribes, once all nodes know. */
#ifndef SERVER_BUS_BUS_SUBSCRIPTION_H
#define SERVER_BUS_BUS_SUBSCRIPTION_H

#include "server/bus/bus_hub.h"

/* What there is where a number is refused. */
struct bus_kept {
    uint64_t first; /* kept; of several topics the highest of theirs, so that
                       none of them refuses the one before it */
    int64_t last;   /* the newest number, where the one that was asked for is
                       still to come; else -1 */
};

/* What a peer asks of its subscriptions. `done` is called once, now or later,
 * unless the peer leaves: with NULL when it holds on all nodes. ERR_INVALID: it
 * has this pattern already, or to unsubscribe: has not. after: begin behind
 * this number (-1: with what comes from now on). ERR_NOT_FOUND: that is not
 * kept, is still to come, or is one of other numbers. */
struct bus_asked {
    struct bus_asked *next;
    struct bus_peer *peer;
    bool on;
    int64_t after;
    const char *numbers; /* their name, to which `after` belongs; "": it is not
                            known; NULL: nobody asks for it */
    void (*done)(const struct bus_asked *a, const struct bus_kept *kept,
                 const struct err *why); /* kept: NULL but with ERR_NOT_FOUND */
    struct bus_slice pattern;
    const char *id; /* of the request; all three are copied */
};

void bus_subscription_ask(struct bus_hub *h, const struct bus_asked *a);

/* The event `effective` of the relay, whose arg is the hub. */
void bus_subscription_holds(void *arg, uint64_t place,
                            struct relay_bytes pattern, bool on);
/* The peer is gone: what it asked for is dropped. */
void bus_subscription_forget(struct bus_peer *p);

#endif
