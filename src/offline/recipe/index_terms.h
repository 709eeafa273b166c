/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_terms.h - what a phrase of a recipe is found by. */
#ifndef OFFLINE_INDEX_TERMS_H
#define OFFLINE_INDEX_TERMS_H

#include "offline/recipe/recipe.h"

/* A word's stem, or "<path>" of a slot, as request_read sees them. */
struct index_term {
    char stem[REQUEST_STEM_MAX];
    uint32_t phrase, place; /* in which phrase, and where in it */
};

struct index_known {
    char word[REQUEST_STEM_MAX]; /* as people write it */
};

/* Those of all phrases, in their order. */
struct index_terms {
    struct index_term *v;
    size_t n, room;
    struct index_known *words;
    size_t n_words, words_room;
};

void index_terms_done(struct index_terms *t); /* accepts NULL */

/* Adds those of a text with slots, as the phrase of that number. Returns how
 * many words it has, those that say nothing too; -1. */
int index_terms_add(struct index_terms *t, const char *text, uint32_t phrase,
                    struct err *e);

#endif
