/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_hub.h - the peers of a bus, and what its parts share.
 *
 * It knows no socket of its own: bus.c brings peers and takes them away. */
#ifndef SERVER_BUS_BUS_HUB_H
#define SERVER_BUS_BUS_HUB_H

#include "server/bus/bus_quick.h"
#include "server/bus/bus_replay.h"

#define BUS_MESSAGE_BYTES (1u << 20) /* of one message of a peer's */

struct bus_hub_counts {
    uint64_t published, dead, refused, clients_ever;
    size_t clients; /* that are initialized */
};

struct bus_numbers {
    char name[17]; /* of what is numbered; "": it is not known yet */
    uint64_t turn; /* that it was given in */
};

struct bus_hub {
    struct loop *loop;
    struct relay *relay;
    struct bus_routes *routes;
    struct bus_deliveries *deliveries;
    struct bus_replays *replays;
    struct bus_keep *keep; /* NULL: nothing is numbered */
    struct bus_numbers numbers;
    bool lifecycle; /* messages on agent:* about clients */
    bool stopping;  /* nothing new is taken */
    bool closing;   /* nobody is there any more */
    int64_t started_ms;
    struct bus_peer *first, *last; /* connections, in the order they came */
    struct id_table places;        /* of them */
    size_t open_bytes;             /* of messages that have no answer yet */
    uint64_t tokens;
    struct bus_pending *now; /* what is being published */
    struct id_table pending; /* what waits for its turn, by its token */
    struct id_table foreign; /* messages of other nodes that are on their
                                way, by their turn */
    struct bus_hub_counts counts;
    void (*log)(void *arg, const char *line);
    void *log_arg;
};

struct bus_hub_setup {
    struct loop *loop;
    struct relay *relay; /* taken */
    bool keeps;
    bool shares; /* its numbers, with other nodes */
    struct bus_keep_limits keep;
    bool lifecycle;
    void (*log)(void *arg, const char *line);
    void *log_arg;
};

int bus_hub_init(struct bus_hub *h, const struct bus_hub_setup *set,
                 struct err *e);
/* All peers have gone, and no socket of theirs is used any more. */
void bus_hub_done(struct bus_hub *h);

/* A connection has come; it is gone. */
struct bus_peer *bus_hub_join(struct bus_hub *h, struct err *e);
void bus_hub_leave(struct bus_hub *h, struct bus_peer *p, unsigned status);
/* It reads slowly, or does no more. */
void bus_hub_full(struct bus_hub *h, struct bus_peer *p, bool full);

/* It said who it is, and is told so when this returns. */
void bus_hub_welcome(struct bus_hub *h, struct bus_peer *p, const char *info);

/* What a peer answers to a request of ours. id: as it is written. */
void bus_hub_answer(struct bus_hub *h, struct bus_peer *p, struct bus_slice id,
                    enum relay_outcome outcome);

/* The numbers of bus.stats, as one object. */
void bus_hub_put_stats(const struct bus_hub *h, struct buf *out);

#endif
