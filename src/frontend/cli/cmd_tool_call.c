/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_tool_call.c - agentsh tool call: serve requests of the Plugin Tool API.
 *
 * Each line of standard input is a request and gets a response line, in the
 * order of the requests. Those that only read may run at once, when they are
 * there; any other one runs alone, after all before it were answered. */
#include <stdlib.h>
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
#define JOBS_MAX  32         /* as many as one plugin takes back to back */
/* Of the answers that wait for the journal: as many bytes as our reader may be
 * behind with, and the largest answer beyond it. */
#define PENDING_MAX (SENDER_HIGH + 2 * TOOL_CALL_LINE_MAX)

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
    struct watch *soon;                /* ends, once that is due */
    struct call_job *jobs, **jobs_end; /* the requests under way, in order */
    size_t n_jobs;
    struct call_job *next; /* a request that runs when these are answered */
    struct buf pending;    /* answers that the journal does not have yet */
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
    struct call_job *next;
    bool overlaps;     /* it may run while others do */
    bool answered, ok; /* the response is in `out` */
    struct buf out;
    struct json *root; /* of the request; `rq` points into it */
    struct errand_request rq;
    struct errand *errand;
    const struct tool *untrusted; /* that a person is asked about */
    struct tool_trust_question *question;
};

static void
job_free(struct call_job *j)
{
    if (!j)
        return;
    tool_trust_close(j->question);
    errand_free(j->errand);
    json_free(j->root);
    buf_done(&j->out);
    free(j);
}
DEFINE_CLEANUP(struct call_job, job_free)

/* Whether nobody is there to answer to. */
static bool
is_reader_lost(const struct caller *c)
{
    return c->gone || c->signal || sender_error(c->out);
}

/* Whether a request, or what may come (NULL), waits for those before it. */
static bool
must_wait(const struct caller *c, const struct call_job *j)
{
    bool alone = (j && !j->overlaps) || (c->jobs && !c->jobs->overlaps);

    return c->full || c->n_jobs == JOBS_MAX ||
           (alone && (c->jobs || c->pending.len > 0));
}

/* Whether each request is answered, and no more come. */
static bool
is_all_answered(const struct caller *c)
{
    return c->ended && !c->jobs && !c->next && c->pending.len == 0;
}

/* Whether the last answer is written, or nobody waits for it. */
static bool
is_caller_over(const struct caller *c)
{
    return is_reader_lost(c) || c->why.code != ERR_NONE ||
           (is_all_answered(c) && sender_is_empty(c->out));
}

static void
on_written(void *arg)
{
    struct caller *c = arg;

    watch_again(c->soon, 0);
}

/* Called after each change of what the end depends on. */
static void
check_over(struct caller *c)
{
    if (is_caller_over(c))
        watch_again(c->soon, 0);
    else if (is_all_answered(c))
        sender_on_empty(c->out, on_written, c);
}

static void start_job(struct call_job *j);

/* Reads no more while a request waits, or our answers are not read. */
static void
hold_input(struct caller *c)
{
    bool lost = is_reader_lost(c);

    if (!lost && c->next && !must_wait(c, c->next))
        start_job(TAKE_PTR(c->next));
    if (c->lines)
        line_reader_pause(c->lines, lost || c->next || must_wait(c, NULL));
    check_over(c);
}

/* Sends the answers, which the journal has. */
static void
send_pending(struct caller *c)
{
    sender_add(c->out, c->pending.p, c->pending.len);
    buf_clear(&c->pending);
}

static void
flush_answers(struct caller *c)
{
    app_record_flush(c->app);
    send_pending(c);
}

/* The answers that are the next ones, in the order of their requests. */
static void
collect_answers(struct caller *c)
{
    struct call_job *j;

    while ((j = c->jobs) && j->answered) {
        c->failed = c->failed || !j->ok;
        buf_add(&c->pending, j->out.p, j->out.len);
        if (c->pending.len > SENDER_HIGH)
            flush_answers(c);
        if (!(c->jobs = j->next))
            c->jobs_end = &c->jobs;
        c->n_jobs--;
        job_free(j);
    }
}

static void
end_job(struct call_job *j, bool ok)
{
    struct caller *c = j->caller;

    j->answered = true;
    j->ok = ok;
    collect_answers(c);
}

static void
check_answer_line(const struct caller *c, struct buf *line)
{
    struct err e = {0};

    if (buf_ok(line, "the answer", &e) < 0) {
        buf_clear(line);
        tool_call_write_error(line, &e, 0);
    }
    if (c->app->result.tty)
        tool_call_escape_line(line);
}

static void
write_error(struct call_job *j, const struct err *why, int64_t ms)
{
    tool_call_write_error(&j->out, why, ms);
    check_answer_line(j->caller, &j->out);
    end_job(j, false);
}

static void
on_trusted(void *arg, bool no, const struct err *why)
{
    struct call_job *j = arg;
    struct caller *c = j->caller;
    CLEANUP(tool_trust_close_p)
    struct tool_trust_question *held = TAKE_PTR(j->question);

    if (no && c->n_refused < REGISTRY_TOOLS_MAX)
        c->refused[c->n_refused++] = j->untrusted;
    errand_trust(j->errand, why);
}

static int
ask_trust(struct call_job *j, const struct tool *t, struct err *e)
{
    const struct caller *c = j->caller;

    for (size_t i = 0; i < c->n_refused; i++)
        if (c->refused[i] == t)
            return err_set(e, ERR_DENIED, "not using %s: you said no", t->name);
    j->untrusted = t;
    j->question = tool_trust_open(c->app, c->registry, t, on_trusted, j, e);
    return j->question ? 0 : -1;
}

/* Asks about a tool that is not trusted, once. */
static void
on_trust(void *arg, const struct tool *t)
{
    struct call_job *j = arg;
    struct err e = {0};

    if (ask_trust(j, t, &e) < 0)
        errand_trust(j->errand, &e);
}

static void
on_output(void *arg, const char *stream, const char *bytes, size_t n)
{
    const struct call_job *j = arg; /* it runs alone */
    CLEANUP_BUF struct buf line = buf_of(TOOL_CALL_LINE_MAX);

    tool_call_write_output(&line, j->rq.step_id, stream, bytes, n);
    check_answer_line(j->caller, &line);
    sender_add(j->caller->out, line.p, line.len);
    check_over(j->caller); /* a file may be full */
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
    struct call_job *j = arg;

    note_reduced_call(j, r);
    tool_call_write_result(&j->out, r);
    check_answer_line(j->caller, &j->out);
    end_job(j, r->ok);
}

static void
on_denied(void *arg, const struct permit *p, int64_t ms)
{
    struct call_job *j = arg;

    tool_call_write_denied(&j->out, p, ms);
    check_answer_line(j->caller, &j->out);
    end_job(j, false);
}

static void
on_failed(void *arg, const struct err *why, int64_t ms)
{
    write_error(arg, why, ms);
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
start_job(struct call_job *j)
{
    static const struct errand_events events = {.trust = on_trust,
                                                .output = on_output,
                                                .elevate = on_elevate,
                                                .done = on_done,
                                                .denied = on_denied,
                                                .failed = on_failed};
    struct caller *c = j->caller;
    struct err e = {0};

    *c->jobs_end = j;
    c->jobs_end = &j->next;
    c->n_jobs++;
    if ((j->errand = errand_start(c->errands, &j->rq, &events, j, &e)))
        return;
    write_error(j, &e, 0);
    flush_answers(c);
}

/* Answers what never becomes a call, when it is its turn. */
static void
refuse_job(struct call_job *j, const struct err *why)
{
    struct caller *c = j->caller;

    *c->jobs_end = j;
    c->jobs_end = &j->next;
    c->n_jobs++;
    write_error(j, why, 0);
}

static struct call_job *
job_new(struct caller *c)
{
    struct call_job *j = calloc(1, sizeof(*j));

    if (!j) {
        err_nomem(&c->why);
        check_over(c);
        return NULL;
    }
    j->caller = c;
    buf_init(&j->out, TOOL_CALL_LINE_MAX);
    return j;
}

static void
take_request_line(struct caller *c, const char *line, size_t n)
{
    struct call_job *j;
    struct err e = {0};

    if (strspn(line, " \t\r") == n || !(j = job_new(c)))
        return;
    if (read_call_request(j, line, n, &e) < 0) {
        errand_record_unreadable(c->errands, j->root, &e);
        refuse_job(j, &e);
    } else {
        j->overlaps = errand_may_overlap(c->errands, &j->rq);
        c->next = j;
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
    struct call_job *j = job_new(c);
    struct err e = {0};

    err_set(&e, ERR_PEER, "a line is longer than %u bytes",
            (unsigned)PROTOCOL_REQUEST_MAX);
    if (!j)
        return;
    refuse_job(j, &e);
    if (!c->jobs)
        flush_answers(c);
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
    check_over(c);
}

static void
on_sender(void *arg, enum sender_state state)
{
    struct caller *c = arg;

    c->full = state == SENDER_FULL;
    c->gone = c->gone || state == SENDER_GONE;
    for (const struct call_job *j = c->jobs; j; j = j->next)
        if (j->errand)
            errand_pause(j->errand, c->full);
    hold_input(c);
}

static void
caller_free(struct caller *c)
{
    struct call_job *j;

    if (!c)
        return;
    while ((j = c->jobs)) {
        c->jobs = j->next;
        job_free(j);
    }
    job_free(c->next);
    buf_done(&c->pending);
    errand_context_free(c->errands);
    registry_listing_free(c->listing);
    stop_signals_done(&c->stops);
    watch_free(c->soon);
    line_reader_free(c->lines);
    read_buffer_free(c->buffer);
    tool_pool_free(c->pool);
    sender_free(c->out);
    registry_free(c->registry);
    policy_free(c->policy);
    free(c);
}
DEFINE_CLEANUP(struct caller, caller_free)

static void
open_record(void *arg)
{
    (void)app_journal(((struct caller *)arg)->app);
}

static void
record_event(void *arg, const char *kind, const struct journal_member *members,
             bool later)
{
    struct app *a = ((struct caller *)arg)->app;

    (later ? app_record_later : app_record)(a, kind, members);
}

static void
flush_record(void *arg)
{
    flush_answers(arg);
    hold_input(arg);
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

/* The last thing that is done with it. */
static void
end_calls(struct caller *c)
{
    struct app *a = c->app;
    int status;

    if (c->why.code != ERR_NONE) {
        status = app_fail(a, &c->why);
    } else {
        if (sender_error(c->out)) {
            app_result_failed(a, sender_error(c->out));
            c->failed = true;
        }
        status = c->signal ? 128 + c->signal : c->failed || c->gone ? 1 : 0;
        record_end(c, status);
    }
    caller_free(c);
    app_over(a, status);
}

static void
on_over(void *arg, unsigned events)
{
    struct caller *c = arg;

    (void)events;
    if (is_caller_over(c))
        end_calls(c);
}

/* No answer follows, not even that of a question which it ended. */
static void
on_signal(void *arg, unsigned signo)
{
    struct caller *c = arg;

    c->signal = (int)signo;
    end_calls(c);
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
    check_over(c);
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
        .record = {.open = open_record,
                   .add = record_event,
                   .flush = flush_record,
                   .arg = c},
        .ask = ERRAND_ASK_ALLOW,
        .by = "caller",
        .yes = "caller, who typed it",
        .privileged = true,
        .sudo = true,
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
    if (stop_signals_init(&c->stops, a->loop, on_signal, c, e) < 0 ||
        !(c->soon = loop_soon(a->loop, on_over, c, e)))
        return -1;
    watch_stop(c->soon);
    return begin_listing(c, e);
}

static int
run_tool_call(struct command_args *args)
{
    CLEANUP(caller_free_p) struct caller *c = calloc(1, sizeof(*c));
    struct err e = {0};

    if (!c) {
        err_nomem(&e);
        return app_fail(args->app, &e);
    }
    c->app = args->app;
    c->only = args->n ? args->words[0] : NULL;
    c->jobs_end = &c->jobs;
    buf_init(&c->pending, PENDING_MAX);
    if (args->n > 1)
        err_set(&e, ERR_USAGE, "tool call takes one name");
    if (e.code != ERR_NONE || prepare_caller(c, &e) < 0)
        return app_fail(args->app, &e);
    TAKE_PTR(c);
    return APP_GOES_ON;
}

const struct command cmd_tool_call = {
    .name = "tool call",
    .args = "[NAME]",
    .help = N_("answer requests of the Plugin Tool API, one per line"),
    .run = run_tool_call,
};
