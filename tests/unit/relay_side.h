/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_side.h - nodes of one bus on a real NATS server, which note what their
 * relays report. */
#ifndef TESTS_UNIT_RELAY_SIDE_H
#define TESTS_UNIT_RELAY_SIDE_H

#include "tests/unit/nats_server.h"
#include "wire/relay_nats.h"

#define WAIT_MS   20000
#define TURNS_MAX 4096

struct relay_side {
    struct relay *relay;
    const char *state;         /* what it tells who joins */
    uint64_t turns[TURNS_MAX]; /* of messages, in their order */
    char texts[TURNS_MAX][16]; /* their payloads */
    size_t n, own, lost, effective, settled, stopped, left, subscribed;
    size_t answered, ups, downs, pieces;
    size_t apart_at; /* how many had left then */
    size_t begun;    /* anew, in the turn of its join */
    uint64_t anew_turn;
    bool yields; /* to one that joins */
    enum relay_outcome outcome;
    uint64_t place, handle; /* that others have, or deliver to */
    uint64_t delivered_turn;
    char pattern[64], delivered[64], restored[64];
};

struct relay_nodes_test {
    struct loop *loop;
    struct nats_server server;
    struct relay_side a, b, c;
};

/* Opens the node of a test; it has joined some time later. */
void relay_side_join(struct relay_nodes_test *t, struct relay_side *s);
/* Until a count of a node is so high, which it must be in WAIT_MS. */
void relay_side_turn_until(struct relay_nodes_test *t, const size_t *n,
                           size_t least);
/* A server, and the nodes a and b, which have joined. False: no server. */
bool relay_side_open(struct relay_nodes_test *t);
void relay_side_close(struct relay_nodes_test *t);

struct relay_bytes relay_side_text(const char *s);
int relay_side_publish(struct relay_side *s, uint64_t token, const char *text);

#endif
