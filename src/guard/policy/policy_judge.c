/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_judge.c - the strictest of what the rules say about each part. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "guard/policy/policy_part.h"

/* One step of judging: the rules of the files, then those of the preset for
 * what no file spoke about. */
struct layer {
    const struct policy_rules *const *files;
    size_t n;
    struct policy_parts *parts;
};

static void
say(struct policy_part *part, const struct policy_rules *from,
    const struct policy_rule *rule, enum guard_decision d)
{
    if (part->spoken && d <= part->decision)
        return;
    part->spoken = true;
    part->decision = d;
    part->rule = rule;
    part->from = from;
}

static void
apply(struct policy_parts *all, struct policy_part *part,
      const struct policy_rules *from, const struct policy_rule *rule)
{
    enum policy_fit fit = policy_part_fit(rule, part, all);
    enum guard_decision d = rule->decision;

    if (fit == POLICY_FIT_NO)
        return;
    if (fit == POLICY_FIT_MAY && d == GUARD_DENY)
        d = GUARD_ASK; /* who knows */
    if (d == GUARD_ALLOW && part->call && rule->kind == POLICY_COMMAND &&
        !pattern_is_star(&rule->words[0])) /* which names nothing */
        part->covered = !from->built_in;
    say(part, from, rule, d);
}

/* A rule that asks or denies for a risk: all that it names, somewhere in the
 * line. It speaks about each part that has some of it. */
static void
apply_risk(struct policy_parts *all, const bool *open,
           const struct policy_rules *from, const struct policy_rule *rule)
{
    unsigned line = 0;

    for (size_t i = 0; i < all->n; i++)
        line |= open[i] ? all->v[i].facts : 0;
    if (rule->facts & ~line)
        return;
    for (size_t i = 0; i < all->n; i++)
        if (open[i] && all->v[i].facts & rule->facts)
            say(&all->v[i], from, rule, rule->decision);
}

static void
apply_rule(struct policy_parts *all, const bool *open,
           const struct policy_rules *from, const struct policy_rule *rule)
{
    if (rule->kind == POLICY_RISK && rule->decision != GUARD_ALLOW) {
        apply_risk(all, open, from, rule);
        return;
    }
    for (size_t i = 0; i < all->n; i++)
        if (open[i])
            apply(all, &all->v[i], from, rule);
}

/* What a call names that a file of rules allows is allowed with it, where no
 * rule is against: who wrote that rule meant it. A preset is more careful. */
static void
cover(struct policy_parts *all)
{
    for (size_t i = 0; i < all->n; i++) {
        struct policy_part *part = &all->v[i];
        const struct policy_part *owner = part->owner == POLICY_NO_OWNER
                                              ? NULL
                                              : &all->v[part->owner];

        if (owner && owner->covered && !part->spoken)
            say(part, owner->from, owner->rule, GUARD_ALLOW);
    }
}

static int
apply_layer(struct layer *l)
{
    struct policy_parts *all = l->parts;
    bool *open = calloc(all->n + 1, sizeof(*open));

    if (!open)
        return -1;
    for (size_t i = 0; i < all->n; i++)
        open[i] = !all->v[i].spoken;
    for (size_t f = 0; f < l->n; f++)
        for (size_t k = 0; k < l->files[f]->n; k++)
            apply_rule(all, open, l->files[f], &l->files[f]->v[k]);
    cover(all);
    free(open);
    return 0;
}

static void
trim(char *text)
{
    size_t n = strlen(text);

    text[n - utf8_incomplete_tail(text, n)] = '\0';
}

/* What decided, for a person. */
static void
tell(const struct policy *p, const struct policy_part *part,
     struct policy_verdict *out)
{
    policy_part_text(part, out->why, sizeof(out->why));
    if (!part->rule)
        snprintf(out->rule, sizeof(out->rule), "%s: no rule matches",
                 p->preset.name);
    else if (part->from == &p->preset)
        snprintf(out->rule, sizeof(out->rule), "%s: %s", p->preset.name,
                 part->rule->text);
    else
        snprintf(out->rule, sizeof(out->rule), "%s:%u: %s", part->from->name,
                 part->rule->line, part->rule->text);
    trim(out->rule);
}

/* Whether a part may change something: a call of any program, a file that is
 * written. */
static bool
is_active(const struct policy_part *part)
{
    return part->call || (part->target && part->target->use != RISK_READS);
}

/* Whether the preset is what allows some part. */
static bool
preset_allows(const struct policy *p, const struct policy_parts *all)
{
    for (size_t i = 0; i < all->n; i++)
        if (is_active(&all->v[i]) &&
            (!all->v[i].from || all->v[i].from == &p->preset))
            return true;
    return false;
}

void
policy_judge_parts(const struct policy *p, struct policy_parts *all,
                   struct policy_verdict *out)
{
    const struct policy_rules *files[] = {&p->system, &p->user};
    const struct policy_rules *preset = &p->preset;
    struct layer first = {files, 2, all}, second = {&preset, 1, all};
    const struct policy_part *worst = NULL;

    if (apply_layer(&first) < 0 || apply_layer(&second) < 0) {
        *out = (struct policy_verdict){.decision = GUARD_DENY,
                                       .rule = "out of memory"};
        return;
    }
    *out = (struct policy_verdict){.decision = GUARD_ALLOW};
    snprintf(out->rule, sizeof(out->rule), "%s: no command", p->preset.name);
    for (size_t i = 0; i < all->n; i++) {
        struct policy_part *part = &all->v[i];

        if (!part->spoken) /* nobody said that it may */
            part->decision = GUARD_ASK;
        if (!worst || part->decision > worst->decision)
            worst = part;
    }
    out->by_person = worst && worst->decision == GUARD_ALLOW &&
                     !preset_allows(p, all);
    if (worst) {
        out->decision = worst->decision;
        tell(p, worst, out);
        out->changed = all->lapsed[0] != '\0';
        out->uninstalled = policy_part_why(all, worst, out->reason,
                                           sizeof(out->reason));
    }
}

void
policy_judge(const struct policy *p, const struct risk *r,
             const struct risk_place *where, struct policy_verdict *out)
{
    struct policy_parts all = {0};

    if (policy_parts_of(r, where, &all) < 0)
        *out = (struct policy_verdict){.decision = GUARD_DENY,
                                       .rule = "out of memory"};
    else
        policy_judge_parts(p, &all, out);
    policy_parts_done(&all);
}
