/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rule_proposal.c - proposes rules that allow the steps of a plan from now on.
 */
#include "ui/rule_proposal.h"

#include <string.h>

#include "base/message.h"
#include "term/escape.h"
#include "term/style.h"

void
rule_proposal_done(struct rule_proposal *r)
{
    for (size_t i = 0; r && i < r->n; i++)
        free(r->rules[i]);
    if (r)
        *r = (struct rule_proposal){0};
}

static bool
has_rule(const struct rule_proposal *r, const char *rule)
{
    for (size_t i = 0; i < r->n; i++) {
        if (strcmp(r->rules[i], rule) == 0)
            return true;
    }
    return false;
}

/* A step that needs approval for another reason than the rules cannot be
 * allowed by a rule. */
static int
propose_step(const struct seat *s, const struct step_verdict *v, size_t i,
             struct rule_proposal *r, struct err *e)
{
    struct path_context where = path_context_of(s);
    CLEANUP(free_p) char *rule = NULL;

    if (v->tool)
        return err_set(e, ERR_DENIED,
                       "step %zu is run by the tool %s: rules are proposed "
                       "only for commands",
                       i + 1, v->tool->name);
    if (v->destructive || v->privileged || v->hidden || v->alone)
        return err_set(e, ERR_DENIED, "step %zu needs approval every time: %s",
                       i + 1, v->reason);
    where.cwd = v->directory;
    rule = policy_propose(&v->found.risk, &where, e);
    if (!rule)
        return err_wrap(e, "step %zu", i + 1);
    if (!has_rule(r, rule))
        r->rules[r->n++] = TAKE_PTR(rule);
    return 0;
}

/* Every step is allowed already. A step that changes more than new files still
 * needs approval at each run, unless the user wrote a rule for it. */
static int
nothing_to_propose(const struct plan *p, size_t steps, struct err *e)
{
    for (size_t i = 0; i < steps && i < AIACTION_STEPS_MAX; i++) {
        char why[256];

        if (plan_needs_approval(p, i, why, e) < 0)
            return -1;
        if (why[0])
            return err_set(e, ERR_NOT_FOUND,
                           "nothing to remember: step %zu is already allowed; "
                           "%s, each time",
                           i + 1, why);
    }
    return err_set(e, ERR_NOT_FOUND,
                   "nothing to remember: every step is already allowed");
}

int
rule_proposal_make(const struct seat *s, const struct plan *p, size_t steps,
                   struct rule_proposal *r, struct err *e)
{
    for (size_t i = 0; i < steps && i < AIACTION_STEPS_MAX; i++) {
        const struct step_verdict *v = plan_step_verdict(p, i);

        if (v->decision == GUARD_ASK && propose_step(s, v, i, r, e) < 0)
            return -1;
    }
    return r->n == 0 ? nothing_to_propose(p, steps, e) : 0;
}

void
rule_proposal_show(const struct rule_proposal *r, struct buf *out,
                   const struct term *t)
{
    buf_printf(out, _("\n%s would be added to your rules:\n"),
               r->n == 1 ? "This" : "These");
    for (size_t i = 0; i < r->n; i++) {
        buf_printf(out, "     %s", style_on(t, STYLE_COMMAND));
        escape_str(out, t, r->rules[i], 0);
        buf_printf(out, "%s\n", style_off(t, STYLE_COMMAND));
    }
}

int
rule_proposal_keep(const struct seat *s, const struct rule_proposal *r,
                   struct err *e)
{
    for (size_t i = 0; i < r->n; i++) {
        if (policy_remember(s, r->rules[i], e) < 0)
            return -1;
    }
    return 0;
}
