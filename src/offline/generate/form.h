/* SPDX-License-Identifier: GPL-3.0-or-later */
/* form.h - commands from tables: rows of words, and what is written for them.
 *
 * Most programs take a verb, an operand and options that do not depend on each
 * other. A form describes such a command: the words that the request must have,
 * and the parts of the command in order.
 *
 * A row of words must be in the request one after the other; weak words and
 * values that are used already are ignored. ";" separates alternatives:
 *
 *     last|latest {number}     either word, then a value of that type
 *     by ?the|user {name}      ? may be missing
 *     {age|date|day}           one of several types: those of slot.h, the
 *                              kinds of form_match.c, and
 *     {name}                   a value that is a name, or an unknown word
 *     {word}                   any word or value that may name something
 *     {rest}                   all that is left of the request
 *     =stop                    as it is written: no other word of its stem
 *
 * The text to write has {1}, {2} for what was in braces, {1:how} for the same
 * in another form (form.c has the table), {0} for what the part with the letter
 * @ had, {{ for a brace. */
#ifndef OFFLINE_GENERATE_FORM_H
#define OFFLINE_GENERATE_FORM_H

#include "offline/generate/builder.h"
#include "offline/generate/generate.h"

#define FORM_HELD 3 /* the most braces of a row */
#define FORM_WHEN 4

/* A match of a row. */
struct form_hit {
    uint64_t set; /* its words */
    struct form_held {
        size_t from, to;     /* words [from, to) */
    } held[FORM_HELD], kept; /* kept.to is 0: none */
    unsigned n;
};

struct form_part {
    const char *words; /* NULL: always */
    const char *put;   /* NULL ends the table */
    /* Written when the row does not match: "!NAME" is an open operand, "-"
     * means that the form does not apply. */
    const char *other;
    char only;  /* of the parts with one letter only the first match counts */
    bool again; /* written once for each match */
};

/* Rows of parts: always written; words that are used without being written;
 * written for a match; for each match; with another text without a match; no
 * command without a match; of one letter only the first match. */
/* clang-format off */
#define FORM_ALWAYS(p)        {.put = p}
#define FORM_SAYS(s)          {.words = s, .put = "", .again = true}
#define FORM_IF(s, p)         {.words = s, .put = p}
#define FORM_EACH(s, p)       {.words = s, .put = p, .again = true}
#define FORM_ELSE(s, p, o)    {.words = s, .put = p, .other = o}
#define FORM_MUST(s, p)       {.words = s, .put = p, .other = "-"}
#define FORM_ONE(l, s, p)     {.words = s, .put = p, .only = l}
#define FORM_LAST(l, s, p, o) {.words = s, .put = p, .only = l, .other = o}
#define FORM_END              {.put = NULL}
/* clang-format on */

struct form {
    const char *title; /* NULL ends the table */
    /* All of them must match; "!row" must not. Their words count as used only
     * when a part has them too, or for "+row". */
    const char *when[FORM_WHEN];
    const struct form_part *parts;
    double fit;
    bool tail; /* a tail may follow: sort, head, wc, a file */
};

/* Rows of forms; FORM_LIST prints lines, so that a tail may follow. */
/* clang-format off */
#define FORM(t, p, ...) \
    {.title = t, .parts = p, .fit = FIT_SURE, .when = {__VA_ARGS__}}
#define FORM_LIST(t, p, ...) \
    {.title = t, .parts = p, .fit = FIT_SURE, .tail = true, \
     .when = {__VA_ARGS__}}
#define FORMS_END {.title = NULL}
/* clang-format on */

/* Adds the command of the first form that applies. */
int form_generate(const struct form *forms, const char *generator,
                  const struct request *q, struct shortlist *s, struct err *e);

#define FORM_WORD_MAX 128

/* Finds the first match of one of the rows that has an unused word. What is in
 * braces must be unused. */
bool form_match(const struct request *q, const char *words, uint64_t used,
                struct form_hit *hit);

#endif
