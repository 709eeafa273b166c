/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_plan.h - shows a plan, asks for approval, runs it and reports. */
#ifndef UI_RUN_PLAN_H
#define UI_RUN_PLAN_H

#include "action/proposal.h"
#include "ui/assist.h"

/* Asks as often as the rules demand, and returns the exit status. The user may
 * edit the action on the way. Where the model wants the results of the steps,
 * proposal->results holds them, and its `wanted` says that the run is not over.
 * Where the user wants another plan, no step of this one ran, and
 * proposal->words holds their words. */
int run_plan(struct app *a, const struct assist_request *request,
             const struct proposal *proposal);

#endif
