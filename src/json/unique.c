/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unique.c - duplicate names of one object, found by sorting. */
#include <stdlib.h>
#include <string.h>

#include "json/node.h"
#include "json/rule.h"

#define FEW 16 /* members that are compared without sorting; most objects */

struct entry {
    struct json *node;
    size_t at; /* the sort must know which came later */
};

int
json_node_compare_names(const struct json *a, const struct json *b)
{
    if (a->name_len != b->name_len)
        return a->name_len < b->name_len ? -1 : 1;
    return memcmp(a->name, b->name, a->name_len);
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
refuse(const struct json *member, struct err *e)
{
    CLEANUP_BUF struct buf name = buf_of(sizeof(e->text));

    json_describe_string(&name, member->name, member->name_len);
    return err_set(e, ERR_INVALID, "the name %s stands twice in one object",
                   name.p);
}

/* Marks what is to go by taking its name away. */
static int
mark_sorted(struct entry *all, size_t n, unsigned flags, struct err *e)
{
    qsort(all, n, sizeof(*all), compare_entries);
    for (size_t i = 0; i + 1 < n; i++) {
        if (json_node_compare_names(all[i].node, all[i + 1].node) != 0)
            continue;
        if (flags & JSON_UNIQUE)
            return refuse(all[i].node, e);
        all[i].node->name = NULL;
    }
    return 0;
}

static void
drop_marked(struct json *object)
{
    struct json **at = &object->first;

    object->len = 0;
    while (*at) {
        if ((*at)->name) {
            object->len++;
            at = &(*at)->next;
        } else {
            *at = (*at)->next;
        }
    }
}

/* Whether two of a few names are the same: most objects have no such. */
static bool
has_twins(const struct json *object)
{
    for (const struct json *a = object->first; a; a = a->next) {
        for (const struct json *b = a->next; b; b = b->next) {
            if (json_node_compare_names(a, b) == 0)
                return true;
        }
    }
    return false;
}

int
json_node_unique(struct json *object, unsigned flags, struct err *e)
{
    CLEANUP(free_p) struct entry *all = NULL;
    size_t n = object->len, i = 0;

    if (n < 2 || (n <= FEW && !has_twins(object)))
        return 0;
    if (!(all = calloc(n, sizeof(*all))))
        return err_set(e, ERR_NOMEM, "no memory for %zu members", n);
    for (struct json *c = object->first; c; c = c->next, i++)
        all[i] = (struct entry){c, i};
    if (mark_sorted(all, n, flags, e) < 0)
        return -1;
    drop_marked(object);
    return 0;
}
