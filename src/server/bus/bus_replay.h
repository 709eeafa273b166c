/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_replay.h - sends a subscriber what is kept of a topic, from a number on.
 *
 * Messages that somebody has stopped are left out; one that is on its way is
 * waited for, since it may be. When the replay is nearly there the peer gets
 * new messages too, which wait until it has ended: so none is missing, and none
 * comes twice. What the peer answers to a replay does not matter. */
#ifndef SERVER_BUS_BUS_REPLAY_H
#define SERVER_BUS_BUS_REPLAY_H

#include "server/bus/bus_delivery.h"

struct bus_replays;

/* deliver: sends, and is told when a replay has ended. */
struct bus_replays *
bus_replays_new(struct loop *l, struct bus_deliveries *deliver, struct err *e);
/* After all peers have left. Accepts NULL. */
void bus_replays_free(struct bus_replays *all);
DEFINE_CLEANUP(struct bus_replays, bus_replays_free)

/* Begins with this number, or goes back to it. */
int bus_replay_start(struct bus_replays *all, struct bus_peer *p,
                     struct bus_topic_log *log, uint64_t from, struct err *e);
/* The same for one message that the peer did not take in time. */
void bus_replay_add(struct bus_replays *all, struct bus_peer *p,
                    struct bus_message *m);

/* As of struct bus_delivery_events. */
bool bus_replay_has(const struct bus_peer *p, const struct bus_message *m);
bool bus_replay_is_first(const struct bus_peer *p, const struct bus_message *m);

/* A message of the topic has ended; a peer reads again. */
void bus_replays_settled(struct bus_replays *all, struct bus_topic_log *log);
void bus_replays_room(struct bus_replays *all, struct bus_peer *p);
/* The peer is gone; or only those of topics that it subscribes to no more. */
void bus_replays_left(struct bus_peer *p);
void bus_replays_unsubscribed(struct bus_replays *all, struct bus_peer *p);

#endif
