/* SPDX-License-Identifier: GPL-3.0-or-later */
/* question.h - a plan's question on the screen, until it has a verdict.
 *
 * Keys that are no verdict (explain, copy) are dealt with here, and the
 * question is put again. */
#ifndef PERSON_QUESTION_H
#define PERSON_QUESTION_H

#include "action/plan.h"
#include "person/app.h"
#include "person/plan_checks.h"

struct question;

struct question_answer {
    unsigned token;
    enum plan_verdict verdict;
    bool edited;       /* a step was changed: no verdict, review again */
    bool preview;      /* no verdict: run it in a copy-on-write view */
    bool repeated;     /* a key before it put something below the plan */
    bool insert;       /* quit, and the commands go to the person's prompt */
    const char *words; /* no verdict: ask again with them; NULL: none.
                          Valid until the question is closed */
    /* what a step is granted, for the next review or, of PLAN_MORE, for its
     * next run; of the kind NONE: nothing */
    struct denial_remedy gain;
    bool ungranted; /* no verdict: nothing any more */
    size_t step;    /* that is granted more or less, or was edited */
    struct err why; /* not ERR_NONE: the question ended without an answer */
};

/* What is asked. */
struct question_about {
    enum plan_question kind;
    size_t step;
    /* the steps that the plan on the screen leaves out, with the rest that it
     * does; NULL: it leaves out nothing, or no key may show it */
    const struct plan_checks *folded;
    bool takes_words; /* the plan can be asked for anew */
    bool shown;       /* the step is on the screen, and nothing after it */
};

typedef void question_cb(void *arg, const struct question_answer *answer);

/* Called back once, perhaps before this returns, where the question cannot be
 * put. *out is set before that: the callback may close it. The action is the
 * one being asked about; only `edit` changes it. */
int question_open(struct app *a, struct aiaction *action,
                  const struct plan *plan, unsigned token,
                  const struct question_about *about, question_cb *cb,
                  void *arg, struct question **out, struct err *e);
bool question_is_open(const struct question *q); /* not yet answered */
void question_close(struct question *q);         /* accepts NULL */

#endif
