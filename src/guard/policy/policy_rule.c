/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_rule.c - reads one rule from its words. */
#include "guard/policy/policy_rule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "config/nearest.h"

static const struct {
    const char *word;
    unsigned fact;
} facts[] = {
    {"destructive", RISK_DESTRUCTIVE},
    {"privileged", RISK_PRIVILEGED},
    {"sudo", RISK_SUDO},
    {"network", RISK_NETWORK},
    {"secret", RISK_SECRET},
    {"opaque", RISK_OPAQUE},
    {"outside", POLICY_OUTSIDE},
    {"settings", POLICY_SETTINGS},
    {"by-name", POLICY_AUTORUN},
    {"nowhere", POLICY_NO_WORKSPACE},
    {"acts", RISK_ACTS},
    {"unknown", RISK_UNKNOWN},
    {"terminal", RISK_TERMINAL},
    {"writes", RISK_WRITES},
    {"looks", RISK_LOOKS},
    {"holders", RISK_HOLDERS},
    {"owners", RISK_OWNERS},
};

#define N_FACTS ARRAY_SIZE(facts)

static unsigned
fact_of_word(const char *word)
{
    for (size_t i = 0; i < N_FACTS; i++)
        if (strcmp(facts[i].word, word) == 0)
            return facts[i].fact;
    return 0;
}

void
policy_facts_text(unsigned set, char *out, size_t size)
{
    out[0] = '\0';
    for (size_t i = 0; i < N_FACTS; i++) {
        size_t n = strlen(out);

        if (set & facts[i].fact)
            snprintf(out + n, size - n, "%s%s", n ? " " : "", facts[i].word);
    }
}

#define SHOWN_MAX 60 /* bytes of a wrong word in a message */

static const char *const decisions[] = {
    [GUARD_ALLOW] = "allow",
    [GUARD_ASK] = "ask",
    [GUARD_DENY] = "deny",
};

/* What a rule may be about, and how many words it then needs. */
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
    for (size_t i = 0; i < ARRAY_SIZE(decisions); i++)
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
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
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
    for (size_t i = 0; i < N_FACTS; i++)
        nearest_consider(&meant, facts[i].word);
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
        policy_pattern_done(&rule->words[i]);
    free(rule->in);
    free(rule->with);
    free(rule->words);
    free(rule->text);
}

static int
read_rule_words(const char *at, struct policy_pattern *words, size_t *n,
                struct err *e)
{
    int rc;

    for (;;) {
        struct policy_pattern word;

        rc = policy_pattern_next(&at, &word, e);
        if (rc <= 0)
            return rc;
        if (*n == POLICY_WORDS_MAX) {
            policy_pattern_done(&word);
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
        unsigned fact = fact_of_word(word);

        if (!fact)
            return unknown_fact(word, e);
        rule->facts |= fact;
    }
    return 0;
}

/* Turns the words into what the rule's kind needs. */
static int
finish_rule(struct policy_rule *rule, struct err *e)
{
    struct policy_pattern *last = &rule->words[rule->n - 1];

    switch (rule->kind) {
    case POLICY_COMMAND:
        rule->rest = policy_pattern_is_star(last);
        /* a program with its path, which may begin with ~ */
        if (strchr(rule->words[0].text, '/'))
            return policy_pattern_to_path(&rule->words[0], e);
        return 0;
    case POLICY_READ:
    case POLICY_WRITE:
        return policy_pattern_to_path(&rule->words[0], e);
    case POLICY_HOST:
        policy_pattern_to_host(&rule->words[0]);
        return 0;
    case POLICY_RISK:
        return read_facts(rule, e);
    case POLICY_TOOL:
    case POLICY_ACTION:
        break;
    }
    return 0;
}

/* Reads the two words at the start of a rule. */
static int
read_rule_head(const char **at, struct policy_rule *rule, struct err *e)
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
    for (i = 0; i < ARRAY_SIZE(decisions); i++)
        if (strcmp(decisions[i], words[0]) == 0)
            break;
    if (i == ARRAY_SIZE(decisions))
        return unknown_decision(words[0], e);
    rule->decision = (enum guard_decision)i;
    for (i = 0; i < ARRAY_SIZE(kinds); i++)
        if (strcmp(kinds[i].word, words[1]) == 0)
            break;
    if (i == ARRAY_SIZE(kinds))
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

    if (read_rule_head(&at, rule, e) < 0)
        return -1;
    row = &kinds[rule->kind];
    rc = read_rule_words(at, words, &rule->n, e);
    rule->words = calloc(rule->n + 1, sizeof(*rule->words));
    rule->text = strdup(text);
    for (size_t i = 0; i < rule->n; i++) {
        if (rule->words)
            rule->words[i] = words[i];
        else
            policy_pattern_done(&words[i]);
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

static int
set_once(char **to, const char *text, const char *what, struct err *e)
{
    if (*to)
        return err_set(e, ERR_CONFIG, "a rule may have only one line \"%s\"",
                       what);
    *to = strdup(text);
    return *to ? 0 : err_sys(e, "a rule");
}

static int
read_pin_hash(struct policy_rule *rule, const char *at, struct err *e)
{
    const char *hex = at + strlen(POLICY_HASH_MARK), *file = hex;

    if (strncmp(at, POLICY_HASH_MARK, strlen(POLICY_HASH_MARK)) == 0)
        file += strspn(hex, "0123456789abcdef");
    if (file - hex != SHA256_HEX_SIZE - 1 || (*file != ' ' && *file != '\t') ||
        rule->with)
        return err_set(e, ERR_CONFIG,
                       "a rule may have only one line \"with sha256:HEX "
                       "FILE\", with 64 digits 0-9 a-f");
    memcpy(rule->hash, hex, SHA256_HEX_SIZE - 1);
    rule->hash[SHA256_HEX_SIZE - 1] = '\0';
    return set_once(&rule->with, file + strspn(file, " \t"), "with", e);
}

int
policy_rule_read_below(struct policy_rule *rule, const char *at, struct err *e)
{
    size_t len = strcspn(at, " \t");
    const char *rest = at + len + strspn(at + len, " \t");
    bool in = len == 2 && memcmp(at, "in", 2) == 0;

    if (!in && (len != 4 || memcmp(at, "with", 4) != 0))
        return 1;
    if (rule->kind != POLICY_COMMAND || rule->decision != GUARD_ALLOW)
        return err_set(e, ERR_CONFIG, "in and with are only for allow command");
    if (!in)
        return read_pin_hash(rule, rest, e);
    if (rest[0] != '/')
        return err_set(e, ERR_CONFIG, "in needs an absolute path");
    return set_once(&rule->in, rest, "in", e);
}
