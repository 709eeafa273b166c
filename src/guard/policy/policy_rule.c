/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_rule.c - one rule of a file, from its words. */
#include <stdlib.h>
#include <string.h>

#include "config/nearest.h"
#include "guard/policy/policy_pin.h"

#define SHOWN_MAX 60 /* bytes of what is wrong in a message */

static const char *const decisions[] = {
    [GUARD_ALLOW] = "allow",
    [GUARD_ASK] = "ask",
    [GUARD_DENY] = "deny",
};

/* What a rule may be about, and how many words say it. */
static const struct kind_row {
    const char *word;
    size_t min, max;
    const char *needs;
} kinds[] = {
    [POLICY_COMMAND] = {"command", 1, POLICY_WORDS_MAX,
                        "the words of a command"},
    [POLICY_READ] = {"read", 1, 1, "one path"},
    [POLICY_WRITE] = {"write", 1, 1, "one path"},
    [POLICY_HOST] = {"host", 1, 1, "one host"},
    [POLICY_TOOL] = {"tool", 1, 2, "a tool's name, and optionally an action"},
    [POLICY_ACTION] = {"action", 1, 1, "one action's name"},
    [POLICY_RISK] = {"risk", 1, POLICY_WORDS_MAX, "facts"},
};

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

int
policy_unknown(const char *what, const char *word, const struct nearest *meant,
               struct err *e)
{
    if (meant->best)
        return err_set(e, ERR_CONFIG,
                       "unknown %s \"%.*s\"; did you mean \"%s\"?", what,
                       SHOWN_MAX, word, meant->best);
    return err_set(e, ERR_CONFIG, "unknown %s \"%.*s\"", what, SHOWN_MAX, word);
}

static int
unknown_decision(const char *word, struct err *e)
{
    struct nearest meant;

    if (strcmp(word, "match") == 0 || strcmp(word, "not-match") == 0)
        return err_set(e, ERR_CONFIG,
                       "an example must be indented, below its rule");
    nearest_init(&meant, word);
    for (size_t i = 0; i < N_OF(decisions); i++)
        nearest_consider(&meant, decisions[i]);
    nearest_consider(&meant, "preset");
    if (meant.best)
        return policy_unknown("word", word, &meant, e);
    return err_set(
        e, ERR_CONFIG,
        "a rule must begin with allow, ask, deny or preset, not \"%.*s\"",
        SHOWN_MAX, word);
}

static int
unknown_kind(const char *word, struct err *e)
{
    struct nearest meant;

    nearest_init(&meant, word);
    for (size_t i = 0; i < N_OF(kinds); i++)
        nearest_consider(&meant, kinds[i].word);
    if (meant.best)
        return policy_unknown("word", word, &meant, e);
    return err_set(e, ERR_CONFIG,
                   "the second word must be command, read, write, host, tool, "
                   "action or risk, not \"%.*s\"",
                   SHOWN_MAX, word);
}

static int
unknown_fact(const char *word, struct err *e)
{
    struct nearest meant;

    nearest_init(&meant, word);
    for (size_t i = 0; policy_fact_word(i); i++)
        nearest_consider(&meant, policy_fact_word(i));
    return policy_unknown("fact", word, &meant, e);
}

void
policy_rule_done(struct policy_rule *rule)
{
    struct policy_example *x, *next;

    if (!rule)
        return;
    for (x = rule->examples; x; x = next) {
        next = x->next;
        free(x->command);
        free(x);
    }
    for (size_t i = 0; i < rule->n; i++)
        pattern_done(&rule->words[i]);
    policy_pin_done(rule);
    free(rule->words);
    free(rule->text);
}

static int
read_words(const char *at, struct policy_pattern *words, size_t *n,
           struct err *e)
{
    int rc;

    for (;;) {
        struct policy_pattern word;

        rc = pattern_next(&at, &word, e);
        if (rc <= 0)
            return rc;
        if (*n == POLICY_WORDS_MAX) {
            pattern_done(&word);
            return err_set(e, ERR_CONFIG, "a rule has at most %d words",
                           POLICY_WORDS_MAX);
        }
        words[(*n)++] = word;
    }
}

static int
read_facts(struct policy_rule *rule, struct err *e)
{
    for (size_t i = 0; i < rule->n; i++) {
        const char *word = rule->words[i].text;
        unsigned fact = policy_fact_of(word);

        if (!fact)
            return unknown_fact(word, e);
        rule->facts |= fact;
    }
    return 0;
}

/* What the words of the rule's kind are beyond words. */
static int
finish_rule(struct policy_rule *rule, struct err *e)
{
    struct policy_pattern *last = &rule->words[rule->n - 1];

    switch (rule->kind) {
    case POLICY_COMMAND:
        rule->rest = pattern_is_star(last);
        /* a program with its path, which may be below ~ */
        if (strchr(rule->words[0].text, '/'))
            return pattern_to_path(&rule->words[0], e);
        return 0;
    case POLICY_READ:
    case POLICY_WRITE:
        return pattern_to_path(&rule->words[0], e);
    case POLICY_HOST:
        pattern_to_host(&rule->words[0]);
        return 0;
    case POLICY_RISK:
        return read_facts(rule, e);
    case POLICY_TOOL:
    case POLICY_ACTION:
        break;
    }
    return 0;
}

/* The two words before what the rule is about. */
static int
read_head(const char **at, struct policy_rule *rule, struct err *e)
{
    char words[2][16] = {"", ""};
    size_t i;

    for (i = 0; i < 2; i++) {
        const char *from = *at + strspn(*at, " \t");
        size_t len = strcspn(from, " \t");

        if (len >= sizeof(words[i])) {
            return i == 0 ? unknown_decision("…", e) : unknown_kind("…", e);
        }
        memcpy(words[i], from, len);
        *at = from + len;
    }
    for (i = 0; i < N_OF(decisions); i++)
        if (strcmp(decisions[i], words[0]) == 0)
            break;
    if (i == N_OF(decisions))
        return unknown_decision(words[0], e);
    rule->decision = (enum guard_decision)i;
    for (i = 0; i < N_OF(kinds); i++)
        if (strcmp(kinds[i].word, words[1]) == 0)
            break;
    if (i == N_OF(kinds))
        return unknown_kind(words[1], e);
    rule->kind = (enum policy_kind)i;
    return 0;
}

int
policy_rule_read(struct policy_rule *rule, const char *text, struct err *e)
{
    struct policy_pattern words[POLICY_WORDS_MAX];
    const struct kind_row *row;
    const char *at = text;
    int rc;

    if (read_head(&at, rule, e) < 0)
        return -1;
    row = &kinds[rule->kind];
    rc = read_words(at, words, &rule->n, e);
    rule->words = calloc(rule->n + 1, sizeof(*rule->words));
    rule->text = strdup(text);
    for (size_t i = 0; i < rule->n; i++) {
        if (rule->words)
            rule->words[i] = words[i];
        else
            pattern_done(&words[i]);
    }
    if (!rule->words)
        rule->n = 0;
    if (rc < 0)
        return -1;
    if (!rule->words || !rule->text)
        return err_sys(e, "a rule");
    if (rule->n < row->min || rule->n > row->max)
        return err_set(e, ERR_CONFIG, "%s needs %s", row->word, row->needs);
    return finish_rule(rule, e);
}
