/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_carried.h - messages that one node delivers to a subscriber of another:
 * to other nodes, until they are answered, and for them, until they are. */
#ifndef WIRE_RELAY_CARRIED_H
#define WIRE_RELAY_CARRIED_H

#include "wire/relay_pending.h"

/* Zeroed: none. */
struct relay_carried {
    struct relay_pendings to_others; /* by their delivery */
    struct relay_pendings owed;      /* by the handle that was given here */
    uint64_t handles;
};

void relay_carried_done(struct relay_carried *c);

/* A record that a node has sent this one: a delivery, or an answer. */
void relay_carried_take(struct relay_carried *c, struct relay *r,
                        const struct relay_record *rec);
/* The node is no more: what it was to answer has failed, and nobody waits for
 * what was to be answered to it. */
void relay_carried_end(struct relay_carried *c, struct relay *r,
                       const char *node);
/* Makes the record that answers a handle, and the name of the node that it is
 * for. False: that node is no more. */
bool relay_carried_answer(struct relay_carried *c, uint64_t handle,
                          enum relay_outcome outcome, struct relay_record *rec,
                          char node[RELAY_NODE_SIZE]);

#endif
