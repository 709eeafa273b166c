/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query_table.c - the queries that are open in one model process, by their id.
 */
#include "model/query_table.h"

static const struct query_slot *
find_slot(const struct query_table *t, int64_t id)
{
    for (size_t i = 0; i < QUERY_TABLE_MAX; i++) {
        if (t->slots[i].id == id)
            return &t->slots[i];
    }
    return NULL;
}

int
query_table_add(struct query_table *t, int64_t id, void *query, struct err *e)
{
    size_t at = 0;

    if (id == 0)
        return err_set(e, ERR_PEER, "a question without an id");
    if (find_slot(t, id))
        return err_set(e, ERR_PEER, "two questions with one id");
    if (t->n == QUERY_TABLE_MAX)
        return err_set(e, ERR_MODEL,
                       "%d questions are open in the model process, and it "
                       "takes no more. To do: try again when one has ended",
                       QUERY_TABLE_MAX);
    while (t->slots[at].id != 0)
        at++;
    t->slots[at] = (struct query_slot){id, query};
    t->n++;
    return 0;
}

void *
query_table_find(const struct query_table *t, int64_t id)
{
    const struct query_slot *slot = id != 0 ? find_slot(t, id) : NULL;

    return slot ? slot->query : NULL;
}

void
query_table_remove(struct query_table *t, int64_t id)
{
    for (size_t i = 0; id != 0 && i < QUERY_TABLE_MAX; i++) {
        if (t->slots[i].id == id) {
            t->slots[i] = (struct query_slot){0};
            t->n--;
            return;
        }
    }
}
