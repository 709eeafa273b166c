/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_examples.c - checks rules' examples, and learns what an allow does.
 *
 * An example is read as if it were typed in the directory `example` of the
 * person's home, and programs need not be installed: the same file must load on
 * every machine of its owner. */
#include <string.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "base/shell_quote.h"
#include "guard/policy/policy_part.h"

#define SHOWN_MAX 80 /* bytes of an example in a message */
#define EXAMPLE_PATH                                                           \
    "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"

struct example_line {
    struct syntax syntax;
    struct risk risk;
    struct policy_parts parts;
};

static void
example_done(struct example_line *t)
{
    policy_parts_done(&t->parts);
    risk_done(&t->risk);
    syntax_done(&t->syntax);
}

static int
example_read(struct example_line *t, const char *command,
             const struct path_context *where, struct err *e)
{
    if (syntax_read(command, strlen(command), &t->syntax, e) < 0 ||
        risk_read(&t->syntax, where, &t->risk, e) < 0)
        return -1;
    t->parts.trusting = true;
    if (policy_parts_of(&t->risk, where, &t->parts) < 0)
        return err_set(e, ERR_NOMEM, "out of memory for an example");
    return 0;
}

/* Whether the rule is for parts of this kind. */
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
        return p->facts & POLICY_RISKY;
    case POLICY_TOOL:
    case POLICY_ACTION:
        break;
    }
    return false;
}

/* A deny or an ask matches a line if it matches some part of it. An allow
 * matches if it matches every part of its kind. */
static bool
rule_matches(const struct policy_rule *rule, struct policy_parts *all)
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
            const struct policy_example *x, const struct path_context *where,
            struct err *e)
{
    CLEANUP(example_done) struct example_line t = {0};

    if (example_read(&t, x->command, where, e) < 0)
        return err_wrap(e, "%s:%u", r->name, x->line);
    if (rule_matches(rule, &t.parts) == x->match)
        return 0;
    return err_set(e, ERR_CONFIG, "%s:%u: the rule of line %u %s \"%.*s\"",
                   r->name, x->line, rule->line,
                   x->match ? "does not match" : "matches", SHOWN_MAX,
                   x->command);
}

/* Finds out what the words before the star do by themselves, and what they do
 * with a plain argument: curl alone contacts nobody. */
static int
learn_facts(struct policy_rule *rule, const struct path_context *where,
            struct err *e)
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
        CLEANUP(example_done) struct example_line t = {0};

        if (buf_ok(&line, "a rule", e) < 0 ||
            example_read(&t, line.p, where, e) < 0)
            return -1;
        rule->facts |= t.risk.facts & (i == 0 ? ~0u : with_argument);
        buf_str(&line, " example");
    }
    return 0;
}

int
policy_check_examples(struct policy_rules *r, const char *home, struct err *e)
{
    CLEANUP(free_p) char *dir = path_join(home ? home : "/", "example");
    const struct path_context where = {
        .cwd = dir, .home = home, .path = EXAMPLE_PATH};

    if (!dir)
        return err_set(e, ERR_NOMEM, "out of memory for the rules");
    for (size_t i = 0; i < r->n; i++) {
        if (!r->built_in && learn_facts(&r->v[i], &where, e) < 0)
            return err_wrap(e, "%s:%u", r->name, r->v[i].line);
        for (const struct policy_example *x = r->v[i].examples; x; x = x->next)
            if (try_example(r, &r->v[i], x, &where, e) < 0)
                return -1;
    }
    return 0;
}
