/* SPDX-License-Identifier: GPL-3.0-or-later */
/* id_table.h - finds what has a number.
 *
 * A table of lists by a hash, as long as what is in it. The caller keeps the
 * entries, which lie in what they belong to, so that adding cannot fail: where
 * there is no memory for a longer table, its lists grow. */
#ifndef BASE_ID_TABLE_H
#define BASE_ID_TABLE_H

#include <stddef.h>
#include <stdint.h>

#define ID_TABLE_FIRST 16u /* lists of a table without memory of its own */

struct id_entry {
    struct id_entry *next; /* with the same hash */
    uint64_t id;
    void *owner; /* the caller's */
};

/* Zeroed: an empty table. It stays where it is. */
struct id_table {
    struct id_entry *few[ID_TABLE_FIRST];
    struct id_entry **lists; /* NULL: those few */
    unsigned bits;           /* 2^bits lists */
    size_t n;                /* entries */
    size_t empty;            /* lists at the front that are */
};

void id_table_done(struct id_table *t);

/* Of two with one number, the one that was added last is found. */
void id_table_add(struct id_table *t, struct id_entry *e, uint64_t id,
                  void *owner);
/* It is in the table. */
void id_table_remove(struct id_table *t, struct id_entry *e);
/* Its owner; NULL: there is none. */
void *id_table_find(const struct id_table *t, uint64_t id);
/* The owner of any, to empty the table; NULL: it is empty. */
void *id_table_any(struct id_table *t);

#endif
