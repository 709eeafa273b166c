/* SPDX-License-Identifier: GPL-3.0-or-later */
/* id_table.c - finds what has a number. */
#include "base/id_table.h"

#include <stdlib.h>

#define FIRST_BITS 4

_Static_assert(ID_TABLE_FIRST == 1u << FIRST_BITS, "the few lists");

/* Numbers that count up, or differ in a few bits, are spread by 2^64 divided
 * by the golden ratio: Knuth's multiplicative hash. */
static size_t
id_list(unsigned bits, uint64_t id)
{
    return (size_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
}

static unsigned
table_bits(const struct id_table *t)
{
    return t->lists ? t->bits : FIRST_BITS;
}

static struct id_entry *const *
lists_of(const struct id_table *t)
{
    return t->lists ? t->lists : t->few;
}

static struct id_entry **
list_of(struct id_table *t, uint64_t id)
{
    size_t at = id_list(table_bits(t), id);

    return t->lists ? &t->lists[at] : &t->few[at];
}

static void
grow_id_table(struct id_table *t)
{
    unsigned before = table_bits(t), bits = before + 1;
    struct id_entry **longer = calloc((size_t)1 << bits, sizeof(*longer));

    if (!longer)
        return;
    for (size_t i = 0; i < (size_t)1 << before; i++) {
        struct id_entry *e = lists_of(t)[i], *in_order = NULL;

        /* the last that was added stays the first */
        while (e) {
            struct id_entry *next = e->next;

            e->next = in_order;
            in_order = e;
            e = next;
        }
        while ((e = in_order) != NULL) {
            struct id_entry **list = &longer[id_list(bits, e->id)];

            in_order = e->next;
            e->next = *list;
            *list = e;
        }
    }
    free(t->lists);
    t->lists = longer;
    t->bits = bits;
}

void
id_table_done(struct id_table *t)
{
    free(t->lists);
    *t = (struct id_table){0};
}

void
id_table_add(struct id_table *t, struct id_entry *e, uint64_t id, void *owner)
{
    struct id_entry **list;

    if (t->n >> table_bits(t))
        grow_id_table(t);
    list = list_of(t, id);
    *e = (struct id_entry){.next = *list, .id = id, .owner = owner};
    *list = e;
    t->n++;
    t->empty = 0;
}

void
id_table_remove(struct id_table *t, struct id_entry *e)
{
    struct id_entry **at = list_of(t, e->id);

    while (*at != e)
        at = &(*at)->next;
    *at = e->next;
    t->n--;
}

void *
id_table_find(const struct id_table *t, uint64_t id)
{
    const struct id_entry *e = lists_of(t)[id_list(table_bits(t), id)];

    while (e && e->id != id)
        e = e->next;
    return e ? e->owner : NULL;
}

void *
id_table_any(struct id_table *t)
{
    if (t->n == 0)
        return NULL;
    while (!lists_of(t)[t->empty])
        t->empty++;
    return lists_of(t)[t->empty]->owner;
}
