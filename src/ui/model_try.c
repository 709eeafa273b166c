/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_try.c - asks a model one small question, to see whether it answers. */
#include "ui/model_try.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/client.h"
#include "term/progress_line.h"
#include "ui/stop_signals.h"

#define LABEL_MAX 160

struct model_try {
    struct model *model;
    struct progress_line *live; /* NULL: it is not drawn */
    struct stop_signals stops;
    model_try_cb *cb;
    void *arg;
};

/* Ends what runs for it. */
static void
stop_trial(struct model_try *t)
{
    stop_signals_done(&t->stops);
    progress_line_close(TAKE_PTR(t->live));
    model_free(TAKE_PTR(t->model));
}

void
model_try_free(struct model_try *t)
{
    if (!t)
        return;
    stop_trial(t);
    free(t);
}

static void
on_trial_retry(void *arg, const char *line)
{
    const struct model_try *t = arg;

    if (t->live)
        progress_line_set_text(t->live, line);
}

static void
on_trial_answer(void *arg, const struct model_answer *answer)
{
    struct model_try *t = arg;
    int64_t ms = answer->ms;

    stop_trial(t);
    t->cb(t->arg, ms, NULL);
}

static void
on_trial_failed(void *arg, const struct err *why)
{
    struct model_try *t = arg;
    struct err e = *why;

    stop_trial(t);
    t->cb(t->arg, 0, &e);
}

static void
on_trial_signal(void *arg, unsigned signo)
{
    const struct model_try *t = arg;

    (void)signo;
    model_cancel(t->model);
}

static int
ask_small_question(struct model_try *t, struct err *e)
{
    static const struct model_events events = {.waiting = on_trial_retry,
                                               .answer = on_trial_answer,
                                               .failed = on_trial_failed};
    static const struct model_turn turn = {
        .role = MODEL_USER, .text = "Answer with the one word: ready"};
    static const struct model_request request = {
        .system = "You are asked whether you can be reached. Answer briefly.",
        .turns = &turn,
        .n_turns = 1};

    return model_ask(t->model, &request, &events, t, e);
}

struct model_try *
model_try_start(struct app *a, const struct model_selection *m,
                model_try_cb *cb, void *arg, struct err *e)
{
    CLEANUP(model_try_free_p) struct model_try *t = calloc(1, sizeof(*t));
    char label[LABEL_MAX];

    if (!t) {
        err_nomem(e);
        return NULL;
    }
    t->cb = cb;
    t->arg = arg;
    snprintf(label, sizeof(label), "asking %s", model_selection_model(m));
    if (!(t->model = model_start(a->loop, a->warm_process, m, e)))
        return NULL;
    t->live = progress_line_open(a->loop, &a->screen, label, NULL);
    if (stop_signals_init(&t->stops, a->loop, on_trial_signal, t, e) < 0 ||
        ask_small_question(t, e) < 0)
        return NULL;
    return TAKE_PTR(t);
}
