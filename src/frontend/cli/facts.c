/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.c - call a read-only tool of facts and print its result. */
#include "frontend/cli/facts.h"

#include <stdlib.h>
#include <string.h>

#include "tool/call.h"
#include "ui/app.h"
#include "ui/stop_signals.h"

#define ARGS_MAX 65536

/* One call; all of it is released together. */
struct facts_call {
    struct app *app;
    const struct facts_verb *verb;
    /* in /: facts are not about a directory, and the sandbox may hide the
     * person's */
    struct seat *seat;
    struct registry *registry;
    const struct tool *tool;
    struct json *args;
    struct tool_call *call;
    struct stop_signals stops;
    struct buf out; /* what is shown */
};

static void
facts_call_free(struct facts_call *f)
{
    if (!f)
        return;
    stop_signals_done(&f->stops);
    tool_call_free(f->call);
    json_free(f->args);
    registry_free(f->registry);
    seat_free(f->seat);
    buf_done(&f->out);
    free(f);
}
DEFINE_CLEANUP(struct facts_call, facts_call_free)

/* The last thing that is done with it. why->code ERR_NONE: prints the facts. */
static void
end_facts(struct facts_call *f, const struct err *why)
{
    struct app *a = f->app;
    struct err e = *why;
    int status = 0;

    if (e.code != ERR_NONE || buf_ok(&f->out, "the facts", &e) < 0)
        status = app_fail(a, &e);
    else
        app_put_result(a, &f->out);
    facts_call_free(f);
    app_over(a, status);
}

static enum err_code
code_of_word(const char *word)
{
    for (int code = ERR_NONE + 1; code < ERR_N; code++) {
        if (word && strcmp(err_tool_code((enum err_code)code), word) == 0)
            return (enum err_code)code;
    }
    return ERR_TOOL;
}

static void
on_done(void *arg, const struct tool_result *r)
{
    struct facts_call *f = arg;
    struct json_writer w;
    struct err e = {0};

    if (!r->ok) {
        err_set(&e, code_of_word(r->error_code), "%.*s", (int)r->err_len,
                r->err);
    } else if (f->app->output == OUTPUT_TEXT) {
        f->verb->show(&f->out, &f->app->result, r->meta);
    } else {
        json_write_init(&w, &f->out);
        json_put_value(&w, r->meta);
        buf_ch(&f->out, '\n');
    }
    end_facts(f, &e);
}

static void
on_failed(void *arg, const struct err *why)
{
    end_facts(arg, why);
}

static void
on_signal(void *arg, unsigned signo)
{
    struct facts_call *f = arg;
    struct app *a = f->app;

    facts_call_free(f);
    app_over(a, 128 + (int)signo);
}

static int
read_fact_args(struct facts_call *f, const struct command_args *c,
               struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(ARGS_MAX);
    struct json_writer w;

    json_write_init(&w, &text);
    json_open_object(&w);
    if (f->verb->args(c, &w, e) < 0)
        return -1;
    json_close_object(&w);
    if (buf_ok(&text, "the words", e) < 0)
        return -1;
    f->args = json_parse(text.p, text.len, JSON_UNIQUE, e);
    return f->args ? 0 : -1;
}

/* The person typed the request, so ask counts as a yes; deny stays deny. */
static int
start_facts_call(struct facts_call *f, struct err *e)
{
    static const struct tool_events events = {.done = on_done,
                                              .failed = on_failed};
    const struct tool_request rq = {.action = f->verb->action,
                                    .args = f->args,
                                    .timeout_ms = TOOL_CALL_TIMEOUT_MS};
    const struct path_context where = path_context_of(f->app->seat);
    const struct tool_invocation in = {
        .confine = {.tool = f->tool, .seat = f->seat, .config = f->app->config},
        .policy = f->app->policy,
        .where = &where,
        .accept = GUARD_ASK};

    if (stop_signals_init(&f->stops, f->app->loop, on_signal, f, e) < 0)
        return -1;
    f->call = tool_invoke(f->app->loop, &in, &rq, &events, f, e);
    return f->call ? 0 : -1;
}

static int
begin_facts(struct facts_call *f, const struct command_args *c, struct err *e)
{
    struct app *a = f->app;

    if (read_fact_args(f, c, e) < 0 || app_config(a, e) < 0 ||
        app_policy(a, e) < 0)
        return -1;
    if (!seat_need_dir(a->seat, e) ||
        !(f->seat = seat_move(a->seat, "/", NULL, e)) ||
        !(f->registry = registry_open(a->seat, a->config, e)) ||
        !(f->tool = registry_find(f->registry, f->verb->tool, e)))
        return -1;
    return start_facts_call(f, e);
}

int
facts_run(struct command_args *c, const struct facts_verb *verb)
{
    CLEANUP(facts_call_free_p) struct facts_call *f = calloc(1, sizeof(*f));
    struct err e = {0};

    if (!f) {
        err_nomem(&e);
        return app_fail(c->app, &e);
    }
    *f = (struct facts_call){.app = c->app, .verb = verb};
    buf_init(&f->out, FACTS_TEXT_MAX);
    if (begin_facts(f, c, &e) < 0)
        return app_fail(c->app, &e);
    TAKE_PTR(f);
    return APP_GOES_ON;
}
