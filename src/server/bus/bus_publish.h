/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_publish.h - the messages of a bus, from their sender to their end.
 *
 * One goes to the relay, which gives all nodes the same order; when it comes
 * back it is numbered, kept and delivered, and its sender is answered when all
 * subscribers have. */
#ifndef SERVER_BUS_BUS_PUBLISH_H
#define SERVER_BUS_BUS_PUBLISH_H

#include "server/bus/bus_hub.h"

/* What a peer asks to be sent. topic: as it is; topic_json: with its quotes.
 * The request is answered, now or later. */
void bus_publish_send(struct bus_hub *h, struct bus_peer *p,
                      struct bus_slice id, struct bus_slice topic,
                      struct bus_slice topic_json, struct bus_slice payload);

/* A message of the bus's own, on a topic of n bytes. payload: one JSON value;
 * a bad one is dropped. */
void bus_publish_own(struct bus_hub *h, const char *topic, size_t n,
                     const struct buf *payload);

/* Events of the relay, whose arg is the hub: it is the message's turn; what was
 * sent under a token is lost; a message of another node has ended. */
void bus_publish_take(void *arg, const struct relay_message *m);
void bus_publish_lost(void *arg, uint64_t token);
void bus_publish_settled(void *arg, uint64_t turn, bool stopped);

/* The event `ended` of the deliveries, whose arg is the hub. */
void bus_publish_ended(void *arg, const struct bus_ended *how);

/* Drops what waits for its turn, or for its end on another node. */
void bus_publish_done(struct bus_hub *h);

#endif
