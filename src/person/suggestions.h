/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suggestions.h - after an answer that names commands: which of them is meant,
 * or what it lacks.
 *
 * Nothing is run by it: what is chosen is a plan like another, judged and
 * reviewed. */
#ifndef PERSON_SUGGESTIONS_H
#define PERSON_SUGGESTIONS_H

#include "person/asking.h"

enum suggestions_end {
    DOUBT_LEFT,   /* nothing was chosen, or there is nobody to ask */
    DOUBT_CHOSEN, /* the command of *chosen */
    DOUBT_NAMED,  /* what was lacking is appended to name */
};

/* Asks about the answer that was shown; turns the loop until it is answered.
 * -1: interrupted, or no terminal any more. */
int suggestions_ask(struct app *a, const struct proposal *p,
                    enum suggestions_end *end, size_t *chosen, struct buf *name,
                    struct err *e);

#endif
