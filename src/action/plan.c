/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.c - judges the steps of an AiAction, asks about them, and runs them. */
#include "action/plan.h"

#include <stdio.h>
#include <string.h>

#include "action/plan_steps.h"
#include "action/undo_files.h"
#include "action/undo_run.h"
#include "base/clock.h"
#include "base/worker.h"

struct plan {
    struct loop *loop;
    const struct aiaction *action;
    struct plan_setting set;
    const struct plan_events *ev;
    void *arg;
    struct plan_steps steps; /* its `at` is next, or runs */
    bool approved;
    unsigned token; /* the open question; 0: none */
    unsigned last_token;
    enum plan_question question;
    struct step_run *run; /* runs step `at` */
    /* the program that it wants run as root; NULL: none */
    const char *const *elevate_argv;
    struct watch *soon; /* continues from the loop, not from a callback */
    struct plan_end end;
    struct err skipped;    /* why a step failed that was then skipped */
    struct worker *worker; /* judges; NULL: nothing is judged now */
    atomic_bool unwanted;  /* the judging */
    int judge_rc;          /* of its work, with the reason */
    struct err judge_why;
    struct undo_run *undo;    /* keeps originals; NULL: none are kept */
    struct undo_query *query; /* a tool is asked how things are */
    bool ended_badly; /* the step that ended, of which they are listed */
    struct err ended_why;
    int end_rc; /* of that, with the reason */
    struct err end_why;
    int64_t restored_ms; /* when a step began that puts back files */
    struct buf left;     /* what it did, and was not applied */
    bool held;           /* step `at` begins, and waits for plan_start_step */
    bool over;
};

void
plan_free(struct plan *p)
{
    if (!p)
        return;
    p->unwanted = true;
    worker_free(p->worker);
    watch_free(p->soon);
    step_run_free(p->run);
    undo_query_free(p->query);
    undo_run_free(p->undo);
    buf_done(&p->left);
    plan_steps_done(&p->steps);
    free(p);
}

static void
on_output(void *arg, const char *host, const char *stream, const char *bytes,
          size_t n)
{
    const struct plan *p = arg;

    p->ev->output(p->arg, p->steps.at, host, stream, bytes, n);
}

static void
continue_soon(struct plan *p)
{
    watch_again(p->soon, 0);
}

/* A built-in tool asks for what its step says, which the yes for the step
 * covers. What another tool asks for is known only now. The person is asked
 * from the loop, since the call must not end in its own callback. */
static enum tool_elevation
on_elevate(void *arg, const char *const *argv)
{
    struct plan *p = arg;

    if (p->steps.verdicts[p->steps.at].tool->source == TOOL_BUILTIN) {
        p->ev->elevate(p->arg, p->steps.at, argv, PLAN_ELEVATE_STEP);
        return TOOL_ELEVATE_YES;
    }
    if (!p->set.can_ask || p->set.by_step) {
        p->ev->elevate(p->arg, p->steps.at, argv, PLAN_ELEVATE_NOBODY);
        return TOOL_ELEVATE_NO;
    }
    p->elevate_argv = argv;
    continue_soon(p);
    return TOOL_ELEVATE_LATER;
}

static void
on_complete(void *arg, const struct step_end *end, int64_t tool_ms)
{
    struct plan *p = arg;

    p->end.executed += !end->partial;
    p->end.duration_ms += tool_ms;
    p->ev->step_complete(p->arg, p->steps.at, end);
}

static void
report_steps_left(struct plan *p)
{
    CLEANUP_BUF struct buf line = buf_of(UNDO_LEFT_MAX + 64);

    if (p->left.len == 0)
        return;
    buf_printf(&line, "not applied: %s\n", p->left.p);
    p->ev->output(p->arg, p->steps.at, NULL, "stderr", line.p, line.len);
    buf_clear(&p->left);
}

/* The plan ends in a step, of which nothing runs any more. */
static void
end_interrupted(struct plan *p)
{
    struct err why = {0};

    if (undo_run_end(p->undo, &p->left, &why) < 0)
        err_wrap(&p->end.why, "%s", why.text);
    report_steps_left(p);
}

/* Sends the last event. why may be p->end.why itself. */
static void
complete_plan(struct plan *p)
{
    p->over = true;
    p->token = 0;
    undo_query_free(p->query);
    p->query = NULL;
    if (!p->worker && undo_run_is_open(p->undo))
        end_interrupted(p);
    p->end.success = p->end.why.code == ERR_NONE;
    step_run_end_pool(p->run); /* nothing runs any more at the event */
    p->ev->complete(p->arg, &p->end);
}

static void
on_not_started(void *arg, const struct err *why)
{
    struct plan *p = arg;

    p->end.why = *why;
    complete_plan(p);
}

static void
ask_question(struct plan *p, enum plan_question q)
{
    if (!p->set.can_ask) {
        plan_steps_refuse(&p->steps, q, &p->end.why);
        complete_plan(p);
        return;
    }
    p->question = q;
    p->token = ++p->last_token;
    p->ev->ask(p->arg, p->token, q, p->steps.at);
}

static void
begin_next_step(struct plan *p)
{
    p->steps.at++;
    p->steps.step_asked = p->steps.word_asked = p->steps.stricter =
        p->steps.changed = false;
    continue_soon(p);
}

static void
forget_elevation(struct plan *p)
{
    if (p->elevate_argv)
        p->token = 0; /* the question is obsolete */
    p->elevate_argv = NULL;
}

/* The step has ended, and what it left is listed. */
static void
leave_step(struct plan *p, const struct err *why)
{
    if (!why) {
        begin_next_step(p);
        return;
    }
    p->end.why = *why;
    if (p->set.can_ask && !p->set.hosts && why->code != ERR_INTERRUPTED &&
        ((!p->set.by_step && !p->set.reports) ||
         plan_remedy(p)->kind != DENIAL_REMEDY_NONE))
        ask_question(p, PLAN_ASK_FAILED);
    else
        complete_plan(p);
}

static void
work_on_end(void *arg)
{
    struct plan *p = arg;

    p->end_rc = undo_run_end(p->undo, &p->left, &p->end_why);
}

static void
on_end_noted(void *arg)
{
    struct plan *p = arg;

    worker_free(p->worker);
    p->worker = NULL;
    if (p->over)
        return;
    report_steps_left(p);
    if (p->end_rc < 0 && !p->ended_badly) {
        p->ended_badly = true;
        p->ended_why = p->end_why;
        p->ended_why.code = ERR_TOOL;
        err_wrap(&p->ended_why, "step %zu", p->steps.at + 1);
    }
    leave_step(p, p->ended_badly ? &p->ended_why : NULL);
}

/* Asks the tool of step `at` how what the step changes is now. */
static int
ask_state(struct plan *p, undo_query_cb *cb, struct err *e)
{
    const struct undo_query_params by = {
        .loop = p->loop, .seat = p->set.seat, .config = p->set.config};

    p->query = undo_query_step(&by, &p->action->steps[p->steps.at],
                               &p->steps.verdicts[p->steps.at], cb, p, e);
    return p->query ? 0 : -1;
}

static int
take_state(struct plan *p, const struct json *meta, const struct err *why,
           struct err *e)
{
    int rc = undo_run_take_state(p->undo, meta, why, e);

    undo_query_free(TAKE_PTR(p->query));
    return rc;
}

/* What the step left is listed in a thread, since changed files are read. */
static void
note_step_end(struct plan *p)
{
    if (undo_run_is_open(p->undo))
        p->worker = worker_start(p->loop, work_on_end, on_end_noted, p, NULL);
    if (p->worker)
        return;
    work_on_end(p);
    on_end_noted(p);
}

static void
on_state_after(void *arg, const struct json *meta, const struct err *why)
{
    struct plan *p = arg;

    (void)take_state(p, meta, why, NULL); /* without it the end is not known */
    note_step_end(p);
}

static void
on_over(void *arg, const struct err *why)
{
    struct plan *p = arg;

    forget_elevation(p);
    p->ended_badly = why != NULL;
    if (why)
        p->ended_why = *why;
    if (!undo_run_is_open(p->undo) ||
        !undo_run_needs_state(p->undo, &p->steps.verdicts[p->steps.at]) ||
        ask_state(p, on_state_after, NULL) < 0)
        note_step_end(p);
}

static int
open_run(struct plan *p, struct err *e)
{
    static const struct step_run_events events = {
        .output = on_output,
        .elevate = on_elevate,
        .complete = on_complete,
        .over = on_over,
        .not_started = on_not_started};
    const struct step_run_params set = {.loop = p->loop,
                                        .config = p->set.config,
                                        .preview = p->set.preview,
                                        .named = p->set.named,
                                        .secrets = &p->steps.secrets,
                                        .seat = p->set.seat,
                                        .files = p->set.files,
                                        .pool = p->set.pool,
                                        .hosts = p->set.hosts,
                                        .reuse = p->action->n > 1,
                                        .colour = p->set.colour,
                                        .can_ask = p->set.can_ask};

    p->run = step_run_new(&set, &events, p, e);
    return p->run ? 0 : -1;
}

static void
work_on_restores(void *arg)
{
    struct plan *p = arg;

    p->end_rc = undo_files_apply(p->set.undoing, &p->action->steps[p->steps.at],
                                 undo_run_name(p->undo), &p->end_why);
}

/* What could not be put back is no reason to leave the rest. */
static void
on_restored(void *arg)
{
    struct plan *p = arg;
    const struct step_end end = {.exit_code = p->end_rc < 0,
                                 .duration_ms = clock_ms() - p->restored_ms,
                                 .out = "",
                                 .err = p->end_why.text,
                                 .err_len = strlen(p->end_why.text),
                                 .denied = "",
                                 .dropped = ""};

    worker_free(p->worker);
    p->worker = NULL;
    if (p->over)
        return; /* what is there is noted when the plan is freed */
    on_complete(p, &end, end.duration_ms);
    if (p->end_rc < 0)
        p->skipped = p->end_why;
    on_over(p, NULL);
}

static int
run_restores(struct plan *p, struct err *e)
{
    if (!p->undo)
        return err_set(e, ERR_CONFIG,
                       "no journal is kept, so that this could not be undone");
    p->end_why = (struct err){0};
    p->restored_ms = clock_ms();
    p->worker = worker_start(p->loop, work_on_restores, on_restored, p, e);
    return p->worker ? 0 : -1;
}

/* Runs step `at`, for which all questions are answered. */
static int
run_step(struct plan *p, struct err *e)
{
    const struct step_run_step step = {
        .index = p->steps.at,
        .step = &p->action->steps[p->steps.at],
        .verdict = &p->steps.verdicts[p->steps.at],
        .digest = p->steps.granted[p->steps.at],
        .view = undo_run_view(p->undo),
        .auto_approved = p->steps.by.auto_approved,
        .privileged = p->steps.word_asked,
        .own_terminal = p->steps.by.own_terminal};

    if (step.verdict->undoing)
        return run_restores(p, e);
    return step_run_start(p->run, &step, e);
}

/* Step `at` was judged as it would run now: its next question, or its run. */
static void
go_on_with_step(struct plan *p, int rc)
{
    enum plan_question q;

    if (rc < 0) {
        complete_plan(p);
        return;
    }
    if (plan_steps_question(&p->steps, &q)) {
        ask_question(p, q);
        return;
    }
    p->held = true;
    if (!p->ev->step_begin(p->arg, p->steps.at))
        plan_start_step(p);
}

static void
work_on_step(void *arg)
{
    struct plan *p = arg;

    p->judge_rc = plan_steps_judge_next(&p->steps, &p->judge_why);
}

/* A plan that was cancelled meanwhile is over. */
static void
on_step_judged(void *arg)
{
    struct plan *p = arg;

    worker_free(p->worker);
    p->worker = NULL;
    if (p->over)
        return;
    if (p->judge_rc < 0)
        p->end.why = p->judge_why;
    go_on_with_step(p, p->judge_rc);
}

/* Continues: the next question of the step, its run, or the end. */
static void
continue_plan(void *arg, unsigned events)
{
    struct plan *p = arg;

    (void)events;
    if (!p->over && p->elevate_argv && !p->token)
        ask_question(p, PLAN_ASK_ELEVATE);
    if (p->over || p->token || p->held || p->worker || p->query ||
        step_run_is_running(p->run) || !p->approved)
        return;
    if (p->steps.at == p->action->n) {
        p->end.why = p->skipped; /* set: a step failed and was skipped */
        step_run_note_failure(p->run, &p->end.why);
        if (p->set.undoing && p->set.undoing->all_left > 0 && !p->end.why.code)
            err_set(&p->end.why, ERR_TOOL,
                    "not all was put back: %zu left alone (see above)",
                    p->set.undoing->all_left);
        complete_plan(p);
        return;
    }
    if (p->set.aside)
        p->worker = worker_start(p->loop, work_on_step, on_step_judged, p,
                                 NULL);
    if (!p->worker) /* without a thread it is done here */
        go_on_with_step(p, plan_steps_judge_next(&p->steps, &p->end.why));
}

static void
work_on_originals(void *arg)
{
    struct plan *p = arg;

    p->judge_rc = undo_run_begin(p->undo, &p->action->steps[p->steps.at],
                                 &p->steps.verdicts[p->steps.at],
                                 &p->judge_why);
}

static void
on_originals_kept(void *arg)
{
    struct plan *p = arg;

    worker_free(p->worker);
    p->worker = NULL;
    if (p->over)
        return;
    if (p->judge_rc < 0) {
        p->end.why = p->judge_why;
        err_wrap(&p->end.why, "step %zu", p->steps.at + 1);
    }
    if (p->judge_rc < 0 || run_step(p, &p->end.why) < 0)
        complete_plan(p);
}

/* The originals are kept in a thread, since that copies files. */
static void
keep_originals(struct plan *p)
{
    p->judge_rc = 0;
    if (p->undo)
        p->worker = worker_start(p->loop, work_on_originals, on_originals_kept,
                                 p, NULL);
    if (p->worker)
        return;
    work_on_originals(p);
    on_originals_kept(p);
}

static void
refuse_without_state(struct plan *p)
{
    err_wrap(&p->end.why, "step %zu: what is needed to go back is not known",
             p->steps.at + 1);
    complete_plan(p);
}

static void
on_state_before(void *arg, const struct json *meta, const struct err *why)
{
    struct plan *p = arg;

    if (take_state(p, meta, why, &p->end.why) < 0)
        refuse_without_state(p);
    else
        keep_originals(p);
}

void
plan_start_step(struct plan *p)
{
    if (p->over || !p->held)
        return;
    p->held = false;
    secret_tree_forget(&p->steps.secrets); /* later steps search again */
    if (!undo_run_needs_state(p->undo, &p->steps.verdicts[p->steps.at]))
        keep_originals(p);
    else if (ask_state(p, on_state_before, &p->end.why) < 0)
        refuse_without_state(p);
}

static void
work_on_plan(void *arg)
{
    struct plan *p = arg;

    p->judge_rc = plan_steps_judge(&p->steps, &p->judge_why);
}

static void
on_plan_judged(void *arg)
{
    struct plan *p = arg;

    worker_free(p->worker);
    p->worker = NULL;
    if (!p->over)
        p->ev->judged(p->arg, p->judge_rc < 0 ? &p->judge_why : NULL);
}

struct plan *
plan_new(struct loop *l, const struct aiaction *a, const struct plan_setting *s,
         const struct plan_events *ev, void *arg, struct err *e)
{
    CLEANUP(plan_free_p) struct plan *p = calloc(1, sizeof(*p));

    if (!p) {
        err_nomem(e);
        return NULL;
    }
    *p = (struct plan){.loop = l, .action = a, .set = *s, .ev = ev, .arg = arg};
    buf_init(&p->left, UNDO_LEFT_MAX);
    if (plan_steps_init(&p->steps, a, &p->set, e) < 0)
        return NULL;
    p->steps.unwanted = &p->unwanted;
    if (s->undo_run && !s->preview && !s->hosts &&
        !(p->undo = undo_run_new(
              s->seat, s->undo_run,
              (uint64_t)config_int(s->config, CONFIG_RECORD_UNDO_MB) << 20, e)))
        return NULL;
    p->set.undo_run = NULL;
    p->steps.undo = p->undo != NULL;
    p->soon = loop_soon(l, continue_plan, p, e);
    if (!p->soon || open_run(p, e) < 0)
        return NULL;
    watch_stop(p->soon); /* until plan_start */
    if (s->aside)
        p->worker = worker_start(l, work_on_plan, on_plan_judged, p, e);
    if (s->aside ? !p->worker : plan_steps_judge(&p->steps, e) < 0)
        return NULL;
    return TAKE_PTR(p);
}

const struct seat *
plan_seat(const struct plan *p)
{
    return p->set.seat;
}

const struct step_verdict *
plan_step_verdict(const struct plan *p, size_t step)
{
    return &p->steps.verdicts[step];
}

const char *
plan_step_digest(const struct plan *p, size_t step)
{
    return p->steps.digests[step];
}

int
plan_needs_approval(const struct plan *p, size_t step, char why[256],
                    struct err *e)
{
    return plan_steps_needs_approval(&p->steps, step, why, e);
}

int
plan_digest(const struct plan *p, char hex[SHA256_HEX_SIZE], struct err *e)
{
    return plan_steps_digest(&p->steps, hex, e);
}

bool
plan_is_as_shown(const struct plan *p)
{
    return plan_steps_are_as_shown(&p->steps);
}

bool
plan_step_changed(const struct plan *p)
{
    return p->steps.changed;
}

const char *const *
plan_elevation(const struct plan *p)
{
    return p->elevate_argv;
}

const char *
plan_failure(const struct plan *p)
{
    return p->end.why.text;
}

bool
plan_is_granted(const struct plan *p, size_t step)
{
    return p->set.grants && !grant_is_empty(&p->set.grants[step]);
}

const struct denial_remedy *
plan_remedy(const struct plan *p)
{
    return step_run_remedy(p->run);
}

void
plan_signal(struct plan *p, int signo)
{
    step_run_signal(p->run, signo);
}

void
plan_pause(struct plan *p, bool paused)
{
    step_run_pause(p->run, paused);
}

static void
approve_plan(struct plan *p)
{
    p->approved = true;
    continue_plan(p, 0);
}

/* The first step that agentsh does not run; p->action->n: none. */
static size_t
refused_step(const struct plan *p)
{
    size_t i = 0;

    while (i < p->action->n && !p->steps.verdicts[i].refused)
        i++;
    return i;
}

bool
plan_refuses(const struct plan *p)
{
    return refused_step(p) < p->action->n;
}

static void
refuse_plan(struct plan *p)
{
    const struct step_verdict *v;

    p->steps.at = refused_step(p);
    v = &p->steps.verdicts[p->steps.at];
    if (v->needs_sudo && v->decision != GUARD_DENY)
        err_set(&p->end.why, ERR_DENIED,
                "step %zu needs sudo, %s%s: run it yourself", p->steps.at + 1,
                p->set.own_terminal ? "which agentsh does not run here: "
                                    : "which runs after a yes at your own "
                                      "terminal alone",
                p->set.own_terminal ? v->reason : "");
    else
        err_set(&p->end.why, ERR_DENIED, "step %zu: %s", p->steps.at + 1,
                v->reason);
    complete_plan(p);
}

/* Whether sudo is the only reason for which steps are refused. */
static bool
only_sudo(const struct plan *p)
{
    for (size_t i = 0; i < p->action->n; i++) {
        const struct step_verdict *v = &p->steps.verdicts[i];

        if (v->refused && (!v->needs_sudo || v->decision == GUARD_DENY))
            return false;
    }
    return true;
}

void
plan_start(struct plan *p)
{
    if (plan_refuses(p) && p->set.can_ask && !p->set.by_step && !p->set.hosts &&
        only_sudo(p))
        ask_question(p, PLAN_ASK_SUDO);
    else if (plan_refuses(p))
        refuse_plan(p);
    else if (p->steps.auto_approved || p->set.by_step)
        approve_plan(p);
    else
        ask_question(p, PLAN_ASK_ALL);
}

/* The answer to PLAN_ASK_ELEVATE. */
static void
answer_elevation(struct plan *p, bool yes)
{
    p->ev->elevate(p->arg, p->steps.at, p->elevate_argv,
                   yes ? PLAN_ELEVATE_YES : PLAN_ELEVATE_NO);
    p->elevate_argv = NULL;
    step_run_elevate(p->run, yes);
}

static void
decline_plan(struct plan *p)
{
    if (p->question != PLAN_ASK_FAILED)
        err_set(&p->end.why, ERR_DENIED,
                p->end.executed ? "not approved: the rest was not run"
                                : "not approved: nothing was run");
    complete_plan(p);
}

void
plan_answer(struct plan *p, unsigned token, enum plan_choice v)
{
    enum plan_question q = p->question;

    if (token == 0 || token != p->token)
        return;
    p->token = 0;
    if (q == PLAN_ASK_ELEVATE) {
        answer_elevation(p, v == PLAN_RUN);
        return;
    }
    if (q == PLAN_ASK_SUDO) {
        refuse_plan(p);
        return;
    }
    if (v == PLAN_QUIT) {
        decline_plan(p);
        return;
    }
    p->set.each_step |= v == PLAN_STEPS;
    if (v == PLAN_SKIP && q == PLAN_ASK_FAILED)
        p->skipped = p->end.why;
    p->end.why = (struct err){0};
    if (v == PLAN_SKIP) {
        begin_next_step(p);
        return;
    }
    p->steps.step_asked |= q == PLAN_ASK_STEP || v == PLAN_MORE ||
                           (q == PLAN_ASK_FAILED && !p->steps.auto_approved);
    p->steps.word_asked |= q == PLAN_ASK_WORD ||
                           (p->set.by_step && q == PLAN_ASK_STEP);
    if (v == PLAN_MORE)
        plan_steps_accept_grants(&p->steps, &p->end.why);
    if (q == PLAN_ASK_ALL)
        approve_plan(p);
    else
        continue_plan(p, 0);
}

void
plan_cancel(struct plan *p)
{
    if (p->over)
        return;
    step_run_stop(p->run);
    forget_elevation(p);
    err_set(&p->end.why, ERR_INTERRUPTED, "interrupted in step %zu",
            p->steps.at + 1);
    complete_plan(p);
}
