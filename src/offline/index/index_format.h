/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_format.h - the format of an index: tables of numbers, then all text.
 *
 * Every number is a uint32_t in the byte order of the machine that built it, so
 * that the index is constant data of the program. A text is an offset into the
 * last table. The tables follow each other without gaps, so that their counts
 * give their positions. Rows that belong to a recipe, a phrase or a stem follow
 * those of the one before: "first" and "n" of all rows leave nothing out. */
#ifndef OFFLINE_INDEX_INDEX_FORMAT_H
#define OFFLINE_INDEX_INDEX_FORMAT_H

#include "offline/index/index.h"

#define INDEX_MAGIC   0x69687361u
#define INDEX_VERSION 3u

/* Each recipe has two more phrases behind its own: its title, and the names of
 * its programs. */
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
    uint32_t generator; /* 0: none */
    uint32_t risk, job;
    uint32_t step, n_steps;
    uint32_t phrase, n_phrases; /* its own; INDEX_EXTRA more follow */
    uint32_t program;           /* the one that its first command begins with */
};

struct index_step {
    uint32_t description; /* 0: none */
    uint32_t command;
};

struct index_phrase {
    uint32_t text, recipe;
    uint32_t term, n_terms; /* numbers of stems, in the order of the phrase */
    uint32_t length;        /* the sum of its terms' weights */
    uint32_t n_words;       /* weak words too */
};

struct index_stem {
    uint32_t text; /* the rows are sorted by it; "<path>" is a slot */
    uint32_t weight;
    uint32_t rarity; /* the weight among programs, not among phrases */
    uint32_t posting, n_postings;
};

struct index_posting {
    uint32_t phrase, times;
};

struct index_word {
    uint32_t text; /* sorted by it */
    uint32_t times;
};

/* All phrases of the recipes that begin with a program. */
struct index_program {
    uint32_t text; /* sorted by it; "" stands for jobs */
    uint32_t n_terms;
};

/* The begin of each table. */
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

/* The row of a text, or NULL, among n rows of `size` bytes. Each row begins
 * with the offset of its text in `texts`, and the rows are sorted by the text.
 */
const void *index_find(const char *texts, const void *rows, size_t n,
                       size_t size, const char *text);

/* The row of a stem, or NULL. */
const struct index_stem *index_stem_find(const struct index *x,
                                         const char *stem);

/* bytes of the name of a slot's stem, "<path>", with its NUL */
#define INDEX_SLOT_MAX 16

/* The kind of file that a value names: "tar.gz" for backup.tar.gz, "csv" for an
 * extension; "" when it names none. */
const char *index_kind(const struct request_value *v);
void index_slot_stem(enum slot_type type, char name[INDEX_SLOT_MAX]);

#endif
