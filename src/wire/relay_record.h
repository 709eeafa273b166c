/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_record.h - what the nodes of a bus write to each other.
 *
 * A line of words and numbers, then parts of any bytes. The kinds that take a
 * turn are in the stream, and come to all nodes in one order; the others go
 * from node to node. */
#ifndef WIRE_RELAY_RECORD_H
#define WIRE_RELAY_RECORD_H

#include "base/buf.h"
#include "wire/relay.h"

#define RELAY_NODE_SIZE    17 /* of a node's name, with its NUL */
#define RELAY_RECORD_PARTS 3
#define RELAY_RECORD_HEAD  256 /* bytes, at most, before the parts */

enum relay_record_kind {
    /* in the stream */
    RELAY_JOIN = 'J',      /* a node begins, or begins anew. parts: what
                              the bus knows there */
    RELAY_STATE = 'S',     /* for one that joins. parts: subscriptions; the
                              names of nodes; the bus's own. a: the node has
                              joined itself, else it will tell when it has;
                              b: it is the last */
    RELAY_KNOWN = 'K',     /* before a join. parts: a piece of the same */
    RELAY_ALIVE = 'A',     /* a node lives */
    RELAY_DEAD = 'D',      /* `other` does no more, or leaves */
    RELAY_SUBSCRIBE = '+', /* a: the place; parts: the pattern */
    RELAY_UNSUBSCRIBE = '-',
    RELAY_LEAVE = 'L',   /* a: the place */
    RELAY_MESSAGE = 'M', /* a: the token; b: the stream that it is for, 0: any;
                            parts: topic, topic_json, payload */
    RELAY_SETTLED = 'X', /* a: the turn; b: whether it was stopped */
    RELAY_CHANGES = 'B', /* of gateways. a: the epoch; b: counts them; parts:
                            a list */
    /* to one node */
    RELAY_DELIVER = 'd', /* a: the delivery; b: the place; parts: the text, and
                            the turn in digits */
    RELAY_ANSWER = 'a',  /* a: the delivery; b: the outcome */
};

struct relay_record {
    enum relay_record_kind kind;
    char node[RELAY_NODE_SIZE], other[RELAY_NODE_SIZE]; /* "-": none */
    uint64_t a, b;
    struct relay_bytes parts[RELAY_RECORD_PARTS]; /* borrowed */
};

void relay_record_put(struct buf *out, const struct relay_record *r);
/* False: it is none. The parts point into bytes, which a NUL follows. */
bool relay_record_read(const char *bytes, size_t n, struct relay_record *out);

#endif
