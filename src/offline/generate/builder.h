/* SPDX-License-Identifier: GPL-3.0-or-later */
/* builder.h - a command under construction, and the words it uses.
 *
 * A builder remembers which words of the request the command uses. Asking
 * whether the request has a word marks the word as used; taking a value marks
 * it, so that the next call gets another one. */
#ifndef OFFLINE_GENERATE_BUILDER_H
#define OFFLINE_GENERATE_BUILDER_H

#include "offline/generate/literals.h"
#include "offline/generate/shortlist.h"

/* How well a command fits the request. */
#define FIT_SURE   0.9  /* verb, object and values agree */
#define FIT_LIKELY 0.75 /* one of them is of another kind, or missing */
#define FIT_MAYBE  0.5  /* one of several readings */
#define FIT_OTHER  0.35 /* another command for the same */

#define BUILDER_BYTES (4u << 10)

struct builder {
    const struct literals *l;
    const char *generator;
    struct buf out;
    uint64_t used; /* words of the request */
    unsigned open; /* operands in capitals that the request does not name */
    bool piped;    /* it reads from standard input */
    size_t start;  /* bytes of out before the command: "history | " */
    uint64_t start_used;
};

/* Initialises the caller's storage; generator is the name in the table. */
void builder_init(struct builder *k, const struct literals *l,
                  const char *generator);
void builder_done(struct builder *k);
#define CLEANUP_BUILDER CLEANUP(builder_done)

/* Whether the request has a word of the list; marks nothing. */
bool builder_has(const struct builder *k, const char *list);
/* The same, and marks every such word. */
bool builder_says(struct builder *k, const char *list);
/* Whether the words of a row follow each other, weak ones ignored, with /
 * between alternatives: builder_row(k, "in/on place"). Marks them. */
bool builder_row(struct builder *k, const char *row);
/* The first word of such a row, or REQUEST_NONE; marks nothing. */
size_t builder_row_at(const struct builder *k, const char *row);
/* The first word of the list, or REQUEST_NONE. */
size_t builder_at(const struct builder *k, const char *list);
/* The same by spelling alone, without stems. */
size_t builder_plain_at(const struct builder *k, const char *list);
bool builder_says_plain(struct builder *k, const char *list);
void builder_mark(struct builder *k, size_t word);

/* The first unused literal with one of these roles (1u << ROLE_*) that may be
 * of one of these types (1u << SLOT_*), or NULL; marks nothing. */
const struct literal *builder_find(const struct builder *k, unsigned roles,
                                   uint32_t types);
/* The same for files, the surest first. */
const struct literal *builder_find_file(const struct builder *k,
                                        unsigned roles);
const struct literal *builder_take(struct builder *k, unsigned roles,
                                   uint32_t types);
bool builder_is_free(const struct builder *k, const struct literal *l);

/* Append a blank and: words as they are; a literal as an operand (a pattern
 * stays one). */
void builder_put(struct builder *k, const char *words);
void builder_put_literal(struct builder *k, const struct literal *l);
/* The files of a kind in a directory, logs/ and *.txt; NULL: all files. */
void builder_put_within(struct builder *k, const struct literal *dir,
                        const struct literal *kind);
/* The same from unused literals. Returns false, and appends nothing, when there
 * are none. */
bool builder_put_kind(struct builder *k);
/* Appends a pattern for the program itself, quoted and without a blank. */
void builder_add_pattern(struct builder *k, const struct literal *l);
void builder_put_quoted(struct builder *k, const char *text);
/* Appends a text in single quotes: a program of sed or awk. */
void builder_put_program(struct builder *k, const char *text);
/* Appends an option. One with a single letter joins those before it: "-rf". */
void builder_put_option(struct builder *k, const char *option);
/* The same when the request has a word of the list. */
bool builder_option(struct builder *k, const char *list, const char *option);

/* Appends the source of the lines when it is no file, with "| " behind it: "the
 * output of history", "the string $x". */
void builder_source(struct builder *k);
/* Drops everything behind that source. */
void builder_again(struct builder *k);

/* Appends all unused files with these roles; returns how many. */
size_t builder_files(struct builder *k, unsigned roles);
/* The same; when there are none, appends `open`, a word in capitals. */
void builder_files_or(struct builder *k, unsigned roles, const char *open);
void builder_open(struct builder *k, const char *word);
/* Appends what is excluded, each with the option: " --exclude='*.o'". */
void builder_put_excluded(struct builder *k, const char *option);
/* Appends the directories that the request names (generate_places()). */
bool builder_places(struct builder *k);

/* Appends the word behind one of the list that may be a name: "to backup". */
bool builder_put_word(struct builder *k, const char *list);

/* The number with a noun, "5 lines" or "line 5"; -1 when there is none. Marks
 * both. */
long builder_count(struct builder *k, const char *nouns);

/* Adds the command to the shortlist, with the tail of generate_tail(). */
int builder_add(struct builder *k, struct shortlist *s, double fit,
                const char *title, struct err *e);
/* The same without a tail. */
int builder_add_plain(struct builder *k, struct shortlist *s, double fit,
                      const char *title, struct err *e);

/* Whether a literal has that ending: ".csv". */
bool builder_has_ending(const struct builder *k, const char *ending);
/* Whether a literal is most likely of that type. */
bool builder_has_type(const struct builder *k, enum slot_type type);
/* Whether the request needs find: it names ages, sizes, depth or owners. */
bool builder_wants_find(const struct builder *k);

#endif
