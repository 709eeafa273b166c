/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pair_index.h - which rows of a table can match, by two bytes of a text.
 *
 * Most places in a text match no row, and the index says so without a look at
 * the table. It is made for one long text at a time; for a short one it costs
 * more than it saves, so that all is as without it where it is NULL. */
#ifndef BASE_PAIR_INDEX_H
#define BASE_PAIR_INDEX_H

#include <stddef.h>
#include <string.h>

#define PAIR_INDEX_END 255u /* a table has at most as many rows */

/* Row numbers: the first for each hash, and the next behind each row. */
struct pair_index {
    unsigned char first[256], next[PAIR_INDEX_END];
};

static inline unsigned
pair_hash(int a, int b)
{
    return ((unsigned)a * 37 + (unsigned)b) & 255;
}

static inline void
pair_index_init(struct pair_index *x)
{
    memset(x->first, PAIR_INDEX_END, sizeof(x->first));
}

/* Adds the row with this pair. The last row of a table is added first. */
static inline void
pair_index_add(struct pair_index *x, size_t row, int a, int b)
{
    unsigned h = pair_hash(a, b);

    x->next[row] = x->first[h];
    x->first[h] = (unsigned char)row;
}

/* The first row that this pair may match, and the next, in the order of the
 * table; a number beyond its rows at the end. */
static inline size_t
pair_index_first(const struct pair_index *x, int a, int b)
{
    return x ? x->first[pair_hash(a, b)] : 0;
}

static inline size_t
pair_index_next(const struct pair_index *x, size_t row)
{
    return x ? x->next[row] : row + 1;
}

#endif
