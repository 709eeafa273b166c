/* SPDX-License-Identifier: GPL-3.0-or-later */
/* turn.c - drives one request from its words to the last answer. */
#include "action/turn.h"

#include <string.h>

#include "action/shell_exchange.h"
#include "action/step_results.h"
#include "action/turn_model.h"
#include "action/turn_offline.h"
#include "model/client.h"

#define MESSAGE_MAX (1u << 20)

/* What a turn does, or waits for. */
enum turn_stage {
    TURN_BEGINS,       /* the loop */
    TURN_ASKS,         /* an answer */
    TURN_JUDGE_HELD,   /* turn_judge */
    TURN_JUDGES,       /* the loop */
    TURN_JUDGES_ASIDE, /* a thread */
    TURN_RUNS,         /* its plan: a question, a step */
    TURN_PLAN_HELD,    /* turn_go_on */
    TURN_ANSWER_HELD,  /* turn_go_on */
    TURN_ENDS,         /* the loop: `over` comes next */
};

struct turn {
    struct turn_context cx;
    struct turn_setting set;
    const struct turn_events *ev;
    void *arg;
    struct user_request request; /* of the turn: its strings, the next two,
                                    and its images */
    char *text;
    struct buf input;
    struct turn_model *asker;    /* NULL: no model is asked */
    struct turn_offline *engine; /* NULL: nor the offline engine */
    struct proposal proposal;    /* the last answer */
    struct turn_judging how;
    struct plan *plan; /* of its steps; NULL: none yet */
    size_t step;       /* of the open question */
    enum plan_question question;
    unsigned token; /* of the open question; 0: none */
    struct step_results results;
    size_t behind;       /* the index behind the last step that ran */
    struct err plan_why; /* of the plan that is complete */
    bool ran;            /* a step of it has ended */
    bool wants_results;  /* the model is to see the results of this plan */
    enum turn_stage stage;
    struct watch *soon; /* goes on from the loop, not from a callback */
    bool cancelled, paused;
    struct err stop;  /* why the turn ends; ERR_NONE: it does not */
    bool handed_over; /* the journal gets no end */
    struct turn_end end;
};

void
turn_free(struct turn *t)
{
    if (!t)
        return;
    watch_free(t->soon);
    plan_free(t->plan);
    turn_model_free(t->asker);
    turn_offline_free(t->engine);
    proposal_done(&t->proposal);
    step_results_done(&t->results);
    buf_done(&t->input);
    model_images_free(t->request.images);
    free(t->text);
    free(t);
}

/* The last event comes from the loop, not from a callback of what it frees. */
static void
conclude_turn(struct turn *t, enum turn_outcome outcome, const struct err *why)
{
    if (t->stage == TURN_ENDS)
        return;
    t->stage = TURN_ENDS;
    t->token = 0;
    t->end.outcome = outcome;
    if (why)
        t->end.why = *why;
    watch_again(t->soon, 0);
}

static void
report_over(struct turn *t)
{
    const struct err *why = t->end.outcome == TURN_FAILED ? &t->end.why : NULL;

    if (t->cx.pool)
        tool_pool_rest(t->cx.pool);
    if (t->asker)
        t->end.usage = turn_model_usage(t->asker);
    if (t->end.outcome == TURN_ANSWERED)
        t->end.answer = t->proposal.action->summary;
    else
        t->end.status = why ? err_exit_status(why->code) : 0;
    shell_exchange_end(t->cx.exchange, why, t->proposal.outside);
    if (!t->handed_over)
        run_audit_end(t->cx.audit, why, t->end.status);
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
on_output(void *arg, size_t step, const char *host, const char *stream,
          const char *bytes, size_t n)
{
    struct turn *t = arg;

    t->ev->output(t->arg, step, host, stream, bytes, n);
}

static void
on_elevation(void *arg, size_t step, const char *const *argv,
             enum plan_elevation_by how)
{
    struct turn *t = arg;

    run_audit_elevation(t->cx.audit, step, argv, how);
    if (t->ev->elevate)
        t->ev->elevate(t->arg, argv, how);
}

static void
on_step_complete(void *arg, size_t step, const struct step_end *end)
{
    struct turn *t = arg;

    run_audit_result(t->cx.audit, t->proposal.action, step, end);
    /* what a step wrote that was asked about again comes once more */
    if (t->wants_results && !(end->dropped && end->dropped[0]))
        step_results_add(&t->results, &t->proposal.action->steps[step], end);
    if (!(end->dropped && end->dropped[0]))
        shell_exchange_add_step(t->cx.exchange,
                                &t->proposal.action->steps[step], end);
    t->end.executed += !end->partial;
    t->behind = step + 1;
    t->ran = true;
    t->ev->step_complete(t->arg, step, end);
}

/* Whether the model sees the results: a step ran to its end, good or bad, and
 * nobody stopped the plan. */
static bool
are_results_wanted(const struct turn *t, const struct err *why)
{
    return t->wants_results && t->ran && !t->cancelled &&
           (why->code == ERR_NONE || why->code == ERR_TOOL ||
            why->code == ERR_TIMEOUT);
}

bool
turn_will_continue(const struct turn *t)
{
    return are_results_wanted(t, &t->plan_why) &&
           turn_model_may_continue(t->asker);
}

/* Somebody is asked, unless that has failed. */
static void
wait_for_answer(struct turn *t, int rc, const struct err *why)
{
    if (rc < 0) {
        conclude_turn(t, TURN_FAILED, why);
        return;
    }
    t->stage = TURN_ASKS;
    if (t->ev->asked)
        t->ev->asked(t->arg);
}

static void
send_results(struct turn *t)
{
    const struct aiaction *a = t->proposal.action;
    struct err e = {0};
    int rc;

    if (!t->set.all_results)
        t->end.status = err_exit_status(t->plan_why.code);
    for (size_t i = t->behind; i < a->n; i++)
        step_results_add(&t->results, &a->steps[i], NULL);
    rc = turn_model_send_results(t->asker, &t->results.text, &e);
    step_results_done(&t->results);
    step_results_init(&t->results);
    wait_for_answer(t, rc, &e);
}

static void
go_on_after_plan(struct turn *t)
{
    if (turn_will_continue(t))
        send_results(t);
    else if (are_results_wanted(t, &t->plan_why))
        conclude_turn(t, TURN_LIMIT, NULL);
    else if (t->plan_why.code != ERR_NONE)
        conclude_turn(t, TURN_FAILED, &t->plan_why);
    else
        conclude_turn(t, TURN_RAN, NULL);
}

static void
on_plan_complete(void *arg, const struct plan_end *end)
{
    struct turn *t = arg;
    struct plan_end now = *end;

    if (t->stop.code != ERR_NONE)
        now.why = t->stop;
    t->token = 0;
    t->stage = TURN_PLAN_HELD;
    t->plan_why = now.why;
    if (!t->ev->plan_complete(t->arg, &now))
        go_on_after_plan(t);
}

/* The plan is judged: it is shown, and begins. */
static void
begin_plan(struct turn *t)
{
    const struct proposal *p = &t->proposal;

    shell_exchange_propose(t->cx.exchange,
                           p->action); /* it may have been edited */
    run_audit_plan(t->cx.audit, p->action, t->plan,
                   p->asked ? &p->facts : NULL);
    t->ev->proposed(t->arg, p->action, t->plan);
    if (t->stage == TURN_ENDS)
        return;
    t->stage = TURN_RUNS;
    plan_start(t->plan);
}

static void
on_judged(void *arg, const struct err *why)
{
    struct turn *t = arg;

    if (t->stage != TURN_JUDGES_ASIDE)
        return;
    if (why)
        conclude_turn(t, TURN_FAILED, why);
    else
        begin_plan(t);
}

static int
make_turn_plan(struct turn *t, struct err *e)
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
    const struct turn_setting *by = &t->set;
    const struct plan_setting set = {.policy = t->how.policy ? t->how.policy
                                                             : t->cx.policy,
                                     .seat = t->cx.seat,
                                     .config = t->cx.config,
                                     .registry = t->cx.registry,
                                     .outside = t->proposal.outside,
                                     .named = t->cx.named,
                                     .preview = t->how.preview,
                                     .grants = t->how.grants,
                                     .reports = t->wants_results,
                                     .yes = by->yes,
                                     .reduced = by->reduced,
                                     .each_step = by->each_step,
                                     .files = t->cx.files,
                                     .pool = t->cx.pool,
                                     .hosts = by->hosts,
                                     .undoing = by->undoing,
                                     .by_step = by->by_step,
                                     .aside = by->aside,
                                     .is_covered = by->is_covered,
                                     .was_allowed = by->was_allowed,
                                     .covered_arg = by->covered_arg,
                                     .reads_only = by->reads_only,
                                     .writes = by->writes,
                                     .can_ask = by->can_ask,
                                     .undo_run = run_audit_name(t->cx.audit),
                                     .own_terminal = by->own_terminal,
                                     .colour = by->colour};

    plan_free(t->plan);
    t->plan = plan_new(t->cx.loop, t->proposal.action, &set, &events, t, e);
    if (t->plan)
        plan_pause(t->plan, t->paused);
    return t->plan ? 0 : -1;
}

static void
start_plan(struct turn *t)
{
    const struct proposal *p = &t->proposal;
    struct err e = {0};

    t->wants_results = t->asker && (t->set.all_results ||
                                    (p->action->wants_results &&
                                     turn_model_may_continue(t->asker)));
    t->behind = 0;
    t->ran = false;
    t->end.status = 0;
    if (make_turn_plan(t, &e) < 0) {
        conclude_turn(t, TURN_FAILED, &e);
        return;
    }
    t->stage = TURN_JUDGES_ASIDE;
    if (!t->set.aside)
        begin_plan(t);
}

/* What was proposed is in t->proposal. */
static void
take_proposal(struct turn *t)
{
    const struct proposal *p = &t->proposal;

    t->end.unfit = p->unfit;
    t->how = (struct turn_judging){0};
    if (p->action->kind != ANSWER_ONLY) {
        t->stage = TURN_JUDGE_HELD;
        if (!t->ev->judge || !t->ev->judge(t->arg, p))
            start_plan(t);
        return;
    }
    if (!p->unfit)
        shell_exchange_propose(t->cx.exchange, p->action);
    run_audit_answer(t->cx.audit, p->action->summary, p->model, &p->facts);
    t->stage = TURN_ANSWER_HELD;
    if (!t->ev->answered || !t->ev->answered(t->arg, p))
        conclude_turn(t, TURN_ANSWERED, NULL);
}

/* The answers of a model, or of the offline engine. */

static void
on_written(void *arg, size_t bytes)
{
    struct turn *t = arg;

    run_audit_model(t->cx.audit, t->cx.selection, bytes);
}

/* The answer is read from the loop, and the journal written meanwhile. */
static void
on_sent(void *arg)
{
    struct turn *t = arg;

    if (t->set.show_request) {
        conclude_turn(t, TURN_RAN, NULL);
        return;
    }
    run_audit_ask(t->cx.audit);
    wait_for_answer(t, 0, NULL);
}

static void
on_tool_ended(void *arg, const struct tool_loop_call *c)
{
    struct turn *t = arg;

    run_audit_tool_call(t->cx.audit, c);
    t->ev->tool_ended(t->arg, c);
}

/* It takes the place of the last one, whose plan is over. */
static void
on_proposed(void *arg, struct proposal *p)
{
    struct turn *t = arg;

    plan_free(t->plan);
    t->plan = NULL;
    proposal_done(&t->proposal);
    t->proposal = *p;
    *p = (struct proposal){0};
    if (t->asker)
        t->ev->usage(t->arg, &t->proposal.facts);
    if (t->stage != TURN_ENDS)
        take_proposal(t);
}

static void
on_failed(void *arg, const struct err *why,
          const struct conversation_usage *spent)
{
    struct turn *t = arg;

    if (t->stage == TURN_ENDS)
        return;
    if (spent)
        run_audit_spent(t->cx.audit, spent);
    t->handed_over = t->ev->hands_over && t->ev->hands_over(t->arg, why);
    conclude_turn(t, TURN_FAILED, why);
}

static int
begin_with_model(struct turn *t, struct err *e)
{
    static const struct turn_model_events events = {
        .written = on_written,
        .sent = on_sent,
        .tool_ended = on_tool_ended,
        .proposed = on_proposed,
        .failed = on_failed,
    };
    const struct turn_model_params params = {.cx = &t->cx,
                                             .request = &t->request,
                                             .set = &t->set,
                                             .listener = t->ev,
                                             .listener_arg = t->arg};

    t->stage = TURN_ASKS;
    t->asker = turn_model_start(&params, &events, t, e);
    return t->asker ? 0 : -1;
}

static void
on_nothing_found(void *arg, const struct err *why)
{
    struct turn *t = arg;

    if (t->stage != TURN_ENDS)
        conclude_turn(t, TURN_FAILED, why);
}

static int
begin_offline(struct turn *t, struct err *e)
{
    static const struct turn_offline_events events = {
        .proposed = on_proposed, .failed = on_nothing_found};

    t->engine = turn_offline_new(t->cx.loop, t->cx.seat, &t->request,
                                 t->set.columns, &events, t, e);
    wait_for_answer(t, 0, NULL);
    return t->engine ? turn_offline_propose(t->engine, e) : -1;
}

/* Begins the turn, goes on with it, or ends it. */
static void
on_soon(void *arg, unsigned events)
{
    struct turn *t = arg;
    struct err e = {0};

    (void)events;
    if (t->stage == TURN_ENDS)
        report_over(t);
    else if (t->stage == TURN_JUDGES)
        start_plan(t);
    else if (t->stage != TURN_BEGINS)
        return;
    else if (t->proposal.action)
        take_proposal(t);
    else if (t->cx.model || t->set.show_request) {
        if (begin_with_model(t, &e) < 0)
            on_failed(t, &e, NULL);
    } else if (begin_offline(t, &e) < 0)
        conclude_turn(t, TURN_FAILED, &e);
}

static struct turn *
new_turn(const struct turn_context *cx, const struct turn_setting *set,
         const struct turn_events *ev, void *arg, struct err *e)
{
    CLEANUP(turn_free_p) struct turn *t = calloc(1, sizeof(*t));

    if (!t) {
        err_nomem(e);
        return NULL;
    }
    *t = (struct turn){.cx = *cx, .set = *set, .ev = ev, .arg = arg};
    if (set->hosts) /* tools are of this machine */
        t->cx.registry = NULL;
    if (cx->model)
        model_hold(cx->model, false); /* a turn before may have been paused */
    buf_init(&t->input, MESSAGE_MAX);
    step_results_init(&t->results);
    if (!(t->soon = loop_soon(cx->loop, on_soon, t, e)))
        return NULL;
    return TAKE_PTR(t);
}

struct turn *
turn_start(const struct turn_context *cx, const struct user_request *request,
           const struct turn_setting *set, const struct turn_events *ev,
           void *arg, struct err *e)
{
    CLEANUP(turn_free_p) struct turn *t = new_turn(cx, set, ev, arg, e);

    if (!t)
        return NULL;
    t->request = *request;
    t->request.text = t->text = strdup(request->text);
    if (request->input_len > 0)
        buf_add(&t->input, request->input, request->input_len);
    t->request.input = t->input.p;
    t->request.images = model_images_share(request->images);
    t->request.hosts = t->set.hosts;
    run_audit_input(cx->audit, t->input.p, t->input.len);
    shell_exchange_begin(cx->exchange, request->text, t->input.len);
    if (!t->text)
        err_nomem(e);
    if (!t->text || buf_ok(&t->input, "what came with the request", e) < 0)
        return NULL;
    return TAKE_PTR(t);
}

struct turn *
turn_start_saved(const struct turn_context *cx, struct aiaction *action,
                 const char *outside, const struct turn_setting *set,
                 const struct turn_events *ev, void *arg, struct err *e)
{
    struct turn *t = new_turn(cx, set, ev, arg, e);

    if (!t)
        return NULL;
    shell_exchange_begin(cx->exchange, "(a saved plan)", 0);
    t->proposal = (struct proposal){.action = action, .outside = outside};
    return t;
}

bool
turn_withdraw(struct turn *t, unsigned token, const char *what)
{
    if (t->stage == TURN_ENDS || token == 0 || token != t->token)
        return false;
    t->token = 0;
    if (what)
        run_audit_decision(t->cx.audit, t->question, t->step, what);
    return true;
}

bool
turn_answer(struct turn *t, unsigned token, enum plan_choice v,
            const char *what)
{
    if (!turn_withdraw(t, token, what))
        return false;
    plan_answer(t->plan, token, v);
    return true;
}

void
turn_judge(struct turn *t, const struct turn_judging *how)
{
    if (t->stage == TURN_ENDS)
        return;
    t->token = 0;
    t->how = *how;
    t->stage = TURN_JUDGES;
    watch_again(t->soon, 0);
}

bool
turn_revise(struct turn *t, const char *words)
{
    bool plan = t->stage != TURN_ANSWER_HELD;
    struct err e = {0};
    int rc;

    if (t->asker)
        rc = turn_model_revise(t->asker, words, &e);
    else if (!plan)
        rc = turn_offline_extend(t->engine, words, &e);
    else
        rc = turn_offline_revise(t->engine, words, t->proposal.action, &e);
    if (rc < 0 && !t->asker && plan)
        return false;
    shell_exchange_reply(t->cx.exchange, words);
    wait_for_answer(t, rc, &e);
    return true;
}

void
turn_choose(struct turn *t, size_t chosen)
{
    struct err e = {0};
    int rc = turn_offline_choose(t->engine, &t->proposal, chosen, &e);

    wait_for_answer(t, rc, &e);
}

void
turn_go_on(struct turn *t, const struct err *why)
{
    if (t->stage == TURN_ANSWER_HELD && why && why->code != ERR_NONE) {
        conclude_turn(t, TURN_FAILED, why);
    } else if (t->stage == TURN_ANSWER_HELD) {
        conclude_turn(t, TURN_ANSWERED, NULL);
    } else if (t->stage == TURN_PLAN_HELD) {
        if (why)
            t->plan_why = *why;
        go_on_after_plan(t);
    }
}

void
turn_cancel(struct turn *t)
{
    struct err why = {0};

    if (t->cancelled || t->stage == TURN_ENDS)
        return;
    t->cancelled = true;
    t->token = 0;
    err_set(&why, ERR_INTERRUPTED, "cancelled");
    if (t->stage == TURN_RUNS)
        plan_cancel(t->plan);
    else if (t->stage == TURN_ASKS && t->asker)
        turn_model_cancel(t->asker);
    else
        conclude_turn(t, TURN_FAILED, &why);
}

void
turn_stop(struct turn *t, const struct err *why)
{
    t->cancelled = true;
    t->token = 0;
    if (why)
        t->stop = *why;
    if (t->stage == TURN_RUNS)
        plan_cancel(t->plan);
    else
        conclude_turn(t, why ? TURN_FAILED : TURN_RAN, why);
}

void
turn_pause(struct turn *t, bool paused)
{
    t->paused = paused;
    if (t->plan)
        plan_pause(t->plan, paused);
    if (t->cx.model)
        model_hold(t->cx.model, paused);
}

void
turn_signal(struct turn *t, int signo)
{
    if (t->stage == TURN_RUNS)
        plan_signal(t->plan, signo);
}
