/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_call.c - agentsh tool call: requests in, answers out, a line each. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/linebuf.h"
#include "base/path.h"
#include "door/cli/call.h"
#include "door/cli/tool_answer.h"
#include "door/cli/tool_job.h"
#include "door/cli/tool_told.h"
#include "person/result.h"
#include "person/stops.h"

#define LINE_BYTES (16u << 20) /* of a request */

struct caller {
    struct tool_desk desk;
    struct linebuf *lines;
    struct watch *input; /* while a line is awaited */
    struct stops stops;
    struct tool_job *job;
    char *cwd;
    bool polls;  /* standard input can be waited for: it is no file */
    bool ended;  /* no more requests come */
    bool full;   /* who reads our answers is slow */
    bool gone;   /* or has left */
    bool failed; /* an answer was not ok */
    int signal;  /* that ended it; 0: none */
};

static void
caller_done(struct caller *c)
{
    tool_job_free(c->job);
    watch_free(c->input);
    stops_done(&c->stops);
    tool_pool_free(c->desk.pool);
    outlet_free(c->desk.out);
    linebuf_free(c->lines);
    registry_free(c->desk.registry);
    policy_free(c->desk.policy);
    free(c->cwd);
}

static void
on_signal(void *arg, unsigned signo)
{
    struct caller *c = arg;

    c->signal = (int)signo;
}

static void
on_outlet(void *arg, enum outlet_state state)
{
    struct caller *c = arg;

    c->full = state == OUTLET_FULL;
    c->gone = c->gone || state == OUTLET_GONE;
    if (c->job)
        tool_job_hold(c->job, c->full);
}

static void
on_answer(void *arg, bool ok)
{
    struct caller *c = arg;

    c->failed = c->failed || !ok;
    tool_job_free(c->job);
    c->job = NULL;
}

static void
refuse_line(struct caller *c, const struct err *why)
{
    CLEANUP_BUF struct buf line = buf_of(4096);

    tool_answer_error(&line, why, 0);
    outlet_add(c->desk.out, line.p, line.len);
    c->failed = true;
}

static void
take_line(struct caller *c, const char *line, size_t n)
{
    if (strspn(line, " \t\r") == n)
        return;
    c->job = tool_job_start(&c->desk, line, n, on_answer, c);
    if (!c->job)
        c->failed = true;
}

/* Reads once; a line that is too long has an answer, and what is left of it
 * none. */
static int
read_some(struct caller *c, struct err *e)
{
    struct err why = {0};
    long got = linebuf_read(c->lines, STDIN_FILENO, &why);
    const char *line;
    size_t n;

    if (got > 0 || (got < 0 && why.sys == EAGAIN))
        return 0;
    if (got < 0 && why.code == ERR_PEER) {
        refuse_line(c, &why);
        linebuf_skip(c->lines);
        return 0;
    }
    if (got < 0)
        return err_set(e, why.code, "requests: %s", why.text);
    c->ended = true;
    if ((line = linebuf_rest(c->lines, &n)) != NULL)
        take_line(c, line, n);
    return 0;
}

static void
on_input(void *arg, unsigned events)
{
    (void)events;
    watch_free(((struct caller *)arg)->input); /* asked for again by then */
    ((struct caller *)arg)->input = NULL;
}

/* Waits for something to read, or for a signal. */
static int
await_input(struct caller *c, struct err *e)
{
    struct err why = {0};

    if (!c->polls)
        return read_some(c, e);
    c->input = loop_fd(c->desk.app->loop, STDIN_FILENO, LOOP_READ, on_input, c,
                       &why);
    if (!c->input && why.sys == EPERM) { /* a file is always ready */
        c->polls = false;
        return read_some(c, e);
    }
    if (!c->input)
        return err_set(e, why.code, "requests: %s", why.text);
    while (c->input && !c->signal && !c->gone) {
        if (loop_turn(c->desk.app->loop, -1, e) < 0)
            return -1;
    }
    if (c->input) { /* nobody is there to answer to */
        watch_free(c->input);
        c->input = NULL;
        return 0;
    }
    return read_some(c, e);
}

/* Requests one after the other, each answered before the next is read. */
static int
serve(struct caller *c, struct err *e)
{
    const char *line;
    size_t n;

    while (!c->signal && !c->gone && !outlet_fault(c->desk.out)) {
        int rc = 0;

        if (c->job || c->full)
            rc = loop_turn(c->desk.app->loop, -1, e);
        else if ((line = linebuf_next(c->lines, &n)) != NULL)
            take_line(c, line, n);
        else if (c->ended && outlet_is_empty(c->desk.out))
            break;
        else if (c->ended)
            rc = loop_turn(c->desk.app->loop, -1, e);
        else
            rc = await_input(c, e);
        if (rc < 0)
            return -1;
    }
    return 0;
}

/* Who called has typed the request: the permissive preset, with the rules of
 * the machine and of the person. */
static struct policy *
load_policy(struct err *e)
{
    CLEANUP(free_p) char *user = path_of(PATH_CONFIG, "policy", e);

    return user ? policy_load_files(SYSCONFDIR "/agentsh/policy", user,
                                    "permissive", e)
                : NULL;
}

static int
prepare(struct caller *c, struct err *e)
{
    struct tool_desk *d = &c->desk;

    if (!(c->cwd = getcwd(NULL, 0)))
        return err_sys(e, "the working directory");
    d->where = risk_place_here(c->cwd);
    app_name_places(d->app, NULL);
    d->where.named = (const char *const *)d->app->named;
    if (app_config(d->app, e) < 0 || !(d->policy = load_policy(e)) ||
        !(d->registry = registry_open(d->app->config, e)) ||
        (d->only && !registry_find(d->registry, d->only, e)) ||
        !(d->pool = tool_pool_new(d->app->loop, e)) ||
        !(c->lines = linebuf_new(LINE_BYTES, e)) ||
        !(d->out = outlet_new(d->app->loop, STDOUT_FILENO, on_outlet, c, e)))
        return -1;
    app_tell_places(d->app, d->registry);
    return stops_init(&c->stops, d->app->loop, on_signal, c, e);
}

int
call_tool_call(struct call *c)
{
    CLEANUP(caller_done)
    struct caller caller = {
        .desk = {.app = c->app, .only = c->n ? c->words[0] : NULL},
        .polls = true};
    struct err e = {0};
    int status;

    if (c->n > 1) {
        err_set(&e, ERR_USAGE, "tool call takes one name");
        return app_fail(c->app, &e);
    }
    if (prepare(&caller, &e) < 0 || serve(&caller, &e) < 0)
        return app_fail(c->app, &e);
    if (outlet_fault(caller.desk.out)) {
        result_lost(c->app, outlet_fault(caller.desk.out));
        caller.failed = true;
    }
    status = caller.signal                  ? 128 + caller.signal
             : caller.failed || caller.gone ? 1
                                            : 0;
    tool_told_end(c->app, caller.desk.acted, status);
    return status;
}
