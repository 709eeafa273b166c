/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_tool_call.c - agentsh tool call: serve requests of the Plugin Tool API.
 *
 * Each line of standard input is a request and gets a response line before the
 * next one is read. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "action/errand.h"
#include "base/array.h"
#include "frontend/cli/cmd_tool_trust.h"
#include "frontend/cli/command.h"
#include "frontend/cli/tool_call_io.h"
#include "tool/protocol.h"
#include "tool/registry_listing.h"
#include "ui/app.h"
#include "ui/plan_text.h"
#include "ui/stop_signals.h"
#include "wire/line_reader.h"
#include "wire/sender.h"

#define SHOWN_MAX (4u << 20) /* a command line, as it is shown */

struct caller {
    struct app *app;
    const char *only; /* the one tool that may be called; NULL: any */
    struct registry *registry;
    struct policy *policy;
    struct tool_pool *pool;
    struct errand_context *errands;
    struct registry_listing *listing; /* of `only`'s server */
    struct read_buffer *buffer;
    struct line_reader *lines; /* NULL: not yet, or no more requests come */
    struct sender *out;
    struct stop_signals stops;
    struct call_job *job; /* the request under way; NULL: none */
    const struct tool *refused[REGISTRY_TOOLS_MAX]; /* by a person's no */
    size_t n_refused;
    bool ended;         /* no more requests come */
    bool full;          /* who reads our answers is slow */
    bool gone;          /* or has left */
    bool failed;        /* an answer was not ok */
    bool noted_reduced; /* that nothing is writable here */
    int signal;         /* that ended it; 0: none */
    struct err why;     /* that ended it; ERR_NONE: nothing */
};

/* One request, from its line to its response. */
struct call_job {
    struct caller *caller;
    struct json *root; /* of the request; `rq` points into it */
    struct errand_request rq;
    struct errand *errand;
};

static void
job_free(struct call_job *j)
{
    if (!j)
        return;
    errand_free(j->errand);
    json_free(j->root);
    free(j);
}
DEFINE_CLEANUP(struct call_job, job_free)

/* Reads no more while a request is answered, or its answer is not read. */
static void
hold_input(struct caller *c)
{
    if (c->lines)
        line_reader_pause(c->lines, c->job || c->full || c->gone || c->signal ||
                                        sender_error(c->out));
}

static void
end_job(struct caller *c, bool ok)
{
    c->failed = c->failed || !ok;
    job_free(TAKE_PTR(c->job));
    hold_input(c);
}

static void
write_answer_line(struct caller *c, struct buf *line)
{
    struct err e = {0};

    if (buf_ok(line, "the answer", &e) < 0) {
        buf_clear(line);
        tool_call_write_error(line, &e, 0);
    }
    if (c->app->result.tty)
        tool_call_escape_line(line);
    sender_add(c->out, line->p, line->len);
}

static void
write_error(struct caller *c, const struct err *why, int64_t ms)
{
    CLEANUP_BUF struct buf line = buf_of(TOOL_CALL_LINE_MAX);

    tool_call_write_error(&line, why, ms);
    write_answer_line(c, &line);
}

/* Asks about a tool that is not trusted, once. */
static int
on_trust(void *arg, const struct tool *t, struct err *e)
{
    struct caller *c = ((const struct call_job *)arg)->caller;
    bool no = false;

    for (size_t i = 0; i < c->n_refused; i++)
        if (c->refused[i] == t)
            return err_set(e, ERR_DENIED, "not using %s: you said no", t->name);
    if (tool_trust_ask(c->app, c->registry, t, &no, e) == 0)
        return 0;
    if (no && c->n_refused < REGISTRY_TOOLS_MAX)
        c->refused[c->n_refused++] = t;
    return -1;
}

static void
on_output(void *arg, const char *stream, const char *bytes, size_t n)
{
    const struct call_job *j = arg;
    CLEANUP_BUF struct buf line = buf_of(TOOL_CALL_LINE_MAX);

    tool_call_write_output(&line, j->rq.step_id, stream, bytes, n);
    write_answer_line(j->caller, &line);
}

/* Whoever wrote the request said yes to all that it makes the tool do. */
static enum tool_elevation
on_elevate(void *arg, const char *const *argv)
{
    struct app *a = ((const struct call_job *)arg)->caller->app;
    CLEANUP_BUF struct buf line = buf_of(SHOWN_MAX);

    if (a->screen.tty) {
        plan_text_put_root(&line, &a->screen, argv);
        (void)term_put(&a->screen, &line, NULL);
    }
    return TOOL_ELEVATE_YES;
}

/* A command failed that could not write where it usually can, which may be
 * why. Said once, whatever the number of calls. */
static void
note_reduced_call(const struct call_job *j, const struct tool_result *r)
{
    const struct sandbox_spec *s = errand_sandbox(j->errand);
    struct caller *c = j->caller;

    if (!s || !r->has_exit_code || r->exit_code == 0 || !s->reduced ||
        s->profile != PROFILE_READ_ONLY || c->noted_reduced)
        return;
    c->noted_reduced = true;
    app_print(
        c->app,
        "reduced: no namespaces here, so nothing was writable; where that "
        "is why it failed, [sandbox] allow_reduced = yes lets commands "
        "write in their directory");
}

static void
on_done(void *arg, const struct tool_result *r)
{
    const struct call_job *j = arg;
    CLEANUP_BUF struct buf line = buf_of(TOOL_CALL_LINE_MAX);

    note_reduced_call(j, r);
    tool_call_write_result(&line, r);
    write_answer_line(j->caller, &line);
    end_job(j->caller, r->ok);
}

static void
on_denied(void *arg, const struct permit *p, int64_t ms)
{
    struct caller *c = ((const struct call_job *)arg)->caller;
    CLEANUP_BUF struct buf line = buf_of(TOOL_CALL_LINE_MAX);

    tool_call_write_denied(&line, p, ms);
    write_answer_line(c, &line);
    end_job(c, false);
}

static void
on_failed(void *arg, const struct err *why, int64_t ms)
{
    struct caller *c = ((const struct call_job *)arg)->caller;

    write_error(c, why, ms);
    end_job(c, false);
}

/* A name that is misspelt would be passed over, and what it asks for not be
 * done. */
static int
check_request_members(const struct json *root, struct err *e)
{
    static const char *const known[] = {"tool",    "action", "args",      "id",
                                        "step_id", "stream", "timeout_ms"};

    for (const struct json *m = json_first(root); m; m = json_next(m)) {
        const char *name = json_name(m, &(size_t){0});
        size_t i = 0;

        while (i < ARRAY_SIZE(known) && strcmp(name, known[i]))
            i++;
        if (i == ARRAY_SIZE(known))
            return err_set(e, ERR_INVALID,
                           "unknown member \"%.64s\" in the request", name);
    }
    return 0;
}

static int
read_text_member(const struct json *root, const char *name, const char **out,
                 struct err *e)
{
    *out = json_get_str(root, name);
    if (*out)
        return 0;
    if (!json_get(root, name))
        return err_set(e, ERR_INVALID, "the request is missing \"%s\"", name);
    return err_set(e, ERR_INVALID, "%s: must be a string", name);
}

static int
read_tool_name(struct call_job *j, struct err *e)
{
    const char *only = j->caller->only;

    j->rq.tool = only;
    if ((!only || json_get(j->root, "tool")) &&
        read_text_member(j->root, "tool", &j->rq.tool, e) < 0)
        return -1;
    if (only && strcmp(j->rq.tool, only) != 0)
        return err_set(e, ERR_INVALID,
                       "tool: only %s is called here, not %.64s", only,
                       j->rq.tool);
    return 0;
}

/* In the arguments, where cmd.run has it, or beside them; null: none. */
static int
read_timeout(struct call_job *j, struct err *e)
{
    const struct json *v = json_get(j->rq.args, "timeout_ms");

    if (!v)
        v = json_get(j->root, "timeout_ms");
    if (v && json_type(v) == JSON_NULL)
        j->rq.timeout_ms = -1;
    else if (v && (!json_int(v, &j->rq.timeout_ms) || j->rq.timeout_ms < 1))
        return err_set(e, ERR_INVALID,
                       "timeout_ms: must be a whole number of at least 1");
    return 0;
}

static int
read_call_request(struct call_job *j, const char *line, size_t n, struct err *e)
{
    const struct json *stream;

    if (!(j->root = json_parse(line, n, JSON_UNIQUE, e))) {
        if (e->code == ERR_INVALID)
            e->code = ERR_PARSE;
        return err_wrap(e, "the request");
    }
    if (json_type(j->root) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "a request must be an object");
    if (check_request_members(j->root, e) < 0 || read_tool_name(j, e) < 0 ||
        read_text_member(j->root, "action", &j->rq.action, e) < 0)
        return -1;
    j->rq.args = json_get(j->root, "args");
    j->rq.step_id = json_get_str(j->root, "step_id");
    stream = json_get(j->root, "stream");
    if (stream && !json_bool(stream, &j->rq.stream))
        return err_set(e, ERR_INVALID, "stream: must be true or false");
    return read_timeout(j, e);
}

static void
take_request_line(struct caller *c, const char *line, size_t n)
{
    static const struct errand_events events = {.trust = on_trust,
                                                .output = on_output,
                                                .elevate = on_elevate,
                                                .done = on_done,
                                                .denied = on_denied,
                                                .failed = on_failed};
    CLEANUP(job_free_p) struct call_job *j = NULL;
    struct err e = {0};

    if (strspn(line, " \t\r") == n)
        return;
    if (!(j = calloc(1, sizeof(*j))))
        err_nomem(&e);
    else
        j->caller = c;
    if (j && read_call_request(j, line, n, &e) < 0)
        errand_record_unreadable(c->errands, j->root, &e);
    else if (j)
        j->errand = errand_start(c->errands, &j->rq, &events, j, &e);
    if (j && j->errand) {
        c->job = TAKE_PTR(j);
        errand_pause(c->job->errand, c->full);
    } else {
        write_error(c, &e, 0);
        c->failed = true;
    }
    hold_input(c);
}

static void
on_line(void *arg, char *line, size_t n)
{
    take_request_line(arg, line, n);
}

static void
on_too_long(void *arg)
{
    struct caller *c = arg;
    struct err e = {0};

    err_set(&e, ERR_PEER, "a line is longer than %u bytes",
            (unsigned)PROTOCOL_REQUEST_MAX);
    write_error(c, &e, 0);
    c->failed = true;
    hold_input(c);
}

static void
on_end(void *arg, char *rest, size_t n, const struct err *why)
{
    struct caller *c = arg;

    c->ended = true;
    if (why)
        err_set(&c->why, why->code, "requests: %s", why->text);
    else if (rest)
        take_request_line(c, rest, n);
}

static void
on_signal(void *arg, unsigned signo)
{
    struct caller *c = arg;

    c->signal = (int)signo;
    hold_input(c);
}

static void
on_sender(void *arg, enum sender_state state)
{
    struct caller *c = arg;

    c->full = state == SENDER_FULL;
    c->gone = c->gone || state == SENDER_GONE;
    if (c->job)
        errand_pause(c->job->errand, c->full);
    hold_input(c);
}

static void
caller_done(struct caller *c)
{
    job_free(c->job);
    errand_context_free(c->errands);
    registry_listing_free(c->listing);
    stop_signals_done(&c->stops);
    line_reader_free(c->lines);
    read_buffer_free(c->buffer);
    tool_pool_free(c->pool);
    sender_free(c->out);
    registry_free(c->registry);
    policy_free(c->policy);
}

static void
record_event(void *arg, const char *kind, const struct journal_member *members,
             bool later)
{
    (later ? app_record_later : app_record)(arg, kind, members);
}

/* Records that no more calls come. */
static void
record_end(struct caller *c, int status)
{
    if (!c->app->journal) /* nothing was called */
        return;
    app_record(c->app, "end",
               (const struct journal_member[]){
                   JOURNAL_NUM("status", status),
                   {0},
               });
    app_record_sync(c->app, !errand_context_acted(c->errands));
}

/* Who called has typed the request: the permissive preset, with the rules of
 * the machine and of the person. */
static struct policy *
load_policy(const struct seat *s, struct err *e)
{
    CLEANUP(free_p) char *user = seat_place(s, PATH_CONFIG, "policy", e);

    return user ? policy_load_files(SYSCONFDIR "/agentsh/policy", user,
                                    "permissive", seat_home(s), e)
                : NULL;
}

static int
begin_reading(struct caller *c, struct err *e)
{
    static const struct line_reader_events events = {
        .line = on_line, .too_long = on_too_long, .end = on_end};

    if (c->only && !registry_find(c->registry, c->only, e))
        return -1;
    c->lines = line_reader_new(c->app->loop, STDIN_FILENO, c->buffer,
                               PROTOCOL_REQUEST_MAX, &events, c, e);
    return c->lines ? 0 : -1;
}

static void
on_listing_done(void *arg)
{
    struct caller *c = arg;

    registry_listing_free(TAKE_PTR(c->listing));
    (void)begin_reading(c, &c->why);
}

/* Begins to read; after the server of the one tool was asked for it. */
static int
begin_listing(struct caller *c, struct err *e)
{
    static const struct registry_listing_events events = {
        .done = on_listing_done};
    const struct registry_listing_params params = {.tool = c->only};
    const struct tool *servers[REGISTRY_SERVERS_MAX];

    if (!c->only || registry_unlisted(c->registry, c->only, servers) == 0)
        return begin_reading(c, e);
    c->listing = registry_listing_start(c->app->loop, c->registry, &params,
                                        &events, c, e);
    return c->listing ? 0 : -1;
}

static int
make_errands(struct caller *c, struct err *e)
{
    struct app *a = c->app;
    const struct errand_params params = {
        .loop = a->loop,
        .seat = a->seat,
        .config = a->config,
        .policy = c->policy,
        .registry = c->registry,
        .pool = c->pool,
        .named = (const char *const *)a->named,
        .record = {.add = record_event, .arg = a},
        .ask = ERRAND_ASK_ALLOW,
        .by = "caller",
        .yes = "caller, who typed it",
        .privileged = true,
    };

    return (c->errands = errand_context_new(&params, e)) ? 0 : -1;
}

static int
prepare_caller(struct caller *c, struct err *e)
{
    struct app *a = c->app;

    if (!seat_need_dir(a->seat, e))
        return -1;
    app_set_named_paths(a, NULL);
    if (app_config(a, e) < 0 || !(c->policy = load_policy(a->seat, e)) ||
        !(c->registry = registry_open(a->seat, a->config, e)) ||
        !(c->pool = tool_pool_new(a->loop, e)) ||
        !(c->buffer = read_buffer_new(e)) ||
        !(c->out = sender_new(a->loop, STDOUT_FILENO, SENDER_MAX, on_sender, c,
                              e)) ||
        make_errands(c, e) < 0)
        return -1;
    app_note_lost_plugins(a, c->registry);
    if (stop_signals_init(&c->stops, a->loop, on_signal, c, e) < 0)
        return -1;
    return begin_listing(c, e);
}

/* Whether the last answer is written, or nobody waits for it. */
static bool
is_caller_over(const struct caller *c)
{
    return c->signal || c->gone || c->why.code != ERR_NONE ||
           sender_error(c->out) ||
           (c->ended && !c->job && sender_is_empty(c->out));
}

static int
run_tool_call(struct command_args *args)
{
    CLEANUP(caller_done)
    struct caller c = {.app = args->app,
                       .only = args->n ? args->words[0] : NULL};
    struct err e = {0};
    int status;

    if (args->n > 1) {
        err_set(&e, ERR_USAGE, "tool call takes one name");
        return app_fail(c.app, &e);
    }
    if (prepare_caller(&c, &e) < 0)
        return app_fail(c.app, &e);
    /* The one place where this verb waits. All else is done by the loop. */
    while (!is_caller_over(&c)) {
        if (loop_turn(c.app->loop, -1, &e) < 0)
            return app_fail(c.app, &e);
    }
    if (c.why.code != ERR_NONE)
        return app_fail(c.app, &c.why);
    if (sender_error(c.out)) {
        app_result_failed(c.app, sender_error(c.out));
        c.failed = true;
    }
    status = c.signal ? 128 + c.signal : c.failed || c.gone ? 1 : 0;
    record_end(&c, status);
    return status;
}

const struct command cmd_tool_call = {
    .name = "tool call",
    .args = "[NAME]",
    .help = N_("answer requests of the Plugin Tool API, one per line"),
    .run = run_tool_call,
};
