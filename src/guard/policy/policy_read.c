/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_read.c - from the lines of a file to its rules. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "config/nearest.h"
#include "guard/policy/policy_pin.h"

#define NAME_SIZE 60 /* of a preset */

struct reader {
    struct policy_rules *rules;
    unsigned line;
    struct err *e;
};

void
policy_rules_done(struct policy_rules *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->n; i++)
        policy_rule_done(&r->v[i]);
    free(r->v);
    free(r->name);
    *r = (struct policy_rules){0};
}

static int
add_rule(struct reader *r, const char *text)
{
    struct policy_rules *rules = r->rules;
    struct policy_rule rule = {.line = r->line};
    struct policy_rule *more;

    if (rules->n == POLICY_RULES_MAX)
        return err_set(r->e, ERR_CONFIG, "more than %d rules",
                       POLICY_RULES_MAX);
    if (policy_rule_read(&rule, text, r->e) < 0) {
        policy_rule_done(&rule);
        return -1;
    }
    if (rules->built_in && rule.kind == POLICY_COMMAND)
        rule.facts = RISK_WRITES; /* rules of its own say what is written */
    more = reallocarray(rules->v, rules->n + 1, sizeof(*more));
    if (!more) {
        policy_rule_done(&rule);
        return err_sys(r->e, "the rules");
    }
    rules->v = more;
    rules->v[rules->n++] = rule;
    return 0;
}

static int
set_preset(struct reader *r, const char *at)
{
    struct nearest meant;
    char name[NAME_SIZE];
    size_t len;

    at += strspn(at, " \t");
    len = strcspn(at, " \t#");
    if (len == 0 || len >= sizeof(name) ||
        !strchr("#", at[len + strspn(at + len, " \t")]))
        return err_set(r->e, ERR_CONFIG, "preset needs one name");
    memcpy(name, at, len);
    name[len] = '\0';
    if (r->rules->preset)
        return err_set(r->e, ERR_CONFIG, "only one preset is allowed");
    nearest_init(&meant, name);
    for (size_t i = 0; policy_preset_name(i); i++) {
        if (strcmp(policy_preset_name(i), name) == 0)
            r->rules->preset = policy_preset_name(i);
        nearest_consider(&meant, policy_preset_name(i));
    }
    return r->rules->preset ? 0 : policy_unknown("preset", name, &meant, r->e);
}

static int
add_example(struct reader *r, struct policy_rule *rule, const char *at)
{
    size_t len = strcspn(at, " \t");
    bool match = len == 5 && memcmp(at, "match", 5) == 0;
    struct policy_example *x, **end;

    if (!match && (len != 9 || memcmp(at, "not-match", 9) != 0))
        return err_set(r->e, ERR_CONFIG,
                       "an indented line must be match, not-match, in or with");
    if (rule->kind == POLICY_TOOL || rule->kind == POLICY_ACTION)
        return err_set(r->e, ERR_CONFIG,
                       "a rule about a tool cannot have examples");
    x = calloc(1, sizeof(*x));
    if (!x || !(x->command = strdup(at + len + strspn(at + len, " \t")))) {
        free(x);
        return err_sys(r->e, "an example");
    }
    x->match = match;
    x->line = r->line;
    for (end = &rule->examples; *end; end = &(*end)->next)
        ;
    *end = x;
    return 0;
}

/* What stands indented below a rule. */
static int
add_below(struct reader *r, const char *at)
{
    struct policy_rules *all = r->rules;
    struct policy_rule *rule = all->n ? &all->v[all->n - 1] : NULL;
    int rc;

    if (!rule)
        return err_set(r->e, ERR_CONFIG, "an example must follow its rule");
    rc = policy_pin_read(rule, at, r->e);
    return rc > 0 ? add_example(r, rule, at) : rc;
}

/* A line without its end. */
static int
read_line(struct reader *r, const char *line)
{
    const char *at = line + strspn(line, " \t");

    if (!*at || *at == '#')
        return 0;
    if (at > line)
        return add_below(r, at);
    if (strcspn(line, " \t") == 6 && memcmp(line, "preset", 6) == 0)
        return set_preset(r, line + 6);
    return add_rule(r, line);
}

/* Copies the line without blanks at its end, when it can be one. */
static int
take_line(const char *line, size_t len, char out[POLICY_LINE_MAX + 1],
          struct err *e)
{
    if (len > POLICY_LINE_MAX)
        return err_set(e, ERR_CONFIG, "the line is longer than %d bytes",
                       POLICY_LINE_MAX);
    if (!utf8_valid(line, len))
        return err_set(e, ERR_CONFIG, "the line is not valid UTF-8");
    while (len > 0 && strchr(" \t\r", line[len - 1]))
        len--;
    for (size_t i = 0; i < len; i++)
        if (((unsigned char)line[i] < ' ' && line[i] != '\t') ||
            line[i] == 0x7F)
            return err_set(e, ERR_CONFIG, "control character 0x%02X",
                           (unsigned)line[i]);
    memcpy(out, line, len);
    out[len] = '\0';
    return 0;
}

int
policy_read(struct policy_rules *rules, const char *text, size_t n,
            struct err *e)
{
    struct reader r = {.rules = rules, .e = e};
    char line[POLICY_LINE_MAX + 1];

    while (n > 0) {
        const char *newline = memchr(text, '\n', n);
        size_t len = newline ? (size_t)(newline - text) : n;

        r.line++;
        if (take_line(text, len, line, e) < 0 || read_line(&r, line) < 0)
            return err_wrap(e, "%s:%u", rules->name, r.line);
        len += newline != NULL;
        text += len;
        n -= len;
    }
    return 0;
}
