/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unaided_words.h - what is near a wish, as an answer in words. */
#ifndef PERSON_UNAIDED_WORDS_H
#define PERSON_UNAIDED_WORDS_H

#include "offline/wish/engine.h"
#include "person/wish.h"

#define UNAIDED_NEAREST 3 /* are listed; a fourth is rarely what was meant */

/* The answers from the one at `from` on that are listed to choose from, in the
 * order of their numbers, which begin with 1: none that is blind, slight, or
 * another way to the same end. Returns how many; borrowed from a. */
size_t unaided_nearest(const struct engine_answers *a, size_t from,
                       const struct engine_answer *out[UNAIDED_NEAREST]);

/* Appends, in Markdown, what is known and why it is not proposed; of an
 * explanation, the command and what its parts mean. a has at least one.
 * columns: of the screen it is for; 0: of none. */
int unaided_words(const struct wish *wish, const struct engine_answers *a,
                  size_t columns, struct buf *out, struct err *e);

/* The same of a plan that lacks a program, a word of the wish, or a name that
 * the wish does not say: its steps. */
void unaided_plan_words(const struct engine_plan *p, struct buf *out);

/* ai do is for all of a job: a command that does half of it is none. */
bool unaided_is_half(const struct wish *wish, const struct engine_answers *a);

/* Whether a command would ask or draw where a step has no terminal. */
bool unaided_wants_terminal(const char *command);

#endif
