/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nearest.h - finds the known word that is most similar to a misspelled one.
 *
 *     struct nearest n;
 *     nearest_init(&n, "modle");
 *     nearest_consider(&n, "model");
 *     nearest_consider(&n, "provider");
 *     n.best                           "model"; NULL: none is near
 */
#ifndef CONFIG_NEAREST_H
#define CONFIG_NEAREST_H

#include <stddef.h>

struct nearest {
    const char *word; /* as it was written; borrowed */
    const char *best; /* of the words offered; borrowed from the offerer */
    size_t distance;  /* of best, in edits */
};

void nearest_init(struct nearest *n, const char *word);

/* Considers a known word: it becomes `best` when at most a third of its letters
 * must be inserted, deleted, changed or swapped with a neighbour, and no word
 * before it was as near. Case is ignored. */
void nearest_consider(struct nearest *n, const char *known);

#endif
