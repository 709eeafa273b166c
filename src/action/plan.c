/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.c - a plan on its way: judged, asked about, run step by step. */
#include "action/plan_in.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "sandbox/probe.h"

static void go_on(void *arg, unsigned events);

void
plan_free(struct plan *p)
{
    if (!p)
        return;
    watch_free(p->soon);
    tool_call_free(p->call);
    buf_done(&p->read);
    additions_close(p->additions);
    for (size_t i = 0; p->judged && i < p->action->n; i++)
        judgement_done(&p->judged[i]);
    tool_pool_free(p->pool);
    manifest_free(p->tool.manifest);
    free(p->tool.program);
    free(p->judged);
    free(p->digests);
    secret_tree_done(&p->secrets);
    free(p->cwd);
    free(p);
}

/* What leaves the view would change things for real. */
static void
refuse_view(struct judgement *j)
{
    snprintf(j->reason, sizeof(j->reason),
             "cannot be previewed: it was granted more than its profile");
    j->refused = true;
    if (j->decision == GUARD_ALLOW)
        j->decision = GUARD_ASK;
}

/* Step i as it would run. What runs unasked gets no more than that. */
static int
judge_one(struct plan *p, size_t i, struct err *e)
{
    const struct risk_context where = {
        .cwd = p->cwd, .workspace = p->cwd, .home = p->judge.home};
    char workspace[PATH_MAX];

    judgement_done(&p->judged[i]);
    if (judge_step(&p->judge, &p->action->steps[i], &p->judged[i], e) < 0)
        return -1;
    if (p->judge.unasked || !plan_is_granted(p, i))
        return 0;
    if (!p->set.preview)
        return grant_apply(&p->set.grants[i],
                           guard_workspace(&where, workspace), &p->judged[i],
                           e);
    refuse_view(&p->judged[i]);
    return 0;
}

static int
judge_steps(struct plan *p, bool unasked, struct err *e)
{
    p->judge.unasked = unasked;
    for (size_t i = 0; i < p->action->n; i++) {
        if (judge_one(p, i, e) < 0)
            return err_wrap(e, "step %zu cannot run; nothing was run", i + 1);
    }
    return 0;
}

static bool all_allowed(struct plan *p);

/* With --yes, as what runs when nobody is asked; where that cannot be, and
 * somebody is there to be asked, as what runs after a yes. */
static int
judge_all(struct plan *p, struct err *e)
{
    p->cwd = getcwd(NULL, 0);
    if (!p->cwd)
        return err_sys(e, "the working directory");
    p->judge = (struct judge){
        .policy = p->set.policy,
        .cwd = p->cwd,
        .home = path_home(),
        .path = getenv("PATH"),
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
    p->unasked = p->set.yes && all_allowed(p);
    if (!p->set.yes || p->unasked || !p->set.can_ask)
        return 0;
    return judge_steps(p, false, e);
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
    buf_init(&p->read, PLAN_READ_MAX);
    p->judged = calloc(a->n, sizeof(*p->judged));
    p->digests = calloc(a->n, sizeof(*p->digests));
    if (!p->judged || !p->digests) {
        err_nomem(e);
        return NULL;
    }
    p->soon = loop_timer(l, 0, go_on, p, e);
    if (!p->soon || judge_all(p, e) < 0)
        return NULL;
    watch_events(p->soon, 0); /* until plan_start */
    return TAKE_PTR(p);
}

const struct judgement *
plan_judgement(const struct plan *p, size_t step)
{
    return &p->judged[step];
}

int
plan_needs_yes(const struct plan *p, size_t step, char why[256], struct err *e)
{
    CLEANUP(judgement_done) struct judgement j = {0};
    struct judge by = p->judge;

    why[0] = '\0';
    by.unasked = true;
    if (judge_step(&by, &p->action->steps[step], &j, e) < 0)
        return -1;
    if (j.decision == GUARD_ASK)
        snprintf(why, 256, "%.255s", j.reason);
    return 0;
}

int
plan_digest(const struct plan *p, char hex[SHA256_HEX_SIZE], struct err *e)
{
    CLEANUP_BUF struct buf all = buf_of(AIACTION_STEPS_MAX * SHA256_HEX_SIZE);

    for (size_t i = 0; i < p->action->n; i++) {
        char one[SHA256_HEX_SIZE];

        if (judge_digest(&p->action->steps[i], &p->judged[i], one, e) < 0)
            return -1;
        buf_str(&all, one);
    }
    sha256_hex(all.p, all.len, hex);
    return 0;
}

const char *const *
plan_needed(const struct plan *p)
{
    return p->need;
}

const char *
plan_trouble(const struct plan *p)
{
    return p->end.why.text;
}

bool
plan_is_granted(const struct plan *p, size_t step)
{
    return p->set.grants && !grant_is_empty(&p->set.grants[step]);
}

const struct denial_remedy *
plan_gain(const struct plan *p)
{
    return &p->gain;
}

void
plan_signal(struct plan *p, int signo)
{
    if (p->call)
        tool_call_signal(p->call, signo);
}

void
plan_hold(struct plan *p, bool held)
{
    p->held = held;
    if (p->call)
        tool_call_hold(p->call, held);
}

/* The last event. why may be p->end.why itself. */
void
plan_complete(struct plan *p)
{
    p->over = true;
    p->token = 0;
    p->end.success = p->end.why.code == ERR_NONE;
    tool_pool_free(TAKE_PTR(p->pool)); /* nothing runs when we say so */
    p->ev->complete(p->arg, &p->end);
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
                p->at + 1, p->judged[p->at].reason);
}

void
plan_ask(struct plan *p, enum plan_question q)
{
    if (!p->set.can_ask) {
        cannot_ask(p, q);
        plan_complete(p);
        return;
    }
    p->question = q;
    p->token = ++p->last_token;
    p->ev->ask(p->arg, p->token, q, p->at);
}

static bool
all_allowed(struct plan *p)
{
    for (size_t i = 0; i < p->action->n; i++) {
        if (p->judged[i].decision != GUARD_ALLOW) {
            p->at = p->set.can_ask ? 0 : i; /* the one to name */
            return false;
        }
    }
    return true;
}

static void
approve(struct plan *p)
{
    for (size_t i = 0; i < p->action->n; i++) {
        if (judge_digest(&p->action->steps[i], &p->judged[i], p->digests[i],
                         &p->end.why) < 0) {
            plan_complete(p);
            return;
        }
    }
    p->approved = true;
    go_on(p, 0);
}

/* The first step that cannot be run by us; past the last: none. */
static size_t
refused_step(const struct plan *p)
{
    size_t i = 0;

    while (i < p->action->n && !p->judged[i].refused)
        i++;
    return i;
}

bool
plan_refuses(const struct plan *p)
{
    return refused_step(p) < p->action->n;
}

static void
refuse(struct plan *p)
{
    const struct judgement *j;

    p->at = refused_step(p);
    j = &p->judged[p->at];
    if (j->needs_sudo && j->decision != GUARD_DENY)
        err_set(
            &p->end.why, ERR_DENIED,
            "step %zu needs sudo, which agentsh does not run: run it yourself",
            p->at + 1);
    else
        err_set(&p->end.why, ERR_DENIED, "step %zu: %s", p->at + 1, j->reason);
    plan_complete(p);
}

/* Whether nothing but sudo stands against the steps that are refused. */
static bool
only_sudo(const struct plan *p)
{
    for (size_t i = 0; i < p->action->n; i++) {
        const struct judgement *j = &p->judged[i];

        if (j->refused && (!j->needs_sudo || j->decision == GUARD_DENY))
            return false;
    }
    return true;
}

void
plan_start(struct plan *p)
{
    if (plan_refuses(p) && p->set.can_ask && only_sudo(p))
        plan_ask(p, PLAN_ASK_SUDO);
    else if (plan_refuses(p))
        refuse(p);
    else if (p->unasked)
        approve(p);
    else
        plan_ask(p, PLAN_ASK_ALL);
}

void
plan_step_over(struct plan *p)
{
    p->at++;
    p->step_asked = p->word_asked = p->stricter = false;
    watch_events(p->soon, LOOP_READ);
    watch_again(p->soon, 0);
}

/* As it would run now. A step that cannot run unasked any more is judged as
 * what runs when the person says yes to it. */
static int
judge_at(struct plan *p)
{
    const struct judgement *j = &p->judged[p->at];

    p->judge.unasked = p->unasked && !p->step_asked && !p->word_asked;
    if (judge_one(p, p->at, &p->end.why) < 0)
        return -1;
    if (!p->judge.unasked || j->decision == GUARD_ALLOW || !p->set.can_ask)
        return 0;
    p->judge.unasked = false;
    p->stricter = true;
    return judge_one(p, p->at, &p->end.why);
}

/* The steps before may have changed what this one would do: a file that was
 * new is there now. What became stricter, or needs another profile, is asked
 * about. */
static int
judge_again(struct plan *p)
{
    const struct step *s = &p->action->steps[p->at];
    struct judgement *j = &p->judged[p->at];
    enum guard_decision before = j->decision;
    char now[SHA256_HEX_SIZE];

    if (judge_at(p) < 0)
        return err_wrap(&p->end.why, "step %zu cannot run", p->at + 1);
    if (j->refused)
        return err_set(&p->end.why, ERR_DENIED, "step %zu: %s", p->at + 1,
                       j->reason);
    if (judge_digest(s, j, now, &p->end.why) < 0)
        return -1;
    if (strcmp(now, p->digests[p->at]) != 0) {
        p->stricter = true;
        memcpy(p->digests[p->at], now, sizeof(now));
    }
    p->stricter |= j->decision > before;
    return 0;
}

/* The question that step `at` still needs. */
static bool
next_question(const struct plan *p, enum plan_question *q)
{
    const struct judgement *j = &p->judged[p->at];
    bool alone = j->alone && p->action->n > 1;

    *q = PLAN_ASK_STEP;
    if (!p->step_asked && (p->set.each_step || p->stricter))
        return true;
    /* in a view nothing is lost before the person keeps it */
    if ((j->destructive || j->privileged) && !p->word_asked &&
        !p->set.preview) {
        *q = PLAN_ASK_WORD;
        return true;
    }
    return alone && !p->step_asked && !p->word_asked;
}

/* The next step: its questions, then its run, or the end. */
static void
go_on(void *arg, unsigned events)
{
    struct plan *p = arg;
    enum plan_question q;

    (void)events;
    if (!p->over && p->need && !p->token)
        plan_ask(p, PLAN_ASK_NEED);
    if (p->over || p->token || p->call || !p->approved)
        return;
    if (p->at == p->action->n) {
        p->end.why = p->skipped; /* not every step succeeded, then */
        plan_complete(p);
        return;
    }
    if (p->part == PLAN_REST) { /* which was approved with its beginning */
        if (plan_run_step(p, &p->end.why) < 0)
            plan_complete(p);
        return;
    }
    if (judge_again(p) < 0) {
        plan_complete(p);
        return;
    }
    if (next_question(p, &q)) {
        plan_ask(p, q);
        return;
    }
    p->ev->step_begin(p->arg, p->at);
    secret_tree_forget(&p->secrets); /* but for what this step is closed to */
    if (plan_run_step(p, &p->end.why) < 0)
        plan_complete(p);
}

static void
quit(struct plan *p)
{
    if (p->question != PLAN_ASK_FAILED)
        err_set(&p->end.why, ERR_DENIED, "not approved%s",
                p->end.executed ? ": the rest was not run"
                                : ": nothing was run");
    plan_complete(p);
}

void
plan_answer(struct plan *p, unsigned token, enum plan_verdict v)
{
    enum plan_question q = p->question;

    if (token == 0 || token != p->token)
        return;
    p->token = 0;
    if (q == PLAN_ASK_NEED) {
        plan_agree(p, v == PLAN_RUN);
        return;
    }
    if (q == PLAN_ASK_SUDO) {
        refuse(p);
        return;
    }
    if (v == PLAN_QUIT) {
        quit(p);
        return;
    }
    p->set.each_step |= v == PLAN_STEPS;
    if (v == PLAN_SKIP && q == PLAN_ASK_FAILED)
        p->skipped = p->end.why;
    p->end.why = (struct err){0};
    if (v == PLAN_SKIP) {
        plan_step_over(p);
        return;
    }
    p->step_asked |= q == PLAN_ASK_STEP || v == PLAN_MORE ||
                     (q == PLAN_ASK_FAILED && !p->unasked);
    p->word_asked |= q == PLAN_ASK_WORD;
    if (q == PLAN_ASK_ALL)
        approve(p);
    else
        go_on(p, 0);
}

void
plan_cancel(struct plan *p)
{
    if (p->over)
        return;
    plan_call_over(p);
    err_set(&p->end.why, ERR_INTERRUPTED, "interrupted in step %zu", p->at + 1);
    plan_complete(p);
}
