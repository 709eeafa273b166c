/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank.h - ranks candidates, and estimates how sure the first one is.
 *
 * The score of a candidate is a weighted sum of features, each a number from 0
 * to 1; rank.c has the weights. The confidence is such a sum over what makes
 * the first candidate differ from the others. */
#ifndef OFFLINE_ENGINE_RANK_H
#define OFFLINE_ENGINE_RANK_H

#include "offline/engine/installed.h"
#include "offline/generate/shortlist.h"
#include "offline/index/command_programs.h"
#include "offline/index/index.h"

enum rank_feature {
    RANK_TEXT,      /* BM25 of the recipe, relative to the best recipe */
    RANK_SHARE,     /* share of the request's words that the recipe has */
    RANK_WHOLE,     /* share of the phrase's words that the request has */
    RANK_EXACT,     /* both at once, with values in slots; squared */
    RANK_WORDING,   /* the same with weak words */
    RANK_PROGRAM,   /* how well all recipes of its first program fit */
    RANK_COVER,     /* share of the request's words that the candidate uses */
    RANK_PLAIN,     /* the same over plain words only */
    RANK_BEGINS,    /* the first word with a meaning is used */
    RANK_LEFT,      /* share of the request's values that are not used */
    RANK_STRONG,    /* BM25 of the recipe, relative to the words' weight */
    RANK_FIT,       /* the fit that the generator gives */
    RANK_GENERATED, /* it is generated */
    RANK_MADE,      /* COVER of what is generated */
    RANK_ADVISED,   /* BM25 of a recipe with a `compose` row for it */
    RANK_VOTE,      /* share of found recipes with the same program */
    RANK_NAMED,     /* its first program is a word of the request */
    RANK_ORDERED,   /* "with awk", "the sort command" */
    RANK_LATER,     /* another program of it is a word of the request */
    RANK_COMMON,    /* how often people use the first program */
    RANK_MISSING,   /* one of its programs is not installed */
    RANK_OPEN,      /* slots stay open */
    RANK_STRAIN,    /* how badly values fit its slots */
    RANK_WAY,       /* not the first command of its recipe */
    RANK_FEATURES
};

struct rank_row {
    double v[RANK_FEATURES];
    struct command_programs programs;
};

/* What a found recipe says for candidates with the same program. */
struct rank_advice {
    char
        head[COMMAND_PROGRAMS_NAME]; /* its first program, or its generator's */
    const char *generator;           /* of a `compose` row; NULL */
    double share;                    /* its BM25, relative to the best */
    double vote;
    double wording; /* how similar its wording is to the request */
};

/* Everything that ranking reads. The caller fills the first seven members. */
struct ranking {
    const struct request *q;
    const struct index *x;
    const struct index_hit *hits;
    size_t n_hits;
    const struct index_rates *rates;
    struct installed *installed;
    struct shortlist *list;
    struct rank_row
        rows[SHORTLIST_MAX]; /* one per candidate, in the same order */
    struct rank_advice advice[INDEX_HITS_MAX];
    double votes;                      /* sum over all advice */
    double weights[REQUEST_WORDS_MAX]; /* of the request's words */
    double weight;                     /* their sum */
};

/* Scores the list and sorts it, best first. Among near ones at most two of the
 * first five begin with the same program. */
void rank_sort(struct ranking *r);

/* Removes candidate i. */
void rank_drop(struct ranking *r, size_t i);

/* The probability, 0..1, that the first candidate begins with the program that
 * was meant. */
double rank_confidence(const struct ranking *r);

/* The share, 0..1, of the request that no recipe knows. There must be at least
 * one candidate. */
double rank_unknown_share(const struct ranking *r);

const char *rank_feature_name(enum rank_feature f);

/* A command that comes from a recipe and from a generator has the better of
 * both scores, not their sum. */
enum rank_as { RANK_AS_RECIPE, RANK_AS_GENERATED };

#endif
