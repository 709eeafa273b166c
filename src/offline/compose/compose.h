/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compose.h - commands made to measure, where no template reaches.
 *
 * compose/ holds a composer a family of programs (find, grep, sort and its
 * friends, tar, ps …). Each reads a request (request/request.h) for what its
 * program can say (find's tests and actions; the columns that cut takes) and
 * adds commands to the shortlist, with the words that it has made use of. It
 * knows nothing of recipes and of ranking: whether its command wins is decided
 * in wish/rank.c, by the words used, the fit and what recipes say. What can
 * fail: memory. A composer that does not apply adds nothing. */
#ifndef OFFLINE_COMPOSE_H
#define OFFLINE_COMPOSE_H

#include "base/cleanup.h"
#include "offline/compose/shortlist.h"

struct composer {
    const char *name; /* "find": what a recipe's `compose find` row means */
    int (*compose)(const struct request *q, struct shortlist *s, struct err *e);
};

/* The table of all of them; ends with a name of NULL (compose.c). */
const struct composer *composer_all(void);

/* Each family's composer; a row of the table calls it. */
int find_compose(const struct request *q, struct shortlist *s, struct err *e);

/* Whether word i is one of a list between blanks, by its stem or as it was
 * said; a word in quotes never is. */
bool compose_is(const struct request *q, size_t i, const char *list);

/* Words that follow each other and that nobody has used yet, weak ones passed
 * over: "current|this directory|folder", with | between words that mean the
 * same; "?in" may be missing; "{path}" is a value that may be of that type
 * (slot.h), "{}" any word or value that is not weak. */
struct compose_hit {
    size_t from, to; /* its first word, and the one after its last */
    size_t at;       /* the word that stood for {}; REQUEST_NONE */
    uint64_t set;    /* its words */
};

/* The first such place from word `from` on. */
bool compose_match(const struct request *q, const char *row, uint64_t used,
                   size_t from, struct compose_hit *hit);
/* Where it begins, its words added to *used; REQUEST_NONE. */
size_t compose_claim(const struct request *q, const char *row, uint64_t *used);
/* Claims each of these rows (the last is NULL); whether there was one. */
bool compose_claims(const struct request *q, const char *const *rows,
                    uint64_t *used);

/* What the word says: a value's text, or the word as it was written. The
 * buffer holds the result's bytes where it is no value's. */
const char *compose_text(const struct request *q, size_t i, struct buf *room);

/* Whether what begins at word i is not wanted: "not named", "except". */
bool compose_negated(const struct request *q, size_t i);

/* Whether word i may name something: a value, or a word that nobody knows. */
bool compose_is_name(const struct request *q, size_t i);

/* The nearest word before i that is not weak; REQUEST_NONE. */
size_t compose_before(const struct request *q, size_t i);
static inline bool
compose_used(uint64_t used, size_t i)
{
    return used >> i & 1;
}

/* Whether a value of the request may be of that type; NULL is of none. */
bool compose_may(const struct request_value *v, enum slot_type type);

/* Appends a word for the shell: bare where that is safe, else in quotes. A
 * path that begins with ~ keeps that bare; $NAME stays what it stands for. */
void compose_word(struct buf *out, const char *text);
/* Always in quotes, single ones unless it holds $NAME: '*.txt'. */
void compose_quoted(struct buf *out, const char *text);
/* A path to work on: its * and ? are the shell's, no option by its first
 * letter. */
void compose_path(struct buf *out, const char *text);

/* tail.c: what is done with lines that a command lists. Appends
 * " | sort -rn | head -n 5", " | wc -l", " > list.txt" as the request says,
 * leaving alone the words in *used, and adds what it read to *used. Returns
 * whether it appended anything. */
bool compose_tail(const struct request *q, uint64_t *used, struct buf *out);

/* Appends " 2>/dev/null" where errors are not wanted; compose_tail() does it
 * as well, this is for who must know before it reads "discard". */
void compose_errors(const struct request *q, uint64_t *used, struct buf *out);

/* place.c: where the work is done: "under /var/log", "in the current
 * directory", "~/src", "the home directory"; "." when it says nothing. Several
 * places are several words. Adds the words to *used. Returns whether the
 * request said it. */
bool compose_places(const struct request *q, uint64_t *used, struct buf *out);

#endif
