/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_invocation.c - the tool calls of a client, from request to answer. */
#include "server/mcp/mcp_invocation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "action/errand.h"
#include "base/clock.h"
#include "server/mcp/mcp_answer.h"
#include "server/mcp/mcp_progress.h"
#include "server/mcp/mcp_question.h"
#include "server/mcp/mcp_queue.h"
#include "server/mcp/mcp_record.h"
#include "server/mcp/mcp_reply.h"
#include "server/mcp/mcp_request.h"
#include "server/mcp/mcp_task.h"
#include "server/mcp/mcp_ticket.h"
#include "wire/rpc_carrier.h"

#define STALL_MS 1000 /* so long reading stops where no call ends */
#define TICK_MS  100
#define START_US 2000 /* for beginning calls, before the loop goes on */

struct mcp_invocation {
    struct mcp_invocations *all;
    struct mcp_queue_place place;
    struct rpc_request *rq; /* NULL: it was answered, or cancelled */
    struct json *message;   /* owns args; */
    struct json *retry;     /* and the one with the answer the token of f */
    struct mcp_frame f;
    struct mcp_catalog_tool t;
    struct mcp_toolset *tools; /* of which t is */
    struct errand_request request;
    char id[24]; /* in the journal */
    struct errand *errand;
    int64_t from_ms;
    struct mcp_progress progress;
    uint64_t token; /* of the question */
    unsigned questions;
    struct rpc_call *elicitation;
    struct mcp_ticket *ticket;
    struct mcp_task *task;
    char refusal[600]; /* which rule asks, where nobody can be asked */
    bool needs_form;   /* which is an error of the protocol */
    bool writing;      /* its answer is stored by the transaction under way */
    struct buf answer; /* a result; */
    int code;          /* 0, or an error, and its message */
    char message_text[300];
};

struct mcp_invocations {
    struct mcp_shared *sh;
    const struct mcp_invocation_events *ev;
    void *arg;
    struct mcp_record *record;
    struct mcp_tickets *tickets;
    struct mcp_tasks *tasks;
    struct mcp_queue queue;
    unsigned long long n_calls; /* so far */
    struct watch *tick, *stall, *start;
    bool paused;  /* the client reads slowly */
    bool stopped; /* reading is stopped */
    bool stalled; /* but no call has ended since */
    bool input_ended;
    bool acted; /* a call did more than read */
};

static void
set_invocation_state(struct mcp_invocation *v, enum mcp_queue_state state)
{
    mcp_queue_move(&v->all->queue, &v->place, state);
}

static void start_waiting(struct mcp_invocations *all);

/* Ends it with all that it started, without an answer. */
static void
invocation_free(struct mcp_invocation *v)
{
    struct mcp_invocations *all = v->all;

    mcp_queue_remove(&all->queue, &v->place);
    if (v->elicitation)
        rpc_call_cancel(v->elicitation);
    mcp_ticket_free(v->ticket);
    errand_free(v->errand);
    all->acted = all->acted || errand_context_acted(v->tools->errands);
    v->tools->users--;
    rpc_drop(v->rq);
    mcp_progress_done(&v->progress);
    buf_done(&v->answer);
    json_free(v->message);
    json_free(v->retry);
    free(v);
}

/* Reads no more while many calls wait, unless none of them comes to its end:
 * then cancels are to be read. */
static void
check_reading(struct mcp_invocations *all)
{
    bool stop = mcp_queue_is_crowded(&all->queue) && !all->stalled;

    if (stop == all->stopped)
        return;
    all->stopped = stop;
    rpc_pause(all->sh->rpc, stop);
    if (stop)
        watch_again(all->stall, STALL_MS);
    else
        watch_stop(all->stall);
}

static void
on_stalled(void *arg, unsigned events)
{
    struct mcp_invocations *all = arg;

    (void)events;
    all->stalled = true;
    check_reading(all);
}

/* Sends the answer, to who waits for it, and frees the call. */
static void
deliver_invocation(struct mcp_invocation *v)
{
    if (v->task && v->code == 0)
        mcp_task_complete(v->task, &v->answer);
    else if (v->task)
        mcp_task_fail(v->task, v->code, v->message_text);
    else if (v->rq && v->needs_form)
        mcp_reply_needs_form(TAKE_PTR(v->rq), v->refusal);
    else if (v->rq && v->code != 0)
        rpc_refuse(TAKE_PTR(v->rq), v->code, v->message_text, NULL);
    else if (v->rq)
        rpc_answer(TAKE_PTR(v->rq), &v->answer);
    invocation_free(v);
}

/* Has the journal store what those that have ended did. */
static void
store_answers(struct mcp_invocations *all)
{
    struct mcp_invocation *v = mcp_queue_first(&all->queue, MCP_QUEUE_ANSWERED);

    if (!v || v->writing)
        return;
    for (; v; v = mcp_queue_next(&v->place))
        v->writing = true;
    mcp_record_flush(all->record, mcp_queue_ends_one(&all->queue));
}

static void
on_flush(void *arg)
{
    struct mcp_invocations *all = arg;

    store_answers(all);
    start_waiting(all);
    check_reading(all);
}

static void
on_stored(void *arg)
{
    struct mcp_invocations *all = arg;
    struct mcp_invocation *v;

    while ((v = mcp_queue_first(&all->queue, MCP_QUEUE_ANSWERED)) != NULL &&
           v->writing)
        deliver_invocation(v);
    all->stalled = false;
    on_flush(all);
}

static void
on_start(void *arg, unsigned events)
{
    struct mcp_invocations *all = arg;

    (void)events;
    start_waiting(all);
    check_reading(all);
}

/* Its errand is over, and the answer is made. */
static void
end_invocation(struct mcp_invocation *v)
{
    if (v->elicitation)
        rpc_call_cancel(TAKE_PTR(v->elicitation));
    mcp_ticket_free(TAKE_PTR(v->ticket));
    errand_free(TAKE_PTR(v->errand));
    set_invocation_state(v, MCP_QUEUE_ANSWERED);
}

static void
note_end(const struct mcp_invocation *v, enum mcp_level level, const char *text)
{
    v->all->ev->note(v->all->arg, v->rq, &v->f, level, v->t.name, text);
}

static void
on_done(void *arg, const struct tool_result *r)
{
    struct mcp_invocation *v = arg;
    const struct mcp_invocations *all = v->all;
    char text[128];

    mcp_answer_write(&v->answer, v->f.era, v->t.tool, v->t.action, r,
                     v->request.stream ? &v->progress.texts : NULL);
    all->ev->ended(all->arg, v->t.name, r->ok, r->out, r->out_len, r->err,
                   r->err_len);
    snprintf(text, sizeof(text), "%s after %lld ms",
             r->ok           ? "done"
             : r->error_code ? r->error_code
                             : "failed",
             (long long)r->duration_ms);
    note_end(v, r->ok ? MCP_LEVEL_INFO : MCP_LEVEL_ERROR, text);
    end_invocation(v);
}

static void
on_denied(void *arg, const struct permit *p, int64_t ms)
{
    struct mcp_invocation *v = arg;
    CLEANUP_BUF struct buf why = buf_of(sizeof(v->refusal));
    const char *text;

    (void)ms;
    mcp_question_put_rule(&why, p);
    text = v->refusal[0] ? v->refusal : why.p;
    v->code = v->needs_form ? MCP_ERA_MISSING_CAPABILITY : 0;
    mcp_answer_write_failure(&v->answer, v->f.era, "POLICY_DENIED", text, NULL);
    note_end(v, MCP_LEVEL_WARNING, text);
    end_invocation(v);
}

/* Bad arguments are an error of the protocol; anything else is the result. */
static void
on_failed(void *arg, const struct err *why, int64_t ms)
{
    struct mcp_invocation *v = arg;

    (void)ms;
    if (why->code == ERR_INVALID) {
        v->code = JSONRPC_INVALID_PARAMS;
        snprintf(v->message_text, sizeof(v->message_text), "%s", why->text);
    } else {
        mcp_answer_write_failure(&v->answer, v->f.era, err_tool_code(why->code),
                                 why->text,
                                 v->request.stream ? &v->progress.texts : NULL);
    }
    note_end(v, MCP_LEVEL_ERROR, why->text);
    end_invocation(v);
}

static void
on_output(void *arg, const char *stream, const char *bytes, size_t n)
{
    struct mcp_invocation *v = arg;

    mcp_progress_output(&v->progress, stream, bytes, n);
    if (v->task)
        mcp_task_report(v->task, v->progress.line, v->progress.n_line);
}

static void
on_progress(void *arg, double done, double total, const char *text)
{
    struct mcp_invocation *v = arg;

    mcp_progress_count(&v->progress, done, total, text);
}

/* Answers the question, and lets the call go on by that. */
static void
answer_question(struct mcp_invocation *v, bool yes)
{
    struct err e = {0};

    mcp_ticket_free(TAKE_PTR(v->ticket));
    if (v->task)
        mcp_task_go_on(v->task);
    set_invocation_state(v, MCP_QUEUE_RUNS);
    mcp_progress_start(&v->progress, v->task ? NULL : v->f.token);
    if (errand_answer(v->errand, v->token, yes, &e) < 0)
        note_end(v, MCP_LEVEL_WARNING, e.text); /* it has expired: on_failed */
    watch_again(v->all->tick, TICK_MS);
}

static void
on_elicited(void *arg, const struct jsonrpc *m, const struct err *why)
{
    struct mcp_invocation *v = arg;
    bool yes = false;

    (void)why;
    v->elicitation = NULL;
    if (m && m->kind == JSONRPC_RESULT)
        (void)mcp_question_read(m->result, &yes, NULL);
    answer_question(v, yes);
}

/* Nobody is asked: the answer says which rule asks. */
static void
refuse_question(struct mcp_invocation *v, const struct permit *p,
                const char *reason)
{
    CLEANUP_BUF struct buf rule = buf_of(sizeof(v->refusal));

    mcp_question_put_rule(&rule, p);
    snprintf(v->refusal, sizeof(v->refusal),
             "not run: %s; it needs a yes, and %s", rule.p, reason);
    answer_question(v, false);
}

/* In 2026-07-28 the request is answered by the question. */
static int
return_question(struct mcp_invocation *v, const struct buf *params,
                struct err *e)
{
    CLEANUP_BUF struct buf state = buf_of(MCP_TICKET_TEXT_MAX);
    CLEANUP_BUF struct buf b = buf_of(MCP_QUESTION_MAX);
    struct json_writer w;

    v->ticket = mcp_ticket_new(v->all->tickets, errand_digest(v->errand), v,
                               &state, e);
    if (!v->ticket)
        return -1;
    mcp_reply_open(&w, &b, v->f.era, "input_required");
    mcp_question_put_input(&w, ++v->questions, params->p, params->len);
    json_key(&w, "requestState");
    json_put_strn(&w, state.p, state.len);
    mcp_reply_close(&w, v->f.era);
    rpc_answer(TAKE_PTR(v->rq), &b);
    return 0;
}

static int
become_task(struct mcp_invocation *v, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(MCP_REPLY_MAX);

    if (!(v->task = mcp_task_new(v->all->tasks, v, e)))
        return -1;
    v->progress.token = NULL; /* it ends with the request */
    mcp_task_report(v->task, v->progress.line, v->progress.n_line);
    mcp_task_put_created(&b, v->task);
    rpc_answer(TAKE_PTR(v->rq), &b);
    return 0;
}

static int
put_to_client(struct mcp_invocation *v, struct buf *params, struct err *e)
{
    if (v->f.era == MCP_ERA_HANDSHAKE) {
        v->elicitation = rpc_call_about(v->rq, "elicitation/create", params, 0,
                                        on_elicited, v, e);
        return v->elicitation ? 0 : -1;
    }
    if (!v->task && (!v->f.tasks || become_task(v, NULL) < 0))
        return return_question(v, params, e);
    mcp_task_ask(v->task, params);
    return 0;
}

static void
on_ask(void *arg, uint64_t token, const struct tool *t, const struct permit *p)
{
    struct mcp_invocation *v = arg;
    CLEANUP_BUF struct buf params = buf_of(MCP_QUESTION_MAX);
    struct json_writer w;
    struct err e = {0};

    v->token = token;
    set_invocation_state(v, MCP_QUEUE_ASKS);
    if (!v->f.elicits || v->all->input_ended) {
        v->needs_form = v->f.era == MCP_ERA_REQUEST && !v->f.elicits;
        refuse_question(v, p,
                        v->f.elicits ? "the client has left"
                                     : "the client declares no elicitation");
        return;
    }
    json_write_init(&w, &params);
    mcp_question_put(&w, v->f.era, v->all->sh->seat, t, &v->request, p);
    if (buf_ok(&params, "the question", &e) < 0 ||
        put_to_client(v, &params, &e) < 0)
        refuse_question(v, p, e.text);
    start_waiting(v->all);
}

static void
on_cancelled(void *arg)
{
    struct mcp_invocation *v = arg;
    struct mcp_invocations *all = v->all;

    if (v->place.state == MCP_QUEUE_ANSWERED) { /* the journal has it already */
        rpc_drop(TAKE_PTR(v->rq));
        return;
    }
    if (v->place.state == MCP_QUEUE_RUNS)
        mcp_record_stopped(all->record, v->id, "cancelled by the client");
    invocation_free(v);
    watch_again(all->start, 0); /* after the other cancels that have come */
}

static void
on_task_cancel(void *owner)
{
    struct mcp_invocation *v = owner;
    struct mcp_task *t = v->task;

    if (v->place.state == MCP_QUEUE_ANSWERED)
        return; /* it completes */
    on_cancelled(v);
    mcp_task_cancelled(t);
}

static void
on_task_answer(void *owner, bool yes)
{
    answer_question(owner, yes);
}

static void
begin_invocation(struct mcp_invocation *v)
{
    static const struct errand_events events = {.ask = on_ask,
                                                .output = on_output,
                                                .progress = on_progress,
                                                .done = on_done,
                                                .denied = on_denied,
                                                .failed = on_failed};
    struct err e = {0};

    set_invocation_state(v, MCP_QUEUE_RUNS);
    v->from_ms = clock_ms();
    mcp_progress_start(&v->progress, v->f.token);
    if (v->f.token || v->f.tasks)
        watch_again(v->all->tick, TICK_MS);
    v->errand = errand_start(v->tools->errands, &v->request, &events, v, &e);
    if (v->errand)
        return;
    v->code = JSONRPC_INTERNAL;
    snprintf(v->message_text, sizeof(v->message_text), "%s", e.text);
    end_invocation(v);
    store_answers(v->all);
}

/* To start a process takes a millisecond: the loop is left in between. */
static void
start_waiting(struct mcp_invocations *all)
{
    int64_t until_us = clock_us() + START_US;
    struct mcp_invocation *v;

    while (!all->paused && (v = mcp_queue_ready(&all->queue)) != NULL) {
        if (clock_us() >= until_us) {
            watch_again(all->start, 0);
            return;
        }
        begin_invocation(v);
    }
}

/* Tells what is due of those that run, and makes tasks of what takes long. */
static void
on_tick(void *arg, unsigned events)
{
    struct mcp_invocations *all = arg;
    int64_t now = clock_ms();
    bool again = false;

    (void)events;
    for (struct mcp_invocation *v =
             mcp_queue_first(&all->queue, MCP_QUEUE_RUNS);
         v; v = mcp_queue_next(&v->place)) {
        again = again || v->progress.token || v->f.tasks;
        mcp_progress_tick(&v->progress);
        if (v->f.tasks && !v->task && v->rq &&
            now - v->from_ms >= MCP_TASK_AFTER_MS)
            (void)become_task(v, NULL);
    }
    if (again)
        watch_again(all->tick, TICK_MS);
}

static struct mcp_invocation *
invocation_new(struct mcp_invocations *all, struct rpc_request *rq,
               const struct json *params, const struct mcp_frame *f,
               const struct mcp_catalog_tool *t)
{
    const struct json *args = json_get(params, "arguments");
    struct mcp_invocation *v = calloc(1, sizeof(*v));

    if (!v)
        return NULL;
    v->all = all;
    v->rq = rq;
    v->f = *f;
    v->t = *t;
    v->tools = all->sh->tools;
    v->tools->users++;
    v->message = rpc_take_message(rq);
    v->place.owner = v;
    v->place.bytes = mcp_request_size(params);
    mcp_request_fill(t, args, f, &v->request);
    snprintf(v->id, sizeof(v->id), "%llu", ++all->n_calls);
    v->request.step_id = v->id;
    v->place.reads = errand_may_overlap(v->tools->errands, &v->request);
    mcp_progress_init(&v->progress, &v->rq);
    buf_init(&v->answer, MCP_ANSWER_MAX);
    mcp_queue_add(&all->queue, &v->place);
    return v;
}

/* The call whose question is brought back; NULL with ERR_INVALID. */
static struct mcp_invocation *
find_asked(struct mcp_invocations *all, const struct json *params,
           const struct mcp_catalog_tool *t, struct err *e)
{
    const char *state = json_get_str(params, "requestState");
    const struct json *args = json_get(params, "arguments");
    struct mcp_invocation *v;

    if (!state) {
        err_set(e, ERR_INVALID, "requestState: must be a string");
        return NULL;
    }
    if (!(v = mcp_ticket_find(all->tickets, state, e)))
        return NULL;
    if (strcmp(v->t.name, t->name) == 0 &&
        (args && v->request.args ? json_equal(args, v->request.args)
                                 : args == v->request.args))
        return v;
    err_set(e, ERR_INVALID, "requestState: was given for another call");
    return NULL;
}

/* A call comes again, with the answer to its question. */
static void
take_answered(struct mcp_invocations *all, struct rpc_request *rq,
              const struct json *params, const struct mcp_frame *f,
              const struct mcp_catalog_tool *t)
{
    const struct json *answers = json_get(params, "inputResponses");
    struct err e = {0};
    struct mcp_invocation *v = find_asked(all, params, t, &e);
    bool yes;

    if (!v || mcp_question_read(mcp_question_find(answers, v->questions), &yes,
                                &e) < 0) {
        mcp_reply_failure(rq, &e);
        return;
    }
    v->rq = rq;
    v->f = *f;
    v->retry = rpc_take_message(rq);
    rpc_on_cancel(rq, on_cancelled, v);
    v->from_ms = clock_ms();
    answer_question(v, yes);
}

void
mcp_invocations_take(struct mcp_invocations *all, struct rpc_request *rq,
                     const struct json *params, const struct mcp_frame *f,
                     const struct mcp_catalog_tool *t)
{
    struct mcp_invocation *v;

    if (f->era == MCP_ERA_REQUEST && json_get(params, "requestState")) {
        take_answered(all, rq, params, f, t);
        return;
    }
    v = !mcp_queue_is_full(&all->queue) ? invocation_new(all, rq, params, f, t)
                                        : NULL;
    if (!v) {
        rpc_refuse(rq, JSONRPC_INTERNAL, "too much is held: wait for answers",
                   NULL);
        return;
    }
    rpc_on_cancel(rq, on_cancelled, v);
    start_waiting(all);
    check_reading(all);
}

struct mcp_tasks *
mcp_invocations_tasks(struct mcp_invocations *all)
{
    return all->tasks;
}

void
mcp_invocations_pause(struct mcp_invocations *all, bool paused)
{
    all->paused = paused;
    for (struct mcp_invocation *v =
             mcp_queue_first(&all->queue, MCP_QUEUE_RUNS);
         v; v = mcp_queue_next(&v->place))
        errand_pause(v->errand, paused);
    if (!paused)
        start_waiting(all);
}

void
mcp_invocations_input_ended(struct mcp_invocations *all)
{
    struct mcp_invocation *v;

    all->input_ended = true;
    while ((v = mcp_queue_first(&all->queue, MCP_QUEUE_ASKS)) != NULL) {
        snprintf(v->refusal, sizeof(v->refusal),
                 "not run: it needs a yes, and the client has left");
        if (v->elicitation)
            rpc_call_cancel(TAKE_PTR(v->elicitation));
        answer_question(v, false);
    }
}

bool
mcp_invocations_are_idle(const struct mcp_invocations *all)
{
    return mcp_queue_is_idle(&all->queue);
}

static void
on_task_changed(void *arg, const struct mcp_task *t)
{
    const struct mcp_invocations *all = arg;

    all->ev->task(all->arg, t);
}

int
mcp_invocations_use(struct mcp_invocations *all, struct mcp_toolset *tools,
                    struct err *e)
{
    const struct errand_record record = mcp_record_of_errands(all->record);

    return mcp_toolset_open_errands(tools, &record, e);
}

struct mcp_invocations *
mcp_invocations_new(struct mcp_shared *sh,
                    const struct mcp_invocation_events *ev, void *arg,
                    struct err *e)
{
    static const struct mcp_task_events tasks = {.cancel = on_task_cancel,
                                                 .answer = on_task_answer};
    CLEANUP(mcp_invocations_free_p)
    struct mcp_invocations *all = calloc(1, sizeof(*all));
    struct mcp_record_setup record = {.journal = sh->journal,
                                      .log = sh->log,
                                      .log_arg = sh->log_arg,
                                      .flush = on_flush,
                                      .stored = on_stored,
                                      .arg = all};

    if (!all) {
        err_nomem(e);
        return NULL;
    }
    all->sh = sh;
    all->ev = ev;
    all->arg = arg;
    if (!(all->record = mcp_record_new(&record, e)) ||
        !(all->tickets = mcp_tickets_new(e)) ||
        !(all->tasks = mcp_tasks_new(&tasks, on_task_changed, all, e)) ||
        mcp_invocations_use(all, sh->tools, e) < 0 ||
        !(all->tick = loop_soon(sh->loop, on_tick, all, e)) ||
        !(all->stall = loop_soon(sh->loop, on_stalled, all, e)) ||
        !(all->start = loop_soon(sh->loop, on_start, all, e)))
        return NULL;
    watch_stop(all->start);
    watch_stop(all->tick);
    watch_stop(all->stall);
    return TAKE_PTR(all);
}

void
mcp_invocations_free(struct mcp_invocations *all)
{
    if (!all)
        return;
    for (unsigned i = 0; i < MCP_QUEUE_STATES; i++) {
        struct mcp_invocation *v;

        while ((v = mcp_queue_first(&all->queue, i)) != NULL) {
            if (i == MCP_QUEUE_RUNS)
                mcp_record_stopped(all->record, v->id, "the server has ended");
            invocation_free(v);
        }
    }
    mcp_record_free(all->record, all->acted);
    mcp_tasks_free(all->tasks);
    mcp_tickets_free(all->tickets);
    watch_free(all->tick);
    watch_free(all->stall);
    watch_free(all->start);
    free(all);
}
