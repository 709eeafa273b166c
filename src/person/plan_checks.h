/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_checks.h - the steps of a plan that only look, before and after those
 * that act.
 *
 * A review folds them into one line that a key unfolds, where all of the plan
 * comes from recipes of ours: what a model wrote is shown whole. */
#ifndef PERSON_PLAN_CHECKS_H
#define PERSON_PLAN_CHECKS_H

#include "action/plan.h"

struct plan_checks {
    size_t before, after; /* steps at the beginning and at the end */
};

/* Of a plan with at least one step that acts; else both are 0. A check is a
 * step that the rules allow for no reason of its own, and that the guard finds
 * to read and to do nothing else. */
struct plan_checks plan_checks_find(const struct aiaction *a,
                                    const struct plan *p);

/* Whether step i of n is among them; c NULL: none is. */
bool plan_checks_has(const struct plan_checks *c, size_t i, size_t n);

#endif
