/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_pending.h - what a node waits for, by numbers: a table of them. */
#ifndef WIRE_RELAY_PENDING_H
#define WIRE_RELAY_PENDING_H

#include "base/cleanup.h"
#include "base/id_table.h"
#include "wire/relay_record.h"

struct relay_pending {
    struct id_entry by_id;
    struct relay_pending *older, *newer;
    uint64_t id;
    uint64_t theirs; /* the other node's number for it */
    int64_t since_ms;
    char node[RELAY_NODE_SIZE];
};

/* Zeroed: empty. */
struct relay_pendings {
    struct id_table by_id;
    struct relay_pending *oldest, *newest;
};
void relay_pendings_done(struct relay_pendings *t);

/* NULL: ERR_NOMEM. */
struct relay_pending *relay_pendings_add(struct relay_pendings *t, uint64_t id,
                                         const char *node, uint64_t theirs);
struct relay_pending *relay_pendings_find(const struct relay_pendings *t,
                                          uint64_t id);
void relay_pendings_remove(struct relay_pendings *t, struct relay_pending *p);
/* Moves all of a node to a table that is empty, the oldest first. */
void relay_pendings_move(struct relay_pendings *t, const char *node,
                         struct relay_pendings *to);

#endif
