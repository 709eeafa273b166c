/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_nats.h - the relay of several nodes, which a NATS server joins.
 *
 * What is to have one order on all nodes goes through one stream of JetStream,
 * and takes effect where it comes back from there: messages, subscriptions,
 * nodes that join. What one node delivers to a subscriber of another goes
 * directly. A node that is silent for RELAY_DEAD_MS is declared dead in the
 * stream by whoever notices, and its subscribers have left. A node that loses
 * the server, or its place in the stream, forgets the others and joins anew;
 * meanwhile it takes no messages. What the others took meanwhile is published
 * to it before it has joined, where the stream has it still: of the last ten
 * minutes, and 128 MiB at most. Those that have joined tell it, as of the turn
 * of its join, what there is. The subscriptions of one that tells late are
 * taken when it does; where nobody else has told, this node joins anew. The
 * stream is in the server's files, for the nodes that are there or come back:
 * messages that nobody may lose are the owner's to keep. */
#ifndef WIRE_RELAY_NATS_H
#define WIRE_RELAY_NATS_H

#include "base/loop.h"
#include "wire/relay.h"

#define RELAY_DEAD_MS     4000
#define RELAY_MESSAGE_MAX ((1u << 20) - 1024) /* bytes; NATS takes 1 MiB */

/* bus: its name, of letters, digits, - and _; those of one name and one server
 * are one. After the owner has set events and arg, it begins by the loop. */
struct relay *relay_nats_new(struct loop *l, const char *url, const char *bus,
                             struct err *e);

#endif
