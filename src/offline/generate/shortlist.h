/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shortlist.h - the best few candidate commands. */
#ifndef OFFLINE_GENERATE_SHORTLIST_H
#define OFFLINE_GENERATE_SHORTLIST_H

#include <stdint.h>

#include "base/buf.h"
#include "offline/parse/request_parse.h"

#define SHORTLIST_MAX   48
#define CANDIDATE_BYTES (16u << 10) /* a plan's longest command */
#define CANDIDATE_TITLE 160

struct candidate {
    char *command;
    char title[CANDIDATE_TITLE]; /* what it does, in words, or "" */
    char shown[CANDIDATE_TITLE]; /* the same in the person's language where it
                                    is made of pieces; "": it is looked up */
    uint64_t used;               /* the words of the request that it uses */
    uint64_t filled;             /* of a recipe: those of them in its slots */
    double fit;                  /* 0..1: the estimate of the generator */
    double score;                /* set by rank_sort() */
    unsigned open;         /* slots that the request did not fill: FILE, NAME */
    double strain;         /* how badly values fit a recipe's slots */
    int recipe;            /* of the index; -1: generated */
    int hit;               /* of a recipe: the number of the hit */
    unsigned way;          /* which of the recipe's commands, from 0 */
    const char *generator; /* the name of the generator, or NULL */
};

/* Not sorted before rank_sort() (engine/rank.h). */
struct shortlist {
    struct candidate v[SHORTLIST_MAX];
    size_t n;
};

/* Adds a copy of c. A command that is there already gets the better fit and
 * both sets of words. A full list drops its weakest. ERR_NOMEM. */
int shortlist_add(struct shortlist *s, const struct candidate *c,
                  struct err *e);
/* The same for a command in a buffer. A command that did not fit the buffer is
 * not added. */
int shortlist_offer(struct shortlist *s, struct candidate *c,
                    const struct buf *command, struct err *e);
/* Removes candidate i. */
void shortlist_drop(struct shortlist *s, size_t i);
void shortlist_done(struct shortlist *s); /* accepts NULL */

#endif
