/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chronicle.h - a run, told to the journal as it goes.
 *
 * Each call adds one event before the caller shows, runs or says what it is
 * about; the first one adds the request in front. All of them do nothing where
 * no run was begun (another door's) or no journal is kept. */
#ifndef PERSON_CHRONICLE_H
#define PERSON_CHRONICLE_H

#include "action/inquiry.h"
#include "action/plan.h"
#include "person/app.h"
#include "person/wish.h"

struct model_selection;

#define CHRONICLE_NAME_SIZE 128

/* A run under way; on the caller's stack, known to the app meanwhile. */
struct chronicle {
    struct app *app;
    const struct wish *wish;
    size_t input; /* bytes that were piped in */
    char input_sha256[SHA256_HEX_SIZE];
    char provider[CHRONICLE_NAME_SIZE]; /* "": no model is asked */
    char model[CHRONICLE_NAME_SIZE];
    size_t sent; /* bytes of the message to the model */
    int64_t begun_ms;
    bool requested, decided, ran, ended;
};

void chronicle_begin(struct chronicle *c, struct app *a, const struct wish *w);
/* Ends it with the status, as far as no other call did. When a step ran, what
 * happened is on the disk afterwards. */
void chronicle_done(struct chronicle *c, int status);

/* What is known of the request before it is added. */
void chronicle_input(struct app *a, const char *bytes, size_t n);
void chronicle_model(struct app *a, const struct model_selection *m,
                     size_t sent);
/* Adds it now: while the model thinks this takes nobody's time. */
void chronicle_request(struct app *a);

/* The model looked, or was refused. */
void chronicle_looked(struct app *a, const struct look_call *c);
/* An answer in words; model and facts as for answer_finish. */
void chronicle_answer(struct app *a, const char *text, const char *model,
                      const struct inquiry_facts *f);
/* A judged plan, each time that it is judged. facts may be NULL. */
void chronicle_plan(struct app *a, const struct aiaction *action,
                    const struct plan *p, const struct inquiry_facts *f);
/* What a person said; what: a word such as "run", "quit", "edit". */
void chronicle_decision(struct app *a, enum plan_question q, size_t step,
                        const char *what);
/* A step is about to start. */
void chronicle_step(struct app *a, const struct aiaction *action,
                    const struct plan *p, size_t step);
/* Before argv runs as root for a step, or instead. */
void chronicle_need(struct app *a, size_t step, const char *const *argv,
                    enum plan_need how);
/* The same at any door: by whose word. step < 0: of none. */
void chronicle_root(struct app *a, int64_t step, const char *const *argv,
                    const char *by, bool runs);
void chronicle_result(struct app *a, const struct aiaction *action, size_t step,
                      const struct step_end *end);
/* The run is over, with this status; why may be NULL. */
void chronicle_end(struct app *a, const struct err *why, int status);

/* Whether the run is kept: then its request is, with the next event. NULL: it
 * is not. For the files of the chronicle itself. */
struct chronicle *chronicle_open(struct app *a);

/* A number, or nothing when it is below 0. */
struct journal_member chronicle_number(const char *name, int64_t v);

/* The name of a verdict. */
const char *chronicle_verdict(enum plan_verdict v);

/* The same of a grant; which directory, the step's own entry says. */
const char *chronicle_grant(const struct denial_remedy *gain);

#endif
