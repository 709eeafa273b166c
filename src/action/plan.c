/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.c - judges the steps of an AiAction, asks about them, and runs them. */
#include "action/plan.h"
#include "action/approval.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "base/worker.h"
#include "sandbox/probe.h"

struct plan {
    struct loop *loop;
    const struct aiaction *action;
    struct plan_setting set;
    const struct plan_events *ev;
    void *arg;
    struct step_verdict_params by;
    /* not readable by a step that nobody was asked about */
    struct secret_tree secrets;
    struct step_verdict *verdicts; /* one a step */
    /* a digest a step, as it was judged for the person to see */
    char (*digests)[SHA256_HEX_SIZE];
    /* and with what they granted it, as it would run */
    char (*granted)[SHA256_HEX_SIZE];
    bool *unasked; /* one a step: it was judged as if nobody is asked */
    bool approved;
    bool auto_approved; /* the rules alone approved it: nobody said yes */
    size_t at;          /* the step that is next or runs */
    bool step_asked, word_asked; /* questions of step `at` answered yes */
    bool stricter;  /* step `at` is judged stricter than it was shown */
    bool changed;   /* step `at` has another profile than was shown, or would
                       run other code */
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
    int judge_rc;          /* of its work, with the reason */
    struct err judge_why;
    bool held; /* step `at` begins, and waits for plan_start_step */
    bool over;
};

void
plan_free(struct plan *p)
{
    if (!p)
        return;
    worker_free(p->worker);
    watch_free(p->soon);
    step_run_free(p->run);
    for (size_t i = 0; p->verdicts && i < p->action->n; i++)
        step_verdict_done(&p->verdicts[i]);
    free(p->verdicts);
    free(p->digests);
    free(p->granted);
    free(p->unasked);
    secret_tree_done(&p->secrets);
    free(p);
}

/* A grant cannot be previewed: it would change things for real. */
static void
refuse_view(struct step_verdict *v)
{
    snprintf(v->reason, sizeof(v->reason),
             "cannot be previewed: it was granted more than its profile");
    v->refused = true;
    if (v->decision == GUARD_ALLOW)
        v->decision = GUARD_ASK;
}

/* Judges step i as it would run, and takes its digest before it is granted
 * more. A step that runs unasked gets no grants. */
static int
judge_one(struct plan *p, size_t i, char hex[SHA256_HEX_SIZE], struct err *e)
{
    const struct path_context where = path_context_of(p->set.seat);
    const struct step *s = &p->action->steps[i];
    char workspace[PATH_MAX];

    step_verdict_done(&p->verdicts[i]);
    if (step_verdict_make(&p->by, s, &p->verdicts[i], e) < 0 ||
        approval_digest(s, &p->verdicts[i], hex, e) < 0)
        return -1;
    memcpy(p->granted[i], hex, SHA256_HEX_SIZE);
    if (p->by.auto_approved || !plan_is_granted(p, i))
        return 0;
    if (p->set.preview) {
        refuse_view(&p->verdicts[i]);
        return 0;
    }
    if (grant_apply(&p->set.grants[i], guard_workspace(&where, workspace),
                    &p->verdicts[i], e) < 0)
        return -1;
    return approval_digest(s, &p->verdicts[i], p->granted[i], e);
}

/* Judges step i as it runs unasked; where it needs a yes, as after one. Who
 * lets steps write unasked takes the risk that others wrote what they are made
 * of. */
static int
judge_by_step(struct plan *p, size_t i, char hex[SHA256_HEX_SIZE],
              struct err *e)
{
    p->by.auto_approved = !p->set.writes;
    p->by.outside = p->set.writes ? NULL : p->set.outside;
    if (judge_one(p, i, hex, e) < 0)
        return -1;
    p->unasked[i] = p->verdicts[i].decision == GUARD_ALLOW;
    if (p->unasked[i] || p->set.writes)
        return 0;
    p->by.auto_approved = false;
    if (judge_one(p, i, hex, e) < 0)
        return -1;
    p->unasked[i] = p->set.is_covered &&
                    p->verdicts[i].decision == GUARD_ALLOW &&
                    p->set.is_covered(p->set.covered_arg, &p->action->steps[i]);
    return 0;
}

static int
judge_steps(struct plan *p, bool auto_approved, struct err *e)
{
    p->by.auto_approved = auto_approved;
    for (size_t i = 0; i < p->action->n; i++) {
        if ((p->set.by_step ? judge_by_step : judge_one)(p, i, p->digests[i],
                                                         e) < 0)
            return err_wrap(e, "step %zu cannot run; nothing was run", i + 1);
    }
    return 0;
}

static bool
all_allowed(struct plan *p)
{
    for (size_t i = 0; i < p->action->n; i++) {
        if (p->verdicts[i].decision != GUARD_ALLOW) {
            p->at = p->set.can_ask ? 0 : i; /* the step to name */
            return false;
        }
    }
    return true;
}

/* With --yes, judges the steps as if nobody is asked. If one needs a yes then,
 * or each does, and somebody can be asked, all are judged as after a yes. */
static int
judge_all(struct plan *p, struct err *e)
{
    if (!seat_need_dir(p->set.seat, e))
        return -1;
    p->by = (struct step_verdict_params){
        .policy = p->set.policy,
        .seat = p->set.seat,
        .preview = p->set.preview != NULL,
        .machine = probe_machine(false),
        .allow_reduced = p->set.reduced ||
                         config_bool(p->set.config,
                                     CONFIG_SANDBOX_ALLOW_REDUCED),
        .registry = p->set.registry,
        .config = p->set.config,
        .outside = p->set.outside,
        .named = p->set.named,
        .secrets = &p->secrets,
    };
    if (judge_steps(p, p->set.yes, e) < 0)
        return -1;
    if (p->set.by_step)
        return 0;
    p->auto_approved = p->set.yes && all_allowed(p);
    if (!p->set.yes || !p->set.can_ask ||
        (p->auto_approved && !p->set.each_step))
        return 0;
    return judge_steps(p, false, e);
}

static void
on_output(void *arg, const char *stream, const char *bytes, size_t n)
{
    const struct plan *p = arg;

    p->ev->output(p->arg, p->at, stream, bytes, n);
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

    if (p->verdicts[p->at].tool->source == TOOL_BUILTIN) {
        p->ev->elevate(p->arg, p->at, argv, PLAN_ELEVATE_STEP);
        return TOOL_ELEVATE_YES;
    }
    if (!p->set.can_ask || p->set.by_step) {
        p->ev->elevate(p->arg, p->at, argv, PLAN_ELEVATE_NOBODY);
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

    p->end.executed++;
    p->end.duration_ms += tool_ms;
    p->ev->step_complete(p->arg, p->at, end);
}

/* Sends the last event. why may be p->end.why itself. */
static void
complete_plan(struct plan *p)
{
    p->over = true;
    p->token = 0;
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

/* Why step `at` is asked about. */
static const char *
question_reason(const struct plan *p)
{
    const struct step_verdict *v = &p->verdicts[p->at];

    if (v->reason[0])
        return v->reason;
    return p->set.each_step ? "--step asks about each step"
           : p->changed     ? "it is not what it was when the plan was shown"
                            : "it needs a confirmation of its own";
}

static void
cannot_ask(struct plan *p, enum plan_question q)
{
    if (q == PLAN_ASK_ALL && !p->set.yes)
        err_set(&p->end.why, ERR_DENIED,
                "the plan needs your approval, and there is no terminal to ask "
                "on: nothing was run (--yes approves steps that only read or "
                "add files)");
    else
        err_set(&p->end.why, ERR_DENIED,
                "step %zu needs your approval, and there is no terminal to ask "
                "on: %s",
                p->at + 1, question_reason(p));
}

static void
ask_question(struct plan *p, enum plan_question q)
{
    if (!p->set.can_ask) {
        cannot_ask(p, q);
        complete_plan(p);
        return;
    }
    p->question = q;
    p->token = ++p->last_token;
    p->ev->ask(p->arg, p->token, q, p->at);
}

static void
begin_next_step(struct plan *p)
{
    p->at++;
    p->step_asked = p->word_asked = p->stricter = p->changed = false;
    continue_soon(p);
}

static void
forget_elevation(struct plan *p)
{
    if (p->elevate_argv)
        p->token = 0; /* the question is obsolete */
    p->elevate_argv = NULL;
}

static void
on_over(void *arg, const struct err *why)
{
    struct plan *p = arg;

    forget_elevation(p);
    if (!why) {
        begin_next_step(p);
        return;
    }
    p->end.why = *why;
    if (p->set.can_ask && !p->set.by_step &&
        (!p->set.reports || plan_remedy(p)->kind != DENIAL_REMEDY_NONE))
        ask_question(p, PLAN_ASK_FAILED);
    else
        complete_plan(p);
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
                                        .secrets = &p->secrets,
                                        .seat = p->set.seat,
                                        .files = p->set.files,
                                        .reuse = p->action->n > 1,
                                        .colour = p->set.colour,
                                        .can_ask = p->set.can_ask};

    p->run = step_run_new(&set, &events, p, e);
    return p->run ? 0 : -1;
}

/* A step that was to run unasked, and needs a yes now, is not what was shown:
 * its digest differs. */
static int
judge_at_by_step(struct plan *p, char hex[SHA256_HEX_SIZE], struct err *e)
{
    if (p->unasked[p->at] && judge_by_step(p, p->at, hex, e) == 0)
        return 0;
    p->by.auto_approved = false;
    if (!p->unasked[p->at] && judge_one(p, p->at, hex, e) == 0)
        return 0;
    return err_wrap(e, "step %zu cannot run", p->at + 1);
}

/* Judges step `at` as it would run now. A step that cannot run unasked any more
 * is judged as after a yes. */
static int
judge_at(struct plan *p, char hex[SHA256_HEX_SIZE], struct err *e)
{
    const struct step_verdict *v = &p->verdicts[p->at];

    if (p->set.by_step)
        return judge_at_by_step(p, hex, e);
    p->by.auto_approved = p->auto_approved && !p->set.each_step &&
                          !p->stricter && !p->step_asked && !p->word_asked;
    if (judge_one(p, p->at, hex, e) < 0)
        return err_wrap(e, "step %zu cannot run", p->at + 1);
    if (!p->by.auto_approved || v->decision == GUARD_ALLOW || !p->set.can_ask)
        return 0;
    p->by.auto_approved = false;
    p->stricter = true;
    if (judge_one(p, p->at, hex, e) < 0)
        return err_wrap(e, "step %zu cannot run", p->at + 1);
    return 0;
}

/* Step `at`, of the digest hex now, is not what the person saw: what was
 * answered about it counts no more, and it is asked about as it is now. */
static int
forget_answers(struct plan *p, const char hex[SHA256_HEX_SIZE], struct err *e)
{
    p->stricter = p->changed = true;
    p->step_asked = p->word_asked = false;
    if (p->set.can_ask)
        return judge_at(p, p->digests[p->at], e);
    memcpy(p->digests[p->at], hex, SHA256_HEX_SIZE);
    return 0;
}

/* Earlier steps, or others while a question stood, may have changed what this
 * one does: a file that was new exists now, a script holds other lines. The
 * person is asked about a step that became stricter or differs from what was
 * shown. */
static int
judge_again(struct plan *p, struct err *e)
{
    struct step_verdict *v = &p->verdicts[p->at];
    enum guard_decision before = v->decision;
    char now[SHA256_HEX_SIZE];

    p->changed = false;
    if (judge_at(p, now, e) < 0 ||
        (strcmp(now, p->digests[p->at]) != 0 && forget_answers(p, now, e) < 0))
        return -1;
    if (v->refused)
        return err_set(e, ERR_DENIED, "step %zu: %s", p->at + 1, v->reason);
    p->stricter |= v->decision > before;
    return 0;
}

/* Sets *q to the question that step `at` still needs; false: none. */
static bool
next_question(const struct plan *p, enum plan_question *q)
{
    const struct step_verdict *v = &p->verdicts[p->at];
    bool alone = v->alone && p->action->n > 1;

    *q = PLAN_ASK_STEP;
    if (p->set.by_step)
        return !p->step_asked && (!p->unasked[p->at] || p->stricter);
    if (!p->step_asked && (p->set.each_step || p->stricter))
        return true;
    /* in a preview nothing is lost before the person keeps it */
    if ((v->destructive || v->privileged) && !p->word_asked &&
        !p->set.preview) {
        *q = PLAN_ASK_WORD;
        return true;
    }
    return alone && !p->step_asked && !p->word_asked;
}

/* Runs step `at`, for which all questions are answered. */
static int
run_step(struct plan *p, struct err *e)
{
    const struct step_run_step step = {.index = p->at,
                                       .step = &p->action->steps[p->at],
                                       .verdict = &p->verdicts[p->at],
                                       .digest = p->granted[p->at],
                                       .auto_approved = p->by.auto_approved,
                                       .privileged = p->word_asked};

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
    if (next_question(p, &q)) {
        ask_question(p, q);
        return;
    }
    p->held = true;
    if (!p->ev->step_begin(p->arg, p->at))
        plan_start_step(p);
}

static void
work_on_step(void *arg)
{
    struct plan *p = arg;

    p->judge_rc = judge_again(p, &p->judge_why);
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
    if (p->over || p->token || p->held || p->worker ||
        step_run_is_running(p->run) || !p->approved)
        return;
    if (p->at == p->action->n) {
        p->end.why = p->skipped; /* set: a step failed and was skipped */
        complete_plan(p);
        return;
    }
    if (p->set.aside)
        p->worker = worker_start(p->loop, work_on_step, on_step_judged, p,
                                 NULL);
    if (!p->worker) /* without a thread it is done here */
        go_on_with_step(p, judge_again(p, &p->end.why));
}

void
plan_start_step(struct plan *p)
{
    if (p->over || !p->held)
        return;
    p->held = false;
    secret_tree_forget(&p->secrets); /* later steps search again */
    if (run_step(p, &p->end.why) < 0)
        complete_plan(p);
}

static void
work_on_plan(void *arg)
{
    struct plan *p = arg;

    p->judge_rc = judge_all(p, &p->judge_why);
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
    p->verdicts = calloc(a->n, sizeof(*p->verdicts));
    p->digests = calloc(a->n, sizeof(*p->digests));
    p->granted = calloc(a->n, sizeof(*p->granted));
    p->unasked = calloc(a->n, sizeof(*p->unasked));
    if (!p->verdicts || !p->digests || !p->granted || !p->unasked) {
        err_nomem(e);
        return NULL;
    }
    p->soon = loop_soon(l, continue_plan, p, e);
    if (!p->soon || open_run(p, e) < 0)
        return NULL;
    watch_stop(p->soon); /* until plan_start */
    if (!s->aside)
        return judge_all(p, e) < 0 ? NULL : TAKE_PTR(p);
    p->worker = worker_start(l, work_on_plan, on_plan_judged, p, e);
    return p->worker ? TAKE_PTR(p) : NULL;
}

const struct seat *
plan_seat(const struct plan *p)
{
    return p->set.seat;
}

const struct step_verdict *
plan_step_verdict(const struct plan *p, size_t step)
{
    return &p->verdicts[step];
}

int
plan_needs_approval(const struct plan *p, size_t step, char why[256],
                    struct err *e)
{
    CLEANUP(step_verdict_done) struct step_verdict j = {0};
    struct step_verdict_params by = p->by;

    why[0] = '\0';
    by.auto_approved = true;
    if (step_verdict_make(&by, &p->action->steps[step], &j, e) < 0)
        return -1;
    if (j.decision == GUARD_ASK)
        snprintf(why, 256, "%.255s", j.reason);
    return 0;
}

int
plan_digest(const struct plan *p, char hex[SHA256_HEX_SIZE], struct err *e)
{
    CLEANUP_BUF struct buf all = buf_of(AIACTION_STEPS_MAX * SHA256_HEX_SIZE);

    for (size_t i = 0; i < p->action->n; i++)
        buf_str(&all, p->granted[i]);
    if (buf_ok(&all, "the digests", e) < 0)
        return -1;
    sha256_hex(all.p, all.len, hex);
    return 0;
}

bool
plan_is_as_shown(const struct plan *p)
{
    for (size_t i = 0; i < p->action->n; i++) {
        char now[SHA256_HEX_SIZE];

        if (approval_digest(&p->action->steps[i], &p->verdicts[i], now, NULL) <
                0 ||
            strcmp(now, p->granted[i]) != 0)
            return false;
    }
    return true;
}

bool
plan_step_changed(const struct plan *p)
{
    return p->changed;
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

    while (i < p->action->n && !p->verdicts[i].refused)
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

    p->at = refused_step(p);
    v = &p->verdicts[p->at];
    if (v->needs_sudo && v->decision != GUARD_DENY)
        err_set(
            &p->end.why, ERR_DENIED,
            "step %zu needs sudo, which agentsh does not run: run it yourself",
            p->at + 1);
    else
        err_set(&p->end.why, ERR_DENIED, "step %zu: %s", p->at + 1, v->reason);
    complete_plan(p);
}

/* Whether sudo is the only reason for which steps are refused. */
static bool
only_sudo(const struct plan *p)
{
    for (size_t i = 0; i < p->action->n; i++) {
        const struct step_verdict *v = &p->verdicts[i];

        if (v->refused && (!v->needs_sudo || v->decision == GUARD_DENY))
            return false;
    }
    return true;
}

void
plan_start(struct plan *p)
{
    if (plan_refuses(p) && p->set.can_ask && !p->set.by_step && only_sudo(p))
        ask_question(p, PLAN_ASK_SUDO);
    else if (plan_refuses(p))
        refuse_plan(p);
    else if (p->auto_approved || p->set.by_step)
        approve_plan(p);
    else
        ask_question(p, PLAN_ASK_ALL);
}

/* The answer to PLAN_ASK_ELEVATE. */
static void
answer_elevation(struct plan *p, bool yes)
{
    p->ev->elevate(p->arg, p->at, p->elevate_argv,
                   yes ? PLAN_ELEVATE_YES : PLAN_ELEVATE_NO);
    p->elevate_argv = NULL;
    step_run_elevate(p->run, yes);
}

/* Step `at` ran unasked, failed, and is granted more: from now on it is judged
 * as after a yes, which is no change to be asked about, unless it has changed
 * besides. Then its start finds that. */
static void
accept_grants(struct plan *p)
{
    char now[SHA256_HEX_SIZE];

    if (!p->by.auto_approved || judge_one(p, p->at, now, &p->end.why) < 0 ||
        strcmp(now, p->digests[p->at]) != 0)
        return;
    p->by.auto_approved = false;
    (void)judge_one(p, p->at, p->digests[p->at], &p->end.why);
}

static void
decline_plan(struct plan *p)
{
    if (p->question != PLAN_ASK_FAILED)
        err_set(&p->end.why, ERR_DENIED, "not approved%s",
                p->end.executed ? ": the rest was not run"
                                : ": nothing was run");
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
    p->step_asked |= q == PLAN_ASK_STEP || v == PLAN_MORE ||
                     (q == PLAN_ASK_FAILED && !p->auto_approved);
    p->word_asked |= q == PLAN_ASK_WORD ||
                     (p->set.by_step && q == PLAN_ASK_STEP);
    if (v == PLAN_MORE)
        accept_grants(p);
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
    err_set(&p->end.why, ERR_INTERRUPTED, "interrupted in step %zu", p->at + 1);
    complete_plan(p);
}
