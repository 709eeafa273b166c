/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query_table.h - the queries that are open in one model process, by their id.
 *
 * Both halves have one: the front's says whose an event is, the process's what
 * a line of the front is about. */
#ifndef MODEL_QUERY_TABLE_H
#define MODEL_QUERY_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Open at once. Each costs a connection and, at worst, an answer of
 * MODEL_ANSWER_MAX; more people than that have a second process. */
#define QUERY_TABLE_MAX 64

/* All zero: empty. */
struct query_table {
    struct query_slot {
        int64_t id; /* 0: free */
        void *query;
    } slots[QUERY_TABLE_MAX];
    size_t n; /* slots in use */
};

/* ERR_MODEL: as many are open as there may be. ERR_PEER: the id is 0, or that
 * of one that is open. The query is borrowed, and not NULL. */
int query_table_add(struct query_table *t, int64_t id, void *query,
                    struct err *e);
/* NULL: none with this id is open. */
void *query_table_find(const struct query_table *t, int64_t id);
/* Does nothing where none with this id is open. */
void query_table_remove(struct query_table *t, int64_t id);

#endif
