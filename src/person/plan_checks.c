/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_checks.c - the steps of a plan that only look. */
#include "person/plan_checks.h"

/* Whatever one of these stands for is worth seeing. */
#define NOT_A_CHECK                                                            \
    (RISK_DESTRUCTIVE | RISK_SUDO | RISK_PRIVILEGED | RISK_NETWORK |           \
     RISK_SECRET | RISK_OPAQUE | RISK_ACTS | RISK_TERMINAL | RISK_UNKNOWN |    \
     RISK_WRITES)

static bool
is_check(const struct step *s, const struct judgement *j)
{
    const struct profile_choice *c = &j->found.profile;

    return !s->tool && !j->reason[0] && j->decision == GUARD_ALLOW &&
           !j->destructive && !j->privileged && !j->hidden && !j->refused &&
           !j->secret && !j->alone && !c->net && c->n_writable == 0 &&
           !(j->found.risk.facts & NOT_A_CHECK);
}

struct plan_checks
plan_checks_find(const struct aiaction *a, const struct plan *p)
{
    struct plan_checks c = {0};

    while (c.before < a->n &&
           is_check(&a->steps[c.before], plan_judgement(p, c.before)))
        c.before++;
    if (c.before == a->n)
        return (struct plan_checks){0};
    while (is_check(&a->steps[a->n - 1 - c.after],
                    plan_judgement(p, a->n - 1 - c.after)))
        c.after++;
    return c;
}

bool
plan_checks_has(const struct plan_checks *c, size_t i, size_t n)
{
    return c && (i < c->before || i >= n - c->after);
}
