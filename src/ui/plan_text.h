/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_text.h - writes a plan as the user reads it before they approve it.
 *
 * Steps before and after the main ones that only check something are folded
 * into one line, which a key unfolds. This is done only where the whole plan
 * comes from our own recipes; what a model wrote is always shown in full. */
#ifndef UI_PLAN_TEXT_H
#define UI_PLAN_TEXT_H

#include "action/agent_loop.h"
#include "action/plan.h"
#include "base/buf.h"
#include "config/config.h"
#include "term/term.h"

#define PLAN_TEXT_MAX (4u << 20) /* bytes: 32 commands of 16 KiB, escaped */

/* Column where the rest of a wrapped text or remark goes on: no part of it can
 * pass for a line of its own, which would say what the step's sandbox is. */
#define PLAN_TEXT_HANGING 7

/* How many steps at the beginning and at the end are checks. */
struct plan_checks {
    size_t before, after;
};

/* Finds them in a plan with at least one step that acts; else both are 0. A
 * check is a step that the rules allow without a remark, and that the guard
 * finds to read and to do nothing else. */
struct plan_checks plan_text_find_checks(const struct aiaction *a,
                                         const struct plan *p);

/* Whether step i of n is one of the checks; c NULL: no step is. */
bool plan_text_is_folded(const struct plan_checks *c, size_t i, size_t n);

struct plan_text_options {
    const char *facts; /* of plan_text_put_facts; NULL: no model was asked */
    const struct plan_checks *folded; /* NULL: every step is shown */
    bool keys; /* a key shows what is folded: the list of all paths that a step
                  would touch is left to it */
};

/* Appends the title, the sandbox, the facts and the steps. Every byte of a
 * command is visible, unless its step is folded. p may be NULL: the plan was
 * not judged. */
void plan_text_put(struct buf *out, const struct term *t,
                   const struct aiaction *a, const struct plan *p,
                   const struct plan_text_options *options);

/* Appends what that left out: folded steps, and all paths that a step would
 * touch. The other one: whether there is anything. */
void plan_text_put_unfolded(struct buf *out, const struct term *t,
                            const struct aiaction *a, const struct plan *p,
                            const struct plan_checks *folded);
bool plan_text_can_unfold(const struct aiaction *a, const struct plan *p,
                          const struct plan_checks *folded);

/* Appends one step, as the question about it alone shows it. */
void plan_text_put_step(struct buf *out, const struct term *t,
                        const struct aiaction *a, const struct plan *p,
                        size_t i);

/* Appends a line that says what runs as root, every byte of it visible. */
void plan_text_put_root(struct buf *out, const struct term *t,
                        const char *const *argv);

/* Appends the steps that were refused because they need sudo, as the user can
 * type them. */
void plan_text_put_refused(struct buf *out, const struct term *t,
                           const struct aiaction *a, const struct plan *p);

/* Appends the model, its tokens, the cost and the time, as far as they are
 * known: "gpt-x · 612 tokens in (500 cached), 40 out · 0.0021 USD · 0.7 s". */
void plan_text_put_facts(struct buf *out, const struct term *t,
                         const char *model, const struct conversation_usage *f);

#endif
