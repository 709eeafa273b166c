/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_wait.c - waits until a model is selected. */
#include "ui/model_wait.h"

#include <signal.h>

#include "ui/stop_signals.h"

struct model_wait {
    bool over;
    int signo; /* that ends it; 0: none came */
    struct model_selection *selection;
    struct discovery servers;
    struct err why; /* of a search that failed */
};

static void
on_found(void *arg, struct model_selection *m)
{
    struct model_wait *w = arg;

    w->over = true;
    w->selection = m;
}

static void
on_failed(void *arg, const struct err *why)
{
    struct model_wait *w = arg;

    w->over = true;
    w->why = *why;
}

static void
on_servers(void *arg, struct discovery *d,
           const struct discovery_missing *missing)
{
    struct model_wait *w = arg;

    (void)missing;
    w->over = true;
    w->servers = *d;
}

/* A signal that is ignored, as SIGHUP is by nohup(1), is reported too. */
static void
on_signal(void *arg, unsigned signo)
{
    struct model_wait *w = arg;
    struct sigaction now;

    if (sigaction((int)signo, NULL, &now) < 0 || now.sa_handler != SIG_IGN)
        w->signo = (int)signo;
}

static int
turn_until_over(struct app *a, struct model_wait *w, struct err *e)
{
    CLEANUP(stop_signals_done) struct stop_signals stops;
    int rc = stop_signals_init(&stops, a->loop, on_signal, w, e);

    while (rc >= 0 && !w->over && !w->signo)
        rc = loop_turn(a->loop, -1, e);
    return rc < 0 ? -1 : 0;
}

/* The search is freed, and with it what ran: the signal has its effect. */
static int
end_wait(struct model_wait *w, struct err *e)
{
    if (w->signo)
        (void)raise(w->signo);
    else if (w->over)
        return 0;
    model_selection_free(w->selection);
    discovery_done(&w->servers);
    return w->signo ? err_set(e, ERR_INTERRUPTED, "interrupted") : -1;
}

int
model_wait(struct app *a, const struct model_select_params *p,
           struct model_selection **out, struct err *e)
{
    static const struct model_search_events events = {on_found, on_failed};
    struct model_select_params params = *p;
    struct model_wait w = {0};
    struct model_search *search;

    params.on_terminal = true;
    search = model_search_start(a->loop, a->seat, a->config, &params, &events,
                                &w, e);
    if (!search)
        return -1;
    (void)turn_until_over(a, &w, e);
    model_search_free(search);
    if (end_wait(&w, e) < 0)
        return -1;
    if (w.why.code != ERR_NONE) {
        if (e)
            *e = w.why;
        return -1;
    }
    *out = w.selection;
    return 0;
}

int
model_wait_servers(struct app *a, const struct discovery_params *p,
                   struct discovery *out, struct err *e)
{
    struct model_wait w = {0};
    struct discovery_search *search = discovery_start(a->loop, a->seat, p,
                                                      on_servers, &w, e);

    if (!search)
        return -1;
    (void)turn_until_over(a, &w, e);
    discovery_search_free(search);
    if (end_wait(&w, e) < 0)
        return -1;
    *out = w.servers;
    return 0;
}
