/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inquiry.h - a wish goes to a model and comes back as a checked AiAction.
 *
 * The model may look first (look.h): what it calls is answered, and it is
 * asked again, for a bounded number of rounds. An answer that cannot be used
 * goes back once, with the reason; a second one is ERR_ANSWER. An action that
 * wants the results of its steps is followed by another of the same inquiry:
 * inquiry_results. */
#ifndef ACTION_INQUIRY_H
#define ACTION_INQUIRY_H

#include "action/aiaction.h"
#include "action/look.h"
#include "model/client.h"

struct inquiry;

/* What is asked, and with which means; borrowed for as long as the inquiry
 * lives, but for the text, which is copied. */
struct inquiry_wish {
    enum aiaction_mode mode;
    const char *user;                   /* the whole user's message … */
    const char *outside;                /* … and its origin: client.h */
    struct look *look;                  /* NULL: it answers at once */
    const struct aiaction_tools *tools; /* that a step may name; NULL: none */
};

/* What the answer cost. */
struct inquiry_facts {
    const char *model;             /* borrowed for the callback; may be NULL */
    int64_t tokens_in, tokens_out; /* of all rounds; -1: not told */
    int64_t ms;
    bool repaired; /* it took another round to be usable */
};

struct inquiry_events {
    /* text of an answer_only's summary, as it streams; may never come */
    void (*text)(void *arg, const char *bytes, size_t n);
    void (*waiting)(void *arg, const char *line); /* why it takes longer */
    /* a tool is at work; NULL: the model is asked again */
    void (*looking)(void *arg, const char *line);
    void (*looked)(void *arg, const struct look_call *c); /* a call is over */
    /* exactly one of these two comes last; the action is the callee's */
    void (*proposed)(void *arg, struct aiaction *a,
                     const struct inquiry_facts *f);
    void (*failed)(void *arg, const struct err *why);
};

/* Sends the wish to m. */
struct inquiry *inquiry_start(struct model *m, const struct inquiry_wish *w,
                              const struct inquiry_events *ev, void *arg,
                              struct err *e);
void inquiry_free(struct inquiry *q); /* after its last event */
DEFINE_CLEANUP(struct inquiry, inquiry_free)

/* What a question is asked with beside its turns, after so many answers. */
void inquiry_fill(const struct look *k, int rounds, struct model_request *r);

/* Whether an action may be followed by another of this inquiry. */
bool inquiry_may_go_on(const struct inquiry *q);

/* What the model was told so far that others could have written, in words for
 * a review; NULL: nothing. */
const char *inquiry_outside(const struct inquiry *q);

/* After `proposed`: what came of the action's steps, n bytes from outside,
 * goes to the model, and another last event comes. */
int inquiry_results(struct inquiry *q, const char *results, size_t n,
                    struct err *e);

/* After `proposed`, in place of that: the person's words on how the answer is
 * to be changed go to the model. */
int inquiry_revise(struct inquiry *q, const char *words, struct err *e);

/* Ctrl-C: ends the question or the call that is made; failed(ERR_INTERRUPTED)
 * comes. */
void inquiry_cancel(struct inquiry *q);

#endif
