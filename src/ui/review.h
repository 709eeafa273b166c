/* SPDX-License-Identifier: GPL-3.0-or-later */
/* review.h - asks the user a question about a plan until it has a verdict.
 *
 * Keys that give no verdict (explain, copy, view) are handled here, and the
 * question is shown again. */
#ifndef UI_REVIEW_H
#define UI_REVIEW_H

#include "action/plan.h"
#include "ui/app.h"
#include "ui/plan_text.h"

struct review;

struct review_answer {
    unsigned token;
    enum plan_choice verdict;
    bool edited;       /* a step was changed: no verdict, review again */
    bool changed;      /* what a step runs changed: no verdict, review again */
    bool preview;      /* no verdict: run it in a copy-on-write view */
    bool repeated;     /* an earlier key printed something below the plan */
    bool insert;       /* quit, and put the commands on the user's prompt */
    const char *words; /* no verdict: ask for another plan with these words;
                          NULL: none. Valid until the review is closed */
    /* what a step is granted: for the next review, or with PLAN_MORE for its
     * next run; of the kind NONE: nothing */
    struct denial_remedy remedy;
    bool ungranted; /* no verdict: take back all that the step was granted */
    size_t step;    /* that was edited, or is granted more or less */
    struct err why; /* not ERR_NONE: the question ended without an answer */
};

/* What is asked. */
struct review_subject {
    enum plan_question kind;
    size_t step;
    /* the steps that the plan on the screen leaves out; NULL: it leaves out
     * nothing, or no key may show them */
    const struct plan_checks *folded;
    bool takes_words; /* the model can be asked for another plan */
    bool shown;       /* the step is on the screen, and nothing after it */
};

typedef void review_cb(void *arg, const struct review_answer *answer);

/* Shows the question. cb is called once; it is called before this returns
 * where the question cannot be shown. *out is set before that, and cb may
 * close it. Everything is borrowed; only `edit` changes the action. */
int review_open(struct app *a, struct aiaction *action, const struct plan *plan,
                unsigned token, const struct review_subject *subject,
                review_cb *cb, void *arg, struct review **out, struct err *e);
bool review_is_open(const struct review *r); /* not yet answered */
void review_close(struct review *r);         /* accepts NULL */

#endif
