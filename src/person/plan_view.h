/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_view.h - inside perform.c: the view that a plan's steps run in. */
#ifndef PERSON_PLAN_VIEW_H
#define PERSON_PLAN_VIEW_H

#include "action/plan.h"
#include "person/preview.h"

struct plan_view {
    bool wanted; /* steps are to run in one */
    bool by_key; /* so the person said at the question, which it answered */
    struct preview *preview; /* NULL until it is open */
};

/* Makes the view of the working directory, if it is wanted and not there. */
int plan_view_open(struct plan_view *v, struct app *a,
                   const struct aiaction *action, struct err *e);

/* For plan_setting.preview: NULL when steps run for real. */
const struct view *plan_view_of(const struct plan_view *v);

/* Whether the plan is to be asked about again, for real: a key asked for the
 * view, and a step cannot run in one. The person is told; the view is gone. */
bool plan_view_is_refused(struct plan_view *v, struct app *a,
                          const struct plan *p, const struct plan_end *end);

/* Removes it: nothing ran. */
void plan_view_forget(struct plan_view *v);

/* Shows what the steps changed, and has it kept, dropped or left. *why is set
 * when that failed and it said nothing yet. Returns why the changes are not in
 * the directory where the person decided so; NULL: they are, or there are
 * none. */
const char *plan_view_finish(struct plan_view *v, struct app *a,
                             struct err *why);

/* A view with changes that nobody decided about stays. */
void plan_view_done(struct plan_view *v);

#endif
