/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_form.h - the bytes of an index: tables of numbers, then all text.
 *
 * Everything is a uint32_t of the machine that built it, so that the index is
 * data of the program as any other; a text is its place in the last table.
 * The tables follow each other without gaps: their counts give their places.
 * What belongs to a recipe, a phrase or a stem are rows that follow those of
 * the one before, so that first and n of each row leave nothing out. */
#ifndef OFFLINE_INDEX_FORM_H
#define OFFLINE_INDEX_FORM_H

#include "offline/recipe/index.h"

#define INDEX_MAGIC   0x69687361u
#define INDEX_VERSION 3u

/* Beside its own phrases each recipe has its title and the names of its
 * programs as two more, in this order, behind them. */
#define INDEX_EXTRA 2

/* Weights and lengths are fixed-point: 1 is INDEX_ONE. */
#define INDEX_ONE 65536.0

struct index {
    uint32_t magic, version, bytes;
    uint32_t n_recipes, n_steps, n_phrases, n_terms, n_stems, n_postings;
    uint32_t n_words, n_programs, n_text;
    uint32_t mean;    /* length of a phrase */
    uint32_t unknown; /* weight of a word that no phrase has */
    uint32_t spare[2];
};

struct index_recipe {
    uint32_t id, title, needs, file, line;
    uint32_t composer; /* 0: none */
    uint32_t risk, job;
    uint32_t step, n_steps;
    uint32_t phrase, n_phrases; /* its own; INDEX_EXTRA more follow */
    uint32_t program;           /* that its first command begins with */
};

struct index_step {
    uint32_t description; /* 0: none */
    uint32_t command;
};

struct index_phrase {
    uint32_t text, recipe;
    uint32_t term, n_terms; /* stems by number, in its order */
    uint32_t length;        /* the sum of its terms' weights */
    uint32_t n_words;       /* with those that say nothing */
};

struct index_stem {
    uint32_t text; /* sorted by it; "<path>" is a slot */
    uint32_t weight;
    uint32_t rarity; /* the same among programs, not among recipes */
    uint32_t posting, n_postings;
};

struct index_posting {
    uint32_t phrase, times;
};

struct index_word {
    uint32_t text; /* sorted by it */
    uint32_t times;
};

/* All phrases of the recipes that begin with it. */
struct index_program {
    uint32_t text; /* sorted by it; "" stands for jobs */
    uint32_t n_terms;
};

/* Where the tables of an index begin. */
struct index_tables {
    const struct index_recipe *recipes;
    const struct index_step *steps;
    const struct index_phrase *phrases;
    const uint32_t *terms;
    const struct index_stem *stems;
    const struct index_posting *postings;
    const struct index_word *words;
    const struct index_program *programs;
    const char *text;
};

struct index_tables index_tables_of(const struct index *x);

/* The row for a text in n rows of so many bytes, which begin with the place of
 * theirs in `texts` and are sorted by it; NULL. */
const void *index_find(const char *texts, const void *rows, size_t n,
                       size_t size, const char *text);

/* The row of a stem, NULL. */
const struct index_stem *index_stem_find(const struct index *x,
                                         const char *stem);

/* "<path>" into name. */
#define INDEX_SLOT_MAX 16

/* What a literal says of the kind of a file: "tar.gz" of backup.tar.gz, "csv"
 * of an extension; "" when it says nothing. */
const char *index_kind(const struct request_value *v);
void index_slot_stem(enum slot_type type, char name[INDEX_SLOT_MAX]);

#endif
