/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suggestions.h - asks which command of an answer in words is meant.
 *
 * It runs nothing: the chosen command becomes a plan like any other, which is
 * judged and reviewed. */
#ifndef UI_SUGGESTIONS_H
#define UI_SUGGESTIONS_H

#include "action/proposal.h"
#include "ui/app.h"

enum suggestions_end {
    SUGGESTIONS_LEFT,   /* nothing was chosen, or nobody can be asked */
    SUGGESTIONS_CHOSEN, /* the command with the number *chosen */
    SUGGESTIONS_NAMED,  /* the missing value was appended to name */
};

/* Asks about an answer that is on the screen; turns the loop until the user
 * has chosen. -1: interrupted, or the terminal is gone. */
int suggestions_ask(struct app *a, const struct proposal *p,
                    enum suggestions_end *end, size_t *chosen, struct buf *name,
                    struct err *e);

#endif
