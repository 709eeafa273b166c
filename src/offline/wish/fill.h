/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fill.h - a recipe's slots, filled from a request.
 *
 * Values are untrusted text: each becomes part of one word of the command,
 * whatever it holds. What a phrase of the recipe says around its slots tells
 * which value is meant for which. */
#ifndef OFFLINE_FILL_H
#define OFFLINE_FILL_H

#include "offline/recipe/index.h"
#include "offline/recipe/recipe.h"
#include "offline/request/request.h"

#define FILL_CUE REQUEST_STEM_MAX

/* A slot of the recipe, and the word of the request that is for it. */
struct fill_slot {
    struct recipe_slot slot;
    bool in_phrase;
    char before[FILL_CUE], after[FILL_CUE]; /* its neighbours there, stems */
    size_t word;   /* REQUEST_NONE: none, or what place says */
    unsigned ways; /* a set: the recipe's commands that have the slot */
};

/* The place that a request names in words, "the current directory", for the
 * shell; used is 0 where it names none. */
struct fill_said {
    struct buf text;
    uint64_t used;
};

struct fill {
    const struct request *q;
    const struct fill_said *place; /* NULL: none */
    bool plain;                    /* ~ becomes the home directory */
    struct fill_slot slots[RECIPE_SLOTS_MAX];
    size_t n;
};

/* How well a value suits a slot: 0 (not at all) to 1. */
double fill_kinship(enum slot_type slot, const struct request_value *v);

/* Chooses the values, by the phrase that fits best. x says which words
 * recipes know: a plain word is taken for a name only when the phrase has a
 * slot where the request has that word. */
void fill_choose(const struct request *q, const struct index *x,
                 const struct fill_said *place, const struct recipe *r,
                 unsigned phrase, struct fill *out);

/* What became of a template. */
struct fill_result {
    uint64_t used; /* the request's words that stand in it */
    unsigned open; /* slots that nothing filled: PATH, NAME */
    double strain; /* 0..1 of each filled slot: how badly its value suits */
    bool harms;    /* it would write to a device, remove what is to stay … */
};

/* Whether a literal of the request stands nowhere in the command. */
bool fill_leaves(const struct request *q, const struct fill_result *result);

/* Appends a command with its slots filled, or a description as plain text. */
int fill_command(const struct fill *f, const char *command, struct buf *out,
                 struct fill_result *result, struct err *e);

/* fill_value.c: where in the command a value stands. */
struct fill_place {
    const char *before; /* the template, its first n_before bytes */
    size_t n_before;
    char unit;   /* of {age.m}; 0: none is asked for */
    bool inside; /* {text!}: the template has quotes of its own around it */
};

/* fill_known.c: appends what is known without a request, as a word of the shell
 * or, bare, as it is. */
void fill_known(struct buf *out, enum recipe_known known, bool bare);
/* The path without a ~ in front (plain), and of it the part that the unit says;
 * NULL: no memory. The caller frees it. */
char *fill_path(const char *path, bool plain, char unit);

/* fill_kin.c: whether it does harm there, or nothing that is of use: a device
 * or a directory as if it were a file, what is excluded behind rm. */
bool fill_harms(const struct request_value *v, const struct fill_place *at);

/* The same of any directory. */
bool fill_takes_directory(const struct fill_place *at);

/* fill_form.c: whether a text may stand in such a slot wherever it is; what is
 * empty, or would be an option, is no name of anything. */
bool fill_has_form(enum slot_type slot, const char *text);
/* The same of that place: a text to search for may begin with a dash where no
 * option is read. */
bool fill_may_stand(enum slot_type slot, const char *text,
                    const struct fill_place *at);

/* Appends a value as that slot wants it. */
void fill_value(struct buf *out, enum slot_type slot,
                const struct request_value *v, const struct fill_place *at);
/* The same of a word that is no value. */
void fill_text(struct buf *out, enum slot_type slot, const char *text,
               const struct fill_place *at);

#endif
