/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_delivery.h - delivers a message to its subscribers, one after another.
 *
 * The list of them is the one of the time at which the message came. Each has
 * BUS_ANSWER_MS to answer; one that errs, leaves or is late does not stop the
 * message. Messages go side by side: one that waits for a subscriber holds back
 * no other, except that of one numbered topic each subscriber gets the messages
 * in their order, those of other nodes too. A subscriber that does not read
 * gets nothing until it does. */
#ifndef SERVER_BUS_BUS_DELIVERY_H
#define SERVER_BUS_BUS_DELIVERY_H

#include "server/bus/bus_keep.h"
#include "server/bus/bus_route.h"

#define BUS_ANSWER_MS 30000

struct bus_deliveries;

/* How a message ended. */
struct bus_ended {
    struct bus_message *message;
    struct bus_peer *from; /* NULL: the bus itself */
    const char *id;        /* of its request */
    size_t id_n;
    size_t tried, failed; /* subscribers */
    bool stopped;
    bool unknown; /* whether subscribers of other nodes have got it */
    bool taken;   /* somebody else is to get it, by a replay */
};

struct bus_delivery_events {
    void (*ended)(void *arg, const struct bus_ended *how);
    /* Of a numbered topic: whether a replay will bring it to the peer; whether
     * one is under way, which comes first. */
    bool (*replay_has)(void *arg, const struct bus_peer *p,
                       const struct bus_message *m);
    bool (*replay_is_first)(void *arg, const struct bus_peer *p,
                            const struct bus_message *m);
    /* The peer did not read, and has not got this one of a numbered topic. */
    void (*missed)(void *arg, struct bus_peer *p, struct bus_message *m);
};

struct bus_deliveries *bus_deliveries_new(struct loop *l, struct relay *relay,
                                          const struct bus_delivery_events *ev,
                                          void *arg, struct err *e);
/* After all peers have left. Accepts NULL. */
void bus_deliveries_free(struct bus_deliveries *all);
DEFINE_CLEANUP(struct bus_deliveries, bus_deliveries_free)

/* Begins. Takes the reference of the message, and that of the route. `ended`
 * may be called before this returns. */
int bus_deliveries_start(struct bus_deliveries *all, struct bus_message *m,
                         struct bus_route *route, struct bus_peer *from,
                         const char *id, size_t id_n, struct err *e);

/* A message of another node has its turn: NULL where it has no number. What
 * that node delivers of it to a peer here waits for this. */
void bus_deliveries_expect(struct bus_deliveries *all, uint64_t turn,
                           struct bus_message *m);
/* That node is done with it; a peer here that waits for its turn gets it. */
void bus_deliveries_settled(struct bus_deliveries *all, uint64_t turn);
/* The other nodes are out of reach, and their peers are about to leave. */
void bus_deliveries_part(struct bus_deliveries *all);
/* Turns begin anew: nothing is expected, and what came before its message is
 * not sent. */
void bus_deliveries_apart(struct bus_deliveries *all);

/* A peer has answered, which is nothing where it owes no such answer. */
void bus_deliveries_answered(struct bus_deliveries *all, struct bus_peer *p,
                             uint64_t id, enum relay_outcome outcome);
/* The same of a peer of another node. */
void bus_deliveries_relayed(struct bus_deliveries *all, uint64_t id,
                            enum relay_outcome outcome);
/* A peer is gone; it reads again, or its replay is over. */
void bus_deliveries_left(struct bus_deliveries *all, struct bus_peer *p);
void bus_deliveries_room(struct bus_deliveries *all, struct bus_peer *p);

/* An id for a request of the bus's; and sends one to a peer that is there. */
uint64_t bus_deliveries_next_id(struct bus_deliveries *all);
void bus_deliveries_send(struct bus_deliveries *all, struct bus_peer *p,
                         const struct bus_message *m, uint64_t id);

struct bus_delivery_counts {
    uint64_t delivered, failed, late, stopped;
    size_t flying;
};
struct bus_delivery_counts
bus_deliveries_count(const struct bus_deliveries *all);

#endif
