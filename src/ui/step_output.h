/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_output.h - prints what steps write while they run: headings, output,
 * and a live line with the time. */
#ifndef UI_STEP_OUTPUT_H
#define UI_STEP_OUTPUT_H

#include "action/plan.h"
#include "base/buf.h"
#include "ui/app.h"
#include "ui/report_json.h"
#include "wire/sender.h"
#include "json/json.h"

struct step_output; /* the live line, and a filter for each stream */

/* Called when a reader of our output is slow (the step must wait), keeps up
 * again, or is gone (the step must end). */
typedef sender_cb step_output_cb;

/* action and report are borrowed. */
struct step_output *step_output_new(struct app *a,
                                    const struct aiaction *action,
                                    struct report_json *report,
                                    step_output_cb *cb, void *arg,
                                    struct err *e);
/* The steps run on these hosts, borrowed. Before the first one. */
int step_output_on(struct step_output *s, const struct host_list *hosts,
                   struct err *e);
/* Erases the live line and drops what is still queued. A result that could
 * not be written is kept by app_result_failed. Accepts NULL. */
void step_output_free(struct step_output *s);
DEFINE_CLEANUP(struct step_output, step_output_free)

/* A step starts: prints its heading and starts the live line. */
void step_output_begin(struct step_output *s, size_t step);
/* Prints what is about to run as root for the step, on a line of its own;
 * argv NULL: the question has shown it already. */
void step_output_as_root(struct step_output *s, const char *const *argv);
/* Prints bytes of a command of a host (NULL: here), each line with the host's
 * name where there are several. A terminal gets them filtered, so that they
 * cannot reach beyond their place on the screen; a file or a pipe gets them as
 * they are. */
void step_output_add(struct step_output *s, size_t step, const char *host,
                     const char *stream, const char *bytes, size_t n);
void step_output_end(struct step_output *s, size_t step,
                     const struct step_end *end);

/* Whether all that was printed has reached its readers. */
bool step_output_is_drained(const struct step_output *s);

/* Where it has not: calls cb once, from the loop, when it has. cb may free s.
 */
void step_output_drain(struct step_output *s, void (*cb)(void *arg), void *arg);

/* Hides the live line while a question is on the screen. */
void step_output_hide(struct step_output *s);
/* The same while a step runs: its line and its styles are ended first. */
void step_output_interrupt(struct step_output *s);

/* Appends the members of a tool's meta as one line without a newline, such as
 * "bytes written: 6; backup path: /a/b.bak": names as words, "yes" for true.
 * Members that are false, null or empty, and the duration, are left out;
 * nothing is appended when none is left. The bytes come from outside, so the
 * caller must escape them. step_output_end calls it. */
void step_output_meta(struct buf *out, const struct json *meta);

#endif
