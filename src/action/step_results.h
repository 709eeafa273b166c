/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_results.h - writes the results of a plan's steps for the model.
 *
 * Each step is one JSON object on a line: its id, its exit status, and the ends
 * of its output with secrets redacted. Of a step that names a secret the output
 * is left out. The whole is bounded, so that 32 steps fit. */
#ifndef ACTION_STEP_RESULTS_H
#define ACTION_STEP_RESULTS_H

#include "action/plan.h"

#define STEP_RESULTS_STREAM_MAX (8u << 10)  /* bytes of the end of a stream */
#define STEP_RESULTS_MAX        (64u << 10) /* of all of them */

struct step_results {
    struct buf text;
    size_t stream_max, max; /* the two limits; the owner may lower them */
};

void step_results_init(struct step_results *o);
void step_results_done(struct step_results *o); /* accepts NULL */

/* Adds a step that has ended; end NULL: it was not run. */
void step_results_add(struct step_results *o, const struct step *s,
                      const struct step_end *end);

#endif
