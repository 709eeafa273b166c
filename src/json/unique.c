/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unique.c - duplicate names of one object, found by sorting. */
#include <stdlib.h>
#include <string.h>

#include "json/node.h"
#include "json/rule.h"

#define FEW 16 /* members that need no allocation; most objects */

struct entry {
    cJSON *node;
    size_t at; /* the sort must know which came later */
};

int
json_node_compare_names(const cJSON *a, const cJSON *b)
{
    if (a->valueint != b->valueint)
        return a->valueint < b->valueint ? -1 : 1;
    return memcmp(a->string, b->string, (size_t)a->valueint);
}

static int
compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int order = json_node_compare_names(a->node, b->node);

    if (order != 0)
        return order;
    return a->at < b->at ? -1 : a->at > b->at;
}

static int
refuse(const cJSON *member, struct err *e)
{
    CLEANUP_BUF struct buf name = buf_of(sizeof(e->text));

    json_describe_string(&name, member->string, (size_t)member->valueint);
    return err_set(e, ERR_INVALID, "duplicate name %s in an object", name.p);
}

static int
drop_sorted(cJSON *object, struct entry *all, size_t n, unsigned flags,
            struct err *e)
{
    qsort(all, n, sizeof(*all), compare_entries);
    for (size_t i = 0; i + 1 < n; i++) {
        if (json_node_compare_names(all[i].node, all[i + 1].node) != 0)
            continue;
        if (flags & JSON_UNIQUE)
            return refuse(all[i].node, e);
        cJSON_Delete(cJSON_DetachItemViaPointer(object, all[i].node));
        object->valuedouble -= 1;
    }
    return 0;
}

int
json_node_unique(cJSON *object, unsigned flags, struct err *e)
{
    CLEANUP(free_p) struct entry *many = NULL;
    struct entry few[FEW], *all = few;
    size_t n = json_node_len(object), i = 0;

    if (n < 2)
        return 0;
    if (n > FEW && !(all = many = calloc(n, sizeof(*many))))
        return err_set(e, ERR_NOMEM, "out of memory for %zu members", n);
    for (cJSON *c = object->child; c && i < n; c = c->next, i++)
        all[i] = (struct entry){c, i};
    return drop_sorted(object, all, i, flags, e);
}
