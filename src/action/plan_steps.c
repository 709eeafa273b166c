/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_steps.c - judges the steps of a plan, and keeps how they were shown. */
#include "action/plan_steps.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "action/approval.h"
#include "sandbox/probe.h"

int
plan_steps_init(struct plan_steps *p, const struct aiaction *action,
                const struct plan_setting *set, struct err *e)
{
    size_t n = action->n;

    *p = (struct plan_steps){.action = action, .set = set};
    p->verdicts = calloc(n, sizeof(*p->verdicts));
    p->digests = calloc(n, sizeof(*p->digests));
    p->granted = calloc(n, sizeof(*p->granted));
    p->auto_allowed = calloc(n, sizeof(*p->auto_allowed));
    if (!p->verdicts || !p->digests || !p->granted || !p->auto_allowed)
        return err_nomem(e);
    return 0;
}

void
plan_steps_done(struct plan_steps *p)
{
    for (size_t i = 0; p->verdicts && i < p->action->n; i++)
        step_verdict_done(&p->verdicts[i]);
    free(p->verdicts);
    free(p->digests);
    free(p->granted);
    free(p->auto_allowed);
    secret_tree_done(&p->secrets);
}

static bool
is_granted(const struct plan_steps *p, size_t i)
{
    return p->set->grants && !grant_is_empty(&p->set->grants[i]);
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

static void
judge_undo(struct plan_steps *p, size_t i)
{
    if (!p->undo)
        return;
    p->machine.tools = p->set->registry;
    p->machine.namespaces = p->by.machine == PROBE_WHOLE;
    p->machine.budget_bytes =
        (uint64_t)config_int(p->set->config, CONFIG_RECORD_UNDO_MB) << 20;
    undo_paths_judge(&p->action->steps[i], &p->verdicts[i], &p->machine);
}

/* Judges step i as it would run, and takes its digest before it is granted
 * more. A step that runs auto_allowed gets no grants. */
static int
judge_one(struct plan_steps *p, size_t i, char hex[SHA256_HEX_SIZE],
          struct err *e)
{
    const struct path_context where = path_context_of(p->set->seat);
    const struct step *s = &p->action->steps[i];
    char workspace[PATH_MAX];

    step_verdict_done(&p->verdicts[i]);
    if (step_verdict_make(&p->by, s, &p->verdicts[i], e) < 0)
        return -1;
    judge_undo(p, i);
    if (approval_digest(s, &p->verdicts[i], hex, e) < 0)
        return -1;
    memcpy(p->granted[i], hex, SHA256_HEX_SIZE);
    if (p->by.auto_approved || !is_granted(p, i))
        return 0;
    if (p->set->preview) {
        refuse_view(&p->verdicts[i]);
        return 0;
    }
    if (grant_apply(&p->set->grants[i], guard_workspace(&where, workspace),
                    &p->verdicts[i], e) < 0)
        return -1;
    judge_undo(p, i);
    return approval_digest(s, &p->verdicts[i], p->granted[i], e);
}

/* Whether a yes that was given for the session covers the tool of step i, as it
 * is judged now. A command has its yes as a rule. */
static bool
is_covered(const struct plan_steps *p, size_t i)
{
    return p->verdicts[i].decision == GUARD_ALLOW && p->set->is_covered &&
           p->set->is_covered(p->set->covered_arg, &p->action->steps[i]);
}

/* Whether what the step runs in lets it change nothing, and reach no network:
 * a rule, which may be one of this session, lets a step have more. */
static bool
only_reads(const struct step_verdict *v)
{
    const struct profile_choice *c = &v->found.profile;

    if (v->tool)
        return v->permit.read_only;
    return (c->profile == PROFILE_READ_ONLY || c->profile == PROFILE_OBSERVE ||
            c->profile == PROFILE_OBSERVE_PROC) &&
           c->n_added == 0 && c->n_writable == 0 && !c->net;
}

static int
judge_as(struct plan_steps *p, size_t i, bool auto_approved,
         const char *outside, char hex[SHA256_HEX_SIZE], struct err *e)
{
    p->by.auto_approved = auto_approved;
    p->by.outside = outside;
    return judge_one(p, i, hex, e);
}

/* Judges a step that needs a yes, and may have got one for good. Text from
 * outside may tell the model what to do with that, so that after it a step is
 * allowed only if it is the same in all that an approval covers. */
static int
judge_covered(struct plan_steps *p, size_t i, char hex[SHA256_HEX_SIZE],
              struct err *e)
{
    const struct plan_setting *set = p->set;
    const struct step_verdict *v = &p->verdicts[i];

    if (!set->outside && v->tool) {
        if (judge_as(p, i, false, NULL, hex, e) < 0)
            return -1;
        p->auto_allowed[i] = !set->reads_only && is_covered(p, i);
        if (p->auto_allowed[i])
            return 0;
    }
    if (judge_as(p, i, false, set->outside, hex, e) < 0)
        return -1;
    p->auto_allowed[i] = set->outside && !set->reads_only && !v->refused &&
                         set->was_allowed &&
                         set->was_allowed(set->covered_arg, hex);
    return 0;
}

/* Judges step i as it runs unasked; where it needs a yes, as after one. Who
 * lets steps write unasked takes the risk that others wrote what they are made
 * of. */
static int
judge_by_step(struct plan_steps *p, size_t i, char hex[SHA256_HEX_SIZE],
              struct err *e)
{
    const struct plan_setting *set = p->set;
    const struct step_verdict *v = &p->verdicts[i];

    if (judge_as(p, i, !set->writes, set->writes ? NULL : set->outside, hex,
                 e) < 0)
        return -1;
    p->auto_allowed[i] = v->decision == GUARD_ALLOW &&
                         (!set->reads_only || only_reads(v));
    if (p->auto_allowed[i] || set->writes)
        return 0;
    return judge_covered(p, i, hex, e);
}

static int
judge_steps(struct plan_steps *p, bool auto_approved, struct err *e)
{
    p->by.auto_approved = auto_approved;
    for (size_t i = 0; i < p->action->n; i++) {
        if ((p->set->by_step ? judge_by_step : judge_one)(p, i, p->digests[i],
                                                          e) < 0)
            return err_wrap(e, "step %zu cannot run; nothing was run", i + 1);
    }
    return 0;
}

static bool
all_allowed(struct plan_steps *p)
{
    for (size_t i = 0; i < p->action->n; i++) {
        if (p->verdicts[i].decision != GUARD_ALLOW) {
            p->at = p->set->can_ask ? 0 : i; /* the step to name */
            return false;
        }
    }
    return true;
}

/* With --yes, judges the steps as if nobody is asked. If one needs a yes then,
 * or each does, and somebody can be asked, all are judged as after a yes. */
int
plan_steps_judge(struct plan_steps *p, struct err *e)
{
    if (!seat_need_dir(p->set->seat, e))
        return -1;
    p->secrets.unwanted = p->unwanted;
    p->by = (struct step_verdict_params){
        .policy = p->set->policy,
        .hosts = p->set->hosts,
        .seat = p->set->seat,
        .preview = p->set->preview != NULL,
        .machine = probe_machine(false),
        .allow_reduced = p->set->reduced ||
                         config_bool(p->set->config,
                                     CONFIG_SANDBOX_ALLOW_REDUCED),
        .registry = p->set->registry,
        .config = p->set->config,
        .outside = p->set->outside,
        .named = p->set->named,
        .undoing = p->set->undoing,
        .secrets = &p->secrets,
        .unwanted = p->unwanted,
        .own_terminal = p->set->own_terminal && p->set->can_ask &&
                        !p->set->by_step && !p->set->hosts,
    };
    if (judge_steps(p, p->set->yes, e) < 0)
        return -1;
    if (p->set->by_step)
        return 0;
    p->auto_approved = p->set->yes && all_allowed(p);
    if (!p->set->yes || !p->set->can_ask ||
        (p->auto_approved && !p->set->each_step))
        return 0;
    return judge_steps(p, false, e);
}

/* A step that was to run unasked, and needs a yes now, is not what was
 * shown: its digest differs. */
static int
judge_at_by_step(struct plan_steps *p, char hex[SHA256_HEX_SIZE], struct err *e)
{
    if (p->auto_allowed[p->at] && judge_by_step(p, p->at, hex, e) == 0)
        return 0;
    if (!p->auto_allowed[p->at] &&
        judge_as(p, p->at, false, p->set->writes ? NULL : p->set->outside, hex,
                 e) == 0)
        return 0;
    return err_wrap(e, "step %zu cannot run", p->at + 1);
}

/* Judges step `at` as it would run now. A step that cannot run auto_allowed any
 * more is judged as after a yes. */
static int
judge_at(struct plan_steps *p, char hex[SHA256_HEX_SIZE], struct err *e)
{
    const struct step_verdict *v = &p->verdicts[p->at];

    if (p->set->by_step)
        return judge_at_by_step(p, hex, e);
    p->by.auto_approved = p->auto_approved && !p->set->each_step &&
                          !p->stricter && !p->step_asked && !p->word_asked;
    if (judge_one(p, p->at, hex, e) < 0)
        return err_wrap(e, "step %zu cannot run", p->at + 1);
    if (!p->by.auto_approved || v->decision == GUARD_ALLOW || !p->set->can_ask)
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
forget_answers(struct plan_steps *p, const char hex[SHA256_HEX_SIZE],
               struct err *e)
{
    p->stricter = p->changed = true;
    p->step_asked = p->word_asked = false;
    if (p->set->can_ask)
        return judge_at(p, p->digests[p->at], e);
    memcpy(p->digests[p->at], hex, SHA256_HEX_SIZE);
    return 0;
}

/* Earlier steps, or others while a question stood, may have changed what this
 * one does: a file that was new exists now, a script holds other lines. The
 * person is asked about a step that became stricter or differs from what was
 * shown. */
int
plan_steps_judge_next(struct plan_steps *p, struct err *e)
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

bool
plan_steps_question(const struct plan_steps *p, enum plan_question *q)
{
    const struct step_verdict *v = &p->verdicts[p->at];
    bool alone = v->alone && p->action->n > 1;

    *q = PLAN_ASK_STEP;
    if (p->set->by_step)
        return !p->step_asked && (!p->auto_allowed[p->at] || p->stricter);
    if (!p->step_asked && (p->set->each_step || p->stricter))
        return true;
    /* in a preview nothing is lost before the person keeps it */
    if ((v->destructive || v->privileged) && !p->word_asked &&
        !p->set->preview) {
        *q = PLAN_ASK_WORD;
        return true;
    }
    return alone && !p->step_asked && !p->word_asked;
}

/* Why step `at` is asked about. */
static const char *
question_reason(const struct plan_steps *p)
{
    const struct step_verdict *v = &p->verdicts[p->at];

    if (v->reason[0])
        return v->reason;
    return p->set->reads_only  ? "this session only reads"
           : p->set->each_step ? "--step asks about each step"
           : p->changed        ? "it is not what it was when the plan was shown"
                               : "it needs a confirmation of its own";
}

void
plan_steps_refuse(const struct plan_steps *p, enum plan_question q,
                  struct err *e)
{
    if (p->set->by_step)
        err_set(e, ERR_DENIED,
                "step %zu is refused, since it needs approval: %s", p->at + 1,
                question_reason(p));
    else if (q == PLAN_ASK_ALL && !p->set->yes)
        err_set(e, ERR_DENIED,
                "the plan needs your approval, and there is no terminal to ask "
                "on: nothing was run%s",
                p->set->undoing ? ""
                                : " (--yes approves steps that only read or "
                                  "add files)");
    else
        err_set(e, ERR_DENIED,
                "step %zu needs your approval, and there is no terminal to ask "
                "on: %s",
                p->at + 1, question_reason(p));
}

/* Step `at` ran unasked, failed, and is granted more: from now on it is
 * judged as after a yes, which is no change to be asked about, unless it has
 * changed besides. Then its start finds that. */
void
plan_steps_accept_grants(struct plan_steps *p, struct err *e)
{
    char now[SHA256_HEX_SIZE];

    if (!p->by.auto_approved || judge_one(p, p->at, now, e) < 0 ||
        strcmp(now, p->digests[p->at]) != 0)
        return;
    p->by.auto_approved = p->auto_allowed[p->at] = false;
    (void)judge_one(p, p->at, p->digests[p->at], e);
}

int
plan_steps_needs_approval(const struct plan_steps *p, size_t step,
                          char why[256], struct err *e)
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
plan_steps_digest(const struct plan_steps *p, char hex[SHA256_HEX_SIZE],
                  struct err *e)
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
plan_steps_are_as_shown(const struct plan_steps *p)
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
