/* SPDX-License-Identifier: GPL-3.0-or-later */
/* turn.c - drives one request from its words to the last answer. */
#include "action/turn.h"

#include <stdio.h>
#include <string.h>

#include "action/agent_loop.h"
#include "action/answer_schema.h"
#include "action/offline_proposal.h"
#include "action/request_message.h"
#include "action/step_results.h"
#include "action/step_tools.h"
#include "model/client.h"
#include "model/cost.h"
#include "offline/explain/explain.h"
#include "tool/registry_listing.h"

#define MESSAGE_MAX (1u << 20)
#define REASON_MAX  300

struct turn {
    struct turn_context cx;
    struct turn_setting set;
    const struct turn_events *ev;
    void *arg;
    struct user_request request; /* its strings are the next two */
    char *text;
    struct buf input;
    struct buf system, user, schema; /* the first messages to the model */
    struct origin origin; /* what of them others could have written */
    struct registry_listing *listing; /* of MCP servers; NULL: none is open */
    struct aiaction_tools tools;
    struct tool_loop *tool_loop; /* NULL: the model answers at once */
    struct agent_loop *agent;    /* NULL: before the first message, offline */
    struct proposal proposal;    /* the last answer */
    struct plan *plan;           /* of its steps; NULL: none yet */
    size_t step;                 /* of the open question */
    enum plan_question question;
    unsigned token; /* of the open question; 0: none */
    struct step_results results;
    bool running;       /* the plan is under way */
    bool wants_results; /* the model is to see the results of this plan */
    struct watch *soon; /* begins the turn, or ends it */
    bool begun, ended;  /* `soon` has begun it; `over` comes next */
    bool cancelled;
    struct turn_end end;
};

void
turn_free(struct turn *t)
{
    if (!t)
        return;
    watch_free(t->soon);
    registry_listing_free(t->listing);
    plan_free(t->plan);
    agent_loop_free(t->agent);
    tool_loop_free(t->tool_loop);
    proposal_done(&t->proposal);
    step_results_done(&t->results);
    buf_done(&t->schema);
    buf_done(&t->user);
    buf_done(&t->system);
    buf_done(&t->input);
    free(t->text);
    free(t);
}

/* The last event comes from the loop, not from a callback of what it frees. */
static void
conclude_turn(struct turn *t, enum turn_outcome outcome, const struct err *why)
{
    if (t->ended)
        return;
    t->ended = true;
    t->token = 0;
    t->end.outcome = outcome;
    if (why)
        t->end.why = *why;
    watch_again(t->soon, 0);
}

static void
end_turn_failed(struct turn *t, const struct err *why)
{
    conclude_turn(t, TURN_FAILED, why);
}

static void
report_over(struct turn *t)
{
    const struct err *why = t->end.outcome == TURN_FAILED ? &t->end.why : NULL;

    if (t->cx.pool)
        tool_pool_rest(t->cx.pool);
    if (t->agent)
        t->end.usage = agent_loop_usage(t->agent);
    if (t->end.outcome == TURN_ANSWERED)
        t->end.answer = t->proposal.action->summary;
    run_audit_end(t->cx.audit, why, why ? err_exit_status(why->code) : 0);
    t->ev->over(t->arg, &t->end);
}

/* The steps of a plan. */

static void
on_ask(void *arg, unsigned token, enum plan_question q, size_t step)
{
    struct turn *t = arg;

    t->token = token;
    t->question = q;
    t->step = step;
    t->ev->ask(t->arg, token, q, step);
}

static void
on_stored(void *arg)
{
    const struct turn *t = arg;

    plan_start_step(t->plan);
}

/* What was decided is in the journal before the step starts, and the step
 * waits for that. */
static bool
on_step_begin(void *arg, size_t step)
{
    struct turn *t = arg;

    run_audit_step(t->cx.audit, t->proposal.action, t->plan, step);
    t->ev->step_begin(t->arg, step);
    return run_audit_when_stored(t->cx.audit, on_stored, t, NULL) == 0;
}

static void
on_output(void *arg, size_t step, const char *stream, const char *bytes,
          size_t n)
{
    struct turn *t = arg;

    t->ev->output(t->arg, step, stream, bytes, n);
}

static void
on_elevation(void *arg, size_t step, const char *const *argv,
             enum plan_elevation_by how)
{
    struct turn *t = arg;

    run_audit_elevation(t->cx.audit, step, argv, how);
}

static void
on_step_complete(void *arg, size_t step, const struct step_end *end)
{
    struct turn *t = arg;

    run_audit_result(t->cx.audit, t->proposal.action, step, end);
    step_results_add(&t->results, &t->proposal.action->steps[step], end);
    t->end.executed++;
    t->ev->step_complete(t->arg, step, end);
}

/* Whether the model sees the results: a step ran to its end, good or bad, and
 * nobody stopped the plan. */
static bool
are_results_wanted(const struct turn *t, const struct plan_end *end)
{
    enum err_code code = end->why.code;

    return t->wants_results && end->executed > 0 && !t->cancelled &&
           (code == ERR_NONE || code == ERR_TOOL || code == ERR_TIMEOUT);
}

static void
send_results(struct turn *t, size_t executed)
{
    const struct aiaction *a = t->proposal.action;
    struct err e = {0};

    for (size_t i = executed; i < a->n; i++)
        step_results_add(&t->results, &a->steps[i], NULL);
    if (agent_loop_send_results(t->agent, t->results.text.p,
                                t->results.text.len, &e) < 0)
        end_turn_failed(t, &e);
    step_results_done(&t->results);
    step_results_init(&t->results);
}

static void
on_plan_complete(void *arg, const struct plan_end *end)
{
    struct turn *t = arg;
    bool again = are_results_wanted(t, end);

    t->token = 0;
    t->running = false;
    t->ev->plan_complete(t->arg, end);
    if (again && agent_loop_may_continue(t->agent))
        send_results(t, end->executed);
    else if (again)
        conclude_turn(t, TURN_LIMIT, NULL);
    else if (end->why.code != ERR_NONE)
        end_turn_failed(t, &end->why);
    else
        conclude_turn(t, TURN_RAN, NULL);
}

static void
on_judged(void *arg, const struct err *why)
{
    struct turn *t = arg;

    if (why) {
        t->running = false;
        end_turn_failed(t, why);
        return;
    }
    run_audit_plan(t->cx.audit, t->proposal.action, t->plan,
                   t->proposal.asked ? &t->proposal.facts : NULL);
    t->ev->proposed(t->arg, t->proposal.action, t->plan);
    if (!t->ended)
        plan_start(t->plan);
}

static void
start_plan(struct turn *t)
{
    static const struct plan_events events = {
        .judged = on_judged,
        .ask = on_ask,
        .step_begin = on_step_begin,
        .elevate = on_elevation,
        .output = on_output,
        .step_complete = on_step_complete,
        .complete = on_plan_complete,
    };
    const struct plan_setting set = {.policy = t->cx.policy,
                                     .seat = t->cx.seat,
                                     .config = t->cx.config,
                                     .registry = t->cx.registry,
                                     .outside = t->proposal.outside,
                                     .named = t->cx.named,
                                     .files = t->cx.files,
                                     .pool = t->cx.pool,
                                     .reports = true,
                                     .by_step = true,
                                     .aside = true,
                                     .is_covered = t->set.is_covered,
                                     .covered_arg = t->set.covered_arg,
                                     .reads_only = t->set.reads_only,
                                     .writes = t->set.writes,
                                     .can_ask = t->set.can_ask};
    struct err e = {0};

    plan_free(t->plan);
    t->plan = plan_new(t->cx.loop, t->proposal.action, &set, &events, t, &e);
    if (!t->plan) {
        end_turn_failed(t, &e);
        return;
    }
    t->running = true;
}

/* What a model or the offline engine has answered is in t->proposal. */
static void
take_proposal(struct turn *t)
{
    const struct proposal *p = &t->proposal;

    t->end.unfit = p->unfit;
    if (p->action->kind != ANSWER_ONLY) {
        start_plan(t);
        return;
    }
    run_audit_answer(t->cx.audit, p->action->summary, p->model, &p->facts);
    conclude_turn(t, TURN_ANSWERED, NULL);
}

/* A model's answers. */

static void
on_text(void *arg, const char *bytes, size_t n)
{
    struct turn *t = arg;

    t->ev->text(t->arg, bytes, n);
}

static void
on_waiting(void *arg, const char *line)
{
    struct turn *t = arg;

    t->ev->waiting(t->arg, line);
}

static void
on_tool_started(void *arg, const char *line)
{
    struct turn *t = arg;

    t->ev->tool_started(t->arg, line);
}

static void
on_tool_ended(void *arg, const struct tool_loop_call *c)
{
    struct turn *t = arg;

    run_audit_tool_call(t->cx.audit, c);
    t->ev->tool_ended(t->arg, c);
}

static void
price_turn(const struct turn *t, struct conversation_usage *u)
{
    const struct price_use use = {u->tokens_in, u->tokens_cached,
                                  u->tokens_cache_written, u->tokens_out,
                                  u->tokens_in_most};

    if ((u->tokens_in > 0 || u->tokens_out > 0) &&
        price_find(t->cx.config, t->cx.selection, u->model, &u->price, NULL) >
            0)
        u->cost = price_cost(&u->price, &use);
}

static void
on_proposed(void *arg, struct aiaction *a, const struct conversation_usage *u)
{
    struct turn *t = arg;
    struct proposal *p = &t->proposal;

    plan_free(t->plan);
    t->plan = NULL;
    proposal_done(p);
    p->action = a;
    p->asked = true;
    p->facts = *u;
    p->model = strdup(u->model && u->model[0]
                          ? u->model
                          : model_selection_model(t->cx.selection));
    p->facts.model = p->model;
    p->outside = agent_loop_outside(t->agent);
    price_turn(t, &p->facts);
    t->ev->usage(t->arg, &p->facts);
    if (!t->ended)
        take_proposal(t);
}

static void
on_failed(void *arg, const struct err *why)
{
    struct turn *t = arg;
    struct conversation_usage u;

    if (t->agent) {
        u = *agent_loop_usage(t->agent);
        u.model = NULL; /* the name went with the last answer */
        price_turn(t, &u);
        run_audit_spent(t->cx.audit, &u);
    }
    end_turn_failed(t, why);
}

/* Whether the model may call tools. What a command line means does not hang on
 * this machine. */
static bool
may_call_tools(const struct turn *t)
{
    return t->cx.registry && !t->set.no_tool_calls &&
           config_bool(t->cx.config, CONFIG_MODEL_LOOK) &&
           (t->request.mode != AIACTION_EXPLAIN ||
            !explain_is_command(t->cx.seat, t->request.text));
}

static int
open_tools(struct turn *t, struct err *e)
{
    const struct tool_loop_setting set = {.registry = t->cx.registry,
                                          .policy = t->cx.policy,
                                          .config = t->cx.config,
                                          .seat = t->cx.seat,
                                          .named = t->cx.named,
                                          .files = t->cx.files,
                                          .pool = t->cx.pool,
                                          .aside = true};

    if (t->cx.registry)
        t->tools = step_tools_checker(t->cx.registry, t->cx.seat);
    if (may_call_tools(t) &&
        !(t->tool_loop = tool_loop_new(t->cx.loop, &set, e)))
        return -1;
    return 0;
}

static int
write_messages(struct turn *t, struct err *e)
{
    size_t n_tools = 0;

    if (t->tool_loop)
        (void)tool_loop_tools(t->tool_loop, &n_tools);
    if (request_message_write_system(t->cx.registry, t->request.mode,
                                     n_tools > 0, &t->system, &t->origin,
                                     e) < 0 ||
        request_message_write(t->cx.seat, &t->request, t->cx.selection,
                              &t->user, &t->origin, e) < 0 ||
        answer_schema_write(t->request.mode, t->cx.registry, &t->schema, e) < 0)
        return -1;
    run_audit_model(t->cx.audit, t->cx.selection, t->user.len);
    return 0;
}

static int
ask_turn_model(struct turn *t, struct err *e)
{
    static const struct agent_loop_events events = {
        .text = on_text,
        .waiting = on_waiting,
        .tool_started = on_tool_started,
        .tool_ended = on_tool_ended,
        .proposed = on_proposed,
        .failed = on_failed,
    };
    struct agent_loop_params params = {.mode = t->request.mode,
                                       .conversation = t->cx.conversation,
                                       .rounds = t->set.rounds};

    if (open_tools(t, e) < 0 || write_messages(t, e) < 0)
        return -1;
    params.system = t->system.p;
    params.schema = t->schema.p;
    params.user = t->user.p;
    params.outside = origin_outside(&t->origin);
    params.tool_loop = t->tool_loop;
    params.tools = t->tools.check ? &t->tools : NULL;
    t->wants_results = true;
    t->agent = agent_loop_start(t->cx.model, &params, &events, t, e);
    if (t->agent)
        run_audit_ask(t->cx.audit); /* while the model thinks */
    return t->agent ? 0 : -1;
}

/* A server without tools is no reason to stop; but somebody should know. */
static void
on_server_listed(void *arg, const struct tool *server, size_t n)
{
    struct turn *t = arg;
    char text[REASON_MAX];

    if (n > 0)
        return;
    snprintf(text, sizeof(text), "MCP server %.60s: %.200s", server->name,
             server->fault.text);
    t->ev->waiting(t->arg, text);
}

static void
on_servers_listed(void *arg)
{
    struct turn *t = arg;
    struct err e = {0};

    registry_listing_free(t->listing);
    t->listing = NULL;
    if (ask_turn_model(t, &e) < 0)
        end_turn_failed(t, &e);
}

/* Asks the model, after the MCP servers whose tools are not known. */
static int
begin_with_model(struct turn *t, struct err *e)
{
    static const struct registry_listing_events events = {
        .listed = on_server_listed, .done = on_servers_listed};
    static const struct registry_listing_params all;
    const struct tool *servers[REGISTRY_SERVERS_MAX];

    if (!t->cx.registry ||
        registry_unlisted(t->cx.registry, NULL, servers) == 0)
        return ask_turn_model(t, e);
    t->listing = registry_listing_start(t->cx.loop, t->cx.registry, &all,
                                        &events, t, e);
    return t->listing ? 0 : -1;
}

static int
begin_offline(struct turn *t, struct err *e)
{
    run_audit_ask(t->cx.audit);
    if (offline_proposal_make(t->cx.seat, &t->request, 0, &t->proposal, e) < 0)
        return -1;
    take_proposal(t);
    return 0;
}

/* Begins the turn, or ends it. */
static void
on_soon(void *arg, unsigned events)
{
    struct turn *t = arg;
    struct err e = {0};

    (void)events;
    if (t->ended) {
        report_over(t);
        return;
    }
    if (t->begun)
        return;
    t->begun = true;
    if ((t->cx.model ? begin_with_model : begin_offline)(t, &e) < 0)
        end_turn_failed(t, &e);
}

static int
copy_request(struct turn *t, const struct user_request *from, struct err *e)
{
    t->request = *from;
    t->text = strdup(from->text);
    if (from->input_len > 0)
        buf_add(&t->input, from->input, from->input_len);
    if (!t->text)
        return err_nomem(e);
    t->request.text = t->text;
    t->request.input = t->input.p;
    run_audit_input(t->cx.audit, t->input.p, t->input.len);
    return buf_ok(&t->input, "what came with the request", e);
}

struct turn *
turn_start(const struct turn_context *cx, const struct user_request *request,
           const struct turn_setting *set, const struct turn_events *ev,
           void *arg, struct err *e)
{
    CLEANUP(turn_free_p) struct turn *t = calloc(1, sizeof(*t));

    if (!t) {
        err_nomem(e);
        return NULL;
    }
    *t = (struct turn){.cx = *cx, .set = *set, .ev = ev, .arg = arg};
    buf_init(&t->input, MESSAGE_MAX);
    buf_init(&t->system, MESSAGE_MAX);
    buf_init(&t->user, MESSAGE_MAX);
    buf_init(&t->schema, MESSAGE_MAX);
    step_results_init(&t->results);
    if (copy_request(t, request, e) < 0 ||
        !(t->soon = loop_soon(cx->loop, on_soon, t, e)))
        return NULL;
    return TAKE_PTR(t);
}

bool
turn_answer(struct turn *t, unsigned token, enum plan_choice v,
            const char *what)
{
    if (t->ended || token == 0 || token != t->token)
        return false;
    t->token = 0;
    run_audit_decision(t->cx.audit, t->question, t->step, what);
    plan_answer(t->plan, token, v);
    return true;
}

void
turn_cancel(struct turn *t)
{
    struct err why = {0};

    if (t->cancelled || t->ended)
        return;
    t->cancelled = true;
    t->token = 0;
    if (t->running)
        plan_cancel(t->plan);
    else if (t->agent)
        agent_loop_cancel(t->agent);
    err_set(&why, ERR_INTERRUPTED, "cancelled");
    if (!t->agent)
        end_turn_failed(t, &why);
}

void
turn_pause(struct turn *t, bool paused)
{
    if (t->running)
        plan_pause(t->plan, paused);
    if (t->cx.model)
        model_hold(t->cx.model, paused);
}
