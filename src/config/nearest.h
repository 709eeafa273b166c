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

#define NEAREST_WORD_MAX 48 /* bytes; no longer word is near to another */

struct nearest {
    const char *word; /* as it was written; borrowed */
    const char *best; /* of the words offered: a copy in here; NULL: none */
    size_t distance;  /* of best, in edits */
    char copy[NEAREST_WORD_MAX + 1];
};

void nearest_init(struct nearest *n, const char *word);

/* Considers a known word: it becomes `best` when at most a third of its letters
 * must be inserted, deleted, changed or swapped with a neighbour, and no word
 * before it was as near. Case is ignored. The word may go afterwards, but n
 * must not be copied. */
void nearest_consider(struct nearest *n, const char *known);

/* The same for the first bytes of a text. */
void nearest_consider_part(struct nearest *n, const char *known, size_t size);

#endif
