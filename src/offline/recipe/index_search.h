/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_search.h - a search from inside: its words, its two passes. */
#ifndef OFFLINE_INDEX_SEARCH_H
#define OFFLINE_INDEX_SEARCH_H

#include "offline/recipe/index_form.h"

/* A literal asks for each type that it may be. */
#define SEARCH_ASKED_MAX (4 * REQUEST_WORDS_MAX)

/* A stem that the request asks for. */
struct search_asked {
    const struct index_stem *stem;
    uint64_t words; /* the request's words that ask for it */
    uint64_t own;   /* those of them that say it themselves, and do not merely
                       stand where a slot does */
    double share;   /* of the stem's weight: less for what a literal is
                       not likely to be */
};

struct search {
    const struct index *x;
    struct index_tables t;
    const struct request *q;
    uint16_t *place; /* of each stem in asked, and 1; 0: not asked for */
    struct search_asked asked[SEARCH_ASKED_MAX];
    size_t n;
    /* the request's words that count, in order: numbers of asked; that of a
     * word which no recipe has is SEARCH_ASKED_MAX */
    unsigned row[REQUEST_WORDS_MAX];
    size_t n_row;
    double weight[REQUEST_WORDS_MAX]; /* of each word of the request */
    double all;                       /* their sum */
};

/* index_asked.c: what a request asks for. -1: no memory. search_done in any
 * case. */
int search_ask(struct search *s, const struct index *x,
               const struct request *q);
void search_done(struct search *s);
/* What asks for the stem of that number, NULL. */
const struct search_asked *search_asked_of(const struct search *s,
                                           uint32_t stem);

/* index_order.c: how well a phrase's words stand as the request's do: 1 where
 * nothing does, more for pairs in the same order and the same first word. */
double search_order(const struct search *s, const struct index_phrase *p);
/* Of the weight of a phrase's words, what the request has. */
double search_whole(const struct search *s, const struct index_phrase *p);

#endif
