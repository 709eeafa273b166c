/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer.h - an answer in words, on standard output, as it comes. */
#ifndef PERSON_ANSWER_H
#define PERSON_ANSWER_H

#include "action/inquiry.h"
#include "person/app.h"

struct answer; /* text on its way to the person */

struct answer *answer_new(struct app *a, struct err *e);
void answer_free(struct answer *w);
DEFINE_CLEANUP(struct answer, answer_free)

/* A piece of the text while it streams; shown at once on a terminal. What
 * goes to a program waits until the whole answer is checked. */
void answer_add(struct answer *w, const char *bytes, size_t n);
/* Whether some of it was shown already. */
bool answer_begun(const struct answer *w);

/* The whole answer is there and checked: shows what is not shown yet, or the
 * JSON that was asked for. why: what is wrong with an answer in words here,
 * NULL where nothing is. facts may be NULL. Returns the exit status. */
int answer_finish(struct answer *w, const struct aiaction *action,
                  const char *model, const struct inquiry_facts *facts,
                  const struct err *why);

#endif
