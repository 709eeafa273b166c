/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_call_wide.c - a call as a rule that denies or asks sees it. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "guard/policy/policy_call.h"

/* Letters in one word of a rule that are taken one by one (-rf); a longer one
 * is a word as find has them (-delete). */
#define BUNDLE_MAX 4

/* A word of the call. */
struct arg {
    const char *text;
    bool expands; /* to something that is not known */
    bool loose;   /* it may become any number of words, options too */
    bool option;
    bool value; /* stands behind an option, and may belong to it */
};

/* What is wanted and what there is. */
struct match {
    const struct policy_pattern *words; /* of the rule, without the program */
    size_t n;
    bool rest;
    const struct risk_call *call;
    size_t from; /* first argument of the call */
    size_t end;  /* of its options: where -- stands, or behind the last */
};

static bool
is_option(const char *text)
{
    return text[0] == '-' && text[1];
}

static bool
is_wanted_option(const struct policy_pattern *p)
{
    return is_option(p->text) && strcmp(p->text, "--") != 0;
}

static struct arg
arg_of(const struct match *m, size_t i)
{
    const char *text = m->call->argv[i];
    unsigned flags = m->call->expands[i];
    const char *last = i > m->from ? m->call->argv[i - 1] : "";
    struct arg a = {.text = text};

    a.expands = flags & SYNTAX_EXPANDS;
    a.loose = a.expands && (flags & SYNTAX_RUNS || strpbrk(text, "$`{"));
    if (i > m->end)
        return a;
    a.option = is_option(text) && strcmp(text, "--") != 0;
    a.value = is_option(last) && !strchr(last, '=');
    return a;
}

/* Whether the word is, or may become, one of the pattern's. */
static bool
word_may_be(const struct policy_pattern *p, const struct arg *a)
{
    if (a->loose)
        return true;
    if (a->expands)
        return pattern_matches(p, a->text, strcspn(a->text, "*?[~@+!"), true);
    return pattern_matches(p, a->text, strlen(a->text), false);
}

static bool
long_is(const struct policy_pattern *p, const char *text, const char *next)
{
    size_t n = strcspn(text, "="), wanted = strcspn(p->text, "=");
    struct policy_pattern value = *p;

    if (pattern_matches(p, text, strlen(text), false))
        return true;
    if (n < 3 || n > wanted || strncmp(p->text, text, n) != 0)
        return false;
    if (wanted == p->n)
        return true;
    value.tokens += wanted + 1;
    value.n -= wanted + 1;
    next = text[n] ? text + n + 1 : next;
    return next && pattern_matches(&value, next, strlen(next), false);
}

static bool
is_bundle(const struct policy_pattern *p)
{
    if (p->n > BUNDLE_MAX || p->has_star)
        return false;
    for (size_t i = 1; i < p->n; i++)
        if (!isalnum((unsigned char)p->text[i]))
            return false;
    return true;
}

static bool
has_letter(const struct match *m, char letter)
{
    for (size_t i = m->from; i < m->call->n; i++) {
        struct arg a = arg_of(m, i);

        if (a.option && a.text[1] != '-' && strchr(a.text + 1, letter))
            return true;
    }
    return false;
}

/* Whether this word of the call is the wanted option or holds letters of it. */
static bool
option_is(const struct policy_pattern *p, const char *text, const char *next)
{
    if (p->text[1] == '-')
        return text[1] == '-' && long_is(p, text, next);
    if (pattern_matches(p, text, strlen(text), false))
        return true;
    return is_bundle(p) && text[1] != '-' && strpbrk(text + 1, p->text + 1);
}

static bool
has_option(const struct match *m, const struct policy_pattern *p)
{
    bool letters = p->text[1] != '-' && is_bundle(p);

    for (size_t i = m->from; i < m->call->n; i++) {
        struct arg a = arg_of(m, i);
        const char *next = i + 1 < m->call->n ? m->call->argv[i + 1] : NULL;

        if (a.loose)
            return true;
        if (a.option && pattern_matches(p, a.text, strlen(a.text), false))
            return true;
        if (a.option && !letters && option_is(p, a.text, next))
            return true;
    }
    for (size_t i = 1; letters && i < p->n; i++)
        if (!has_letter(m, p->text[i]))
            return false;
    return letters;
}

/* Whether some option of the rule is, or is in, this word. */
static bool
is_wanted(const struct match *m, size_t i)
{
    const char *next = i + 1 < m->call->n ? m->call->argv[i + 1] : NULL;

    for (size_t k = 0; k < m->n; k++)
        if (is_wanted_option(&m->words[k]) &&
            option_is(&m->words[k], m->call->argv[i], next))
            return true;
    return false;
}

/* One word of the call: on[k] says whether the first k words wanted may be
 * behind us. */
static void
step(const struct match *m, const struct policy_pattern *const *wanted,
     size_t n, const bool *on, bool *next, size_t i)
{
    struct arg a = arg_of(m, i);
    bool skip = a.option ? m->rest || is_wanted(m, i) : m->rest && a.value;

    skip = skip || strcmp(a.text, "--") == 0;
    memset(next, 0, n + 1);
    for (size_t k = 0; k <= n; k++) {
        if (a.loose && k > 0 && next[k - 1])
            next[k] = true; /* it may be any number of words */
        if (!on[k])
            continue;
        next[k] = next[k] || skip || a.loose || (k == n && m->rest);
        if (k < n && !a.option && word_may_be(wanted[k], &a))
            next[k + 1] = true;
    }
}

static bool
words_may_be(struct match *m)
{
    const struct policy_pattern *wanted[POLICY_WORDS_MAX];
    bool sets[2][POLICY_WORDS_MAX + 1] = {{true}};
    size_t n = 0, side = 0;

    for (m->end = m->from; m->end < m->call->n; m->end++)
        if (strcmp(m->call->argv[m->end], "--") == 0)
            break;
    for (size_t k = 0; k < m->n; k++) {
        if (!is_wanted_option(&m->words[k]))
            wanted[n++] = &m->words[k];
        else if (!has_option(m, &m->words[k]))
            return false;
    }
    if (n > 0 && strcmp(wanted[n - 1]->text, "--") == 0)
        n--; /* it ends the options, and says nothing more */
    for (size_t i = m->from; i < m->call->n; i++, side = !side)
        step(m, wanted, n, sets[side], sets[!side], i);
    return sets[side][n];
}

static bool
program_may_be(const struct policy_pattern *p, const struct risk_call *call,
               const struct policy_place *place)
{
    char real[PATH_MAX];

    if (call->n > 0 && call->expands[0] & SYNTAX_EXPANDS) {
        const char *name = path_base(call->argv[0]);

        return p->is_path ||
               pattern_matches(p, name, strcspn(name, "*?[$`{~@+!("), true);
    }
    if (!p->is_path)
        return pattern_matches(p, call->name, strlen(call->name), false);
    if (!call->path)
        return strcmp(path_base(p->text), call->name) == 0;
    return policy_path_is(p, call->path, false, place) ||
           (realpath(call->path, real) &&
            policy_path_is(p, real, false, place));
}

/* A rule about sudo, env, xargs …: of the wrapper itself only the name is
 * known, what it calls is the call. */
static bool
wrapper_may_be(const struct policy_rule *rule, const struct risk_call *call,
               const struct policy_place *place)
{
    static const char *const others[] = {"sudo", "doas", "su", "pkexec"};
    const struct policy_pattern *p = &rule->words[0];
    struct match m = {.rest = rule->rest, .call = call, .from = 1};
    bool named = call->wrapper && call->wrapper[0] &&
                 pattern_matches(p, call->wrapper, strlen(call->wrapper),
                                 false);
    size_t at = 1, n = rule->n - (rule->rest && rule->n > 1);

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        named = named ||
                (call->facts & RISK_SUDO && strcmp(others[i], p->text) == 0);
    while (at < n && is_wanted_option(&rule->words[at]))
        at++;
    if (!named || p->has_star || at == n)
        return named && rule->rest;
    m.words = rule->words + at + 1;
    m.n = n - at - 1;
    return program_may_be(&rule->words[at], call, place) && words_may_be(&m);
}

bool
policy_call_may_be(const struct policy_rule *rule, const struct risk_call *call,
                   const struct policy_place *place)
{
    struct match m = {.words = rule->words + 1,
                      .n = rule->n - 1 - (rule->rest && rule->n > 1),
                      .rest = rule->rest,
                      .call = call,
                      .from = 1};

    if (program_may_be(&rule->words[0], call, place) && words_may_be(&m))
        return true;
    return wrapper_may_be(rule, call, place);
}
