/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report_json.h - reports a run to programs: -o json and -o jsonl.
 *
 * json prints one object at the end. jsonl prints the AiAction and then the
 * specification's events, one on a line, as they happen. Nothing else goes to
 * standard output. With -o text all functions do nothing. */
#ifndef UI_REPORT_JSON_H
#define UI_REPORT_JSON_H

#include "action/agent_loop.h"
#include "action/plan.h"
#include "ui/app.h"
#include "wire/sender.h"

struct report_json; /* what is known of a run so far */

/* action and facts are borrowed; facts may be NULL. */
struct report_json *report_json_new(struct app *a,
                                    const struct aiaction *action,
                                    const struct conversation_usage *facts,
                                    struct err *e);
void report_json_free(struct report_json *r); /* accepts NULL */
DEFINE_CLEANUP(struct report_json, report_json_free)

/* Sends the lines of jsonl to o from now on; o is borrowed. NULL: to standard
 * output. */
void report_json_to(struct report_json *r, struct sender *o);

/* Of ai undo: what is left alone is reported too. Borrowed; NULL: nothing. */
struct undo_files;
void report_json_undoing(struct report_json *r, const struct undo_files *f);

/* The steps run on these hosts, borrowed: what is reported of a step is
 * reported of each. Before the first one. */
int report_json_on(struct report_json *r, const struct host_list *hosts,
                   struct err *e);

/* Each prints a line with jsonl, and keeps what json prints at the end. p has
 * the verdicts; NULL: the plan was not judged. */
void report_json_plan(struct report_json *r, const struct plan *p);
void report_json_output(struct report_json *r, size_t step, const char *host,
                        const char *stream, const char *bytes, size_t n);
void report_json_step(struct report_json *r, size_t step,
                      const struct step_end *end);
void report_json_end(struct report_json *r, const struct plan_end *end);

/* Prints the object of json, with the exit status that is to come. */
void report_json_write(struct report_json *r, const struct err *why,
                       int status);
/* The same for a plan that another one follows: the object is kept by
 * app_report_prior_plan and becomes a part of the last one's. */
void report_json_keep(struct report_json *r, const struct err *why, int status);

/* Writes why no model answered though one was expected to, and of ai fix where
 * its text came from, or why from nowhere, if that is so. */
void report_json_put_reason(struct json_writer *w, const struct app *a);

/* Writes the members cost, an exact number, and currency, where the amount is
 * known. */
void report_json_put_cost(struct json_writer *w, const struct cost *c);

#endif
