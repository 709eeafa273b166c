/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index.h - the compiled-in recipes, and the search for those that fit.
 *
 * index/ reads the recipes of recipes/ at build time, checks them and writes
 * one index of all: the texts, the stems of their phrases with the phrases that
 * have each stem (for BM25), and the known words. The index is read-only data
 * of the program: nothing is parsed at run time.
 * index/ must not know engine/ or generate/. What can fail: memory, and bytes
 * that are no index (index_view()). */
#ifndef OFFLINE_INDEX_INDEX_H
#define OFFLINE_INDEX_INDEX_H

#include "offline/index/recipe.h"
#include "offline/parse/request_parse.h"

#define INDEX_HITS_MAX 64

struct index; /* the bytes of an index; borrowed */

/* The compiled-in index. NULL when it does not have this program's format. */
const struct index *index_builtin(void);
/* Validates any bytes as an index. The bytes stay the caller's and must outlive
 * the index. ERR_USAGE when they are none. */
const struct index *index_view(const void *bytes, size_t n, struct err *e);

size_t index_count(const struct index *x);
/* Fills *out with recipe i; its texts belong to the index. */
void index_recipe(const struct index *x, size_t i, struct recipe *out);

/* A recipe that has words of the request. All but recipe, phrase and the two
 * sets are scores. */
struct index_hit {
    unsigned recipe, phrase; /* numbers; phrase: the best of the recipe */
    double score;     /* BM25 over that phrase, and what the recipe's other
                         phrases and its title add */
    double share;     /* 0..1: how much of the weight of the request's words
                         the recipe has, also as slots */
    double whole;     /* 0..1: how much of that phrase the request has */
    double slots;     /* 0..1: how much of that phrase are slots for which
                         the request has no likely value */
    uint64_t matched; /* words of the request that the recipe has, ... */
    uint64_t used;    /* ... and that it has as words, not as slots */
};

/* Searches the recipes that fit the request best. Fills at most max hits, the
 * best first, and returns how many. */
size_t index_search(const struct index *x, const struct request *q,
                    struct index_hit *hits, size_t max);

/* How well a request fits all recipes of a program together: a program may be
 * near although none of its phrases is. */
struct index_rates {
    double *v; /* by the number of the program; NULL: no memory */
    double best;
};
void index_rate(const struct index *x, const struct request *q,
                struct index_rates *out);
void index_rates_done(struct index_rates *r); /* accepts NULL */
/* The rate of the program that a recipe begins with, and of a program by name,
 * as 0..1 of the best; 0 for a program that no recipe begins with. */
double index_rate_at(const struct index *x, const struct index_rates *r,
                     size_t recipe);
double index_rate_of(const struct index *x, const struct index_rates *r,
                     const char *program);

/* The BM25 weight of a stem: how rare it is among phrases. An unknown stem has
 * the weight of a word that no recipe has. */
double index_weight(const struct index *x, const char *stem);

/* The known word that a mistyped one was meant to be: at edit distance 1, or 2
 * from seven letters on. NULL when there is none. For request_world.mend. */
const char *index_spellcheck(const struct index *x, const char *word);

#define INDEX_BYTES_MAX (16u << 20)

/* Appends the index of a book. ERR_NOMEM, or the error of out. */
int index_build(const struct recipe_book *b, struct buf *out, struct err *e);

#endif
