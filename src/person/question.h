/* SPDX-License-Identifier: GPL-3.0-or-later */
/* question.h - a plan's question on the screen, until it has a verdict.
 *
 * Keys that are no verdict (explain, copy) are dealt with here, and the
 * question is put again. */
#ifndef PERSON_QUESTION_H
#define PERSON_QUESTION_H

#include "action/plan.h"
#include "person/app.h"

struct question;

struct question_answer {
    unsigned token;
    enum plan_verdict verdict;
    bool edited;    /* a step was changed: no verdict, review again */
    bool preview;   /* no verdict: run it in a copy-on-write view */
    struct err why; /* not ERR_NONE: the question ended without an answer */
};

typedef void question_cb(void *arg, const struct question_answer *answer);

/* Called back once, perhaps before this returns, where the question cannot be
 * put. *out is set before that: the callback may close it. The action is the
 * one being asked about; only `edit` changes it. */
int question_open(struct app *a, struct aiaction *action,
                  const struct plan *plan, unsigned token, enum plan_question q,
                  size_t step, question_cb *cb, void *arg,
                  struct question **out, struct err *e);
bool question_is_open(const struct question *q); /* not yet answered */
void question_close(struct question *q);         /* accepts NULL */

#endif
