/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_peer.h - one connection of a bus, or a subscriber of another node.
 *
 * It lives until the last who knows it lets go, so that a list of subscribers
 * stays what it was when one of them leaves. */
#ifndef SERVER_BUS_BUS_PEER_H
#define SERVER_BUS_BUS_PEER_H

#include "base/id_table.h"
#include "wire/websocket.h"

struct bus_hub;
struct bus_asked;
struct bus_delivery;
struct bus_pattern;
struct bus_replay;

struct bus_peer {
    struct bus_hub *hub;
    struct bus_peer *prev, *next; /* of all connections */
    unsigned refs;
    struct websocket *ws; /* NULL: it is gone, or of another node */
    bool foreign, remote; /* of another node; and there */
    bool initialized, full, paused;
    uint64_t place; /* in the order of all subscribers */
    struct id_entry by_place;
    char *client_id;
    struct bus_pattern **patterns; /* that it subscribed to */
    size_t n_patterns, max_patterns;
    /* what it is to answer, and what waits until it reads again; in order */
    struct bus_delivery *first_owed, *last_owed;
    struct bus_delivery *first_waiting, *last_waiting;
    size_t open, open_bytes; /* messages of its own without an answer */
    struct bus_replay *replays;
    bool replay_runs; /* it is in the list of those who are sent some */
    struct bus_peer *next_replay;
    struct bus_asked *asked; /* subscriptions that do not hold yet */
};

struct bus_peer *bus_peer_new(struct bus_hub *hub, uint64_t place,
                              struct err *e);
struct bus_peer *bus_peer_ref(struct bus_peer *p);
void bus_peer_unref(struct bus_peer *p); /* accepts NULL */

static inline bool
bus_peer_is_there(const struct bus_peer *p)
{
    return p->ws || p->remote;
}

/* id: as the peer wrote it; NULL: null. A result is one JSON value. To one that
 * is gone nothing is sent. */
void bus_peer_answer(struct bus_peer *p, const char *id, size_t id_n,
                     const char *result);
void bus_peer_refuse(struct bus_peer *p, const char *id, int code,
                     const char *message, const struct buf *data);

#endif
