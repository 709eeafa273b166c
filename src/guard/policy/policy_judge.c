/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_judge.c - applies rules to the parts of a line; the strictest wins. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/path.h"
#include "base/utf8.h"
#include "guard/path/secret.h"
#include "guard/policy/policy_match.h"
#include "guard/policy/policy_part.h"

static enum policy_fit
fit_if(bool yes)
{
    return yes ? POLICY_FIT_YES : POLICY_FIT_NO;
}

static enum policy_fit
host_fit(const struct policy_rule *rule, const char *name)
{
    const struct policy_pattern *p = &rule->words[0];
    char host[POLICY_HOST_MAX];
    size_t n = strlen(name);

    if (n == 0 || n >= sizeof(host)) { /* it may be any host */
        if (policy_pattern_is_star(p))
            return POLICY_FIT_YES;
        return rule->decision == GUARD_ALLOW ? POLICY_FIT_NO : POLICY_FIT_MAY;
    }
    for (size_t i = 0; i <= n; i++)
        host[i] = (char)tolower((unsigned char)name[i]);
    n -= n > 1 && host[n - 1] == '.';
    return fit_if(policy_pattern_matches(p, host, n, false));
}

static enum policy_fit
tool_fit(const struct policy_rule *rule, const struct policy_part *part)
{
    const char *action = part->action ? part->action : "";
    const struct policy_pattern *p = rule->words;

    if (rule->kind == POLICY_ACTION)
        return fit_if(policy_pattern_matches(p, action, strlen(action), false));
    return fit_if(
        policy_pattern_matches(p, part->tool, strlen(part->tool), false) &&
        (rule->n == 1 ||
         policy_pattern_matches(p + 1, action, strlen(action), false)));
}

/* A call that is not alone may start elsewhere: after cd, or in a function. */
static bool
is_pinned(const struct policy_rule *rule, const struct risk_call *call,
          struct policy_parts *all)
{
    if (all->trusting || (!rule->in && !rule->with))
        return true;
    return all->n_calls == 1 &&
           policy_pin_holds(rule, call, &all->ctx, all->lapsed);
}

static enum policy_fit
call_fit(const struct policy_rule *rule, const struct policy_part *part,
         struct policy_parts *all)
{
    const struct policy_match_call call = {.call = part->call,
                                           .facts = part->facts,
                                           .vetted = part->vetted,
                                           .trusting = all->trusting};

    if (rule->decision == GUARD_ALLOW)
        return fit_if(policy_match_certain(rule, &call, &all->ctx) &&
                      is_pinned(rule, part->call, all));
    return fit_if(policy_match_possible(rule, part->call, &all->ctx));
}

enum policy_fit
policy_part_fit(const struct policy_rule *rule, const struct policy_part *part,
                struct policy_parts *all)
{
    unsigned heavy = part->facts & POLICY_RISKY;

    switch (rule->kind) {
    case POLICY_COMMAND:
        return part->call ? call_fit(rule, part, all) : POLICY_FIT_NO;
    case POLICY_READ:
    case POLICY_WRITE:
        return part->target ? policy_target_fit(rule, part->target, &all->ctx)
                            : POLICY_FIT_NO;
    case POLICY_HOST:
        return part->host ? host_fit(rule, part->host->name) : POLICY_FIT_NO;
    case POLICY_TOOL:
    case POLICY_ACTION:
        return part->tool ? tool_fit(rule, part) : POLICY_FIT_NO;
    case POLICY_RISK:
        break;
    }
    return fit_if(rule->decision == GUARD_ALLOW && heavy &&
                  !(heavy & ~rule->facts));
}

/* The rules of the files are one layer. The preset is the next, and applies to
 * what no file has a rule for. */
struct rule_layer {
    const struct policy_rules *const *files;
    size_t n;
    struct policy_parts *parts;
};

static void
set_decision(struct policy_part *part, const struct policy_rules *from,
             const struct policy_rule *rule, enum guard_decision d)
{
    if (part->decided && d <= part->decision)
        return;
    part->decided = true;
    part->decision = d;
    part->rule = rule;
    part->from = from;
}

static void
apply_to_part(struct policy_parts *all, struct policy_part *part,
              const struct policy_rules *from, const struct policy_rule *rule)
{
    enum policy_fit fit = policy_part_fit(rule, part, all);
    enum guard_decision d = rule->decision;

    if (fit == POLICY_FIT_NO)
        return;
    if (fit == POLICY_FIT_MAY && d == GUARD_DENY)
        d = GUARD_ASK; /* only a possible match */
    /* a lone star names no program */
    if (d == GUARD_ALLOW && part->call && rule->kind == POLICY_COMMAND &&
        !policy_pattern_is_star(&rule->words[0]))
        part->covered = !from->built_in;
    set_decision(part, from, rule, d);
}

/* Applies a rule that asks or denies for facts: the line must have all of them,
 * in whichever parts. The rule then decides about each part that has one. */
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
            set_decision(&all->v[i], from, rule, rule->decision);
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
            apply_to_part(all, &all->v[i], from, rule);
}

/* When a file's rule allows a call, it also allows what the call names, unless
 * another rule is against that: the author of the rule meant it. A preset's
 * rule does not. */
static void
allow_covered_parts(struct policy_parts *all)
{
    for (size_t i = 0; i < all->n; i++) {
        struct policy_part *part = &all->v[i];
        const struct policy_part *owner = part->owner == POLICY_NO_OWNER
                                              ? NULL
                                              : &all->v[part->owner];

        if (owner && owner->covered && !part->decided)
            set_decision(part, owner->from, owner->rule, GUARD_ALLOW);
    }
}

static int
apply_layer(struct rule_layer *l)
{
    struct policy_parts *all = l->parts;
    bool *open = calloc(all->n + 1, sizeof(*open));

    if (!open)
        return -1;
    for (size_t i = 0; i < all->n; i++)
        open[i] = !all->v[i].decided;
    for (size_t f = 0; f < l->n; f++)
        for (size_t k = 0; k < l->files[f]->n; k++)
            apply_rule(all, open, l->files[f], &l->files[f]->v[k]);
    allow_covered_parts(all);
    free(open);
    return 0;
}

static void
trim_partial_character(char *text)
{
    size_t n = strlen(text);

    text[n - utf8_incomplete_tail(text, n)] = '\0';
}

/* Writes which rule decided, for a person. */
static void
describe_decision(const struct policy *p, const struct policy_part *part,
                  struct policy_verdict *out)
{
    policy_part_text(part, out->part, sizeof(out->part));
    if (!part->rule)
        snprintf(out->rule, sizeof(out->rule), "%s: no rule matches",
                 p->preset.name);
    else if (part->from == &p->preset)
        snprintf(out->rule, sizeof(out->rule), "%s: %s", p->preset.name,
                 part->rule->text);
    else
        snprintf(out->rule, sizeof(out->rule), "%s:%u: %s", part->from->name,
                 part->rule->line, part->rule->text);
    trim_partial_character(out->rule);
}

/* Whether a part may change something: any call, and any file that is
 * written. */
static bool
may_change(const struct policy_part *part)
{
    return part->call || (part->target && part->target->use != RISK_READS);
}

/* Whether the preset allows some active part. */
static bool
preset_allows(const struct policy *p, const struct policy_parts *all)
{
    for (size_t i = 0; i < all->n; i++)
        if (may_change(&all->v[i]) &&
            (!all->v[i].from || all->v[i].from == &p->preset))
            return true;
    return false;
}

static void
judge_parts(const struct policy *p, struct policy_parts *all,
            struct policy_verdict *out)
{
    const struct policy_rules *files[] = {&p->system, &p->user, &p->added};
    const struct policy_rules *preset = &p->preset;
    struct rule_layer first = {files, ARRAY_SIZE(files), all},
                      second = {&preset, 1, all};
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

        if (!part->decided) /* no rule allows it */
            part->decision = GUARD_ASK;
        if (!worst || part->decision > worst->decision)
            worst = part;
    }
    out->by_person = worst && worst->decision == GUARD_ALLOW &&
                     !preset_allows(p, all);
    if (worst) {
        out->decision = worst->decision;
        describe_decision(p, worst, out);
        out->reason_kind = policy_part_reason(all, worst, out->reason,
                                              sizeof(out->reason));
    }
}

void
policy_judge(const struct policy *p, const struct risk *r,
             const struct path_context *where, struct policy_verdict *out)
{
    struct policy_parts all = {0};

    if (policy_parts_of(r, where, &all) < 0)
        *out = (struct policy_verdict){.decision = GUARD_DENY,
                                       .rule = "out of memory"};
    else
        judge_parts(p, &all, out);
    policy_parts_done(&all);
}

/* Tools */

static void
judge_single_part(const struct policy *p, struct policy_part part,
                  struct policy_verdict *out)
{
    struct policy_parts all = {.v = &part, .n = 1};

    part.owner = POLICY_NO_OWNER;
    judge_parts(p, &all, out);
}

/* Whether the rule of a file that decided is one for such files. */
static bool
is_key_meant(const struct policy *p, const struct policy_part *part)
{
    return part->rule && part->from != &p->preset &&
           (part->rule->decision == GUARD_ASK ||
            secret_is_key(part->rule->words[0].text));
}

static void
deny_key(const struct policy *p, const struct policy_target *t,
         struct policy_verdict *out)
{
    bool same = !t->real[0] || strcmp(t->path, t->real) == 0;

    out->decision = GUARD_DENY;
    snprintf(out->rule, sizeof(out->rule),
             "%s: permission denied: keys and secrets", p->preset.name);
    snprintf(out->part, sizeof(out->part), same ? "%s" : "%s, which is %s",
             t->path, t->real);
    out->part[strlen(out->part) -
              utf8_incomplete_tail(out->part, strlen(out->part))] = '\0';
}

/* Every preset denies files of keys to tools. A command that reads one is shown
 * and asked about, but a tool's argument is easily overlooked. */
static void
deny_keys(const struct policy *p, const struct policy_parts *all,
          struct policy_verdict *out)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct policy_target *t = all->v[i].target;

        if (!t || all->v[i].decision == GUARD_DENY ||
            !(secret_is_key(t->path) || secret_is_key(t->real)) ||
            is_key_meant(p, &all->v[i]))
            continue;
        deny_key(p, t, out);
        return;
    }
}

static void
judge_used_path(const struct policy *p, const char *path, enum risk_use use,
                const struct path_context *where, struct policy_verdict *out)
{
    const struct syntax_word word = {.text = path, .len = strlen(path)};
    struct risk_path one = {
        .known = true, .text = path, .word = &word, .use = use};
    const struct risk r = {.paths = &one, .n_paths = 1};
    struct policy_parts all = {0};

    if (policy_parts_of(&r, where, &all) < 0) {
        *out = (struct policy_verdict){.decision = GUARD_DENY,
                                       .rule = "out of memory"};
    } else {
        judge_parts(p, &all, out);
        deny_keys(p, &all, out);
    }
    policy_parts_done(&all);
}

static bool
exists_now(const char *path, const struct path_context *where)
{
    const char *dir = where->cwd ? where->cwd : "/";
    CLEANUP(free_p)
    char *full = path[0] == '/' ? strdup(path) : path_join(dir, path);

    return full && access(full, F_OK) == 0;
}

void
policy_judge_path(const struct policy *p, const char *path, bool write,
                  const struct path_context *where, struct policy_verdict *out)
{
    enum risk_use use = RISK_READS;

    if (write)
        use = exists_now(path, where) ? RISK_CHANGES : RISK_MAKES;
    judge_used_path(p, path, use, where, out);
}

void
policy_judge_new_path(const struct policy *p, const char *path,
                      const struct path_context *where,
                      struct policy_verdict *out)
{
    judge_used_path(p, path, RISK_MAKES, where, out);
}

void
policy_judge_host(const struct policy *p, const char *host,
                  struct policy_verdict *out)
{
    struct risk_host one = {.name = host};

    judge_single_part(
        p, (struct policy_part){.host = &one, .facts = RISK_NETWORK}, out);
}

void
policy_judge_tool(const struct policy *p, const char *tool, const char *action,
                  unsigned facts, struct policy_verdict *out)
{
    judge_single_part(
        p, (struct policy_part){.tool = tool, .action = action, .facts = facts},
        out);
}
