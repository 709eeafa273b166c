/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unaided_words.h - what is near a wish, as an answer in words. */
#ifndef PERSON_UNAIDED_WORDS_H
#define PERSON_UNAIDED_WORDS_H

#include "offline/wish/engine.h"
#include "person/wish.h"

/* Appends, in Markdown, what is known and why it is not proposed; of an
 * explanation, the command and what its parts mean. a has at least one. */
int unaided_words(const struct wish *wish, const struct engine_answers *a,
                  struct buf *out, struct err *e);

/* The same of a plan that lacks a program, a word of the wish, or a name that
 * the wish does not say: its steps. */
void unaided_plan_words(const struct engine_plan *p, struct buf *out);

/* ai do is for all of a job: a command that does half of it is none. */
bool unaided_is_half(const struct wish *wish, const struct engine_answers *a);

/* Whether a command would ask or draw where a step has no terminal. */
bool unaided_wants_terminal(const char *command);

#endif
