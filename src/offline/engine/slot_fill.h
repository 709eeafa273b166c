/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slot_fill.h - fills the slots of a recipe with the values of a request.
 *
 * Values are untrusted text: each becomes part of one word of the command,
 * whatever bytes it has. The words around a slot in a phrase of the recipe
 * decide which value is meant for which slot. */
#ifndef OFFLINE_ENGINE_SLOT_FILL_H
#define OFFLINE_ENGINE_SLOT_FILL_H

#include "offline/index/index.h"
#include "offline/index/recipe.h"
#include "offline/parse/request_parse.h"

#define SLOT_NEIGHBOUR_MAX REQUEST_STEM_MAX

/* A slot of a recipe, and the word of the request that fills it. */
struct slot_binding {
    struct recipe_slot slot;
    bool in_phrase;
    char before[SLOT_NEIGHBOUR_MAX],
        after[SLOT_NEIGHBOUR_MAX]; /* the stems beside it in the phrase */
    size_t word;                   /* REQUEST_NONE: none, or the place */
    unsigned ways; /* the set of the recipe's commands that have the slot */
};

/* The directory that a request names in words, "the current directory", as a
 * word of the shell. used is 0 when it names none. */
struct slot_stated_place {
    struct buf text;
    uint64_t used;
};

struct slot_fill {
    const struct request *q;
    const struct slot_stated_place *place; /* NULL: none */
    bool plain;                            /* replace ~ by the home directory */
    struct slot_binding slots[RECIPE_SLOTS_MAX];
    size_t n;
};

/* How well a value fits a slot: 0 (not at all) to 1. */
double slot_type_kinship(enum slot_type slot, const struct request_value *v);

/* Chooses the values by the phrase that fits best. x knows the words of
 * recipes: a plain word is used as a name only when the phrase has a slot where
 * the request has that word. */
void slot_fill_choose(const struct request *q, const struct index *x,
                      const struct slot_stated_place *place,
                      const struct recipe *r, unsigned phrase,
                      struct slot_fill *out);

/* The result for one template. */
struct slot_fill_result {
    uint64_t used; /* the words of the request that it uses */
    unsigned open; /* slots without a value: PATH, NAME */
    double strain; /* the sum over filled slots, each 0..1: how badly the value
                      fits */
    bool harms;    /* it would write to a device, delete what is excluded ... */
};

/* Whether the command leaves out a value of the request. */
bool slot_fill_leaves(const struct request *q,
                      const struct slot_fill_result *result);

/* Appends a command with its slots filled. A description is filled as plain
 * text. */
int slot_fill_command(const struct slot_fill *f, const char *command,
                      struct buf *out, struct slot_fill_result *result,
                      struct err *e);

/* The position of a value in a command. */
struct slot_position {
    const char *before; /* the first n_before bytes of the template */
    size_t n_before;
    char unit;   /* the m of {age.m}; 0: none */
    bool inside; /* {text!}: inside quotes of the template */
};

/* Whether the value does harm there, or makes no sense: a device or a directory
 * in place of a file, an excluded file behind rm. */
bool slot_type_harms(const struct request_value *v,
                     const struct slot_position *at);

/* Whether a directory would do harm there. */
bool slot_type_takes_directory(const struct slot_position *at);

/* Whether a text may stand in that slot at that position. Empty texts may not,
 * nor texts that would be options; a text to search for may begin with a dash
 * where no options are read. */
bool slot_type_may_stand(enum slot_type slot, const char *text,
                         const struct slot_position *at);

/* Appends a value in the form and the quotes that the slot and its position
 * need (slot_shell.c). The seat is where the request came from; or NULL. */
void slot_shell_value(struct buf *out, const struct seat *s,
                      enum slot_type slot, const struct request_value *v,
                      const struct slot_position *at);
/* The same for a word that is no value. */
void slot_shell_text(struct buf *out, enum slot_type slot, const char *text,
                     const struct slot_position *at);

#endif
