/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank.h - which candidate was meant, and how sure that is.
 *
 * A candidate's score is a sum over a few features, each a number from 0 to 1
 * with a weight of its own (rank.c); the confidence is the same over what
 * sets the first apart from the others. */
#ifndef OFFLINE_RANK_H
#define OFFLINE_RANK_H

#include "offline/compose/shortlist.h"
#include "offline/recipe/index.h"
#include "offline/recipe/programs.h"
#include "offline/wish/machine.h"
#include "json/write.h"

enum rank_feature {
    RANK_TEXT,     /* the recipe's BM25, of that of the best recipe */
    RANK_SHARE,    /* of the request's words, what the recipe has */
    RANK_WHOLE,    /* of the phrase's words, what the request has */
    RANK_EXACT,    /* both at once, what fills slots with them; squared */
    RANK_WORDING,  /* the same with the words that say nothing */
    RANK_PROGRAM,  /* how well all recipes of its first program fit */
    RANK_COVER,    /* of the request's words, what the candidate accounts for */
    RANK_SAID,     /* the same of its plain words alone */
    RANK_BEGINS,   /* its first word that says anything is accounted for */
    RANK_LEFT,     /* of its literals, those that the candidate leaves out */
    RANK_STRONG,   /* the recipe's BM25, of what the words weigh */
    RANK_FIT,      /* what the composer says itself */
    RANK_COMPOSED, /* it is composed */
    RANK_MADE,     /* COVER of what is composed */
    RANK_ADVISED,  /* a recipe says `compose` of this composer: its BM25 */
    RANK_VOTE,     /* of the recipes found, those of the same first program */
    RANK_NAMED,    /* its first program is a word of the request */
    RANK_ORDERED,  /* "with awk", "the sort command" */
    RANK_LATER,    /* another program of it is a word of the request */
    RANK_COMMON,   /* how often people use the first program */
    RANK_MISSING,  /* one of its programs is not installed */
    RANK_OPEN,     /* slots stay open */
    RANK_STRAIN,   /* how badly values suit its slots */
    RANK_WAY,      /* one of the recipe's other ways */
    RANK_FEATURES
};

struct rank_row {
    double v[RANK_FEATURES];
    struct programs programs;
};

/* What a recipe that was found says for others like it. */
struct rank_advice {
    char head[PROGRAMS_NAME]; /* its first program, or its composer's */
    const char *composer;     /* of a `compose` row; NULL */
    double share;             /* its BM25, of that of the best */
    double vote;
    double wording; /* how near its phrases are to the request, word by word */
};

/* All that is looked at. Of the caller: the first seven. */
struct ranking {
    const struct request *q;
    const struct index *x;
    const struct index_hit *hits;
    size_t n_hits;
    const struct index_rates *rates;
    struct machine *machine;
    struct shortlist *list;
    struct rank_row rows[SHORTLIST_MAX]; /* of the candidates, in order */
    struct rank_advice advice[INDEX_HITS_MAX];
    double votes;                      /* of all advice */
    double weights[REQUEST_WORDS_MAX]; /* of the request's words */
    double weight;                     /* of all of them */
};

/* Scores the list and sorts it, best first. Of those that are near to each
 * other, at most two of the first five begin with the same program. */
void rank_sort(struct ranking *r);

/* Takes candidate i out. */
void rank_drop(struct ranking *r, size_t i);

/* 0..1: that the first candidate begins with the program that was meant. */
double rank_confidence(const struct ranking *r);

/* 0..1: how much of the wish nobody knows. There must be a candidate. */
double rank_doubt(const struct ranking *r);

/* The program that candidate i begins with; "". */
const char *rank_head(const struct ranking *r, size_t i);

const char *rank_feature_name(enum rank_feature f);

/* A command may come from a recipe and from a composer too: it is as good as
 * the better of them, not as both together. */
enum rank_as { RANK_AS_RECIPE, RANK_AS_COMPOSED };

/* rank_features.c: the words' weights; a candidate's row. */
void rank_weigh(struct ranking *r);
void rank_features(const struct ranking *r, const struct candidate *c,
                   enum rank_as as, struct rank_row *row);

/* How much of its words a request shares with a phrase; squared. */
double rank_wording(const struct request *q, const struct recipe *r);
/* Of the weight of the request's words, what these have. */
double rank_cover(const struct ranking *r, uint64_t used);

/* rank_hits.c: the advice of the recipes, when the candidates' programs are
 * known; what it says of a candidate. */
void rank_advise(struct ranking *r);
void rank_heed(const struct ranking *r, const struct candidate *c,
               enum rank_as as, struct rank_row *row);

#endif
