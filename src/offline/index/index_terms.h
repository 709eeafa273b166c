/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_terms.h - the stems of a recipe's phrases, for the index. */
#ifndef OFFLINE_INDEX_INDEX_TERMS_H
#define OFFLINE_INDEX_INDEX_TERMS_H

#include "offline/index/recipe.h"

/* The stem of a word as request_read() makes it, or "<path>" for a slot. */
struct index_term {
    char stem[REQUEST_STEM_MAX];
    uint32_t phrase, place; /* the number of the phrase, the position in it */
};

struct index_known {
    char word[REQUEST_STEM_MAX]; /* in its usual spelling */
};

/* The stems of all phrases in order, and the words that are known by them. */
struct index_terms {
    struct index_term *v;
    size_t n, room;
    struct index_known *words;
    size_t n_words, words_room;
};

void index_terms_done(struct index_terms *t); /* accepts NULL */

/* Adds the stems of a text with slots as phrase number `phrase`. Returns the
 * number of its words, weak ones included, or -1. */
int index_terms_add(struct index_terms *t, const char *text, uint32_t phrase,
                    struct err *e);

#endif
