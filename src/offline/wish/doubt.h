/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doubt.h - why the best that is known is not proposed all the same.
 *
 * A ranking can be sure of the program and wrong about the wish: "delete all
 * but keep.txt" and "is anything on port 22" name the words of commands that
 * nobody asked for. What would change something is doubted sooner. */
#ifndef OFFLINE_DOUBT_H
#define OFFLINE_DOUBT_H

#include <stdbool.h>

#include "base/buf.h"
#include "offline/recipe/recipe.h"
#include "offline/request/request.h"

struct doubt {
    const struct request *q;
    const char *commands; /* all that would run */
    uint64_t used;        /* the words that they account for */
    const char *lost;     /* "" or a word that none of them knows of */
    bool covers;          /* they would write over what is there */
    bool graver;          /* another way of a recipe that does less */
    double cover;         /* 0..1: of the weight of all words */
    double whole;         /* 0..1: of what the recipe's phrase says, what the
                             wish says */
    enum recipe_risk risk;
};

/* Whether there is a reason; appends it as the end of a sentence: "leaves out
 * keep.txt". */
bool doubt_of(const struct doubt *d, struct buf *why);

/* Of what is doubted: whether it is not even shown. It changes something here
 * or elsewhere, as the guard reads it, or does what nobody asked for. */
bool doubt_hides(const struct doubt *d);

#endif
