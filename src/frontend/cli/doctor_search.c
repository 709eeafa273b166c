/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doctor_search.c - what agentsh doctor has to ask others for. */
#include "frontend/cli/doctor_search.h"

#include <signal.h>
#include <stdlib.h>

#include "ui/stop_signals.h"
#include "ui/tool_listing.h"

struct doctor_search {
    struct app *app;
    struct doctor_found found;
    struct stop_signals stops;
    struct watch *soon; /* begins */
    struct model_search *model;
    struct discovery_search *servers;
    struct tool_listing *tools;
    void (*cb)(void *arg);
    void *arg;
};

/* Ends what runs for it. */
static void
stop_search(struct doctor_search *s)
{
    stop_signals_done(&s->stops);
    watch_free(s->soon);
    model_search_free(s->model);
    discovery_search_free(s->servers);
    tool_listing_close(s->tools);
    s->soon = NULL;
    s->model = NULL;
    s->servers = NULL;
    s->tools = NULL;
}

void
doctor_search_free(struct doctor_search *s)
{
    if (!s)
        return;
    stop_search(s);
    model_selection_free(s->found.model);
    discovery_done(&s->found.servers);
    registry_free(s->found.registry);
    free(s);
}

const struct doctor_found *
doctor_search_found(const struct doctor_search *s)
{
    return &s->found;
}

static void
end_doctor_search(void *arg)
{
    struct doctor_search *s = arg;

    stop_search(s);
    s->cb(s->arg);
}

static void
ask_tool_servers(struct doctor_search *s)
{
    struct app *a = s->app;
    struct err *e = &s->found.registry_why;

    if (app_config(a, e) == 0)
        s->found.registry = registry_open(a->seat, a->config, e);
    if (s->found.registry)
        s->tools = tool_listing_open(a, s->found.registry, NULL,
                                     end_doctor_search, s, e);
    if (!s->tools)
        end_doctor_search(s);
}

static void
on_servers(void *arg, struct discovery *d,
           const struct discovery_missing *missing)
{
    struct doctor_search *s = arg;

    (void)missing;
    s->found.servers = *d;
    ask_tool_servers(s);
}

static void
ask_model_servers(struct doctor_search *s)
{
    const struct discovery_params p = {
        .can_ask = true, .afresh = true, .limit_ms = s->found.limit_ms};

    s->servers = discovery_start(s->app->loop, s->app->seat, &p, on_servers, s,
                                 NULL);
    if (!s->servers)
        ask_tool_servers(s);
}

static void
on_model(void *arg, struct model_selection *m)
{
    struct doctor_search *s = arg;

    s->found.model = m;
    ask_model_servers(s);
}

static void
on_no_model(void *arg, const struct err *why)
{
    struct doctor_search *s = arg;

    s->found.model_why = *why;
    ask_model_servers(s);
}

static void
begin_search(void *arg, unsigned events)
{
    static const struct model_search_events model = {on_model, on_no_model};
    static const struct model_select_params params = {.can_ask = true,
                                                      .on_terminal = true};
    struct doctor_search *s = arg;
    struct app *a = s->app;
    struct err *e = &s->found.model_why;

    (void)events;
    if (app_config(a, e) == 0)
        s->model = model_search_start(a->loop, a->seat, a->config, &params,
                                      &model, s, e);
    s->found.limit_ms = config_int(a->config,
                                   CONFIG_MODEL_DISCOVERY_TIMEOUT_MS);
    if (!s->model)
        ask_model_servers(s);
}

/* A signal that is ignored, as SIGHUP is by nohup(1), is reported too. */
static void
on_stop(void *arg, unsigned signo)
{
    struct doctor_search *s = arg;
    struct sigaction now;

    if (sigaction((int)signo, NULL, &now) == 0 && now.sa_handler == SIG_IGN)
        return;
    stop_search(s);
    (void)raise((int)signo);
    s->cb(s->arg); /* who outlives that gets what there is */
}

struct doctor_search *
doctor_search_start(struct app *a, void (*cb)(void *arg), void *arg,
                    struct err *e)
{
    CLEANUP(doctor_search_free_p)
    struct doctor_search *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    s->app = a;
    s->cb = cb;
    s->arg = arg;
    if (stop_signals_init(&s->stops, a->loop, on_stop, s, e) < 0 ||
        !(s->soon = loop_soon(a->loop, begin_search, s, e)))
        return NULL;
    return TAKE_PTR(s);
}
