/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_tool_call.c - agentsh tool call: serve requests of the Plugin Tool API.
 *
 * Each line of standard input is a request and gets a response line before the
 * next one is read. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/linebuf.h"
#include "base/path.h"
#include "frontend/cli/cmd_tool_trust.h"
#include "frontend/cli/command.h"
#include "frontend/cli/tool_call_io.h"
#include "frontend/cli/tool_call_sandbox.h"
#include "tool/call.h"
#include "tool/permit.h"
#include "tool/protocol.h"
#include "ui/app.h"
#include "ui/stop_signals.h"
#include "ui/tool_listing.h"
#include "wire/sender.h"

/* What all requests of a run share. */
struct call_context {
    struct app *app;
    struct registry *registry;
    struct policy *policy;
    struct tool_pool *pool;
    struct sender *out;
    const char *only; /* the one tool that may be called; NULL: any */
    const int *stop;  /* the number of a signal that ends the run; 0: none */
    struct path_context where;
    const struct tool *refused[REGISTRY_TOOLS_MAX]; /* by a person's no */
    size_t n_refused;
    bool acted;         /* a call did more than look */
    bool noted_reduced; /* that nothing is writable here */
};

/* Is called once, when the response is in the output queue. */
typedef void request_done_cb(void *arg, bool ok);

/* One request, from its line to its response. */
struct call_request {
    struct call_context *desk;
    struct json *root; /* of the request; what follows points into it */
    const struct json *args;
    const char *action, *step_id;
    bool stream;
    int64_t timeout_ms, from_ms;
    const struct tool *tool;
    struct permit permit;
    struct sandbox_setup setup; /* of cmd.run */
    struct tool_call *call;
    request_done_cb *cb;
    void *arg;
};

static void
request_free(struct call_request *j)
{
    if (!j)
        return;
    tool_call_free(j->call);
    sandbox_setup_done(&j->setup);
    permit_done(&j->permit);
    json_free(j->root);
    free(j);
}
DEFINE_CLEANUP(struct call_request, request_free)

static void
request_hold(struct call_request *j, bool held)
{
    tool_call_pause(j->call, held);
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

/* In the arguments, where cmd.run has it, or beside them; -1: none. */
static int
read_timeout(struct call_request *j, struct err *e)
{
    const struct json *v = json_get(j->args, "timeout_ms");
    int64_t own = j->tool->manifest->needs.time_limit_ms;

    j->timeout_ms = own > 0 ? own : TOOL_CALL_TIMEOUT_MS;
    if (!v)
        v = json_get(j->root, "timeout_ms");
    if (v && json_type(v) == JSON_NULL)
        j->timeout_ms = -1;
    else if (v && (!json_int(v, &j->timeout_ms) || j->timeout_ms < 1))
        return err_set(e, ERR_INVALID,
                       "timeout_ms: must be a whole number of at least 1");
    return 0;
}

/* Asks about a tool that is not trusted, once. */
static int
ask_trust(struct call_context *d, const struct tool *t, struct err *e)
{
    bool no = false;

    if (t->trust == TOOL_TRUSTED)
        return 0;
    for (size_t i = 0; i < d->n_refused; i++)
        if (d->refused[i] == t)
            return err_set(e, ERR_DENIED, "not using %s: you said no", t->name);
    if (tool_trust_ask(d->app, d->registry, t, &no, e) == 0)
        return 0;
    if (no && d->n_refused < REGISTRY_TOOLS_MAX)
        d->refused[d->n_refused++] = t;
    return -1;
}

static int
read_called_tool(struct call_request *j, struct err *e)
{
    struct call_context *d = j->desk;
    const char *name = d->only;

    if ((!name || json_get(j->root, "tool")) &&
        read_text_member(j->root, "tool", &name, e) < 0)
        return -1;
    if (d->only && strcmp(name, d->only) != 0)
        return err_set(e, ERR_INVALID,
                       "tool: only %s is called here, not %.64s", d->only,
                       name);
    j->tool = tool_listing_find(d->app, d->registry, name, d->stop, e);
    if (!j->tool || ask_trust(d, j->tool, e) < 0)
        return -1;
    if (j->tool->server) /* it may have stood for its tools until now */
        j->tool = tool_listing_find(d->app, d->registry, name, d->stop, e);
    return j->tool ? 0 : -1;
}

static int
check_args(struct call_request *j, struct err *e)
{
    const struct manifest_action *a = manifest_action(j->tool->manifest,
                                                      j->action);
    CLEANUP(json_free_p) struct json *none = json_parse("{}", 2, 0, e);
    const struct json *args = j->args ? j->args : none;

    if (!none)
        return -1;
    if (!a)
        return err_set(e, ERR_INVALID, "action: %s has no action \"%.64s\"",
                       j->tool->name, j->action);
    if (json_type(args) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "args: must be an object");
    if (json_schema_check(a->args_check, args, 0, e) < 0)
        return err_wrap(e, "args");
    return 0;
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
read_call_request(struct call_request *j, const char *line, size_t n,
                  struct err *e)
{
    const struct json *stream;

    if (!(j->root = json_parse(line, n, JSON_UNIQUE, e))) {
        if (e->code == ERR_INVALID)
            e->code = ERR_PARSE;
        return err_wrap(e, "the request");
    }
    if (json_type(j->root) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "a request must be an object");
    if (check_request_members(j->root, e) < 0 || read_called_tool(j, e) < 0 ||
        read_text_member(j->root, "action", &j->action, e) < 0)
        return -1;
    j->args = json_get(j->root, "args");
    j->step_id = json_get_str(j->root, "step_id");
    stream = json_get(j->root, "stream");
    if (stream && !json_bool(stream, &j->stream))
        return err_set(e, ERR_INVALID, "stream: must be true or false");
    return check_args(j, e) < 0 ? -1 : read_timeout(j, e);
}

/* There is no terminal on which a password could be typed. */
static void
block_sudo(struct permit *p)
{
    const struct risk *r = p->found ? &p->found->risk : NULL;

    for (size_t i = 0; r && i < r->n_calls; i++) {
        if (!(r->calls[i].facts & RISK_SUDO))
            continue;
        p->decision = GUARD_DENY;
        snprintf(p->rule, sizeof(p->rule), "no terminal for a password");
        snprintf(p->reason, sizeof(p->reason), "Command '%.60s' is blocked",
                 r->calls[i].wrapper[0] ? r->calls[i].wrapper
                                        : r->calls[i].name);
        return;
    }
}

static void
write_answer_line(const struct call_request *j, struct buf *line)
{
    struct err e = {0};

    if (buf_ok(line, "the answer", &e) < 0) {
        buf_clear(line);
        tool_call_write_error(line, &e, clock_ms() - j->from_ms);
    }
    if (j->desk->app->result.tty)
        tool_call_escape_line(line);
    sender_add(j->desk->out, line->p, line->len);
}

static void
write_error(const struct call_request *j, const struct err *why)
{
    CLEANUP_BUF struct buf line = buf_of(TOOL_CALL_LINE_MAX);

    tool_call_record_failure(j->desk->app, why, clock_ms() - j->from_ms);
    tool_call_write_error(&line, why, clock_ms() - j->from_ms);
    write_answer_line(j, &line);
}

static void
on_output(void *arg, const char *stream, const char *bytes, size_t n)
{
    const struct call_request *j = arg;
    CLEANUP_BUF struct buf line = buf_of(TOOL_CALL_LINE_MAX);

    tool_call_write_output(&line, j->step_id, stream, bytes, n);
    write_answer_line(j, &line);
}

/* Whoever wrote the request said yes to all that it makes the tool do. */
static enum tool_elevation
on_need(void *arg, const char *const *argv)
{
    const struct call_request *j = arg;

    tool_call_record_elevation(j->desk->app, argv);
    return TOOL_ELEVATE_YES;
}

/* A command failed that could not write where it usually can, which may be
 * why. Said once, whatever the number of calls. */
static void
note_reduced_call(const struct call_request *j, const struct tool_result *r)
{
    const struct sandbox_spec *s = &j->setup.spec;

    if (!r->has_exit_code || r->exit_code == 0 || !s->reduced ||
        s->profile != PROFILE_READ_ONLY || j->desk->noted_reduced)
        return;
    j->desk->noted_reduced = true;
    app_print(
        j->desk->app,
        "reduced: no namespaces here, so nothing was writable; where that "
        "is why it failed, [sandbox] allow_reduced = yes lets commands "
        "write in their directory");
}

static void
on_done(void *arg, const struct tool_result *r)
{
    struct call_request *j = arg;
    CLEANUP_BUF struct buf line = buf_of(TOOL_CALL_LINE_MAX);
    bool ok = r->ok;

    note_reduced_call(j, r);
    tool_call_record_result(j->desk->app, r);
    tool_call_write_result(&line, r);
    write_answer_line(j, &line);
    j->cb(j->arg, ok);
}

static void
on_failed(void *arg, const struct err *why)
{
    struct call_request *j = arg;

    write_error(j, why);
    j->cb(j->arg, false);
}

static int
run_call_request(struct call_request *j, struct err *e)
{
    static const struct tool_events events = {.elevate = on_need,
                                              .output = on_output,
                                              .done = on_done,
                                              .failed = on_failed};
    const struct call_context *d = j->desk;
    const struct tool_request rq = {.action = j->action,
                                    .args = j->args,
                                    .step_id = j->step_id,
                                    .stream = j->stream,
                                    .timeout_ms = j->timeout_ms};
    struct tool_invocation in = {.confine = {.tool = j->tool,
                                             .seat = d->app->seat,
                                             .permit = &j->permit,
                                             .config = d->app->config,
                                             .pool = d->pool,
                                             .privileged = true,
                                             .roots = CONFINEMENT_ROOTS_SANDBOX,
                                             .report = true},
                                 .where = &d->where};

    if (j->tool->manifest->step) {
        if (tool_call_sandbox_fill(&d->where, d->app->config, j->args,
                                   &j->permit, &j->setup, e) < 0)
            return -1;
        in.confine.sandbox = &j->setup.spec;
        if (j->permit.found->profile.n_reader > 0)
            in.confine.argv = (const char *const *)
                                  j->permit.found->profile.reader;
    }
    j->call = tool_invoke(d->app->loop, &in, &rq, &events, j, e);
    return j->call ? 0 : -1;
}

/* What was denied is told and answered. A look is told together with its
 * result: it is begun first, and works while the journal is opened. */
static int
record_and_run(struct call_request *j, struct err *e)
{
    struct call_context *d = j->desk;
    bool denied = j->permit.decision == GUARD_DENY;
    bool first = j->permit.read_only && !denied;
    int rc = first ? run_call_request(j, e) : 0;

    d->acted |= tool_call_record_start(d->app, j->tool, j->action, j->args,
                                       &j->permit);
    if (denied) /* who called has said yes to ask */
        return err_set(e, ERR_DENIED, "%s", j->permit.reason);
    return first ? rc : run_call_request(j, e);
}

static void
write_denied(const struct call_request *j, const struct err *why)
{
    CLEANUP_BUF struct buf line = buf_of(TOOL_CALL_LINE_MAX);

    tool_call_record_failure(j->desk->app, why, clock_ms() - j->from_ms);
    tool_call_write_denied(&line, &j->permit, clock_ms() - j->from_ms);
    write_answer_line(j, &line);
}

static struct call_request *
request_start(struct call_context *d, const char *line, size_t n,
              request_done_cb *cb, void *arg)
{
    CLEANUP(request_free_p) struct call_request *j = calloc(1, sizeof(*j));
    struct call_request none = {.desk = d, .from_ms = clock_ms()};
    struct err e = {0};

    if (!j) {
        err_nomem(&e);
        write_error(&none, &e);
        return NULL;
    }
    *j = none;
    j->cb = cb;
    j->arg = arg;
    if (read_call_request(j, line, n, &e) < 0 ||
        permit_judge(d->policy, j->tool, j->action, j->args, &d->where,
                     &j->permit, &e) < 0) {
        tool_call_record_refused(d->app, j->root);
        write_error(j, &e);
        return NULL;
    }
    block_sudo(&j->permit);
    if (record_and_run(j, &e) < 0) {
        (j->permit.decision == GUARD_DENY ? write_denied : write_error)(j, &e);
        return NULL;
    }
    return TAKE_PTR(j);
}

struct caller {
    struct call_context desk;
    struct linebuf *lines;
    struct watch *input; /* while a line is awaited */
    struct stop_signals stops;
    struct call_request *job;
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
    request_free(c->job);
    watch_free(c->input);
    stop_signals_done(&c->stops);
    tool_pool_free(c->desk.pool);
    sender_free(c->desk.out);
    linebuf_free(c->lines);
    registry_free(c->desk.registry);
    policy_free(c->desk.policy);
}

static void
on_signal(void *arg, unsigned signo)
{
    struct caller *c = arg;

    c->signal = (int)signo;
}

static void
on_outlet(void *arg, enum sender_state state)
{
    struct caller *c = arg;

    c->full = state == SENDER_FULL;
    c->gone = c->gone || state == SENDER_GONE;
    if (c->job)
        request_hold(c->job, c->full);
}

static void
on_answer(void *arg, bool ok)
{
    struct caller *c = arg;

    c->failed = c->failed || !ok;
    request_free(c->job);
    c->job = NULL;
}

static void
refuse_line(struct caller *c, const struct err *why)
{
    CLEANUP_BUF struct buf line = buf_of(4096);

    tool_call_write_error(&line, why, 0);
    sender_add(c->desk.out, line.p, line.len);
    c->failed = true;
}

static void
take_request_line(struct caller *c, const char *line, size_t n)
{
    if (strspn(line, " \t\r") == n)
        return;
    c->job = request_start(&c->desk, line, n, on_answer, c);
    if (!c->job)
        c->failed = true;
}

/* Reads once; a line that is too long has an answer, and what is left of it
 * none. */
static int
read_call_input(struct caller *c, struct err *e)
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
        take_request_line(c, line, n);
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
        return read_call_input(c, e);
    c->input = loop_fd(c->desk.app->loop, STDIN_FILENO, LOOP_READ, on_input, c,
                       &why);
    if (!c->input && why.sys == EPERM) { /* a file is always ready */
        c->polls = false;
        return read_call_input(c, e);
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
    return read_call_input(c, e);
}

/* Requests one after the other, each answered before the next is read. */
static int
serve(struct caller *c, struct err *e)
{
    const char *line;
    size_t n;

    while (!c->signal && !c->gone && !sender_error(c->desk.out)) {
        int rc = 0;

        if (c->job || c->full)
            rc = loop_turn(c->desk.app->loop, -1, e);
        else if ((line = linebuf_next(c->lines, &n)) != NULL)
            take_request_line(c, line, n);
        else if (c->ended && sender_is_empty(c->desk.out))
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
load_policy(const struct seat *s, struct err *e)
{
    CLEANUP(free_p) char *user = seat_place(s, PATH_CONFIG, "policy", e);

    return user ? policy_load_files(SYSCONFDIR "/agentsh/policy", user,
                                    "permissive", seat_home(s), e)
                : NULL;
}

static int
prepare_caller(struct caller *c, struct err *e)
{
    struct call_context *d = &c->desk;

    if (!seat_need_dir(d->app->seat, e))
        return -1;
    d->where = path_context_of(d->app->seat);
    app_set_named_paths(d->app, NULL);
    d->where.named = (const char *const *)d->app->named;
    if (app_config(d->app, e) < 0 ||
        !(d->policy = load_policy(d->app->seat, e)) ||
        !(d->registry = registry_open(d->app->seat, d->app->config, e)) ||
        (d->only &&
         !tool_listing_find(d->app, d->registry, d->only, NULL, e)) ||
        !(d->pool = tool_pool_new(d->app->loop, e)) ||
        !(c->lines = linebuf_new(PROTOCOL_REQUEST_MAX, e)) ||
        !(d->out = sender_new(d->app->loop, STDOUT_FILENO, SENDER_MAX,
                              on_outlet, c, e)))
        return -1;
    app_note_lost_plugins(d->app, d->registry);
    return stop_signals_init(&c->stops, d->app->loop, on_signal, c, e);
}

static int
run_tool_call(struct command_args *c)
{
    CLEANUP(caller_done)
    struct caller caller = {
        .desk = {.app = c->app, .only = c->n ? c->words[0] : NULL},
        .polls = true};
    struct err e = {0};
    int status;

    caller.desk.stop = &caller.signal;
    if (c->n > 1) {
        err_set(&e, ERR_USAGE, "tool call takes one name");
        return app_fail(c->app, &e);
    }
    if (prepare_caller(&caller, &e) < 0 || serve(&caller, &e) < 0)
        return app_fail(c->app, &e);
    if (sender_error(caller.desk.out)) {
        app_result_failed(c->app, sender_error(caller.desk.out));
        caller.failed = true;
    }
    status = caller.signal                  ? 128 + caller.signal
             : caller.failed || caller.gone ? 1
                                            : 0;
    tool_call_record_end(c->app, caller.desk.acted, status);
    return status;
}

const struct command cmd_tool_call = {
    .name = "tool call",
    .args = "[NAME]",
    .help = N_("answer requests of the Plugin Tool API, one per line"),
    .run = run_tool_call,
};
