/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nearest.h - which known word somebody meant.
 *
 *     struct nearest n;
 *     nearest_init(&n, "modle");
 *     nearest_offer(&n, "model");
 *     nearest_offer(&n, "provider");
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

/* Takes a known word when at most a third of its letters must be inserted,
 * deleted, changed or swapped with their neighbour, and none before it was
 * as near. Case does not count. */
void nearest_offer(struct nearest *n, const char *known);

#endif
