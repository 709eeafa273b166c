/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stage.h - what the person sees while steps run: headings, output, time. */
#ifndef PERSON_STAGE_H
#define PERSON_STAGE_H

#include "action/plan.h"
#include "base/outqueue.h"
#include "person/app.h"
#include "person/report.h"

struct stage; /* the live line, and a filter for each stream of a step */

/* A slow reader of ours makes the step wait, one that is gone ends it. */
typedef outqueue_cb stage_cb;

/* Action and report are borrowed. */
struct stage *stage_new(struct app *a, const struct aiaction *action,
                        struct report *report, stage_cb *cb, void *arg,
                        struct err *e);
/* Erases the live line. A result that could not be written is told by
 * result_lost; what is still queued goes. */
void stage_free(struct stage *s);
DEFINE_CLEANUP(struct stage, stage_free)

void stage_begin(struct stage *s, size_t step);
/* What runs as root for it, on a line of its own before it starts; NULL: the
 * question has shown it. */
void stage_root(struct stage *s, const char *const *argv);
/* A command's own bytes: what reaches beyond its place on the screen does not
 * pass; a file or pipe gets them as they are. */
void stage_output(struct stage *s, size_t step, const char *stream,
                  const char *bytes, size_t n);
void stage_end(struct stage *s, size_t step, const struct step_end *end);

/* What was shown has reached its readers. */
bool stage_is_quiet(const struct stage *s);

/* While a question is on the screen. */
void stage_hide(struct stage *s);
/* The same amid a step: what it has written ends here, with its styles. */
void stage_interrupt(struct stage *s);

#endif
