/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.h - what happened, for programs: -o json and -o jsonl.
 *
 * json: one object at the end. jsonl: the AiAction, then the specification's
 * events, one a line, as they happen. Nothing else goes to standard output. */
#ifndef PERSON_REPORT_H
#define PERSON_REPORT_H

#include "action/inquiry.h"
#include "action/plan.h"
#include "base/outqueue.h"
#include "person/app.h"

struct report; /* what is known of a run so far */

/* The action and facts are borrowed; facts may be NULL. */
struct report *report_new(struct app *a, const struct aiaction *action,
                          const struct inquiry_facts *facts, struct err *e);
void report_free(struct report *r);
DEFINE_CLEANUP(struct report, report_free)

/* Where lines of jsonl go from now on; borrowed. */
void report_to(struct report *r, struct outqueue *o);

/* All of these write a line for jsonl and remember for json; with text they
 * do nothing. p gives the judgements; NULL: the plan was not judged. */
void report_plan(struct report *r, const struct plan *p);
void report_output(struct report *r, size_t step, const char *stream,
                   const char *bytes, size_t n);
void report_step(struct report *r, size_t step, const struct step_end *end);
void report_end(struct report *r, const struct plan_end *end);

/* The last word: json's object, with the exit status that is to come. */
void report_write(struct report *r, const struct err *why, int status);
/* The same of a plan that another one follows: it is kept for the object of
 * the last one. */
void report_keep(struct report *r, const struct err *why, int status);

#endif
