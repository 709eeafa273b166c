/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index.h - the recipes as the program has them: read-only, and searched.
 *
 * The build makes one file of all recipes and puts it into the program, where
 * the system maps it with everything else: nothing is parsed at run time. It
 * holds the recipes' texts, the stems of their phrases with the phrases that
 * have each (what BM25 needs), and the words that are known. */
#ifndef OFFLINE_INDEX_H
#define OFFLINE_INDEX_H

#include "offline/recipe/recipe.h"
#include "offline/request/request.h"

#define INDEX_HITS_MAX 64

struct index; /* a view of the bytes; they are the program's own */

/* The index that is compiled in. NULL: it is not of this program's form. */
const struct index *index_builtin(void);
/* Any bytes, which stay the caller's; ERR_USAGE: they are no index. */
const struct index *index_view(const void *bytes, size_t n, struct err *e);

size_t index_count(const struct index *x);
/* Fills *out with recipe i; its texts are the index's. */
void index_recipe(const struct index *x, size_t i, struct recipe *out);

/* A recipe that has words of the request. */
struct index_hit {
    unsigned recipe, phrase; /* the phrase that fits best */
    double score;            /* BM25 over that phrase, with what the recipe's
                                other phrases and its title add */
    double share;            /* 0..1: of the weight of the request's words,
                                what the recipe has, slots for them too */
    double whole;            /* 0..1: of that phrase's words, what the request
                                has */
    double slots;            /* 0..1: of that phrase's words, slots that the
                                request has no likely value for */
    uint64_t said;           /* the request's words that it has */
    uint64_t used;           /* the request's words that the recipe says */
};

/* The best recipes first, at most max of them. */
size_t index_search(const struct index *x, const struct request *q,
                    struct index_hit *hits, size_t max);

/* How well a request fits what all recipes of a program say together: where no
 * phrase is near it, the program may be. */
struct index_rates {
    double *v; /* of each program, by its number; NULL: no memory */
    double best;
};
void index_rate(const struct index *x, const struct request *q,
                struct index_rates *out);
void index_rates_done(struct index_rates *r); /* accepts NULL */
/* 0..1 of the best: of the program that a recipe begins with, and of any; 0 for
 * one that no recipe begins with. */
double index_rate_at(const struct index *x, const struct index_rates *r,
                     size_t recipe);
double index_rate_of(const struct index *x, const struct index_rates *r,
                     const char *program);

/* How rare a stem is among phrases, as BM25 weighs it; that of a word which
 * no recipe has for one that is not known. */
double index_weight(const struct index *x, const char *stem);

/* The word known to the index that is one slip of the finger away (two in a
 * word of seven letters or more); NULL. What request_world.mend needs. */
const char *index_mend(const struct index *x, const char *word);

/* Writes the index of a book. */
int index_make(const struct recipe_book *b, struct buf *out, struct err *e);

#endif
