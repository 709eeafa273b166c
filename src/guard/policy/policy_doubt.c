/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_doubt.c - rules that may not mean what they seem to. */
#include <string.h>

#include "base/shell_quote.h"
#include "guard/policy/policy_in.h"

#define FACTS_SIZE 256

/* What a rule about risk may name in place of an option. */
static const unsigned namable = POLICY_HEAVY & ~(RISK_UNKNOWN | RISK_TERMINAL);

/* A program's name alone forbids only the call without arguments. */
static bool
is_lone(const struct policy_rule *rule)
{
    return rule->n == 1 && !rule->rest;
}

static bool
is_option(const struct policy_pattern *word)
{
    return word->text[0] == '-' && word->text[1] &&
           strcmp(word->text, "--") != 0;
}

static bool
has_option(const struct policy_rule *rule)
{
    for (size_t i = 1; i < rule->n - rule->rest; i++)
        if (is_option(&rule->words[i]))
            return true;
    return false;
}

/* The facts of the rule's words, with its options or without. */
static unsigned
facts_of(const struct policy_rule *rule, bool options)
{
    static const struct risk_place nowhere;
    CLEANUP_BUF struct buf line = buf_of(POLICY_LINE_MAX * 4);
    struct syntax syntax = {0};
    struct risk risk = {0};
    unsigned facts = 0;

    for (size_t i = 0; i < rule->n - rule->rest; i++) {
        if (is_option(&rule->words[i]) && !options)
            continue;
        buf_str(&line, line.len ? " " : "");
        shell_quote_word(&line, rule->words[i].text);
    }
    if (buf_ok(&line, "a rule", NULL) == 0 &&
        syntax_read(line.p, line.len, &syntax, NULL) == 0 &&
        risk_read(&syntax, &nowhere, &risk, NULL) == 0)
        facts = risk.facts & namable;
    risk_done(&risk);
    syntax_done(&syntax);
    return facts;
}

/* A program may have other names for an option, and other ways to what the
 * option does: -f, +main, and a setting of its own. */
static void
put_spelling(const struct policy_rule *rule, struct buf *out)
{
    unsigned with = facts_of(rule, true);
    char facts[FACTS_SIZE];

    buf_str(out,
            "only with the option as written; it may have other spellings");
    if (with & ~facts_of(rule, false)) {
        policy_facts_text(with, facts, sizeof(facts));
        buf_printf(out, "; to cover the effect use \"%s risk %s\"",
                   guard_decision_name(rule->decision), facts);
    }
}

static void
put_doubt(const struct policy_rules *from, const struct policy_rule *rule,
          struct buf *out)
{
    bool lone = is_lone(rule);

    /* examples: somebody thought about it */
    if (rule->kind != POLICY_COMMAND || rule->decision == GUARD_ALLOW ||
        rule->examples || !(lone || has_option(rule)))
        return;
    buf_printf(out, "%s:%u: %s: ", from->name, rule->line, rule->text);
    if (lone)
        buf_printf(out, "only without arguments; to allow any use \"%s *\"",
                   rule->words[0].text);
    else
        put_spelling(rule, out);
    buf_ch(out, '\n');
}

void
policy_doubts(const struct policy *p, struct buf *out)
{
    const struct policy_rules *files[] = {&p->system, &p->user};

    for (size_t f = 0; f < 2; f++)
        for (size_t i = 0; i < files[f]->n; i++)
            put_doubt(files[f], &files[f]->v[i], out);
}

void
policy_doubt_last(const struct policy *p, struct buf *out)
{
    if (p->user.n > 0)
        put_doubt(&p->user, &p->user.v[p->user.n - 1], out);
}
