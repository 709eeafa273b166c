/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remember.c - a yes that is kept: rules for what a plan's steps do. */
#include "person/remember.h"

#include <string.h>

#include "term/escape.h"
#include "term/style.h"

void
remember_done(struct remember *r)
{
    for (size_t i = 0; r && i < r->n; i++)
        free(r->rules[i]);
    if (r)
        *r = (struct remember){0};
}

static bool
has_rule(const struct remember *r, const char *rule)
{
    for (size_t i = 0; i < r->n; i++) {
        if (strcmp(r->rules[i], rule) == 0)
            return true;
    }
    return false;
}

/* What is asked for another reason than the rules cannot be remembered. */
static int
propose_step(const struct judgement *j, size_t i, struct remember *r,
             struct err *e)
{
    const struct risk_context where = risk_context_here(j->directory);
    CLEANUP(free_p) char *rule = NULL;

    if (j->tool)
        return err_set(e, ERR_DENIED,
                       "step %zu is run by the tool %s: rules are proposed "
                       "only for commands",
                       i + 1, j->tool->name);
    if (j->destructive || j->privileged || j->hidden || j->alone)
        return err_set(e, ERR_DENIED, "step %zu needs approval every time: %s",
                       i + 1, j->reason);
    rule = policy_propose(&j->found.risk, &where, e);
    if (!rule)
        return err_wrap(e, "step %zu", i + 1);
    if (!has_rule(r, rule))
        r->rules[r->n++] = TAKE_PTR(rule);
    return 0;
}

/* Every step is allowed already. What changes more than new files is asked
 * about at each run all the same, but where the person wrote a rule. */
static int
nothing_to_remember(const struct plan *p, size_t steps, struct err *e)
{
    for (size_t i = 0; i < steps && i < AIACTION_STEPS_MAX; i++) {
        char why[256];

        if (plan_needs_yes(p, i, why, e) < 0)
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
remember_propose(const struct plan *p, size_t steps, struct remember *r,
                 struct err *e)
{
    for (size_t i = 0; i < steps && i < AIACTION_STEPS_MAX; i++) {
        const struct judgement *j = plan_judgement(p, i);

        if (j->decision == GUARD_ASK && propose_step(j, i, r, e) < 0)
            return -1;
    }
    return r->n == 0 ? nothing_to_remember(p, steps, e) : 0;
}

void
remember_show(const struct remember *r, struct buf *out, const struct term *t)
{
    buf_printf(out, "\n%s would be added to your rules:\n",
               r->n == 1 ? "This" : "These");
    for (size_t i = 0; i < r->n; i++) {
        buf_printf(out, "     %s", style_on(t, STYLE_COMMAND));
        escape_str(out, t, r->rules[i], 0);
        buf_printf(out, "%s\n", style_off(t, STYLE_COMMAND));
    }
}

int
remember_keep(const struct remember *r, struct err *e)
{
    for (size_t i = 0; i < r->n; i++) {
        if (policy_remember(r->rules[i], e) < 0)
            return -1;
    }
    return 0;
}
