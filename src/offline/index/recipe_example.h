/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recipe_example.h - fills the slots of a text with examples. */
#ifndef OFFLINE_INDEX_RECIPE_EXAMPLE_H
#define OFFLINE_INDEX_RECIPE_EXAMPLE_H

#include "offline/index/recipe.h"

/* The home directory of examples. It does not exist, so that the machine that
 * checks makes no difference. */
#define RECIPE_EXAMPLE_HOME "/home/nobody.here"

/* A slot, and the bytes [from, to) of its example in the result. */
struct recipe_filled {
    struct recipe_slot slot; /* without `otherwise` */
    size_t from, to;
};

struct recipe_fills {
    struct recipe_filled v[2 * RECIPE_SLOTS_MAX];
    size_t n;
};

/* Appends a phrase or a command with an example in each slot, as a person or a
 * shell would write it. The {{ of a template becomes {. */
int recipe_example(const char *text, struct buf *out,
                   struct recipe_fills *fills, struct err *e);

#endif
