/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe_example.h - a text with its slots filled by examples. */
#ifndef OFFLINE_RECIPE_EXAMPLE_H
#define OFFLINE_RECIPE_EXAMPLE_H

#include "offline/recipe/recipe.h"

/* The home directory of examples: not there, so that the machine on which
 * recipes are checked does not matter. */
#define RECIPE_EXAMPLE_HOME "/home/nobody.here"

/* A slot of a text, and where its example stands in what was made of it. */
struct recipe_filled {
    struct recipe_slot slot; /* without `otherwise` */
    size_t from, to;
};

struct recipe_fills {
    struct recipe_filled v[2 * RECIPE_SLOTS_MAX];
    size_t n;
};

/* Appends the text of a phrase or a command with an example in each slot, as
 * a person or a shell would write it; braces of the shell's own come out once.
 */
int recipe_example(const char *text, struct buf *out,
                   struct recipe_fills *fills, struct err *e);

#endif
