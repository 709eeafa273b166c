/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_plan.h - the plan of a turn on a terminal: shows it, asks about it, shows
 * its steps while they run, and reports.
 *
 * Its functions are the events of a turn (action/turn.h), which it answers. The
 * person may edit the action on the way, have it judged again in a view, with
 * more rights or changed, and ask for another plan in words. */
#ifndef UI_RUN_PLAN_H
#define UI_RUN_PLAN_H

#include "action/turn.h"
#include "ui/assist.h"

struct run_plan;

/* A plan that is to be judged. All is borrowed, the proposal until the turn's
 * `asked` or `over`. can_ask: the terminal has keys. */
struct run_plan *run_plan_new(struct app *a,
                              const struct assist_request *request,
                              struct turn *t, const struct proposal *proposal,
                              bool can_ask, struct err *e);
void run_plan_free(struct run_plan *p); /* accepts NULL */
DEFINE_CLEANUP(struct run_plan, run_plan_free)

/* Has it judged, at first in the view that --preview asks for. */
void run_plan_judge(struct run_plan *p);

void run_plan_proposed(struct run_plan *p, const struct plan *plan);
void run_plan_ask(struct run_plan *p, unsigned token, enum plan_question q,
                  size_t step);
void run_plan_step_begin(struct run_plan *p, size_t step);
void run_plan_elevate(struct run_plan *p, const char *const *argv,
                      enum plan_elevation_by how);
void run_plan_output(struct run_plan *p, size_t step, const char *host,
                     const char *stream, const char *bytes, size_t n);
void run_plan_step_complete(struct run_plan *p, size_t step,
                            const struct step_end *end);

/* The turn is held: it goes on when all output has reached its readers and the
 * changes of a view are decided about. p may be freed when this returns. */
void run_plan_complete(struct run_plan *p, const struct plan_end *end);

/* The turn goes on with the results: keeps the report for that of the last
 * plan, and says so. Nothing where the plan is not complete. */
void run_plan_keep(struct run_plan *p);

/* The turn is over: prints the report and returns the exit status, -1 where the
 * plan is not complete. */
int run_plan_report(struct run_plan *p);

#endif
