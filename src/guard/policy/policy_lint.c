/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_lint.c - warns about rules that may not mean what they seem to. */
#include <string.h>

#include "base/shell_quote.h"
#include "guard/policy/policy_rule.h"

#define FACTS_SIZE 256

/* The facts that a rule may name in place of an option. */
static const unsigned option_facts = POLICY_RISKY &
                                     ~(RISK_UNKNOWN | RISK_TERMINAL);

/* A rule with a program's name alone matches only the call without
 * arguments. */
static bool
is_program_alone(const struct policy_rule *rule)
{
    return rule->n == 1 && !rule->rest;
}

static bool
is_option_pattern(const struct policy_pattern *word)
{
    return word->text[0] == '-' && word->text[1] &&
           strcmp(word->text, "--") != 0;
}

static bool
rule_has_option(const struct policy_rule *rule)
{
    for (size_t i = 1; i < rule->n - rule->rest; i++)
        if (is_option_pattern(&rule->words[i]))
            return true;
    return false;
}

/* The facts of the rule's words, with its options or without them. */
static unsigned
facts_of_words(const struct policy_rule *rule, bool options)
{
    static const struct path_context nowhere;
    CLEANUP_BUF struct buf line = buf_of(POLICY_LINE_MAX * 4);
    struct syntax syntax = {0};
    struct risk risk = {0};
    unsigned facts = 0;

    for (size_t i = 0; i < rule->n - rule->rest; i++) {
        if (is_option_pattern(&rule->words[i]) && !options)
            continue;
        buf_str(&line, line.len ? " " : "");
        shell_quote_word(&line, rule->words[i].text);
    }
    if (buf_ok(&line, "a rule", NULL) == 0 &&
        syntax_read(line.p, line.len, &syntax, NULL) == 0 &&
        risk_read(&syntax, &nowhere, &risk, NULL) == 0)
        facts = risk.facts & option_facts;
    risk_done(&risk);
    syntax_done(&syntax);
    return facts;
}

/* A program may have another spelling of an option, and another way to the same
 * effect: -f, +main, or a setting of its own. */
static void
warn_about_option(const struct policy_rule *rule, struct buf *out)
{
    unsigned with = facts_of_words(rule, true);
    char facts[FACTS_SIZE];

    buf_str(out,
            "only with the option as written; it may have other spellings");
    if (with & ~facts_of_words(rule, false)) {
        policy_facts_text(with, facts, sizeof(facts));
        buf_printf(out, "; to cover the effect use \"%s risk %s\"",
                   guard_decision_name(rule->decision), facts);
    }
}

static void
lint_rule(const struct policy_rules *from, const struct policy_rule *rule,
          struct buf *out)
{
    bool lone = is_program_alone(rule);

    /* a rule with examples was thought about */
    if (rule->kind != POLICY_COMMAND || rule->decision == GUARD_ALLOW ||
        rule->examples || !(lone || rule_has_option(rule)))
        return;
    buf_printf(out, "%s:%u: %s: ", from->name, rule->line, rule->text);
    if (lone)
        buf_printf(out, "only without arguments; to allow any use \"%s *\"",
                   rule->words[0].text);
    else
        warn_about_option(rule, out);
    buf_ch(out, '\n');
}

void
policy_lint(const struct policy *p, struct buf *out)
{
    const struct policy_rules *files[] = {&p->system, &p->user};

    for (size_t f = 0; f < 2; f++)
        for (size_t i = 0; i < files[f]->n; i++)
            lint_rule(files[f], &files[f]->v[i], out);
}

void
policy_lint_last(const struct policy *p, struct buf *out)
{
    if (p->user.n > 0)
        lint_rule(&p->user, &p->user.v[p->user.n - 1], out);
}
