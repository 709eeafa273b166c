/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rule_proposal.h - proposes rules that allow the steps of a plan from now on.
 */
#ifndef UI_RULE_PROPOSAL_H
#define UI_RULE_PROPOSAL_H

#include "action/plan.h"
#include "term/term.h"

/* The narrowest rules that would allow the plan's steps the next time. */
struct rule_proposal {
    char *rules[AIACTION_STEPS_MAX]; /* owned */
    size_t n;
};

/* Makes a rule for each step that needs approval. ERR_DENIED with the reason:
 * a step needs approval every time. ERR_NOT_FOUND: every step is allowed
 * already. rule_proposal_done is due in any case. */
int rule_proposal_make(const struct seat *s, const struct plan *p, size_t steps,
                       struct rule_proposal *r, struct err *e);
void rule_proposal_done(struct rule_proposal *r); /* accepts NULL */

/* Appends the rules for the user to read before they agree. */
void rule_proposal_show(const struct rule_proposal *r, struct buf *out,
                        const struct term *t);

/* Adds the rules to the file of rules of the seat's user. */
int rule_proposal_keep(const struct seat *s, const struct rule_proposal *r,
                       struct err *e);

#endif
