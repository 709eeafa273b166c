/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_match.c - decides whether a rule for commands matches a call. */
#include "guard/policy/policy_match.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/owner.h"
#include "base/path.h"
#include "guard/path/path_table.h"

/* The longest word of a rule that is a bundle of letters (-rf). A longer one is
 * a word, as find has them (-delete). */
#define BUNDLE_MAX 4

/* A word of the call. */
struct call_word {
    const char *text;
    bool expands; /* into something that is not known */
    bool loose;   /* it may become any number of words, with options */
    bool option;
    bool value; /* it follows an option, and may be its value */
};

/* A possible match, for deny and ask
 *
 * The words of the rule and the call. */
struct possible_match {
    const struct policy_pattern *words; /* of the rule, behind the program */
    size_t n;
    bool rest;
    const struct risk_call *call;
    size_t from; /* index of the call's first argument */
    size_t end;  /* index of --, or of the end: options stand before it */
};

static bool
is_option_text(const char *text)
{
    return text[0] == '-' && text[1];
}

static bool
is_wanted_option(const struct policy_pattern *p)
{
    return is_option_text(p->text) && strcmp(p->text, "--") != 0;
}

static struct call_word
call_word_at(const struct possible_match *m, size_t i)
{
    const char *text = m->call->argv[i];
    unsigned flags = m->call->expands[i];
    const char *last = i > m->from ? m->call->argv[i - 1] : "";
    struct call_word a = {.text = text};

    a.expands = flags & SYNTAX_EXPANDS;
    a.loose = a.expands && (flags & SYNTAX_RUNS || strpbrk(text, "$`{"));
    if (i > m->end)
        return a;
    a.option = is_option_text(text) && strcmp(text, "--") != 0;
    a.value = is_option_text(last) && !strchr(last, '=');
    return a;
}

/* Whether the pattern matches the word, or what it may expand to. */
static bool
word_possible(const struct policy_pattern *p, const struct call_word *a)
{
    if (a->loose)
        return true;
    if (a->expands)
        return policy_pattern_matches(p, a->text, strcspn(a->text, "*?[~@+!"),
                                      true);
    return policy_pattern_matches(p, a->text, strlen(a->text), false);
}

static bool
long_option_possible(const struct policy_pattern *p, const char *text,
                     const char *next)
{
    size_t n = strcspn(text, "="), wanted = strcspn(p->text, "=");
    struct policy_pattern value = *p;

    if (policy_pattern_matches(p, text, strlen(text), false))
        return true;
    if (n < 3 || n > wanted || strncmp(p->text, text, n) != 0)
        return false;
    if (wanted == p->n)
        return true;
    value.tokens += wanted + 1;
    value.n -= wanted + 1;
    next = text[n] ? text + n + 1 : next;
    return next && policy_pattern_matches(&value, next, strlen(next), false);
}

static bool
is_letter_bundle(const struct policy_pattern *p)
{
    if (p->n > BUNDLE_MAX || p->has_star)
        return false;
    for (size_t i = 1; i < p->n; i++)
        if (!isalnum((unsigned char)p->text[i]))
            return false;
    return true;
}

static bool
call_has_letter(const struct possible_match *m, char letter)
{
    for (size_t i = m->from; i < m->call->n; i++) {
        struct call_word a = call_word_at(m, i);

        if (a.option && a.text[1] != '-' && strchr(a.text + 1, letter))
            return true;
    }
    return false;
}

/* Whether this word of the call is the rule's option, or contains letters of
 * it. */
static bool
option_possible(const struct policy_pattern *p, const char *text,
                const char *next)
{
    if (p->text[1] == '-')
        return text[1] == '-' && long_option_possible(p, text, next);
    if (policy_pattern_matches(p, text, strlen(text), false))
        return true;
    return is_letter_bundle(p) && text[1] != '-' &&
           strpbrk(text + 1, p->text + 1);
}

static bool
call_has_option(const struct possible_match *m, const struct policy_pattern *p)
{
    bool letters = p->text[1] != '-' && is_letter_bundle(p);

    for (size_t i = m->from; i < m->call->n; i++) {
        struct call_word a = call_word_at(m, i);
        const char *next = i + 1 < m->call->n ? m->call->argv[i + 1] : NULL;

        if (a.loose)
            return true;
        if (a.option &&
            policy_pattern_matches(p, a.text, strlen(a.text), false))
            return true;
        if (a.option && !letters && option_possible(p, a.text, next))
            return true;
    }
    for (size_t i = 1; letters && i < p->n; i++)
        if (!call_has_letter(m, p->text[i]))
            return false;
    return letters;
}

/* Whether the word is, or contains, an option of the rule. */
static bool
is_option_of_rule(const struct possible_match *m, size_t i)
{
    const char *next = i + 1 < m->call->n ? m->call->argv[i + 1] : NULL;

    for (size_t k = 0; k < m->n; k++)
        if (is_wanted_option(&m->words[k]) &&
            option_possible(&m->words[k], m->call->argv[i], next))
            return true;
    return false;
}

/* Consumes one word of the call. on[k] tells whether the first k words of the
 * rule may have been matched. */
static void
advance_words(const struct possible_match *m,
              const struct policy_pattern *const *wanted, size_t n,
              const bool *on, bool *next, size_t i)
{
    struct call_word a = call_word_at(m, i);
    bool skip = a.option ? m->rest || is_option_of_rule(m, i)
                         : m->rest && a.value;

    skip = skip || strcmp(a.text, "--") == 0;
    memset(next, 0, n + 1);
    for (size_t k = 0; k <= n; k++) {
        if (a.loose && k > 0 && next[k - 1])
            next[k] = true; /* it may be any number of words */
        if (!on[k])
            continue;
        next[k] = next[k] || skip || a.loose || (k == n && m->rest);
        if (k < n && !a.option && word_possible(wanted[k], &a))
            next[k + 1] = true;
    }
}

static bool
words_possible(struct possible_match *m)
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
        else if (!call_has_option(m, &m->words[k]))
            return false;
    }
    if (n > 0 && strcmp(wanted[n - 1]->text, "--") == 0)
        n--; /* it only ends the options */
    for (size_t i = m->from; i < m->call->n; i++, side = !side)
        advance_words(m, wanted, n, sets[side], sets[!side], i);
    return sets[side][n];
}

static bool
program_possible(const struct policy_pattern *p, const struct risk_call *call,
                 const struct policy_context *ctx)
{
    char real[PATH_MAX];

    if (call->n > 0 && call->expands[0] & SYNTAX_EXPANDS) {
        const char *name = path_base(call->argv[0]);

        return p->is_path || policy_pattern_matches(
                                 p, name, strcspn(name, "*?[$`{~@+!("), true);
    }
    if (!p->is_path)
        return policy_pattern_matches(p, call->name, strlen(call->name), false);
    if (!call->path)
        return strcmp(path_base(p->text), call->name) == 0;
    return policy_path_is(p, call->path, false, ctx) ||
           (realpath(call->path, real) && policy_path_is(p, real, false, ctx));
}

/* Applies a rule about sudo, env, xargs …. Only the name of such a wrapper is
 * known; the call is the one that it makes. */
static bool
wrapper_possible(const struct policy_rule *rule, const struct risk_call *call,
                 const struct policy_context *ctx)
{
    static const char *const others[] = {"sudo", "doas", "su", "pkexec"};
    const struct policy_pattern *p = &rule->words[0];
    struct possible_match m = {.rest = rule->rest, .call = call, .from = 1};
    bool named = call->wrapper && call->wrapper[0] &&
                 policy_pattern_matches(p, call->wrapper, strlen(call->wrapper),
                                        false);
    size_t at = 1, n = rule->n - (rule->rest && rule->n > 1);

    for (size_t i = 0; i < ARRAY_SIZE(others); i++)
        named = named ||
                (call->facts & RISK_SUDO && strcmp(others[i], p->text) == 0);
    while (at < n && is_wanted_option(&rule->words[at]))
        at++;
    if (!named || p->has_star || at == n)
        return named && rule->rest;
    m.words = rule->words + at + 1;
    m.n = n - at - 1;
    return program_possible(&rule->words[at], call, ctx) && words_possible(&m);
}

bool
policy_match_possible(const struct policy_rule *rule,
                      const struct risk_call *call,
                      const struct policy_context *ctx)
{
    struct possible_match m = {.words = rule->words + 1,
                               .n = rule->n - 1 - (rule->rest && rule->n > 1),
                               .rest = rule->rest,
                               .call = call,
                               .from = 1};

    if (program_possible(&rule->words[0], call, ctx) && words_possible(&m))
        return true;
    return wrapper_possible(rule, call, ctx);
}

/* A certain match, for allow */

/* Only `allow risk …` covers a call with one of these facts. */
#define NEVER (RISK_SUDO | RISK_OPAQUE)

/* Builtins of bash 5.2 that no program replaces, or that bash prefers to the
 * program of the same name. */
static const char *const builtins[] = {
    ":",         ".",        "[",        "alias",   "bg",      "bind",
    "break",     "builtin",  "caller",   "cd",      "command", "compgen",
    "complete",  "compopt",  "continue", "declare", "dirs",    "disown",
    "echo",      "enable",   "eval",     "exec",    "exit",    "export",
    "false",     "fc",       "fg",       "getopts", "hash",    "help",
    "history",   "jobs",     "kill",     "let",     "local",   "logout",
    "mapfile",   "popd",     "printf",   "pushd",   "pwd",     "read",
    "readarray", "readonly", "return",   "set",     "shift",   "shopt",
    "source",    "suspend",  "test",     "times",   "trap",    "true",
    "type",      "typeset",  "ulimit",   "umask",   "unalias", "unset",
    "wait",
};

/* The target of a link counts: root chose it. */
static bool
is_roots_program(const char *path)
{
    CLEANUP(fd_close_p) int fd = open(path, O_PATH | O_CLOEXEC);

    return fd >= 0 && owner_check_fd(fd, OWNER_ROOTS, path, NULL) == 0;
}

bool
policy_match_is_system_program(const struct risk_call *call)
{
    const char *slash = call->path ? strrchr(call->path, '/') : NULL;
    char dir[PATH_MAX];

    if (!call->path)
        for (size_t i = 0; i < ARRAY_SIZE(builtins); i++)
            if (strcmp(builtins[i], call->argv[0]) == 0)
                return true;
    if (!slash || (size_t)(slash - call->path) >= sizeof(dir))
        return false;
    snprintf(dir, sizeof(dir), "%.*s", (int)(slash - call->path), call->path);
    return path_is(dir, PATH_IS_BIN_DIR) && is_roots_program(dir) &&
           is_roots_program(call->path);
}

static bool
program_certain(const struct policy_pattern *p, const struct risk_call *call,
                bool trusting, const struct policy_context *ctx)
{
    if (call->n == 0 || call->expands[0] & SYNTAX_EXPANDS)
        return false;
    if (p->is_path && trusting)
        return policy_path_is(p, call->argv[0], false, ctx) ||
               (call->path && policy_path_is(p, call->path, false, ctx));
    if (p->is_path)
        return call->path && policy_path_is(p, call->path, false, ctx);
    /* the name is compared first, because the other test reads the disk */
    return policy_pattern_matches(p, call->name, strlen(call->name), false) &&
           (trusting || policy_match_is_system_program(call));
}

/* Whether .. is a component of a word: a star must not match a path that leads
 * out of the rule's directory. */
static bool
has_parent_component(const char *text)
{
    for (const char *p = strstr(text, ".."); p; p = strstr(p + 2, ".."))
        if ((p == text || strchr("/=:", p[-1])) && (!p[2] || p[2] == '/'))
            return true;
    return false;
}

static bool
word_certain(const struct policy_pattern *p, const char *text)
{
    return policy_pattern_matches(p, text, strlen(text), false) &&
           !(p->has_star && !policy_pattern_is_star(p) &&
             has_parent_component(text));
}

/* Whether every letter of an option's word is one of the rule's options. */
static bool
mark_letters(const struct policy_rule *rule, const char *text, bool *seen)
{
    bool marks[POLICY_WORDS_MAX] = {false};

    for (const char *c = text + 1; *c; c++) {
        bool known = false;

        for (size_t k = 1; k < rule->n; k++) {
            const char *w = rule->words[k].text;

            if (w[0] == '-' && w[1] == *c && !w[2] && w[1] != '-')
                known = marks[k] = true;
        }
        if (!known)
            return false;
    }
    for (size_t k = 1; k < rule->n; k++)
        seen[k] = seen[k] || marks[k];
    return true;
}

/* Marks the options of the rule that this word is. */
static bool
mark_option(const struct policy_rule *rule, const char *text, bool *seen)
{
    for (size_t k = 1; k < rule->n; k++) {
        const struct policy_pattern *p = &rule->words[k];

        if (p->text[0] == '-' && p->text[1] && word_certain(p, text)) {
            seen[k] = true;
            return true;
        }
    }
    return text[1] != '-' && mark_letters(rule, text, seen);
}

/* Whether a word may stand for any arguments: it does not expand, or only to
 * names of files that are no options. */
static bool
expands_to_no_option(const struct policy_match_call *c, size_t i)
{
    const char *text = c->call->argv[i];
    unsigned flags = c->call->expands[i];

    if (!(flags & SYNTAX_EXPANDS))
        return true;
    if (flags & SYNTAX_RUNS || strpbrk(text, "$`{"))
        return false;
    return !strchr("-*?[@+!", text[0]) ||
           (i < POLICY_VETTED_MAX && c->vetted >> i & 1);
}

static bool
words_certain(const struct policy_rule *rule, const struct policy_match_call *c)
{
    const struct risk_call *call = c->call;
    size_t n = rule->n - (rule->rest && rule->n > 1), at = 1;
    bool seen[POLICY_WORDS_MAX] = {false}, options = true;

    for (size_t i = 1; i < call->n; i++) {
        const char *text = call->argv[i];
        bool is_option = options && text[0] == '-' && text[1];

        while (at < n &&
               (seen[at] ||
                (rule->words[at].text[0] == '-' && rule->words[at].text[1] &&
                 strcmp(rule->words[at].text, "--") != 0)))
            at++;
        options = options && strcmp(text, "--") != 0;
        if (!(call->expands[i] & SYNTAX_EXPANDS)) {
            if (is_option && options && mark_option(rule, text, seen))
                continue;
            if (at < n && word_certain(&rule->words[at], text)) {
                seen[at++] = true;
                continue;
            }
        }
        if (at < n || !rule->rest || !expands_to_no_option(c, i))
            return false;
    }
    for (size_t k = 1; k < n; k++)
        if (!seen[k])
            return false;
    return true;
}

bool
policy_match_certain(const struct policy_rule *rule,
                     const struct policy_match_call *c,
                     const struct policy_context *ctx)
{
    bool exact = !rule->rest;

    for (size_t k = 0; k < rule->n; k++)
        exact = exact && !rule->words[k].has_star;
    if (c->facts & NEVER || (c->call->wrapper && c->call->wrapper[0]))
        return false;
    if (!exact && c->facts & (POLICY_RISKY | RISK_WRITES) & ~rule->facts)
        return false;
    return program_certain(&rule->words[0], c->call, c->trusting, ctx) &&
           words_certain(rule, c);
}
