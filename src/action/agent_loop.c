/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_loop.c - sends a request to a model until it has an AiAction. */
#include "action/agent_loop.h"

#include <stdio.h>
#include <string.h>

#include "action/summary_stream.h"
#include "base/redact.h"
#include "model/prompt/prompt.h"

#define REPAIR_MAX 4096 /* our own words and a reason of 256 bytes */
/* The results of the steps, and the marks around them. */
#define RESULTS_MAX (2u * TOOL_LOOP_BYTES_MAX)
/* More rounds of a model that calls tools though none are declared any more. */
#define STUBBORN_MAX 2

struct agent_loop {
    struct model *model;
    struct agent_loop_params set;
    const struct agent_loop_events *ev;
    void *arg;
    struct conversation *conversation, *own; /* the latter may be NULL */
    struct summary_stream *summary; /* finds an answer's text as it streams */
    struct buf shown;               /* what it found in this answer */
    char model_name[64];            /* the model that called tools last */
    bool second;                    /* the last answer was unusable … */
    bool repairing;                 /* … and is asked for again */
    bool useful;                    /* one call of this round could be made */
    bool query_open;                /* a query is open; else tools may run */
    bool spent; /* it could call tools before, and now no more */
};

void
agent_loop_free(struct agent_loop *q)
{
    if (!q)
        return;
    if (q->query_open)
        model_drop(q->model);
    if (q->set.tool_loop)
        tool_loop_stop(q->set.tool_loop);
    summary_stream_free(q->summary);
    buf_done(&q->shown);
    if (q->conversation)
        conversation_settle(q->conversation);
    conversation_free(q->own);
    free(q);
}

static void on_answer(void *arg, const struct model_answer *a);

static void
on_text(void *arg, const char *bytes, size_t n)
{
    struct agent_loop *q = arg;

    if (q->summary)
        summary_stream_add(q->summary, bytes, n);
}

static void
on_waiting(void *arg, const char *line)
{
    struct agent_loop *q = arg;

    if (q->ev->waiting)
        q->ev->waiting(q->arg, line);
}

static int
limit_reached(const struct agent_loop *q, struct err *e)
{
    return err_set(e, ERR_ANSWER,
                   "tool call limit reached, and %.48s still gave no answer. "
                   "To do: use other words, or another model with -m",
                   q->model_name);
}

static void
on_failed(void *arg, const struct err *why)
{
    struct agent_loop *q = arg;
    struct err limit = {0};

    q->query_open = false;
    if (q->spent && why->kind == ERR_KIND_UNDECLARED_TOOL) {
        limit_reached(q, &limit);
        why = &limit;
    }
    q->ev->failed(q->arg, why);
}

static void
on_summary(void *arg, const char *bytes, size_t n)
{
    struct agent_loop *q = arg;

    buf_add(&q->shown, bytes, n);
    q->ev->text(q->arg, bytes, n);
}

static int
rounds_max(const struct agent_loop_params *p)
{
    return p->rounds ? p->rounds : TOOL_LOOP_ROUNDS_MAX;
}

void
agent_loop_fill_request(const struct agent_loop_params *p, int rounds,
                        struct model_request *r)
{
    *r = (struct model_request){.system = p->system, .schema = p->schema};
    if (p->tool_loop && rounds < rounds_max(p) - 1)
        r->tools = tool_loop_tools(p->tool_loop, &r->n_tools);
}

/* Sends the conversation, with the tools while the model may call some. */
static int
send_conversation(struct agent_loop *q, struct err *e)
{
    static const struct model_events events = {
        .text = on_text,
        .waiting = on_waiting,
        .answer = on_answer,
        .failed = on_failed,
    };
    struct model_request r;

    agent_loop_fill_request(&q->set, conversation_rounds(q->conversation), &r);
    q->spent = q->model_name[0] && r.n_tools == 0;
    if (q->repairing)
        r.n_tools = 0; /* it has to answer, and the schema says how */
    conversation_fill_request(q->conversation, &r);
    summary_stream_free(q->summary);
    q->summary = NULL;
    buf_clear(&q->shown);
    if (q->ev->text && !(q->summary = summary_stream_new(on_summary, q, e)))
        return -1;
    if (model_ask(q->model, &r, &events, q, e) < 0)
        return -1;
    q->query_open = true;
    return 0;
}

static void
send_or_fail(struct agent_loop *q)
{
    struct err e = {0};

    if (send_conversation(q, &e) < 0)
        q->ev->failed(q->arg, &e);
}

static void
on_tool_started(void *arg, const char *line)
{
    struct agent_loop *q = arg;

    if (q->ev->tool_started)
        q->ev->tool_started(q->arg, line);
}

static void
on_tool_ended(void *arg, const struct model_tool_call *w,
              const struct tool_loop_call *c, const char *text)
{
    struct agent_loop *q = arg;
    struct err e = {0};

    if (conversation_add_result(q->conversation, w, text, c->outside, c->failed,
                                &e) < 0) {
        tool_loop_stop(q->set.tool_loop);
        q->ev->failed(q->arg, &e);
        return;
    }
    q->useful |= !c->malformed;
    if (q->ev->tool_ended)
        q->ev->tool_ended(q->arg, c);
}

/* Calls that nobody could make are an answer that cannot be used: the model
 * knows why by their results, and has one chance to do better. */
static void
on_tools_done(void *arg)
{
    struct agent_loop *q = arg;
    bool again = q->second && !q->useful;
    struct err why = {0};

    q->second = !q->useful;
    if (!again) {
        on_tool_started(q, NULL);
        send_or_fail(q);
        return;
    }
    err_set(&why, ERR_ANSWER,
            "%.48s twice called unknown tools, or with invalid arguments. To "
            "do: use other words, or another model with -m",
            q->model_name);
    q->ev->failed(q->arg, &why);
}

static int
call_tools(struct agent_loop *q, const struct model_answer *a, struct err *e)
{
    static const struct tool_loop_events events = {.started = on_tool_started,
                                                   .ended = on_tool_ended,
                                                   .done = on_tools_done};
    const struct model_turn *turns;
    size_t n;

    if (!q->set.tool_loop)
        return err_set(e, ERR_ANSWER,
                       "%.48s called a tool that was not offered",
                       a->model ? a->model : "the model");
    if (conversation_rounds(q->conversation) >=
        rounds_max(&q->set) + STUBBORN_MAX)
        return limit_reached(q, e);
    if (conversation_add_assistant(q->conversation, a, e) < 0)
        return -1;
    q->useful = false;
    snprintf(q->model_name, sizeof(q->model_name), "%s",
             a->model ? a->model : "the model");
    turns = conversation_turns(q->conversation, &n);
    return tool_loop_start(q->set.tool_loop, turns[n - 1].tool_calls,
                           turns[n - 1].n_tool_calls, &events, q, e);
}

/* The unusable answer is part of the conversation, for the model to repair. */
static int
ask_for_repair(struct agent_loop *q, const struct model_answer *a,
               const struct err *why, struct err *e)
{
    CLEANUP_BUF struct buf repair = buf_of(REPAIR_MAX);

    q->second = q->repairing = true;
    conversation_note_repair(q->conversation);
    if (conversation_add_assistant(q->conversation, a, e) < 0 ||
        prompt_repair(why->text, &repair, e) < 0 ||
        conversation_add_user(q->conversation, repair.p, NULL, NULL, e) < 0)
        return -1;
    if (q->ev->waiting)
        q->ev->waiting(q->arg, "invalid answer; asking again");
    return send_conversation(q, e);
}

/* Makes a message for a person of the reason that the model was told. */
static void
explain_unusable(const struct model_answer *a, struct err *why)
{
    struct err inner = *why;

    err_set(why, inner.code,
            "%.48s gave an invalid answer twice: %.110s. To do: use other "
            "words, or another model with -m",
            a->model ? a->model : "the model", inner.text);
}

static void
propose(struct agent_loop *q, const struct model_answer *a,
        struct aiaction *action)
{
    struct err e = {0};

    q->second = false;
    conversation_note_replaced(q->conversation,
                               q->shown.len > 0 &&
                                   strcmp(q->shown.p, action->summary) != 0);
    if ((action->kind != ANSWER_ONLY || !q->own) &&
        conversation_add_assistant(q->conversation, a, &e) < 0) {
        aiaction_free(action);
        q->ev->failed(q->arg, &e);
        return;
    }
    q->ev->proposed(q->arg, action, conversation_usage(q->conversation));
}

static void
on_answer(void *arg, const struct model_answer *a)
{
    struct agent_loop *q = arg;
    struct err why = {0}, e = {0};
    struct aiaction *action;

    q->query_open = q->repairing = false;
    conversation_count_answer(q->conversation, a);
    if (a->n_tool_calls > 0) {
        if (call_tools(q, a, &e) < 0)
            q->ev->failed(q->arg, &e);
        return;
    }
    action = aiaction_parse(a->text, a->len, q->set.mode, q->set.tools, &why);
    if (action) {
        propose(q, a, action);
        return;
    }
    if (!q->second && why.code == ERR_ANSWER) {
        if (ask_for_repair(q, a, &why, &e) < 0)
            q->ev->failed(q->arg, &e);
        return;
    }
    explain_unusable(a, &why);
    q->ev->failed(q->arg, &why);
}

bool
agent_loop_may_continue(const struct agent_loop *q)
{
    return conversation_rounds(q->conversation) < rounds_max(&q->set);
}

const struct conversation_usage *
agent_loop_usage(const struct agent_loop *q)
{
    return conversation_usage(q->conversation);
}

const char *
agent_loop_outside(const struct agent_loop *q)
{
    return conversation_outside(q->conversation);
}

int
agent_loop_send_results(struct agent_loop *q, const char *results, size_t n,
                        struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(RESULTS_MAX);

    if (prompt_data(PROMPT_STEPS, results, n, &text) < 0)
        return buf_ok(&text, "the output of the steps", e);
    if (conversation_add_user(q->conversation, text.p,
                              "the output of the steps", NULL, e) < 0)
        return -1;
    return send_conversation(q, e);
}

int
agent_loop_revise(struct agent_loop *q, const char *words, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(RESULTS_MAX);

    buf_str(&text, prompt_text(PROMPT_REVISE));
    redact(words, strlen(words), &text);
    buf_ch(&text, '\n');
    if (buf_ok(&text, "the words", e) < 0 ||
        conversation_add_user(q->conversation, text.p, NULL, NULL, e) < 0)
        return -1;
    return send_conversation(q, e);
}

void
agent_loop_cancel(struct agent_loop *q)
{
    struct err why = {0};

    if (q->query_open) {
        model_cancel(q->model);
        return;
    }
    if (q->set.tool_loop)
        tool_loop_stop(q->set.tool_loop);
    err_set(&why, ERR_INTERRUPTED, "interrupted");
    q->ev->failed(q->arg, &why);
}

struct agent_loop *
agent_loop_start(struct model *m, const struct agent_loop_params *set,
                 const struct agent_loop_events *ev, void *arg, struct err *e)
{
    CLEANUP(agent_loop_free_p) struct agent_loop *q = calloc(1, sizeof(*q));

    if (!q) {
        err_nomem(e);
        return NULL;
    }
    q->model = m;
    q->set = *set;
    q->ev = ev;
    q->arg = arg;
    buf_init(&q->shown, MODEL_ANSWER_MAX);
    if (!set->conversation && !(q->own = conversation_new(e)))
        return NULL;
    q->conversation = q->own ? q->own : set->conversation;
    conversation_begin(q->conversation);
    if (conversation_add_user(q->conversation, set->user, set->outside,
                              set->images, e) < 0 ||
        send_conversation(q, e) < 0)
        return NULL;
    return TAKE_PTR(q);
}
