/* SPDX-License-Identifier: GPL-3.0-or-later */
/* errand.c - one request for a tool, of any listener, from its rules to its
 * end. */
#include "action/errand.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "action/errand_check.h"
#include "action/errand_record.h"
#include "action/errand_sandbox.h"
#include "action/step_tools.h"
#include "base/clock.h"
#include "base/worker.h"
#include "tool/protocol.h"
#include "tool/registry_listing.h"

enum errand_state {
    ERRAND_FINDING,  /* a server is asked whether it has the tool */
    ERRAND_TRUSTING, /* the tool is not trusted: the listener asks */
    ERRAND_JUDGED,   /* the rules are applied, in a thread */
    ERRAND_ASKING,   /* the rules ask */
    ERRAND_RUNNING,
    ERRAND_OVER, /* its last event is due, or was */
};

/* What an errand does at the next turn of the loop. */
enum errand_due {
    DUE_NOTHING,
    DUE_FIND,
    DUE_TRUST,
    DUE_ASK,
    DUE_DENIED,
    DUE_FAILED
};

struct errand {
    struct errand_context *context; /* NULL: it has ended before */
    struct errand *prev, *next;     /* of the context's */
    struct errand *next_due;
    enum errand_state state;
    enum errand_due due;
    struct errand_request rq;
    const struct errand_events *ev;
    void *arg;
    int64_t from_ms;
    const struct tool *server; /* the one that is asked, while it is found */
    bool listed;               /* that has been done */
    const struct tool *tool;
    struct permit permit;
    uint64_t token;                 /* of the question */
    char approved[SHA256_HEX_SIZE]; /* what was shown with it */
    char digest[SHA256_HEX_SIZE];   /* what was judged last */
    bool answered;                  /* by a yes: it is judged again */
    struct worker *worker;          /* that judges it; NULL: none */
    int judged;                     /* what came of that, and `why` */
    struct buf begun;               /* its line, where it is long */
    struct watch *ask_limit;
    struct sandbox_setup *setup; /* of cmd.run */
    struct tool_call *call;
    const char *const *argv; /* what it asks to run as root; NULL: nothing */
    const char *yes;         /* who agreed; NULL: nobody had to */
    struct errand_unrecorded unrecorded;
    bool paused;
    struct err why; /* of DUE_FAILED */
};

struct errand_context {
    struct errand_params set;
    struct path_context where;
    struct errand *all;
    struct errand *due, **due_end; /* in their order */
    struct watch *soon;
    struct registry_listing *listing; /* one at a time; NULL: none */
    const struct tool *server;        /* that it is for */
    struct confinement_cache *cache;
    bool acted;
    bool opened;    /* the record */
    bool unflushed; /* it has what was added later */
    bool *freed;    /* set when the context is freed by an event */
};

static int64_t
errand_age(const struct errand *er)
{
    return clock_ms() - er->from_ms;
}

static void
set_due(struct errand *er, enum errand_due due)
{
    struct errand_context *c = er->context;

    if (er->due == DUE_NOTHING) {
        er->next_due = NULL;
        *c->due_end = er;
        c->due_end = &er->next_due;
    }
    er->due = due;
    watch_again(c->soon, 0);
}

static void
clear_due(struct errand *er)
{
    struct errand_context *c = er->context;
    struct errand **at = &c->due;

    if (er->due == DUE_NOTHING)
        return;
    while (*at != er)
        at = &(*at)->next_due;
    *at = er->next_due;
    if (c->due_end == &er->next_due)
        c->due_end = at;
    er->due = DUE_NOTHING;
}

static void
fail_errand(struct errand *er, const struct err *why)
{
    er->state = ERRAND_OVER;
    er->why = *why;
    set_due(er, DUE_FAILED);
}

static void
deny_errand(struct errand *er)
{
    er->state = ERRAND_OVER;
    errand_record_call(&er->context->set, er->tool, &er->rq, &er->permit, NULL);
    set_due(er, DUE_DENIED);
}

/* It does not become a call. */
static void
refuse_errand(struct errand *er, const struct err *why)
{
    errand_record_refused(&er->context->set, er->rq.step_id, er->rq.tool,
                          er->rq.action, er->rq.args);
    fail_errand(er, why);
}

/* What is recorded now is written down at the end of the turn. */
static void
set_unflushed(struct errand_context *c)
{
    c->unflushed = c->set.record.flush != NULL;
    if (c->unflushed)
        watch_again(c->soon, 0);
}

static void
record_due_call(struct errand *er)
{
    errand_record_due(&er->unrecorded, &er->context->set, er->tool, &er->rq,
                      &er->permit, er->yes);
}

static void
on_output(void *arg, const char *stream, const char *bytes, size_t n)
{
    const struct errand *er = arg;

    if (er->ev->output)
        er->ev->output(er->arg, stream, bytes, n);
}

static void
on_progress(void *arg, double done, double total, const char *text)
{
    const struct errand *er = arg;

    if (er->ev->progress)
        er->ev->progress(er->arg, done, total, text);
}

static enum tool_elevation
on_elevate(void *arg, const char *const *argv)
{
    struct errand *er = arg;
    enum tool_elevation answer = er->ev->elevate
                                     ? er->ev->elevate(er->arg, argv)
                                     : TOOL_ELEVATE_NO;

    if (answer == TOOL_ELEVATE_LATER)
        er->argv = argv;
    else
        errand_record_elevation(&er->context->set, argv,
                                answer == TOOL_ELEVATE_YES);
    return answer;
}

void
errand_elevate(struct errand *er, bool yes)
{
    if (!er->context || !er->argv)
        return;
    errand_record_elevation(&er->context->set, er->argv, yes);
    er->argv = NULL;
    tool_call_elevate(er->call, yes);
}

/* What it did may have changed what others are confined by. */
static void
note_change(const struct errand *er)
{
    if (!er->permit.read_only)
        confinement_cache_doubt(er->context->cache);
}

static void
on_done(void *arg, const struct tool_result *r)
{
    struct errand *er = arg;

    er->state = ERRAND_OVER;
    er->argv = NULL;
    note_change(er);
    record_due_call(er);
    errand_record_result(&er->context->set, &er->rq, r, true);
    set_unflushed(er->context);
    er->ev->done(er->arg, r);
}

/* tool_call_elevate may call this, which is not from the loop. */
static void
on_failed(void *arg, const struct err *why)
{
    struct errand *er = arg;

    er->argv = NULL;
    note_change(er);
    fail_errand(er, why);
}

static int
fill_step_sandbox(struct errand *er, struct confinement_params *how,
                  struct err *e)
{
    const struct errand_context *c = er->context;

    if (!(er->setup = calloc(1, sizeof(*er->setup))))
        return err_nomem(e);
    if (errand_sandbox_fill(&c->where, c->set.config, er->rq.args, &er->permit,
                            er->setup, e) < 0)
        return -1;
    how->sandbox = &er->setup->spec;
    if (er->permit.found->profile.n_reader > 0)
        how->argv = (const char *const *)er->permit.found->profile.reader;
    return 0;
}

static int
start_errand_call(struct errand *er, struct err *e)
{
    static const struct tool_events events = {.elevate = on_elevate,
                                              .output = on_output,
                                              .progress = on_progress,
                                              .done = on_done,
                                              .failed = on_failed};
    const struct errand_context *c = er->context;
    const struct tool_request rq = {
        .action = er->rq.action,
        .args = er->rq.args,
        .begun = &er->begun,
        .step_id = er->rq.step_id,
        .stream = er->rq.stream,
        .queued = true,
        .timeout_ms = errand_check_limit(er->tool, &er->rq)};
    struct tool_invocation in = {
        .confine = {.tool = er->tool,
                    .seat = c->set.seat,
                    .permit = &er->permit,
                    .config = c->set.config,
                    .pool = c->set.pool,
                    .privileged = c->set.privileged,
                    .sudo = c->set.sudo,
                    .roots = CONFINEMENT_ROOTS_SANDBOX,
                    .report = true},
        .where = &c->where,
        .cache = c->cache,
    };

    if (er->tool->manifest->step && fill_step_sandbox(er, &in.confine, e) < 0)
        return -1;
    er->call = tool_invoke(c->set.loop, &in, &rq, &events, er, e);
    if (er->call && er->paused)
        tool_call_pause(er->call, true);
    return er->call ? 0 : -1;
}

/* What does more than read is recorded before it starts. */
static void
run_errand(struct errand *er, const char *yes)
{
    struct errand_context *c = er->context;
    struct err e = {0};

    er->state = ERRAND_RUNNING;
    er->yes = yes;
    er->unrecorded.due = true;
    if (!er->permit.read_only) {
        c->acted = true;
        note_change(er);
        record_due_call(er);
    }
    if (start_errand_call(er, &e) < 0)
        fail_errand(er, &e);
    errand_record_prepare(&er->unrecorded, &c->set, er->tool, &er->rq,
                          &er->permit, yes);
    if (!c->opened && c->set.record.open)
        c->set.record.open(c->set.record.arg);
    c->opened = true;
}

static void
on_ask_limit(void *arg, unsigned events)
{
    struct errand *er = arg;
    struct err e = {0};

    (void)events;
    err_set(&e, ERR_TIMEOUT, "%s %s: nobody answered whether it may run",
            er->tool->name, er->rq.action);
    refuse_errand(er, &e);
}

static void
ask_errand(struct errand *er)
{
    const struct errand_params *p = &er->context->set;
    struct err e = {0};

    memcpy(er->approved, er->digest, sizeof(er->approved));
    if (!(er->ask_limit = loop_timer(p->loop,
                                     p->ask_ms ? p->ask_ms : ERRAND_ASK_MS,
                                     on_ask_limit, er, &e))) {
        refuse_errand(er, &e);
        return;
    }
    if (getrandom(&er->token, sizeof(er->token), 0) !=
        (ssize_t)sizeof(er->token)) {
        err_sys(&e, "random bytes");
        refuse_errand(er, &e);
        return;
    }
    er->state = ERRAND_ASKING;
    set_due(er, DUE_ASK);
}

static void
decide_errand(struct errand *er)
{
    const struct errand_params *p = &er->context->set;
    bool asks = er->permit.decision == GUARD_ASK;

    if (er->permit.decision == GUARD_DENY ||
        (asks && p->ask == ERRAND_ASK_DENY))
        deny_errand(er);
    else if (asks && p->ask == ERRAND_ASK_LATER)
        ask_errand(er);
    else
        run_errand(er, asks ? p->yes : NULL);
}

/* Judged again, now that somebody has said yes to what was shown. */
static void
decide_answered(struct errand *er)
{
    struct err e = {0};

    if (er->permit.decision == GUARD_DENY) {
        deny_errand(er);
        return;
    }
    if (strcmp(er->digest, er->approved) == 0) {
        run_errand(er, er->context->set.yes);
        return;
    }
    err_set(&e, ERR_DENIED,
            "%s %s: what it would do has changed since you were asked; "
            "nothing ran",
            er->tool->name, er->rq.action);
    refuse_errand(er, &e);
}

/* What is compared with a yes is taken beside the verdict. */
static void
judge_in_thread(void *arg)
{
    struct errand *er = arg;
    const struct errand_params *p = &er->context->set;
    const struct errand_judged j = {p->seat, p->policy, &er->context->where,
                                    er->tool, &er->rq};
    bool asks = er->answered || p->ask == ERRAND_ASK_LATER;

    permit_done(&er->permit);
    er->judged = errand_check_judge(&j, &er->permit, &er->begun, &er->why);
    asks = asks && (er->answered || er->permit.decision == GUARD_ASK);
    if (er->judged == 0 && asks)
        er->judged = errand_check_digest(&j, &er->permit, er->digest, &er->why);
}

static void
on_judged(void *arg)
{
    struct errand *er = arg;
    struct err why = er->why;

    worker_free(TAKE_PTR(er->worker));
    if (er->judged < 0)
        refuse_errand(er, &why);
    else if (er->answered)
        decide_answered(er);
    else
        decide_errand(er);
}

/* What does more than read may take a while to judge: all that it would lose
 * is counted, and the code that it runs is read. */
static void
begin_judging(struct errand *er)
{
    const struct errand_params *p = &er->context->set;
    const struct manifest_action *a = manifest_action(er->tool->manifest,
                                                      er->rq.action);

    er->state = ERRAND_JUDGED;
    if (p->aside && a && (!a->read_only || er->rq.is_long))
        er->worker = worker_start(p->loop, judge_in_thread, on_judged, er,
                                  NULL);
    if (er->worker)
        return;
    judge_in_thread(er);
    on_judged(er);
}

/* Finds the tool again: a server may have stood for its tools until now. */
static void
find_again(struct errand *er)
{
    er->state = ERRAND_FINDING;
    er->listed = er->listed && !er->tool->server;
    set_due(er, DUE_FIND);
}

void
errand_trust(struct errand *er, const struct err *why)
{
    struct err e = *why;

    if (!er->context || er->state != ERRAND_TRUSTING)
        return;
    clear_due(er);
    if (e.code == ERR_NONE)
        (void)step_tools_check_trust(er->tool, ERR_DENIED, &e);
    if (e.code != ERR_NONE)
        refuse_errand(er, &e);
    else
        find_again(er);
}

static void on_listing_done(void *arg);

/* Asks the server, or waits for another that is asked: then it is tried
 * again. */
static int
await_listing(struct errand *er, const struct tool *server, struct err *e)
{
    static const struct registry_listing_events events = {
        .done = on_listing_done};
    const struct registry_listing_params params = {.tool = er->rq.tool};
    struct errand_context *c = er->context;

    er->state = ERRAND_FINDING;
    er->server = server;
    if (c->listing)
        return 0;
    c->server = server;
    c->listing = registry_listing_start(c->set.loop, c->set.registry, &params,
                                        &events, c, e);
    return c->listing ? 0 : -1;
}

static void
on_listing_done(void *arg)
{
    struct errand_context *c = arg;

    registry_listing_free(TAKE_PTR(c->listing));
    for (struct errand *er = c->all; er; er = er->next) {
        if (er->state != ERRAND_FINDING)
            continue;
        er->listed |= er->server == c->server;
        set_due(er, DUE_FIND);
    }
}

/* Sets the tool. 1: a server is asked for it first, or the listener. */
static int
find_errand_tool(struct errand *er, struct err *e)
{
    struct registry *r = er->context->set.registry;
    const struct tool *servers[REGISTRY_SERVERS_MAX];

    if (!er->listed && registry_unlisted(r, er->rq.tool, servers) > 0)
        return await_listing(er, servers[0], e) < 0 ? -1 : 1;
    if (!(er->tool = registry_find(r, er->rq.tool, e)))
        return -1;
    if (er->tool->trust == TOOL_TRUSTED || !er->ev->trust)
        return step_tools_check_trust(er->tool, ERR_DENIED, e);
    er->state = ERRAND_TRUSTING;
    set_due(er, DUE_TRUST);
    return 1;
}

static void
find_errand(struct errand *er)
{
    struct err e = {0};
    int rc = find_errand_tool(er, &e);

    if (rc == 0)
        begin_judging(er);
    else if (rc < 0)
        refuse_errand(er, &e);
}

static void
report_failed(struct errand *er)
{
    int64_t ms = errand_age(er);

    set_unflushed(er->context);
    record_due_call(er);
    errand_record_failure(&er->context->set, &er->rq, &er->why, ms);
    er->ev->failed(er->arg, &er->why, ms);
}

static void
report_denied(struct errand *er)
{
    int64_t ms = errand_age(er);
    struct err why = {0};

    set_unflushed(er->context);
    err_set(&why, ERR_DENIED, "%s", er->permit.reason);
    errand_record_failure(&er->context->set, &er->rq, &why, ms);
    er->ev->denied(er->arg, &er->permit, ms);
}

static void
do_due(struct errand *er, enum errand_due due)
{
    switch (due) {
    case DUE_NOTHING:
        return;
    case DUE_FIND:
        find_errand(er);
        return;
    case DUE_TRUST:
        er->ev->trust(er->arg, er->tool);
        return;
    case DUE_ASK:
        if (er->ev->ask)
            er->ev->ask(er->arg, er->token, er->tool, &er->permit);
        return;
    case DUE_DENIED:
        report_denied(er);
        return;
    case DUE_FAILED:
        report_failed(er);
        return;
    }
}

/* The flush may free the context. */
static void
end_turn(struct errand_context *c)
{
    bool flushes = c->unflushed;

    c->unflushed = false;
    if (c->due)
        watch_again(c->soon, 0);
    if (flushes)
        c->set.record.flush(c->set.record.arg);
}

/* What is set due meanwhile waits for the next turn. */
static void
on_due(void *arg, unsigned events)
{
    struct errand_context *c = arg;
    bool freed = false;
    size_t n = 0;

    (void)events;
    for (const struct errand *er = c->due; er; er = er->next_due)
        n++;
    /* cppcheck-suppress autoVariables ; it is taken back before we return */
    c->freed = &freed;
    while (!freed && c->due && n-- > 0) {
        struct errand *er = c->due;
        enum errand_due due = er->due;

        clear_due(er);
        do_due(er, due);
    }
    if (freed)
        return;
    c->freed = NULL;
    end_turn(c);
}

bool
errand_may_overlap(const struct errand_context *c,
                   const struct errand_request *rq)
{
    const struct tool *t = registry_find(c->set.registry, rq->tool, NULL);
    const struct manifest_action *a = t && t->manifest && !t->server &&
                                              !t->manifest->step
                                          ? manifest_action(t->manifest,
                                                            rq->action)
                                          : NULL;

    return a && a->read_only && t->trust == TOOL_TRUSTED && !rq->stream;
}

struct errand *
errand_start(struct errand_context *c, const struct errand_request *rq,
             const struct errand_events *ev, void *arg, struct err *e)
{
    struct errand *er = calloc(1, sizeof(*er));

    if (!er) {
        err_nomem(e);
        return NULL;
    }
    *er = (struct errand){.context = c,
                          .next = c->all,
                          .rq = *rq,
                          .ev = ev,
                          .arg = arg,
                          .from_ms = clock_ms()};
    buf_init(&er->begun, PROTOCOL_REQUEST_MAX);
    if (c->all)
        c->all->prev = er;
    c->all = er;
    find_errand(er);
    return er;
}

/* Ends all that it started, and takes it from its context. */
static void
detach_errand(struct errand *er)
{
    worker_free(TAKE_PTR(er->worker));
    clear_due(er);
    record_due_call(er);
    watch_free(er->ask_limit);
    tool_call_free(er->call);
    er->ask_limit = NULL;
    er->call = NULL;
    *(er->prev ? &er->prev->next : &er->context->all) = er->next;
    if (er->next)
        er->next->prev = er->prev;
    er->state = ERRAND_OVER;
    er->context = NULL;
}

void
errand_free(struct errand *er)
{
    if (!er)
        return;
    if (er->context)
        detach_errand(er);
    sandbox_setup_done(er->setup);
    free(er->setup);
    permit_done(&er->permit);
    buf_done(&er->begun);
    free(er);
}

void
errand_record_unreadable(struct errand_context *c, const struct json *root,
                         const struct err *why)
{
    set_unflushed(c);
    errand_record_refused(&c->set, NULL, json_get_str(root, "tool"),
                          json_get_str(root, "action"), json_get(root, "args"));
    errand_record_failure(&c->set, NULL, why, 0);
}

void
errand_pause(struct errand *er, bool paused)
{
    er->paused = paused;
    if (er->call)
        tool_call_pause(er->call, paused);
}

static void
refuse_asked(struct errand *er)
{
    struct permit *p = &er->permit;

    p->decision = GUARD_DENY;
    snprintf(p->rule, sizeof(p->rule), "answered no");
    deny_errand(er);
}

int
errand_answer(struct errand *er, uint64_t token, bool yes, struct err *e)
{
    struct err why = {0};

    if (er->state != ERRAND_ASKING)
        return err_set(e, ERR_NOT_FOUND, "nothing is asked any more");
    if (token != er->token)
        return err_set(e, ERR_INVALID, "this answers another question");
    clear_due(er);
    watch_free(er->ask_limit);
    er->ask_limit = NULL;
    er->answered = yes;
    er->tool = registry_find(er->context->set.registry, er->rq.tool, &why);
    if (!yes)
        refuse_asked(er);
    else if (!er->tool ||
             step_tools_check_trust(er->tool, ERR_DENIED, &why) < 0)
        refuse_errand(er, &why);
    else
        begin_judging(er);
    return 0;
}

const char *
errand_digest(const struct errand *er)
{
    return er->approved;
}

const struct sandbox_spec *
errand_sandbox(const struct errand *er)
{
    return er->setup && er->call ? &er->setup->spec : NULL;
}

struct errand_context *
errand_context_new(const struct errand_params *p, struct err *e)
{
    CLEANUP(errand_context_free_p)
    struct errand_context *c = calloc(1, sizeof(*c));

    if (!c) {
        err_nomem(e);
        return NULL;
    }
    c->set = *p;
    c->where = path_context_of(p->seat);
    c->where.named = p->named;
    c->where.workspace = p->workspace;
    c->due_end = &c->due;
    if (!(c->cache = confinement_cache_new(e)) ||
        !(c->soon = loop_soon(p->loop, on_due, c, e)))
        return NULL;
    watch_stop(c->soon);
    return TAKE_PTR(c);
}

void
errand_context_free(struct errand_context *c)
{
    if (!c)
        return;
    if (c->freed)
        *c->freed = true;
    while (c->all)
        detach_errand(c->all);
    registry_listing_free(c->listing);
    watch_free(c->soon);
    confinement_cache_free(c->cache);
    free(c);
}

bool
errand_context_acted(const struct errand_context *c)
{
    return c->acted;
}
