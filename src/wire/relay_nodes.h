/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_nodes.h - which nodes there are, and what their subscribers get. */
#ifndef WIRE_RELAY_NODES_H
#define WIRE_RELAY_NODES_H

#include "base/buf.h"
#include "base/cleanup.h"
#include "wire/relay_record.h"

#define RELAY_NODES_MAX 64
#define RELAY_LIST_MAX  (64u << 20) /* bytes of a node's subscriptions */

struct relay_pattern {
    struct relay_pattern *next;
    /* of this node's own: it has had its turn; and that was reported once */
    bool effective, reported;
    size_t n;
    char bytes[];
};

struct relay_place {
    struct relay_place *prev, *next; /* of its node */
    struct relay_place *same;        /* with the same hash */
    struct relay_node *node;
    uint64_t place;
    struct relay_pattern *patterns;
};

struct relay_node {
    struct relay_node *next;
    char name[RELAY_NODE_SIZE];
    int64_t heard_ms;
    /* to one that joins: a record of it has come, and its state has */
    bool is_there, has_reported;
    struct buf list; /* of it, until then */
    struct relay_place *places;
};

struct relay_nodes; /* a table of them */

struct relay_nodes *relay_nodes_new(struct err *e);
void relay_nodes_free(struct relay_nodes *all); /* accepts NULL */
DEFINE_CLEANUP(struct relay_nodes, relay_nodes_free)

struct relay_node *relay_nodes_first(struct relay_nodes *all);
struct relay_node *relay_nodes_find(struct relay_nodes *all, const char *name);
/* Finds or adds it. NULL: ERR_NOMEM, also where there are too many. */
struct relay_node *relay_nodes_add(struct relay_nodes *all, const char *name,
                                   struct err *e);
/* The same for names that a space follows each, as heard of now. */
void relay_nodes_add_names(struct relay_nodes *all, struct relay_bytes names,
                           int64_t now_ms);
/* Whether there are others than `self`, and all of them have. */
bool relay_nodes_have_reported(const struct relay_nodes *all,
                               const struct relay_node *self);
/* Whether there is one that is there and has not. */
bool relay_nodes_owe_report(const struct relay_nodes *all,
                            const struct relay_node *self);
/* What a node sends behind the record that declares it dead is of no account,
 * until it joins anew: the names of the last ones are remembered. */
void relay_nodes_bury(struct relay_nodes *all, const char *name);
bool relay_nodes_have_buried(const struct relay_nodes *all, const char *name);
void relay_nodes_forget_buried(struct relay_nodes *all);
/* Removes it with its places. */
void relay_nodes_remove(struct relay_nodes *all, struct relay_node *node);

/* A place of a node, behind the last one that it gave. It is by the clock, so
 * that it is behind all that came before on any node whose clock goes right. */
uint64_t relay_nodes_next_place(const char *name, uint64_t last);
struct relay_place *relay_nodes_place(struct relay_nodes *all, uint64_t place);
/* Adds a pattern, and the place where it is new; nothing where both are there
 * already. NULL: ERR_NOMEM; ERR_INVALID, the place is another node's. */
struct relay_pattern *relay_nodes_subscribe(struct relay_nodes *all,
                                            struct relay_node *node,
                                            uint64_t place,
                                            struct relay_bytes pattern,
                                            struct err *e);
struct relay_pattern *relay_nodes_pattern(struct relay_place *place,
                                          struct relay_bytes pattern);
void relay_nodes_unsubscribe(struct relay_place *place,
                             struct relay_bytes pattern);
void relay_nodes_leave(struct relay_nodes *all, struct relay_place *place);
/* What a record of a node says of its subscribers, which is reported. */
void relay_nodes_take(struct relay_nodes *all, struct relay *r,
                      struct relay_node *node, const struct relay_record *rec);

/* Appends a node's subscriptions that are in effect, as relay_nodes_read
 * takes them. */
void relay_nodes_put(const struct relay_node *node, struct buf *out);
/* Calls cb for each; false: they are not well-formed from there on. */
bool relay_nodes_read(struct relay_bytes list,
                      void (*cb)(void *arg, uint64_t place,
                                 struct relay_bytes pattern),
                      void *arg);

#endif
