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
#include "server/mcp/mcp_record.h"
#include "server/mcp/mcp_reply.h"
#include "server/mcp/mcp_request.h"
#include "server/mcp/mcp_task.h"
#include "server/mcp/mcp_ticket.h"
#include "wire/rpc_carrier.h"

/* Calls that only read go to one process back to back, as many as it takes
 * (tool/call_queue.h); others are processes of their own. */
#define READS_MAX  32
#define OTHERS_MAX 16

#define WAITING_MAX 256 /* that wait for their turn, or for the journal */
#define HELD_BYTES  (16u << 20) /* of their arguments, before reading stops */
#define HELD_MAX    (64u << 20) /* and before they are refused */
#define STALL_MS    250         /* so long reading stops where no call ends */
#define TICK_MS     100
#define START_US    2000 /* for beginning calls, before the loop goes on */

enum invocation_state {
    INVOCATION_WAITS,    /* for its turn */
    INVOCATION_RUNS,     /* or is judged */
    INVOCATION_ASKS,     /* the client's user is asked */
    INVOCATION_ANSWERED, /* the answer waits for the journal */
    INVOCATION_STATES,
};

struct mcp_invocation {
    struct mcp_invocations *all;
    struct mcp_invocation *prev, *next; /* of the same state */
    enum invocation_state state;
    struct rpc_request *rq; /* NULL: it was answered, or cancelled */
    struct json *message;   /* owns args; */
    struct json *retry;     /* and the one with the answer the token of f */
    size_t bytes;           /* of the arguments, about */
    struct mcp_frame f;
    struct mcp_catalog_tool t;
    struct errand_request request;
    char id[24]; /* in the journal */
    struct errand *errand;
    bool reads; /* it overlaps with others that read */
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

struct invocation_list {
    struct mcp_invocation *first, *last;
    size_t n, bytes;
};

struct mcp_invocations {
    struct mcp_shared *sh;
    const struct mcp_invocation_events *ev;
    void *arg;
    struct errand_context *errands;
    struct mcp_record *record;
    struct mcp_tickets *tickets;
    struct mcp_tasks *tasks;
    struct invocation_list lists[INVOCATION_STATES];
    size_t n_reads, n_others;   /* that run */
    unsigned long long n_calls; /* so far */
    struct watch *tick, *stall, *start;
    bool paused;  /* the client reads slowly */
    bool stopped; /* reading is stopped */
    bool stalled; /* but no call has ended since */
    bool input_ended;
};

static void
link_invocation(struct mcp_invocation *v, enum invocation_state state)
{
    struct invocation_list *l = &v->all->lists[state];

    v->state = state;
    v->next = NULL;
    v->prev = l->last;
    *(v->prev ? &v->prev->next : &l->first) = v;
    l->last = v;
    l->n++;
    l->bytes += v->bytes;
}

static void
unlink_invocation(struct mcp_invocation *v)
{
    struct invocation_list *l = &v->all->lists[v->state];

    *(v->prev ? &v->prev->next : &l->first) = v->next;
    *(v->next ? &v->next->prev : &l->last) = v->prev;
    l->n--;
    l->bytes -= v->bytes;
}

/* Calls that run take a place, of their kind. */
static void
set_invocation_state(struct mcp_invocation *v, enum invocation_state state)
{
    size_t *places = v->reads ? &v->all->n_reads : &v->all->n_others;

    *places -= v->state == INVOCATION_RUNS;
    *places += state == INVOCATION_RUNS;
    unlink_invocation(v);
    link_invocation(v, state);
}

static void start_waiting(struct mcp_invocations *all);

/* Ends it with all that it started, without an answer. */
static void
invocation_free(struct mcp_invocation *v)
{
    struct mcp_invocations *all = v->all;
    size_t *places = v->reads ? &all->n_reads : &all->n_others;

    *places -= v->state == INVOCATION_RUNS;
    unlink_invocation(v);
    if (v->elicitation)
        rpc_call_cancel(v->elicitation);
    mcp_ticket_free(v->ticket);
    errand_free(v->errand);
    rpc_drop(v->rq);
    mcp_progress_done(&v->progress);
    buf_done(&v->answer);
    json_free(v->message);
    json_free(v->retry);
    free(v);
}

/* What is held of messages; or only of those that do not wait for a person. */
static size_t
held_bytes(const struct mcp_invocations *all, bool asked)
{
    size_t bytes = 0;

    for (size_t i = 0; i < INVOCATION_STATES; i++)
        bytes += asked || i != INVOCATION_ASKS ? all->lists[i].bytes : 0;
    return bytes;
}

/* Reads no more while many calls wait, unless none of them comes to its end:
 * then cancels are to be read. */
static void
check_reading(struct mcp_invocations *all)
{
    size_t n = all->lists[INVOCATION_WAITS].n +
               all->lists[INVOCATION_ANSWERED].n;
    bool many = n >= WAITING_MAX || held_bytes(all, false) >= HELD_BYTES;
    bool stop = many && !all->stalled;

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
    struct invocation_list *l = &all->lists[INVOCATION_ANSWERED];

    if (!l->first || l->first->writing)
        return;
    for (struct mcp_invocation *v = l->first; v; v = v->next)
        v->writing = true;
    mcp_record_flush(all->record);
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
    struct invocation_list *l = &all->lists[INVOCATION_ANSWERED];

    while (l->first && l->first->writing)
        deliver_invocation(l->first);
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
    set_invocation_state(v, INVOCATION_ANSWERED);
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
        mcp_task_say(v->task, v->progress.line, v->progress.n_line);
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
    set_invocation_state(v, INVOCATION_RUNS);
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
    mcp_task_say(v->task, v->progress.line, v->progress.n_line);
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
    set_invocation_state(v, INVOCATION_ASKS);
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

    if (v->state == INVOCATION_ANSWERED) { /* the journal has it already */
        rpc_drop(TAKE_PTR(v->rq));
        return;
    }
    if (v->state == INVOCATION_RUNS)
        mcp_record_stopped(all->record, v->id, "cancelled by the client");
    invocation_free(v);
    watch_again(all->start, 0); /* after the other cancels that have come */
}

static void
on_task_cancel(void *owner)
{
    struct mcp_invocation *v = owner;
    struct mcp_task *t = v->task;

    if (v->state == INVOCATION_ANSWERED)
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

    set_invocation_state(v, INVOCATION_RUNS);
    v->from_ms = clock_ms();
    mcp_progress_start(&v->progress, v->f.token);
    if (v->f.token || v->f.tasks)
        watch_again(v->all->tick, TICK_MS);
    v->errand = errand_start(v->all->errands, &v->request, &events, v, &e);
    if (v->errand)
        return;
    v->code = JSONRPC_INTERNAL;
    snprintf(v->message_text, sizeof(v->message_text), "%s", e.text);
    end_invocation(v);
    store_answers(v->all);
}

/* The next one for which there is a place; NULL: none. */
static struct mcp_invocation *
next_waiting(const struct mcp_invocations *all)
{
    struct mcp_invocation *v = all->lists[INVOCATION_WAITS].first;

    while (v &&
           (v->reads ? all->n_reads >= READS_MAX : all->n_others >= OTHERS_MAX))
        v = v->next;
    return v;
}

/* To start a process takes a millisecond: the loop is left in between. */
static void
start_waiting(struct mcp_invocations *all)
{
    int64_t until_us = clock_us() + START_US;
    struct mcp_invocation *v;

    while (!all->paused && (v = next_waiting(all)) != NULL) {
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
    for (struct mcp_invocation *v = all->lists[INVOCATION_RUNS].first; v;
         v = v->next) {
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
    v->message = rpc_take_message(rq);
    v->bytes = mcp_request_size(params);
    mcp_request_fill(t, args, f, &v->request);
    snprintf(v->id, sizeof(v->id), "%llu", ++all->n_calls);
    v->request.step_id = v->id;
    v->reads = errand_may_overlap(all->errands, &v->request);
    mcp_progress_init(&v->progress, &v->rq);
    buf_init(&v->answer, MCP_ANSWER_MAX);
    link_invocation(v, INVOCATION_WAITS);
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
    v = held_bytes(all, true) < HELD_MAX ? invocation_new(all, rq, params, f, t)
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
    for (struct mcp_invocation *v = all->lists[INVOCATION_RUNS].first; v;
         v = v->next)
        errand_pause(v->errand, paused);
    if (!paused)
        start_waiting(all);
}

void
mcp_invocations_input_ended(struct mcp_invocations *all)
{
    struct mcp_invocation *v;

    all->input_ended = true;
    while ((v = all->lists[INVOCATION_ASKS].first) != NULL) {
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
    return all->lists[INVOCATION_WAITS].n == 0 &&
           all->lists[INVOCATION_RUNS].n == 0 &&
           all->lists[INVOCATION_ANSWERED].n == 0;
}

static void
on_task_changed(void *arg, const struct mcp_task *t)
{
    const struct mcp_invocations *all = arg;

    all->ev->task(all->arg, t);
}

static int
make_errand_context(struct mcp_invocations *all, struct err *e)
{
    const struct mcp_shared *sh = all->sh;
    const struct errand_params params = {
        .loop = sh->loop,
        .seat = sh->seat,
        .config = sh->config,
        .policy = sh->policy,
        .registry = sh->registry,
        .pool = sh->pool,
        .named = (const char *const *)sh->named,
        .record = mcp_record_of_errands(all->record),
        .ask = ERRAND_ASK_LATER,
        .ask_ms = MCP_TICKET_MS,
        .by = "an MCP client",
        .yes = "person, by the MCP client",
        .aside = true,
    };

    all->errands = errand_context_new(&params, e);
    return all->errands ? 0 : -1;
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
        make_errand_context(all, e) < 0 ||
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
    for (size_t i = 0; i < INVOCATION_STATES; i++) {
        while (all->lists[i].first) {
            if (i == INVOCATION_RUNS)
                mcp_record_stopped(all->record, all->lists[i].first->id,
                                   "the server has ended");
            invocation_free(all->lists[i].first);
        }
    }
    mcp_record_free(all->record,
                    all->errands && errand_context_acted(all->errands));
    errand_context_free(all->errands);
    mcp_tasks_free(all->tasks);
    mcp_tickets_free(all->tickets);
    watch_free(all->tick);
    watch_free(all->stall);
    watch_free(all->start);
    free(all);
}
