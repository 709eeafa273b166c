/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_unsettled.h - messages of other nodes, from their turn until they are
 * delivered to all or stopped: those that come, and those that a node missed
 * while it was apart, which it reads when it joins anew. */
#ifndef WIRE_RELAY_UNSETTLED_H
#define WIRE_RELAY_UNSETTLED_H

#include "wire/relay_nodes.h"
#include "wire/relay_pending.h"

/* Reports a message of another node as published. */
void relay_unsettled_publish(struct relay_pendings *t, struct relay *r,
                             const struct relay_record *rec, uint64_t turn);
/* A record RELAY_SETTLED: reported where the message is not settled yet. */
void relay_unsettled_settle(struct relay_pendings *t, struct relay *r,
                            const struct relay_record *rec);
/* All of a node are settled, which delivers no more. */
void relay_unsettled_end(struct relay_pendings *t, struct relay *r,
                         const char *node);
/* All of nodes that are not there any more. */
void relay_unsettled_end_unknown(struct relay_pendings *t, struct relay *r,
                                 struct relay_nodes *nodes);
/* Any record that this node missed: messages are reported, those of its own
 * too, which it took for lost. What else was there is over. */
void relay_unsettled_catch_up(struct relay_pendings *t, struct relay *r,
                              const struct relay_record *rec, uint64_t turn);

#endif
