/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perform.h - a plan with a person in front of it: shown, asked, run. */
#ifndef PERSON_PERFORM_H
#define PERSON_PERFORM_H

#include "action/outcome.h"
#include "person/asking.h"
#include "person/wish.h"

/* Shows the plan, asks as often as it must, runs it and reports. The action
 * may be edited by the person on the way. What came of the steps is written
 * to out when the model wants it (out->wanted: the run is not over). Where the
 * person wants another plan, nothing of this one ran, and proposal->words has
 * their words. Returns the exit status. */
int perform(struct app *a, const struct wish *w,
            const struct proposal *proposal, struct outcome *out);

#endif
