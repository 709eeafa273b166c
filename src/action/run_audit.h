/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_audit.h - writes a run to the journal while it goes on.
 *
 * Each function adds one event, before its caller shows, runs or prints what
 * the event is about. The first event brings the request with it. All of them
 * do nothing with NULL in place of the run, or where no journal is kept. What
 * cannot be written is reported by who opened the journal, and the run goes on.
 */
#ifndef ACTION_RUN_AUDIT_H
#define ACTION_RUN_AUDIT_H

#include "action/conversation.h"
#include "action/plan.h"
#include "action/tool_loop.h"
#include "record/journal.h"

struct model_selection;

#define RUN_AUDIT_NAME_SIZE 128 /* bytes of a provider's or a model's name */

/* Where the events go. */
struct run_audit_journal {
    /* the run in it, opened at the first call; NULL: none is kept */
    struct journal_run *(*open)(void *arg);
    void (*added)(void *arg); /* looks after each event whether it is lost */
    void *arg;
};

/* What the event of the request says; NULL: nothing of that. Borrowed until
 * run_audit_done, since it is written late. */
struct run_audit_request {
    const char *verb, *text, *directory;
    const char *hint;            /* words that go with the text */
    const char *options;         /* that decide what may run, as typed */
    const char *plan, *plan_out; /* files */
    const char *from, *session;  /* the program that asks, and its session */
    const char *offline_reason;  /* "": as NULL */
    const char *approved_by;     /* of a plan that runs without a question */
    const char *answered_by;     /* of all questions */
};

/* A run under way; the caller's storage. */
struct run_audit {
    struct run_audit_journal to;
    const struct run_audit_request *request;
    size_t input; /* bytes that came with the request */
    char input_sha256[SHA256_HEX_SIZE];
    char provider[RUN_AUDIT_NAME_SIZE]; /* "": no model is asked */
    char model[RUN_AUDIT_NAME_SIZE];
    size_t sent;                     /* bytes of the message to the model */
    struct conversation_usage spent; /* without an event so far */
    int64_t begun_ms;
    bool requested, decided, ran, ended;
};

void run_audit_begin(struct run_audit *u,
                     const struct run_audit_request *request,
                     const struct run_audit_journal *to);
/* Adds the end with this status, unless run_audit_end was called. Returns
 * whether a step ran, so that the events must be on the disk. */
bool run_audit_done(struct run_audit *u, int status);

/* The run's name, borrowed; NULL: no journal is kept. */
const char *run_audit_name(struct run_audit *u);

/* Keep what came with the request and which model is asked, for the request's
 * event. */
void run_audit_input(struct run_audit *u, const char *bytes, size_t n);
void run_audit_model(struct run_audit *u, const struct model_selection *m,
                     size_t sent);
/* Adds the request now: while the model thinks, this delays nobody. */
void run_audit_ask(struct run_audit *u);

/* Calls cb once, when what was added so far is stored or cannot be: see
 * journal_when_stored. Without a journal, before it returns. */
int run_audit_when_stored(struct run_audit *u, void (*cb)(void *arg), void *arg,
                          struct err *e);

/* The model called a tool, or was refused. */
void run_audit_tool_call(struct run_audit *u, const struct tool_loop_call *c);
/* An answer in words, and what it cost; model and f may be NULL. */
void run_audit_answer(struct run_audit *u, const char *text, const char *model,
                      const struct conversation_usage *f);
/* What a query cost that ended without an answer, for the event of the end. */
void run_audit_spent(struct run_audit *u, const struct conversation_usage *f);
/* A plan with its verdicts, each time that it is judged. f may be NULL. */
void run_audit_plan(struct run_audit *u, const struct aiaction *action,
                    const struct plan *p, const struct conversation_usage *f);
/* What was answered to a question; what: a word such as "run", "quit", "edit".
 */
void run_audit_decision(struct run_audit *u, enum plan_question q, size_t step,
                        const char *what);
/* A step is about to start. */
void run_audit_step(struct run_audit *u, const struct aiaction *action,
                    const struct plan *p, size_t step);
/* argv is about to run as root for a step, or was refused. */
void run_audit_elevation(struct run_audit *u, size_t step,
                         const char *const *argv, enum plan_elevation_by how);
void run_audit_result(struct run_audit *u, const struct aiaction *action,
                      size_t step, const struct step_end *end);
/* The run is over with this status; why may be NULL. */
void run_audit_end(struct run_audit *u, const struct err *why, int status);

/* The word for an answer, and for a grant, as run_audit_decision takes it. The
 * granted directory is in the event of the step. */
const char *run_audit_verdict_name(enum plan_choice v);
const char *run_audit_grant_name(const struct denial_remedy *remedy);

#endif
