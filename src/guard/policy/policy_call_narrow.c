/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_call_narrow.c - a call as a rule that allows sees it. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/owner.h"
#include "guard/path/path_table.h"
#include "guard/policy/policy_call.h"

/* What no allow for a command covers: `allow risk …` does. */
#define NEVER (RISK_SUDO | RISK_OPAQUE)

/* Builtins of bash 5.2 that are no programs of their own here, or that bash
 * takes before the program of that name. */
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

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Where a link leads is what counts: what root named is root's. */
static bool
is_roots(const char *path)
{
    CLEANUP(fd_close_p) int fd = open(path, O_PATH | O_CLOEXEC);

    return fd >= 0 && owner_check_fd(fd, OWNER_ROOTS, path, NULL) == 0;
}

bool
policy_call_is_own(const struct risk_call *call)
{
    const char *slash = call->path ? strrchr(call->path, '/') : NULL;
    char dir[PATH_MAX];

    if (!call->path)
        for (size_t i = 0; i < N_OF(builtins); i++)
            if (strcmp(builtins[i], call->argv[0]) == 0)
                return true;
    if (!slash || (size_t)(slash - call->path) >= sizeof(dir))
        return false;
    snprintf(dir, sizeof(dir), "%.*s", (int)(slash - call->path), call->path);
    return path_is(dir, PATH_IS_BIN) && is_roots(dir) && is_roots(call->path);
}

static bool
program_is(const struct policy_pattern *p, const struct risk_call *call,
           bool trusting, const struct policy_place *place)
{
    if (call->n == 0 || call->expands[0] & SYNTAX_EXPANDS)
        return false;
    if (p->is_path && trusting)
        return policy_path_is(p, call->argv[0], false, place) ||
               (call->path && policy_path_is(p, call->path, false, place));
    if (p->is_path)
        return call->path && policy_path_is(p, call->path, false, place);
    /* the name first: most rules are about another, and trust asks the disk */
    return pattern_matches(p, call->name, strlen(call->name), false) &&
           (trusting || policy_call_is_own(call));
}

/* Whether .. is among the components of a word: a star must not lead out of
 * where the rule's own words are. */
static bool
leads_up(const char *text)
{
    for (const char *p = strstr(text, ".."); p; p = strstr(p + 2, ".."))
        if ((p == text || strchr("/=:", p[-1])) && (!p[2] || p[2] == '/'))
            return true;
    return false;
}

static bool
word_is(const struct policy_pattern *p, const char *text)
{
    return pattern_matches(p, text, strlen(text), false) &&
           !(p->has_star && !pattern_is_star(p) && leads_up(text));
}

/* Whether every letter of an option's word is one that the rule has. */
static bool
letters_are(const struct policy_rule *rule, const char *text, bool *seen)
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

/* Marks the rule's options that this word is. */
static bool
option_is(const struct policy_rule *rule, const char *text, bool *seen)
{
    for (size_t k = 1; k < rule->n; k++) {
        const struct policy_pattern *p = &rule->words[k];

        if (p->text[0] == '-' && p->text[1] && word_is(p, text)) {
            seen[k] = true;
            return true;
        }
    }
    return text[1] != '-' && letters_are(rule, text, seen);
}

/* A word that expands, where anything may stand: file names that are no
 * options. */
static bool
is_harmless(const struct policy_call *c, size_t i)
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
words_are(const struct policy_rule *rule, const struct policy_call *c)
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
            if (is_option && options && option_is(rule, text, seen))
                continue;
            if (at < n && word_is(&rule->words[at], text)) {
                seen[at++] = true;
                continue;
            }
        }
        if (at < n || !rule->rest || !is_harmless(c, i))
            return false;
    }
    for (size_t k = 1; k < n; k++)
        if (!seen[k])
            return false;
    return true;
}

bool
policy_call_is(const struct policy_rule *rule, const struct policy_call *c,
               const struct policy_place *place)
{
    bool exact = !rule->rest;

    for (size_t k = 0; k < rule->n; k++)
        exact = exact && !rule->words[k].has_star;
    if (c->facts & NEVER || (c->call->wrapper && c->call->wrapper[0]))
        return false;
    if (!exact && c->facts & (POLICY_HEAVY | RISK_WRITES) & ~rule->facts)
        return false;
    return program_is(&rule->words[0], c->call, c->trusting, place) &&
           words_are(rule, c);
}
