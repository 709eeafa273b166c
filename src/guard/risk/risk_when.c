/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_when.c - whether the conditions of a stanza's line hold. */
#include <string.h>

#include "guard/risk/risk_hosts.h"
#include "guard/risk/risk_memory.h"
#include "guard/risk/risk_paths.h"
#include "guard/risk/risk_rules.h"

static bool
has_number(const struct risk_parsed *p)
{
    for (size_t i = 0; i < p->n_operands; i++) {
        const char *s = p->operands[i]->text;

        if (s[0] && strspn(s, "0123456789") == strlen(s))
            return true;
    }
    return false;
}

static bool
has_remote(struct risk_applying *a)
{
    for (size_t i = 0; i < a->p->n_operands; i++) {
        const char *s = a->p->operands[i]->text;

        if (risk_is_remote(s) && !risk_is_loopback(risk_host_of(a->st, s)))
            return true;
    }
    return false;
}

static bool
has_system(struct risk_applying *a)
{
    for (size_t i = 0; i < a->p->n_operands; i++)
        if (risk_is_system(a->st, a->p->operands[i]))
            return true;
    return false;
}

static bool
would_overwrite(struct risk_applying *a, const struct program *program)
{
    const struct program_rule *r = program_rules(program);

    for (size_t i = 0; i < program->n_rules; i++) {
        struct risk_args args = {0};

        if (r[i].verb != PROGRAM_CHANGES)
            continue;
        risk_select(a->st, a->p, &r[i], &args);
        for (size_t j = 0; j < args.n; j++)
            if (risk_exists(a->st, &args.v[j]))
                return true;
    }
    return false;
}

static bool
when_holds(struct risk_applying *a, unsigned when)
{
    size_t n = a->p->n_operands;
    bool piped = a->frame->input.kind != RISK_INPUT_NONE;

    return !(
        (when & PROGRAM_WHEN_ARGS && n < 1) ||
        (when & PROGRAM_WHEN_NO_ARGS && n > 0) ||
        (when & PROGRAM_WHEN_NO_ARGS_2 && n > 1) ||
        (when & PROGRAM_WHEN_ARGS_2 && n < 2) ||
        (when & PROGRAM_WHEN_ARGS_3 && n < 3) ||
        (when & PROGRAM_WHEN_PIPED && !piped) ||
        (when & PROGRAM_WHEN_NOT_PIPED && piped) ||
        (when & PROGRAM_WHEN_NUMBERS && !has_number(a->p)) ||
        (when & PROGRAM_WHEN_REMOTE && !has_remote(a)) ||
        (when & PROGRAM_WHEN_SYSTEM && !has_system(a)) ||
        (when & PROGRAM_WHEN_EXISTS && !would_overwrite(a, a->p->program)));
}

bool
risk_rule_holds(struct risk_applying *a, const struct program_rule *r)
{
    const struct program_clause *c = program_clauses(r);
    bool vouches = r->verb == PROGRAM_PLAIN;

    /* What might stand there is enough to warn, and too little to vouch. */
    for (size_t i = 0; i < r->n_clauses; i++)
        if (risk_stands(a->p, c[i].words, vouches != c[i].unless) ==
            c[i].unless)
            return false;
    return !r->when || when_holds(a, r->when);
}
