/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sketch.h - a command while a composer writes it.
 *
 * A sketch knows which words of the request the command accounts for. Asking
 * whether the request says something marks the word that said it; taking a
 * literal marks it, so that the next who asks gets another one. */
#ifndef OFFLINE_SKETCH_H
#define OFFLINE_SKETCH_H

#include "offline/compose/literals.h"
#include "offline/compose/shortlist.h"

/* How well a command fits what was asked for. */
#define FIT_SURE   0.9  /* verb, object and literals agree */
#define FIT_LIKELY 0.75 /* one of them is of another kind, or missing */
#define FIT_MAYBE  0.5  /* one of several readings */
#define FIT_OTHER  0.35 /* another way to the same */

#define SKETCH_BYTES (4u << 10)

struct sketch {
    const struct literals *l;
    const char *composer;
    struct buf out;
    uint64_t used; /* words of the request */
    unsigned open; /* operands that stand for what was not said */
    bool piped;    /* what it reads comes from standard input */
    size_t start;  /* bytes of out that say where from: "history | " */
    uint64_t start_used;
};

/* The caller's storage; composer is the name that the table has. */
void sketch_init(struct sketch *k, const struct literals *l,
                 const char *composer);
void sketch_done(struct sketch *k);
#define CLEANUP_SKETCH CLEANUP(sketch_done)

/* Whether the request has a word of the list; looks, and marks nothing. */
bool sketch_has(const struct sketch *k, const char *list);
/* The same, and marks all such words. */
bool sketch_says(struct sketch *k, const char *list);
/* Words that follow each other, over weak ones, each one of several; marks
 * them: sketch_row(k, "in/on place"). */
bool sketch_row(struct sketch *k, const char *row);
/* Where such a row begins; REQUEST_NONE. Marks nothing. */
size_t sketch_row_at(const struct sketch *k, const char *row);
/* Where the first word of the list is; REQUEST_NONE. */
size_t sketch_at(const struct sketch *k, const char *list);
/* The first word written so; its stem does not count. */
size_t sketch_plain_at(const struct sketch *k, const char *list);
bool sketch_says_plain(struct sketch *k, const char *list);
void sketch_mark(struct sketch *k, size_t word);

/* The first literal that is free, plays one of those parts (1u << ROLE_…)
 * and may be of one of those types (1u << SLOT_…); NULL. Marks nothing. */
const struct literal *sketch_find(const struct sketch *k, unsigned roles,
                                  uint32_t types);
/* The same of files, the surest first. */
const struct literal *sketch_find_file(const struct sketch *k, unsigned roles);
const struct literal *sketch_take(struct sketch *k, unsigned roles,
                                  uint32_t types);
bool sketch_is_free(const struct sketch *k, const struct literal *l);

/* Appends a blank and then: words as they are; a literal, as an operand of
 * the shell (a glob stays one); a literal between quotes. */
void sketch_put(struct sketch *k, const char *words);
void sketch_put_literal(struct sketch *k, const struct literal *l);
/* A directory with a kind of its files, logs/ with *.txt; NULL: with all. */
void sketch_put_within(struct sketch *k, const struct literal *dir,
                       const struct literal *kind);
/* The same of free literals, a kind of files and a directory; false: there
 * are none, and nothing is written. */
bool sketch_put_kind(struct sketch *k);
/* Appends, without a blank, what the program itself matches: '*.txt'. */
void sketch_add_pattern(struct sketch *k, const struct literal *l);
void sketch_put_quoted(struct sketch *k, const char *text);
/* In single quotes, whatever it holds: a program of sed or awk. */
void sketch_put_program(struct sketch *k, const char *text);
/* Appends an option; one of a letter joins those before it: "-r", "-rf". */
void sketch_put_option(struct sketch *k, const char *option);
/* The same when the request has a word of the list. */
bool sketch_option(struct sketch *k, const char *list, const char *option);

/* Appends what the request takes its lines from when that is no file, with
 * "| " behind it: "the output of history", "the string $x". */
void sketch_source(struct sketch *k);
/* Begins anew behind that. */
void sketch_again(struct sketch *k);

/* Appends all free literals of those parts that are files; how many. */
size_t sketch_files(struct sketch *k, unsigned roles);
/* The same; when there are none, `open` (a word in capitals) stands there. */
void sketch_files_or(struct sketch *k, unsigned roles, const char *open);
void sketch_open(struct sketch *k, const char *word);
/* Appends what is left out, each behind the option: " --exclude='*.o'". */
void sketch_put_excluded(struct sketch *k, const char *option);
/* Appends where the work is done, when the request says it (compose.h). */
bool sketch_places(struct sketch *k);

/* The word behind one of the list that may be a name: "copy it to backup". */
bool sketch_put_word(struct sketch *k, const char *list);

/* The number of a noun: "5 lines", "line 5"; -1: none. Marks both. */
long sketch_count(struct sketch *k, const char *nouns);

/* Adds to the shortlist what is written, and what is to become of it. */
int sketch_add(struct sketch *k, struct shortlist *s, double fit,
               const char *title, struct err *e);
/* The same without what follows it. */
int sketch_add_plain(struct sketch *k, struct shortlist *s, double fit,
                     const char *title, struct err *e);

/* Whether one of the literals ends so: ".csv". */
bool sketch_has_ending(const struct sketch *k, const char *ending);
/* Whether a literal is of that type before all others. */
bool sketch_has_type(const struct sketch *k, enum slot_type type);
/* Whether it asks for what only find can tell: ages, sizes, depth, owners. */
bool sketch_wants_find(const struct sketch *k);

#endif
