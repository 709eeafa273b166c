/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_remarks.h - what stands below a step: what runs in its place, what it
 * may cost, what is missing, which walls it runs behind. */
#ifndef PERSON_SHOW_REMARKS_H
#define PERSON_SHOW_REMARKS_H

#include "action/plan.h"
#include "base/buf.h"
#include "offline/wish/machine.h"
#include "term/style.h"

/* A line at the indent of remarks. What does not fit on it goes on further in,
 * so that no part of the text can pass for a line of its own. */
void show_remark(struct buf *out, const struct term *t, enum style s,
                 const char *label, const char *text);

/* Whose steps have remarks, for all of which one machine is asked. */
struct remarked {
    const struct term *t;
    const struct aiaction *a;
    const struct plan *p;    /* NULL: it is not judged */
    struct machine *machine; /* NULL: nobody knows what is installed */
};

/* The lines of a step. walls: the one about its sandbox too; each: every path
 * that it would touch, and not the first few alone. */
void show_remarks(struct buf *out, const struct remarked *of, size_t step,
                  bool walls, bool each);

/* The paths that the line about the loss does not name, a line each; nothing
 * where it names all. */
void show_effects(struct buf *out, const struct term *t,
                  const struct judgement *j);

/* Whether there are such. */
bool show_effects_more(const struct judgement *j);

/* The badge of a step's walls, "sandbox: workspace-write"; "" where it does
 * not run. Returns its style: a warning where there are none. */
enum style show_walls(struct buf *out, const struct judgement *j);

#endif
