/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_nodes.h - the tables of several gateways, which share their tasks
 * through one stream of a NATS server.
 *
 * Changes go into the stream, and into the tables of each gateway where they
 * come back from there: so all have the same tables, at the same turn, and what
 * is not in the stream is in none. A task is changed by the one alone that has
 * claimed it: the first claim in the stream's order. A gateway that is silent
 * for GATEWAY_DEAD_MS is declared dead in the stream, by whoever notices; what
 * it sends from then on counts no more, and its claims are gone. The turn is
 * kept with the tables: who was away goes on there.
 *
 * The changes of one turn of the loop are one record, and count as a whole, or
 * not at all. */
#ifndef SERVER_GATEWAY_GATEWAY_NODES_H
#define SERVER_GATEWAY_GATEWAY_NODES_H

#include "record/gateway_store.h"
#include "wire/relay_record.h"

#define GATEWAY_DEAD_MS    4000
#define GATEWAY_SHARED_MAX (800u << 10) /* bytes of one change */

struct gateway_nodes;

/* What comes from the stream, by the loop. Texts are borrowed. */
struct gateway_nodes_events {
    /* The tables of before are known: clients may be served. */
    void (*opened)(void *arg);
    /* This gateway has everything, and takes part. */
    void (*joined)(void *arg);
    /* The others took it for dead: nothing that it did since counts, and it
     * joins anew. */
    void (*lost)(void *arg);
    /* Another gateway is gone, with its claims. */
    void (*gone)(void *arg, const char *node);
    /* An event of a task is among the changes. */
    void (*event)(void *arg, const struct gateway_values *v);
    /* Another gateway has claimed a task. */
    void (*claimed)(void *arg, const char *task);
    /* A task is free; order: its place in the queue, or 0. */
    void (*released)(void *arg, const char *task, int64_t priority,
                     int64_t order);
    /* Another gateway hands on a client's message. */
    void (*request)(void *arg, const char *node, int64_t token,
                    const char *text, const char *client);
    void (*answer)(void *arg, int64_t token, const char *type,
                   const char *payload);
    /* Changes are about to be sent: the last moment to release a task. */
    void (*settle)(void *arg);
    void (*log)(void *arg, const char *line);
};

/* keep_ms: how long the stream keeps what is in it; 0: for ever. ev and store
 * are borrowed. ERR_UNSUPPORTED: the library of NATS is not installed. */
struct gateway_nodes *gateway_nodes_new(struct loop *l,
                                        struct gateway_store *store,
                                        const char *url, int64_t keep_ms,
                                        const struct gateway_nodes_events *ev,
                                        void *arg, struct err *e);
/* Sends what waits, and says to the others that it is gone. Accepts NULL. */
void gateway_nodes_free(struct gateway_nodes *n);

/* Why nothing new is taken, or NULL. */
const char *gateway_nodes_trouble(const struct gateway_nodes *n);
/* Too much waits to be sent. */
bool gateway_nodes_is_full(const struct gateway_nodes *n);
/* For GATEWAY_DEAD_MS nothing has come back from the stream, and something may
 * wait for that. */
bool gateway_nodes_is_stuck(const struct gateway_nodes *n);
/* For metrics: gateways that take part, and changes that wait for their turn.
 */
unsigned gateway_nodes_count(const struct gateway_nodes *n);
unsigned gateway_nodes_waiting(const struct gateway_nodes *n);

/* A number that grows, and that no other gateway gives. */
int64_t gateway_nodes_number(const struct gateway_nodes *n, int64_t last);

/* A change; as gateway_store_write. */
void gateway_nodes_write(struct gateway_nodes *n, enum gateway_statement what,
                         const struct gateway_values *in);
/* Calls cb when all changes so far have had their turn and are on the disk
 * here; or `lost`, where they do not count. */
void gateway_nodes_then(struct gateway_nodes *n, void (*cb)(void *arg),
                        void (*lost)(void *arg), void *arg);

bool gateway_nodes_has(const struct gateway_nodes *n, const char *task);
/* Who has a task; "": nobody. */
const char *gateway_nodes_owner(const struct gateway_nodes *n,
                                const char *task);
/* Claims a task; cb is called with whether this gateway has it now: at once
 * where that is known, and not at all once the gateway ends. */
typedef void gateway_claim_cb(void *arg, const char *task, bool ours);
void gateway_nodes_claim(struct gateway_nodes *n, const char *task,
                         gateway_claim_cb *cb, void *arg);
/* Claims a task that is new: nobody else can. */
void gateway_nodes_own(struct gateway_nodes *n, const char *task);
void gateway_nodes_release(struct gateway_nodes *n, const char *task,
                           int64_t priority, int64_t order);

/* Hands a client's message to the gateway that has its task. Returns the token
 * of the answer. */
int64_t gateway_nodes_ask(struct gateway_nodes *n, const char *node,
                          const char *text, const char *client);
void gateway_nodes_answer(struct gateway_nodes *n, const char *node,
                          int64_t token, const char *type, const char *payload);

/* Has `settle` called soon. */
void gateway_nodes_look(struct gateway_nodes *n);

#endif
