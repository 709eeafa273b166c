/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pair_index.h - which rows of a table can match, by two bytes of the text.
 *
 * Most places in a text match no row; the index says so without a look at the
 * table. The rows of a pair come in the order of the table. */
#ifndef BASE_PAIR_INDEX_H
#define BASE_PAIR_INDEX_H

#include <stddef.h>
#include <string.h>

#define PAIR_INDEX_END 255u /* a table has fewer rows */

/* Row numbers: the first for each hash, and the next one behind each row. */
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

/* The first row whose pair this may be, and then x->next[row], to
 * PAIR_INDEX_END. */
static inline unsigned
pair_index_first(const struct pair_index *x, int a, int b)
{
    return x->first[pair_hash(a, b)];
}

#endif
