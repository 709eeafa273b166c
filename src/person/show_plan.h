/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_plan.h - a plan as a person reads it before saying yes. */
#ifndef PERSON_SHOW_PLAN_H
#define PERSON_SHOW_PLAN_H

#include "action/inquiry.h"
#include "action/plan.h"
#include "base/buf.h"
#include "config/config.h"
#include "person/plan_checks.h"
#include "term/term.h"

struct show_how {
    const char *facts; /* NULL: no model was asked */
    /* the steps that are one line; NULL: each is shown */
    const struct plan_checks *folded;
    bool keys; /* a key shows what is folded: a line names what a step would
                  touch, and there is no list of it */
};

/* Appends title, walls, facts and steps; every byte of a command that is not
 * folded is visible. p may be NULL (nothing was judged). */
void show_plan(struct buf *out, const struct term *t, const struct aiaction *a,
               const struct plan *p, const struct show_how *how);

/* What such a plan left out: folded steps, and all that a step would touch; and
 * whether there is anything. */
void show_unfolded(struct buf *out, const struct term *t,
                   const struct aiaction *a, const struct plan *p,
                   const struct plan_checks *folded);
bool show_can_unfold(const struct aiaction *a, const struct plan *p,
                     const struct plan_checks *folded);

/* One step, as it is asked about by itself. */
void show_step(struct buf *out, const struct term *t, const struct aiaction *a,
               const struct plan *p, size_t i);

/* A line that says what runs as root, every byte of it visible. */
void show_root(struct buf *out, const struct term *t, const char *const *argv);

/* The steps that were refused, as what the person can type instead. */
void show_refused(struct buf *out, const struct term *t,
                  const struct aiaction *a, const struct plan *p);

/* A title or a description, as one paragraph: a line of its own in it could
 * look like a step, a command or a question of ours. */
void show_words(struct buf *out, const struct term *t, const char *words);

/* "qwen3-4b · 612 tokens · 0.7 s · $0.0021": what is known of it. */
void show_facts(struct buf *out, const struct term *t, const char *model,
                const struct inquiry_facts *f, const struct config *c);

#endif
