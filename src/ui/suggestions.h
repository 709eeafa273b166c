/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suggestions.h - asks which command of an answer in words is meant.
 *
 * It runs nothing: the chosen command becomes a plan like any other, which is
 * judged and reviewed. */
#ifndef UI_SUGGESTIONS_H
#define UI_SUGGESTIONS_H

#include "action/proposal.h"
#include "ui/app.h"

struct suggestions; /* the question on the screen */

struct suggestions_answer {
    enum {
        SUGGESTIONS_LEFT,   /* nothing was chosen */
        SUGGESTIONS_CHOSEN, /* the command with the number `chosen` */
        SUGGESTIONS_NAMED,  /* the missing value is `name` */
        SUGGESTIONS_FAILED, /* interrupted, or the terminal is gone: why */
    } end;
    size_t chosen;
    const char *name;
    struct err why;
};

/* Called once, from the loop. It may close the question, with which the answer
 * is gone. */
typedef void suggestions_cb(void *arg, const struct suggestions_answer *answer);

/* Whether there is something to ask about, and somebody to ask. */
bool suggestions_can_ask(struct app *a, const struct proposal *p);

/* Asks about an answer that is on the screen; both are borrowed. */
struct suggestions *suggestions_open(struct app *a, const struct proposal *p,
                                     suggestions_cb *cb, void *arg,
                                     struct err *e);
void suggestions_close(struct suggestions *s); /* accepts NULL */
DEFINE_CLEANUP(struct suggestions, suggestions_close)

#endif
