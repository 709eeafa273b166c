/* SPDX-License-Identifier: GPL-3.0-or-later */
/* form.h - commands that tables make: what is said, and what is put for it.
 *
 * Most programs of a system take a verb, an operand and options that have
 * nothing to do with each other. A form is such a command: what must be said
 * for it, and its parts in the order in which they are written.
 *
 * What is said is a row of words that follow each other in the request, weak
 * ones and values that were put already passed over; ";" stands between rows
 * that mean the same:
 *
 *     last|latest {number}     either word, then a value of that type
 *     by ?the|user {name}      ? may be missing
 *     {age|date|day}           one of several types: those of slot.h, the
 *                              kinds of form_kind.c, and
 *     {name}                   a value that names, or a word nobody knows
 *     {word}                   any word or value that may name something
 *     {rest}                   all that is left of the request
 *     =stop                    as it is written: no other word of its stem
 *
 * What is put holds {1}, {2} for what stood in braces, {1:how} for the same
 * written another way (form_put.c has the table of them), {0} for what the
 * part of the letter @ held, {{ for a brace. */
#ifndef OFFLINE_FORM_H
#define OFFLINE_FORM_H

#include "offline/compose/compose.h"
#include "offline/compose/sketch.h"

#define FORM_HELD 3 /* what a row has in braces, at most */
#define FORM_WHEN 4

/* Where a row stands in a request. */
struct form_hit {
    uint64_t set; /* its words */
    struct form_held {
        size_t from, to;     /* words [from, to) */
    } held[FORM_HELD], kept; /* kept.to is 0: nothing is */
    unsigned n;
};

struct form_part {
    const char *said; /* NULL: always */
    const char *put;  /* NULL ends the table */
    /* Put when it is not said: "!NAME" is an operand that stands open, "-"
     * means that the form does not apply then. */
    const char *other;
    char only;  /* of the parts with one letter the first that is said */
    bool again; /* put for each place where it is said */
};

/* Rows of parts: put always; put nothing, but say that these words are used;
 * put if it is said; the same wherever it is; with another text if it is not;
 * if it is not, no command; of those with one letter the first. */
/* clang-format off */
#define FORM_ALWAYS(p)        {.put = p}
#define FORM_SAYS(s)          {.said = s, .put = "", .again = true}
#define FORM_IF(s, p)         {.said = s, .put = p}
#define FORM_EACH(s, p)       {.said = s, .put = p, .again = true}
#define FORM_ELSE(s, p, o)    {.said = s, .put = p, .other = o}
#define FORM_MUST(s, p)       {.said = s, .put = p, .other = "-"}
#define FORM_ONE(l, s, p)     {.said = s, .put = p, .only = l}
#define FORM_LAST(l, s, p, o) {.said = s, .put = p, .only = l, .other = o}
#define FORM_END              {.put = NULL}
/* clang-format on */

struct form {
    const char *title; /* NULL ends the table */
    /* All of them must be said; "!row" must not be. They are not marked as
     * used unless a part says them too: "+row" is marked. */
    const char *when[FORM_WHEN];
    const struct form_part *parts;
    double fit;
    bool tail; /* its output may be counted, sorted, cut and kept */
};

/* Rows of forms; FORM_LIST's output is lines. */
/* clang-format off */
#define FORM(t, p, ...) \
    {.title = t, .parts = p, .fit = FIT_SURE, .when = {__VA_ARGS__}}
#define FORM_LIST(t, p, ...) \
    {.title = t, .parts = p, .fit = FIT_SURE, .tail = true, \
     .when = {__VA_ARGS__}}
#define FORMS_END {.title = NULL}
/* clang-format on */

/* Adds the command of the first form that applies. */
int form_compose(const struct form *forms, const char *composer,
                 const struct request *q, struct shortlist *s, struct err *e);

#define FORM_WORD_MAX 128

/* The word in lower case as it was written, no error mended; "" when it is
 * longer than what rows have. */
const char *form_written(const struct request *q, size_t i,
                         char out[FORM_WORD_MAX]);

/* The first place where one of the rows is said, and not by used words alone;
 * what stands in braces is not used yet. */
bool form_match(const struct request *q, const char *said, uint64_t used,
                struct form_hit *hit);
/* Whether word i may stand in {name[0..n)}. */
bool form_fits(const struct request *q, size_t i, const char *name, size_t n);
/* Appends what is put for a hit. */
void form_put(const struct request *q, const char *put,
              const struct form_hit *hit, struct buf *out);

#endif
