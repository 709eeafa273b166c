/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_show.c - the rules that are in force, for people. */
#include <string.h>

#include "guard/policy/policy_in.h"

static void
show_rule(const struct policy_rule *rule, struct buf *out)
{
    buf_printf(out, "%s\n", rule->text);
    if (rule->in)
        buf_printf(out, "    in %s\n", rule->in);
    if (rule->with)
        buf_printf(out, "    with sha256:%s %s\n", rule->hash, rule->with);
}

void
policy_show(const struct policy *p, struct buf *out)
{
    const struct policy_rules *files[] = {&p->system, &p->user, &p->preset};

    for (size_t f = 0; f < 3; f++) {
        if (files[f]->n == 0)
            continue;
        buf_printf(out, "%s# %s\n", out->len ? "\n" : "", files[f]->name);
        for (size_t i = 0; i < files[f]->n; i++)
            show_rule(&files[f]->v[i], out);
    }
}

void
policy_count(const struct policy *p, struct policy_counts *out)
{
    const struct policy_rules *files[] = {&p->system, &p->user};

    *out = (struct policy_counts){.preset = p->preset.name};
    for (size_t f = 0; f < 2; f++) {
        out->rules += files[f]->n;
        for (size_t i = 0; i < files[f]->n; i++)
            for (const struct policy_example *x = files[f]->v[i].examples; x;
                 x = x->next)
                out->examples++;
    }
}
