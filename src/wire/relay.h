/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay.h - how several servers of one bus act as one.
 *
 * A relay gives every subscriber its place in one order, and every message that
 * is to be numbered its turn in another; both are the same on all nodes. It
 * tells the nodes of each other's subscribers, and carries to the node of a
 * subscriber what is delivered to it, and back what it answers. The node that a
 * message was sent to delivers it: to its own subscribers itself, to others
 * through the relay.
 *
 * relay_alone_new is the relay of a node without others. */
#ifndef WIRE_RELAY_H
#define WIRE_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"

struct relay_bytes { /* borrowed */
    const char *p;
    size_t n;
};

enum relay_outcome { RELAY_GOES_ON, RELAY_STOPS, RELAY_FAILED };

/* A message, in its turn. topic is UTF-8 as it is; topic_json and payload are
 * JSON. */
struct relay_message {
    struct relay_bytes topic, topic_json, payload;
    uint64_t token; /* of the node that it was sent to; unique on that node */
    uint64_t turn;  /* set by the relay, as what follows; it only grows */
    bool own;       /* this is the node that it was sent to */
};

/* Called from the loop; published also by relay_publish. */
struct relay_events {
    /* A message has its turn: on each node, and in the same order on all. */
    void (*published)(void *arg, const struct relay_message *m);
    /* One that relay_publish has taken will not have a turn, since the other
     * nodes are out of reach: nobody gets it. */
    void (*lost)(void *arg, uint64_t token);
    /* A message of another node has been delivered to all, or was stopped. */
    void (*settled)(void *arg, uint64_t turn, bool stopped);
    /* A subscriber of another node began to get what a pattern matches, or gets
     * it no more; it is gone, as are all of a node that is. */
    void (*subscribed)(void *arg, uint64_t place, struct relay_bytes pattern,
                       bool on);
    void (*left)(void *arg, uint64_t place);
    /* What a place of this node has subscribed to, or no more, is known to all
     * nodes: what is published anywhere from now on reaches it. Reported once;
     * a relay without other nodes does so before relay_subscribe returns. */
    void (*effective)(void *arg, uint64_t place, struct relay_bytes pattern,
                      bool on);
    /* The others are out of reach, and all of theirs leave now: of what is
     * under way to them nobody will know. */
    void (*apart)(void *arg);
    /* This node has not read all that the others have: what it knew of them may
     * be over. turn is that of its join, or 0 before it has joined. */
    void (*anew)(void *arg, uint64_t turn);
    /* Append what a node that joins must know, such as the last number of each
     * topic. It goes in as many pieces as it takes, each of which counts by
     * itself: from is 0, and then what the call before returned; 0: that was
     * all. */
    size_t (*state)(void *arg, struct buf *out, size_t from);
    /* Take that of a node that joins, in its turn. False: what all nodes know
     * is what that one knows, and this one joins it. */
    bool (*restore)(void *arg, struct relay_bytes state);
    /* Take that of one that has joined, as it was in the turn in which this one
     * joins: it is so here too. */
    void (*adopt)(void *arg, struct relay_bytes state);
    /* What relay_deliver has carried is answered. */
    void (*answered)(void *arg, uint64_t delivery, enum relay_outcome outcome);
    /* Another node delivers the message of a turn, which may be still to come
     * here, to a subscriber of this one; relay_answer is to be called with this
     * handle once. text: as of relay_deliver. */
    void (*deliver)(void *arg, uint64_t place, uint64_t turn,
                    struct relay_bytes text, uint64_t handle);
    /* It cannot be reached (ERR_PEER), and what is published now waits or is
     * refused; or it can be again (why NULL). With another error something is
     * lost or dropped. */
    void (*trouble)(void *arg, const struct err *why);
};

struct relay;

/* What a relay does. Nothing waits: what takes a while is told by an event. */
struct relay_kind {
    void (*free)(struct relay *r);
    uint64_t (*place)(struct relay *r);
    int (*publish)(struct relay *r, const struct relay_message *m,
                   struct err *e);
    void (*settle)(struct relay *r, uint64_t turn, bool stopped);
    void (*subscribe)(struct relay *r, uint64_t place,
                      struct relay_bytes pattern, bool on);
    void (*leave)(struct relay *r, uint64_t place);
    void (*deliver)(struct relay *r, uint64_t place, uint64_t turn,
                    struct relay_bytes text, uint64_t delivery);
    void (*answer)(struct relay *r, uint64_t handle,
                   enum relay_outcome outcome);
};

/* The head of every relay, which a kind of relay puts first in its own struct.
 * The owner sets events and arg before the first call. */
struct relay {
    const struct relay_kind *kind;
    const struct relay_events *events;
    void *arg;
};

struct relay *relay_alone_new(struct err *e);

static inline void
relay_free(struct relay *r) /* accepts NULL */
{
    if (r)
        r->kind->free(r);
}

/* A place for a connection that came now: behind all there are. */
static inline uint64_t
relay_place(struct relay *r)
{
    return r->kind->place(r);
}

/* `published` follows, or has been called when this returns. ERR_PEER: the
 * other nodes cannot be reached. */
static inline int
relay_publish(struct relay *r, const struct relay_message *m, struct err *e)
{
    return r->kind->publish(r, m, e);
}

/* A message of this node is delivered to all, or stopped. */
static inline void
relay_settle(struct relay *r, uint64_t turn, bool stopped)
{
    r->kind->settle(r, turn, stopped);
}

/* `effective` follows, or has been called when this returns. */
static inline void
relay_subscribe(struct relay *r, uint64_t place, struct relay_bytes pattern,
                bool on)
{
    r->kind->subscribe(r, place, pattern, on);
}

static inline void
relay_leave(struct relay *r, uint64_t place)
{
    r->kind->leave(r, place);
}

/* text: the request for the subscriber up to its id, which that node adds. */
static inline void
relay_deliver(struct relay *r, uint64_t place, uint64_t turn,
              struct relay_bytes text, uint64_t delivery)
{
    r->kind->deliver(r, place, turn, text, delivery);
}

static inline void
relay_answer(struct relay *r, uint64_t handle, enum relay_outcome outcome)
{
    r->kind->answer(r, handle, outcome);
}

#endif
