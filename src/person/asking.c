/* SPDX-License-Identifier: GPL-3.0-or-later */
/* asking.c - waiting for a model with a person. */
#include "person/asking.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "person/chronicle.h"
#include "term/live.h"

#define LABEL_MAX 160

struct asking {
    struct app *app;
    struct model *model;
    struct answer *answer;
    struct live *live;
    struct proposal *out;
    struct err why;
    bool over;
};

void
proposal_done(struct proposal *r)
{
    aiaction_free(r->action);
    free(r->model);
    *r = (struct proposal){0};
}

static void
on_text(void *arg, const char *bytes, size_t n)
{
    struct asking *q = arg;

    if (q->app->output == OUTPUT_TEXT) {
        live_close(q->live); /* the text itself is progress now */
        q->live = NULL;
    }
    answer_add(q->answer, bytes, n);
}

static void
on_waiting(void *arg, const char *line)
{
    struct asking *q = arg;

    if (q->live)
        live_what(q->live, line);
    log_debug(&q->app->log, "%s", line);
}

static void
on_proposed(void *arg, struct aiaction *a, const struct inquiry_facts *f)
{
    struct asking *q = arg;

    q->out->action = a;
    q->out->facts = *f;
    if (f->model && f->model[0]) {
        free(q->out->model);
        q->out->model = strdup(f->model);
    }
    q->out->facts.model = q->out->model;
    q->over = true;
}

static void
on_failed(void *arg, const struct err *why)
{
    struct asking *q = arg;

    q->why = *why;
    q->over = true;
}

static void
on_signal(void *arg, unsigned signo)
{
    struct asking *q = arg;

    (void)signo;
    model_cancel(q->model);
}

static int
wait_for(struct asking *q, struct err *e)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct watch *w[3];
    int rc = 0;

    for (int i = 0; i < 3; i++)
        w[i] = loop_signal(q->app->loop, signals[i], on_signal, q, e);
    while (!q->over && rc >= 0)
        rc = loop_turn(q->app->loop, -1, e);
    for (int i = 0; i < 3; i++)
        watch_free(w[i]);
    live_close(q->live);
    q->live = NULL;
    if (rc < 0)
        return -1;
    if (q->why.code == ERR_NONE)
        return 0;
    if (e)
        *e = q->why;
    return -1;
}

int
asking_run(struct app *a, struct model *m, const char *model_name,
           enum aiaction_mode mode, const char *user, struct answer *w,
           struct proposal *out, struct err *e)
{
    static const struct inquiry_events events = {
        .text = on_text,
        .waiting = on_waiting,
        .proposed = on_proposed,
        .failed = on_failed,
    };
    CLEANUP(inquiry_free_p) struct inquiry *inquiry = NULL;
    struct asking q = {.app = a, .model = m, .answer = w, .out = out};
    char label[LABEL_MAX];

    *out = (struct proposal){.model = strdup(model_name)};
    snprintf(label, sizeof(label), "asking %s", model_name);
    if (!a->quiet)
        q.live = live_open(a->loop, &a->screen, label, NULL);
    inquiry = inquiry_start(m, mode, user, &events, &q, e);
    if (!inquiry) {
        live_close(q.live);
        return -1;
    }
    chronicle_request(a); /* while the model thinks */
    return wait_for(&q, e);
}
