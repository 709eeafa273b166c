/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nearest.c - finds the most similar known word by counting edits. */
#include "config/nearest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"

static bool
is_same_letter(char a, char b)
{
    return ascii_to_lower(a) == ascii_to_lower(b);
}

static size_t
smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Computes a row of the table of edit distances: cost[j] is the distance
 * between the first i letters of a and the first j of b; one[j] and two[j] are
 * the two rows before. */
static void
fill_distances(const char *a, size_t i, const char *b, size_t nb,
               const size_t *two, const size_t *one, size_t *cost)
{
    cost[0] = i;
    for (size_t j = 1; j <= nb; j++) {
        cost[j] = smaller(one[j], cost[j - 1]) + 1;
        cost[j] = smaller(cost[j],
                          one[j - 1] + !is_same_letter(a[i - 1], b[j - 1]));
        if (i > 1 && j > 1 && is_same_letter(a[i - 1], b[j - 2]) &&
            is_same_letter(a[i - 2], b[j - 1]))
            cost[j] = smaller(cost[j], two[j - 2] + 1);
    }
}

static size_t
edit_distance(const char *a, const char *b)
{
    size_t rows[3][NEAREST_WORD_MAX + 1] = {{0}};
    size_t na = strlen(a), nb = strlen(b);

    for (size_t j = 0; j <= nb; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= na; i++)
        fill_distances(a, i, b, nb, rows[(i + 1) % 3], rows[(i + 2) % 3],
                       rows[i % 3]);
    return rows[na % 3][nb];
}

void
nearest_init(struct nearest *n, const char *word)
{
    *n = (struct nearest){.word = word};
}

void
nearest_consider(struct nearest *n, const char *known)
{
    size_t edits;

    if (strlen(n->word) > NEAREST_WORD_MAX || strlen(known) > NEAREST_WORD_MAX)
        return;
    edits = edit_distance(n->word, known);
    if (edits > (strlen(known) + 1) / 3)
        return;
    if (n->best && n->distance <= edits)
        return;
    snprintf(n->copy, sizeof(n->copy), "%s", known);
    n->best = n->copy;
    n->distance = edits;
}

void
nearest_consider_part(struct nearest *n, const char *known, size_t size)
{
    char word[NEAREST_WORD_MAX + 1];

    if (size == 0 || size >= sizeof(word))
        return;
    snprintf(word, sizeof(word), "%.*s", (int)size, known);
    nearest_consider(n, word);
}
