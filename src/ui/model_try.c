/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_try.c - asks a model one small question, to see whether it answers. */
#include "ui/model_try.h"

#include <stdio.h>

#include "model/client.h"
#include "term/progress_line.h"
#include "ui/stop_signals.h"

#define LABEL_MAX 160

struct model_trial {
    struct model *model;
    struct progress_line *live; /* NULL: it is not drawn */
    bool over;
    int64_t ms;
    struct err why;
};

static void
on_trial_retry(void *arg, const char *line)
{
    struct model_trial *t = arg;

    if (t->live)
        progress_line_set_text(t->live, line);
}

static void
on_trial_answer(void *arg, const struct model_answer *answer)
{
    struct model_trial *t = arg;

    t->over = true;
    t->ms = answer->ms;
}

static void
on_trial_failed(void *arg, const struct err *why)
{
    struct model_trial *t = arg;

    t->over = true;
    t->why = *why;
}

static void
on_trial_signal(void *arg, unsigned signo)
{
    struct model_trial *t = arg;

    (void)signo;
    if (!t->over)
        model_cancel(t->model);
}

static int
ask_small_question(struct model_trial *t, struct err *e)
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

static int
wait_for_trial(struct app *a, struct model_trial *t, struct err *e)
{
    CLEANUP(stop_signals_done) struct stop_signals stops;
    int rc = stop_signals_init(&stops, a->loop, on_trial_signal, t, e);

    if (rc == 0)
        rc = ask_small_question(t, e);
    while (rc >= 0 && !t->over)
        rc = loop_turn(a->loop, -1, e);
    return rc < 0 ? -1 : 0;
}

int
model_try(struct app *a, const struct model_selection *m, int64_t *ms,
          struct err *e)
{
    struct model_trial t = {0};
    char label[LABEL_MAX];
    int rc;

    snprintf(label, sizeof(label), "asking %s", model_selection_model(m));
    if (!(t.model = model_start(a->loop, a->warm_process, m, e)))
        return -1;
    t.live = progress_line_open(a->loop, &a->screen, label, NULL);
    rc = wait_for_trial(a, &t, e);
    progress_line_close(t.live);
    model_free(t.model);
    if (rc < 0)
        return -1;
    if (t.why.code != ERR_NONE) {
        if (e)
            *e = t.why;
        return -1;
    }
    *ms = t.ms;
    return 0;
}
