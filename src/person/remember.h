/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remember.h - a yes that is kept: rules for what a plan's steps do. */
#ifndef PERSON_REMEMBER_H
#define PERSON_REMEMBER_H

#include "action/plan.h"
#include "term/term.h"

/* The narrowest rules that would allow the plan's steps the next time. */
struct remember {
    char *rules[AIACTION_STEPS_MAX];
    size_t n;
};

/* Proposes a rule for each step that is asked about. ERR_DENIED with the
 * reason when one of them is asked every time; ERR_NOT_FOUND when there is
 * nothing to remember. r needs remember_done in any case. */
int remember_propose(const struct plan *p, size_t steps, struct remember *r,
                     struct err *e);
void remember_done(struct remember *r); /* accepts NULL */

/* The rules as a person reads them before saying yes. */
void remember_show(const struct remember *r, struct buf *out,
                   const struct term *t);

/* Adds them to the person's file of rules. */
int remember_keep(const struct remember *r, struct err *e);

#endif
