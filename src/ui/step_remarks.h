/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_remarks.h - writes the remarks below a step: the tool that runs in its
 * place, what it may destroy, what is missing, and its sandbox. */
#ifndef UI_STEP_REMARKS_H
#define UI_STEP_REMARKS_H

#include "action/plan.h"
#include "base/buf.h"
#include "offline/engine/installed.h"
#include "term/style.h"

/* The plan whose steps have remarks. All borrowed. */
struct step_remarks_plan {
    const struct term *t;
    const struct aiaction *a;
    const struct plan *p;      /* NULL: it is not judged */
    struct installed *machine; /* NULL: it is unknown what is installed */
};

/* Appends the remarks of a step. sandbox: also the line about its sandbox;
 * each: every path that the step would touch, and not only the first few. */
void step_remarks_put(struct buf *out, const struct step_remarks_plan *of,
                      size_t step, bool sandbox, bool each);

/* Whether the step would touch more paths than its remarks name. */
bool step_remarks_has_more(const struct step_verdict *v);

/* Appends the step's sandbox as "sandbox: workspace-write"; nothing where the
 * step does not run. Returns the style for it: a warning where there is no
 * sandbox. */
enum style step_remarks_sandbox(struct buf *out, const struct seat *s,
                                const struct step_verdict *v);

#endif
