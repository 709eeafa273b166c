/* SPDX-License-Identifier: GPL-3.0-or-later */
/* audit.h - writes a run to the journal while it goes on.
 *
 * Each function adds one event, before the caller shows, runs or prints what
 * the event is about. The first event brings the request with it. All of them
 * do nothing where audit_begin was not called or no journal is kept. What
 * cannot be written is printed once, and the run goes on (app_record). */
#ifndef UI_AUDIT_H
#define UI_AUDIT_H

#include "action/agent_loop.h"
#include "action/plan.h"
#include "ui/app.h"
#include "ui/assist.h"

struct model_selection;

#define AUDIT_NAME_SIZE 128 /* bytes of a provider's or a model's name */

/* A run under way. The caller keeps it on its stack; the app points to it
 * until audit_done. */
struct audit {
    struct app *app;
    const struct assist_request *request;
    size_t input; /* bytes that were piped in */
    char input_sha256[SHA256_HEX_SIZE];
    char provider[AUDIT_NAME_SIZE]; /* "": no model is asked */
    char model[AUDIT_NAME_SIZE];
    size_t sent;                     /* bytes of the message to the model */
    struct conversation_usage spent; /* without an event so far */
    int64_t begun_ms;
    bool requested, decided, ran, ended;
};

void audit_begin(struct audit *u, struct app *a,
                 const struct assist_request *request);
/* Adds the end with this status, unless audit_end was called. Where a step
 * ran, all events are on the disk on return. */
void audit_done(struct audit *u, int status);

/* Keep what was piped in and which model is asked, for the request's event. */
void audit_input(struct app *a, const char *bytes, size_t n);
void audit_model(struct app *a, const struct model_selection *m, size_t sent);
/* Adds the request now: while the model thinks, this delays nobody. */
void audit_request(struct app *a);

/* The model called a tool, or was refused. */
void audit_tool_call(struct app *a, const struct tool_loop_call *c);
/* An answer in words; model and facts as for answer_finish. */
void audit_answer(struct app *a, const char *text, const char *model,
                  const struct conversation_usage *f);
/* What a query cost that ended without an answer, for the event of the end. */
void audit_spent(struct app *a, const struct conversation_usage *f);
/* A plan with its verdicts, each time that it is judged. f may be NULL. */
void audit_plan(struct app *a, const struct aiaction *action,
                const struct plan *p, const struct conversation_usage *f);
/* What the user chose at a question; what: a word such as "run", "quit",
 * "edit". */
void audit_decision(struct app *a, enum plan_question q, size_t step,
                    const char *what);
/* A step is about to start. */
void audit_step(struct app *a, const struct aiaction *action,
                const struct plan *p, size_t step);
/* argv is about to run as root for a step, or was refused. */
void audit_elevation(struct app *a, size_t step, const char *const *argv,
                     enum plan_elevation_by how);
/* The same for any frontend, also where no audit was begun; by: who decided.
 * step < 0: it belongs to no step. */
void audit_elevation_by(struct app *a, int64_t step, const char *const *argv,
                        const char *by, bool runs);
void audit_result(struct app *a, const struct aiaction *action, size_t step,
                  const struct step_end *end);
/* The run is over with this status; why may be NULL. */
void audit_end(struct app *a, const struct err *why, int status);

/* The word for a verdict, and for a grant, as audit_decision takes it. The
 * granted directory is in the event of the step. */
const char *audit_verdict_name(enum plan_choice v);
const char *audit_grant_name(const struct denial_remedy *remedy);

#endif
