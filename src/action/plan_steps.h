/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_steps.h - judges the steps of a plan, and keeps how they were shown.
 *
 * plan.c asks about the steps and runs them; what each would do, and whether
 * that is still what a person saw, is found here. Nothing is asked or run, and
 * nothing but memory and files is touched, so that it may be done in a thread
 * while nobody else uses the same plan_steps. */
#ifndef ACTION_PLAN_STEPS_H
#define ACTION_PLAN_STEPS_H

#include "action/plan.h"
#include "action/undo_paths.h"

/* The caller's storage. */
struct plan_steps {
    const struct aiaction *action;  /* borrowed */
    const struct plan_setting *set; /* borrowed */
    struct step_verdict_params by;
    const atomic_bool *unwanted; /* see struct path_context; NULL at first */
    /* not readable by a step that nobody was asked about */
    struct secret_tree secrets;
    struct step_verdict *verdicts; /* one a step */
    /* a digest a step, as it was judged for the person to see */
    char (*digests)[SHA256_HEX_SIZE];
    /* and with what they granted it, as it would run */
    char (*granted)[SHA256_HEX_SIZE];
    bool *auto_allowed; /* one a step: it was judged as if nobody is asked */
    bool undo;          /* originals are kept */
    struct undo_machine machine;
    bool auto_approved; /* the rules alone approved it: nobody said yes */
    size_t at;          /* the step that is next or runs */
    bool step_asked, word_asked; /* questions of step `at` answered yes */
    bool stricter; /* step `at` is judged stricter than it was shown */
    bool changed;  /* step `at` has another profile than was shown, or would
                      run other code */
};

/* ERR_NOMEM. plan_steps_done is due in any case. */
int plan_steps_init(struct plan_steps *p, const struct aiaction *action,
                    const struct plan_setting *set, struct err *e);
void plan_steps_done(struct plan_steps *p);

/* Judges all steps, for the plan to be shown. Where nobody can be asked, `at`
 * is the first step that would need it. */
int plan_steps_judge(struct plan_steps *p, struct err *e);

/* Judges step `at` as it would run now; ERR_DENIED: it is refused. */
int plan_steps_judge_next(struct plan_steps *p, struct err *e);

/* Sets *q to the question that step `at` still needs; false: none. */
bool plan_steps_question(const struct plan_steps *p, enum plan_question *q);

/* Why the plan ends where nobody can be asked the question. */
void plan_steps_refuse(const struct plan_steps *p, enum plan_question q,
                       struct err *e);

/* Step `at` failed and was granted more, which is no change to be asked about.
 */
void plan_steps_accept_grants(struct plan_steps *p, struct err *e);

/* plan_needs_approval, plan_digest and plan_is_as_shown of plan.h. */
int plan_steps_needs_approval(const struct plan_steps *p, size_t step,
                              char why[256], struct err *e);
int plan_steps_digest(const struct plan_steps *p, char hex[SHA256_HEX_SIZE],
                      struct err *e);
bool plan_steps_are_as_shown(const struct plan_steps *p);

#endif
