/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_queue.h - which calls wait, run, ask or are answered, and what they hold.
 */
#ifndef SERVER_MCP_MCP_QUEUE_H
#define SERVER_MCP_MCP_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

enum mcp_queue_state {
    MCP_QUEUE_WAITS,    /* for its turn */
    MCP_QUEUE_RUNS,     /* or is judged */
    MCP_QUEUE_ASKS,     /* the client's user is asked */
    MCP_QUEUE_ANSWERED, /* the answer waits for the journal */
    MCP_QUEUE_STATES,
};

/* A call's place, which is part of it. */
struct mcp_queue_place {
    struct mcp_queue_place *prev, *next; /* of the same state */
    enum mcp_queue_state state;
    void *owner;
    size_t bytes; /* of its arguments, about */
    bool reads;   /* it overlaps with others that read */
};

/* Begins with all zero. */
struct mcp_queue {
    struct mcp_queue_list {
        struct mcp_queue_place *first, *last;
        size_t n, bytes;
    } lists[MCP_QUEUE_STATES];
    size_t n_reads, n_others; /* that run */
};

/* owner, bytes and reads are set: it waits. */
void mcp_queue_add(struct mcp_queue *q, struct mcp_queue_place *p);
void mcp_queue_move(struct mcp_queue *q, struct mcp_queue_place *p,
                    enum mcp_queue_state state);
void mcp_queue_remove(struct mcp_queue *q, struct mcp_queue_place *p);

/* The owner of the first one of a state, and of the one behind it; NULL: there
 * is none. */
void *mcp_queue_first(const struct mcp_queue *q, enum mcp_queue_state state);
void *mcp_queue_next(const struct mcp_queue_place *p);
/* The owner of the next one that may run; NULL: none may. */
void *mcp_queue_ready(const struct mcp_queue *q);

/* Whether so many wait that no more are to be read, and whether as much is held
 * as may be. */
bool mcp_queue_is_crowded(const struct mcp_queue *q);
bool mcp_queue_is_full(const struct mcp_queue *q);
/* Whether there is one that is answered, and none else but those that ask. */
bool mcp_queue_ends_one(const struct mcp_queue *q);
/* Whether none waits, runs, or is to be answered. */
bool mcp_queue_is_idle(const struct mcp_queue *q);

#endif
