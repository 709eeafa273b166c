/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outcome.h - what came of an action's steps, as the model is told it.
 *
 * One JSON object a step and line: its id, exit status, the ends of what it
 * wrote, without secrets, and nothing of one that names a file of secrets. The
 * whole is bounded, so that 32 steps fit. */
#ifndef ACTION_OUTCOME_H
#define ACTION_OUTCOME_H

#include "action/plan.h"

#define OUTCOME_STREAM_MAX (8u << 10)  /* bytes of a stream, its end */
#define OUTCOME_MAX        (64u << 10) /* of all; later streams are left out */

struct outcome {
    struct buf text;
    bool wanted; /* the model wants it, and something ran: the run goes on */
};

void outcome_init(struct outcome *o);
void outcome_done(struct outcome *o); /* accepts NULL */

/* A step has ended, or was not run (end NULL). */
void outcome_add(struct outcome *o, const struct step *s,
                 const struct step_end *end);

#endif
