/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_claims.h - the gateways that share their tasks, and which of them has
 * which task: in memory, and in the tables. */
#ifndef SERVER_GATEWAY_GATEWAY_CLAIMS_H
#define SERVER_GATEWAY_GATEWAY_CLAIMS_H

#include "record/gateway_store.h"
#include "wire/relay_record.h"

#define GATEWAY_NODES_MAX 64 /* of all times */

struct gateway_node {
    struct gateway_node *next;
    char name[RELAY_NODE_SIZE];
    int64_t number[NODE_NUMBERS];
    int64_t heard_ms;
};

struct shared_claim {
    struct shared_claim *next;
    char task[40], node[RELAY_NODE_SIZE];
    bool releasing; /* ours: that waits for its turn */
};

/* Zeroed but for the store, it is empty. */
struct gateway_claims {
    struct gateway_store *store;
    struct gateway_node *nodes;
    struct shared_claim *claims;
    uint64_t turn; /* that the tables have */
};
void gateway_claims_done(struct gateway_claims *n);

struct gateway_node *gateway_claims_node(const struct gateway_claims *n,
                                         const char *name);
/* Finds or adds it. NULL: there are too many, or no memory. */
struct gateway_node *gateway_claims_add_node(struct gateway_claims *n,
                                             const char *name);
/* Writes it into the tables, which have this turn then. */
void gateway_claims_keep_node(struct gateway_claims *n,
                              struct gateway_node *node, uint64_t turn);
/* All of them live now. */
void gateway_claims_refresh_nodes(struct gateway_claims *n);

struct shared_claim *gateway_claims_find(const struct gateway_claims *n,
                                         const char *task);
struct shared_claim *gateway_claims_add(struct gateway_claims *n,
                                        const char *task, const char *node);
void gateway_claims_remove(struct gateway_claims *n, struct shared_claim *c);
void gateway_claims_remove_of(struct gateway_claims *n, const char *node);

#endif
