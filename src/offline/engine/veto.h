/* SPDX-License-Identifier: GPL-3.0-or-later */
/* veto.h - finds reasons not to propose the best candidate.
 *
 * Ranking can be sure of the program and still miss the request: "delete all
 * but keep.txt" and "is anything on port 22" have the words of commands that
 * nobody asked for. A command that changes something is vetoed sooner. */
#ifndef OFFLINE_ENGINE_VETO_H
#define OFFLINE_ENGINE_VETO_H

#include <stdbool.h>

#include "base/buf.h"
#include "offline/index/recipe.h"
#include "offline/parse/request_parse.h"

struct veto {
    const struct request *q;
    const char *commands; /* everything that would run */
    uint64_t used;        /* the words of the request that they use */
    const char *lost;     /* a word that none of them uses, or "" */
    bool covers;          /* they would overwrite existing files */
    bool graver;          /* the first command of the recipe does less */
    double cover;         /* 0..1: share of the weight of all words */
    double whole;         /* 0..1: share of the phrase that the request has */
    enum recipe_risk risk;
    bool person; /* the reason is in the person's language, else in English */
};

/* Whether there is a veto; appends the reason as the end of a sentence: "leaves
 * out keep.txt". */
bool veto_of(const struct veto *d, struct buf *why);

/* Whether a vetoed command is not even shown: the guard reads that it changes
 * something, or it does what nobody asked for. */
bool veto_hides(const struct veto *d);

#endif
