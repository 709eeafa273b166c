/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_try.c - the examples beside the rules, and what an allow's words do.
 *
 * An example is read as if typed in a directory `example` of the person's
 * home, and programs need not be installed: the same file must load on every
 * machine of its owner. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "base/shell_quote.h"
#include "guard/policy/policy_part.h"

#define SHOWN_MAX 80 /* bytes of an example in a message */
#define EXAMPLE_PATH                                                           \
    "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"

struct trial {
    struct syntax syntax;
    struct risk risk;
    struct policy_parts parts;
};

static void
trial_done(struct trial *t)
{
    policy_parts_done(&t->parts);
    risk_done(&t->risk);
    syntax_done(&t->syntax);
}

static int
trial_read(struct trial *t, const char *command, const struct risk_place *where,
           struct err *e)
{
    if (syntax_read(command, strlen(command), &t->syntax, e) < 0 ||
        risk_read(&t->syntax, where, &t->risk, e) < 0)
        return -1;
    t->parts.trusting = true;
    if (policy_parts_of(&t->risk, where, &t->parts) < 0)
        return err_set(e, ERR_NOMEM, "out of memory for an example");
    return 0;
}

/* Whether the part is of the kind that the rule is about. */
static bool
is_of_kind(const struct policy_rule *rule, const struct policy_part *p)
{
    switch (rule->kind) {
    case POLICY_COMMAND:
        return p->call != NULL;
    case POLICY_READ:
        return p->target && p->target->use == RISK_READS;
    case POLICY_WRITE:
        return p->target && p->target->use != RISK_READS;
    case POLICY_HOST:
        return p->host != NULL;
    case POLICY_RISK:
        return p->facts & POLICY_HEAVY;
    case POLICY_TOOL:
    case POLICY_ACTION:
        break;
    }
    return false;
}

/* A deny or ask matches a line when it is about some part of it; an allow,
 * when it is about every part of its kind. */
static bool
matches(const struct policy_rule *rule, struct policy_parts *all)
{
    unsigned line = 0;
    size_t yes = 0, of_kind = 0;

    for (size_t i = 0; i < all->n; i++) {
        line |= all->v[i].facts;
        of_kind += is_of_kind(rule, &all->v[i]);
        yes += policy_part_fit(rule, &all->v[i], all) != POLICY_FIT_NO;
    }
    if (rule->decision == GUARD_ALLOW)
        return yes > 0 && yes == of_kind;
    if (rule->kind == POLICY_RISK)
        return !(rule->facts & ~line);
    return yes > 0;
}

static int
try_example(const struct policy_rules *r, const struct policy_rule *rule,
            const struct policy_example *x, const struct risk_place *where,
            struct err *e)
{
    CLEANUP(trial_done) struct trial t = {0};

    if (trial_read(&t, x->command, where, e) < 0)
        return err_wrap(e, "%s:%u", r->name, x->line);
    if (matches(rule, &t.parts) == x->match)
        return 0;
    return err_set(e, ERR_CONFIG, "%s:%u: the rule of line %u %s \"%.*s\"",
                   r->name, x->line, rule->line,
                   x->match ? "does not match" : "matches", SHOWN_MAX,
                   x->command);
}

/* What the words before the star do by themselves, and what they are for with
 * an argument that is nothing special: curl alone contacts nobody. */
static int
learn(struct policy_rule *rule, const struct risk_place *where, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(POLICY_LINE_MAX * 4);
    const unsigned with_argument = RISK_NETWORK | RISK_ACTS | RISK_TERMINAL |
                                   RISK_WRITES;
    size_t n = rule->n - rule->rest;

    if (rule->kind != POLICY_COMMAND || rule->decision != GUARD_ALLOW || n == 0)
        return 0;
    for (size_t i = 0; i < n; i++) {
        buf_str(&line, i ? " " : "");
        shell_quote_word(&line, rule->words[i].text);
    }
    for (size_t i = 0; i < 2; i++) {
        CLEANUP(trial_done) struct trial t = {0};

        if (buf_ok(&line, "a rule", e) < 0 ||
            trial_read(&t, line.p, where, e) < 0)
            return -1;
        rule->facts |= t.risk.facts & (i == 0 ? ~0u : with_argument);
        buf_str(&line, " example");
    }
    return 0;
}

int
policy_try(struct policy_rules *r, struct err *e)
{
    const char *home = path_home();
    CLEANUP(free_p) char *dir = path_join(home ? home : "/", "example");
    const struct risk_place where = {
        .cwd = dir, .home = home, .path = EXAMPLE_PATH};

    if (!dir)
        return err_set(e, ERR_NOMEM, "out of memory for the rules");
    for (size_t i = 0; i < r->n; i++) {
        if (!r->built_in && learn(&r->v[i], &where, e) < 0)
            return err_wrap(e, "%s:%u", r->name, r->v[i].line);
        for (const struct policy_example *x = r->v[i].examples; x; x = x->next)
            if (try_example(r, &r->v[i], x, &where, e) < 0)
                return -1;
    }
    return 0;
}
