/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shortlist.h - commands that may be meant, the best few kept. */
#ifndef OFFLINE_SHORTLIST_H
#define OFFLINE_SHORTLIST_H

#include <stdint.h>

#include "base/buf.h"
#include "offline/request/request.h"

#define SHORTLIST_MAX   48
#define CANDIDATE_BYTES (16u << 10) /* a plan's longest command */
#define CANDIDATE_TITLE 160

struct candidate {
    char *command;
    char title[CANDIDATE_TITLE]; /* what it does, in words; "" */
    uint64_t used;        /* the words of the request that it accounts for */
    uint64_t filled;      /* of a recipe: those of them that fill its slots */
    double fit;           /* 0..1: how well a composer thinks that it fits */
    double score;         /* the ranking's own */
    unsigned open;        /* slots that the request did not fill: FILE, NAME */
    double strain;        /* how badly values suit a recipe's slots */
    int recipe;           /* of the index; -1: composed */
    int hit;              /* of a recipe: which of those that were found */
    unsigned way;         /* which of its commands; 0 is the first */
    const char *composer; /* its name; NULL */
};

/* Sorted by score only when rank_sort (rank.h) has been at work. */
struct shortlist {
    struct candidate v[SHORTLIST_MAX];
    size_t n;
};

/* Takes a copy of c; a command that is there already keeps the better fit and
 * both sets of words. A full list drops its weakest. */
int shortlist_add(struct shortlist *s, const struct candidate *c,
                  struct err *e);
/* The same of a command that was written into a buffer. One that outgrew it is
 * none. */
int shortlist_offer(struct shortlist *s, struct candidate *c,
                    const struct buf *command, struct err *e);
/* Takes candidate i out. */
void shortlist_drop(struct shortlist *s, size_t i);
void shortlist_done(struct shortlist *s); /* accepts NULL */

#endif
