/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_keep.h - messages, and the topics whose messages are numbered and kept.
 *
 * Each topic counts from 1 without a gap. Kept are so many messages of each, or
 * those of so long; and of all topics together BUS_KEEP_BYTES at most: beyond
 * it the oldest go first. When there are too many topics, one that has been
 * quiet for long is forgotten with what is kept of it; one that is new then
 * counts on behind all that were forgotten, so that a number never comes twice.
 */
#ifndef SERVER_BUS_BUS_KEEP_H
#define SERVER_BUS_BUS_KEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/loop.h"
#include "wire/relay.h"

#define BUS_KEEP_BYTES  (256u << 20)
#define BUS_KEEP_TOPICS 100000u

struct bus_topic_log;
struct bus_keep;

/* One message; shared by those who deliver, keep and replay it. */
struct bus_message {
    unsigned refs;
    bool settled, stopped; /* nobody is to get it any more; one stopped it */
    struct bus_topic_log *log; /* NULL: it is not numbered */
    uint64_t seq, turn;
    uint64_t handle; /* of the relay, for one of our peers; 0: none */
    int64_t kept_ms; /* when */
    struct bus_message *older, *newer; /* of all that are kept */
    /* in text: the topic in JSON, and the payload */
    size_t topic_at, topic_n, payload_at, payload_n;
    size_t n;
    char text[]; /* the request for a subscriber, up to its id */
};

/* Of a topic; for bus_delivery.c and bus_replay.c. */
struct bus_topic_log {
    struct bus_topic_log *next; /* with the same hash */
    char *name;
    size_t name_n;
    uint64_t hash;
    struct bus_message **ring; /* of `size`; the first is at `from` */
    size_t size, from, n;
    size_t messages; /* that there are of it, also where they are not kept */
    uint64_t last;   /* number of the newest message; 0: there was none */
    struct bus_delivery *first_flying, *last_flying; /* in order */
    size_t waiting; /* of them, for those before them */
    struct bus_replay *replays;
};

struct bus_keep_limits {
    uint64_t messages; /* of each topic; 0: as many as come */
    int64_t age_ms;    /* 0: of any age */
};

/* A message with one reference; log NULL: it has no number. NULL: ERR_NOMEM. */
struct bus_message *bus_message_new(const struct relay_message *m,
                                    struct bus_topic_log *log, struct err *e);
/* One of another node, whose text is made already. */
struct bus_message *bus_message_of_text(struct relay_bytes text,
                                        uint64_t handle, struct err *e);
void bus_message_unref(struct bus_message *m); /* accepts NULL */

struct bus_keep *bus_keep_new(struct loop *l,
                              const struct bus_keep_limits *limits,
                              struct err *e);
void bus_keep_free(struct bus_keep *k); /* accepts NULL */
DEFINE_CLEANUP(struct bus_keep, bus_keep_free)

/* The log of a topic, which is made where there is none. NULL: ERR_NOMEM, also
 * where messages of too many topics wait for their subscribers. */
struct bus_topic_log *bus_keep_log(struct bus_keep *k, const char *name,
                                   size_t n, struct err *e);
/* NULL: there is none. */
struct bus_topic_log *bus_keep_find(const struct bus_keep *k, const char *name,
                                    size_t n);
/* Calls cb for each topic. */
void bus_keep_each(const struct bus_keep *k,
                   bool (*cb)(void *arg, struct bus_topic_log *log), void *arg);

/* Keeps a message, whose number is the next one of its topic. */
int bus_keep_add(struct bus_keep *k, struct bus_message *m, struct err *e);

/* The next message of a topic has the number behind this one, which other nodes
 * have given; what is kept of it by other numbers is dropped. */
void bus_keep_renumber(struct bus_keep *k, struct bus_topic_log *log,
                       uint64_t last);

/* The number of the first message that is kept; of none, the next one's. */
uint64_t bus_log_first(const struct bus_topic_log *log);
/* NULL: it is not kept. */
struct bus_message *bus_log_at(const struct bus_topic_log *log, uint64_t seq);

struct bus_keep_counts {
    size_t topics, messages, bytes;
};
struct bus_keep_counts bus_keep_count(const struct bus_keep *k);

#endif
