/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_verbs.c - recognizes verbs in the words of a program that no table
 * describes. */
#include "guard/risk/risk_verbs.h"

#include <string.h>

#include "base/path.h"

#define WORDS_MAX  3 /* object, kind, verb: cluster node delete */
#define VERB_BYTES 32

static const char *const harmful_verbs[] = {
    "delete",      "del",          "deleted",   "deleteall",  "remove",
    "rm",          "rmi",          "rmr",       "rmdir",      "unlink",
    "destroy",     "purge",        "drop",      "wipe",       "erase",
    "uninstall",   "unpublish",    "revoke",    "reset",      "prune",
    "flush",       "flushall",     "kill",      "killall",    "terminate",
    "obliterate",  "expunge",      "truncate",  "unregister", "nuke",
    "shred",       "zap",          "teardown",  "undeploy",   "evict",
    "deprovision", "decommission", "rollback",  "revert",     "discard",
    "yank",        "expire",       "burn",      "abandon",    "forget",
    "deregister",  "shutdown",     "poweroff",  "reboot",     "halt",
    "stop",        "cancel",       "abort",     "clear",      "clean",
    "cleanup",     "gc",           "overwrite", "unenroll",   "undefine",
    "eject",       "trash",        "rmtree",    "autoremove", "deinstall",
    "unmerge",     "unset",        NULL,
};

/* Verbs that only read or create. The words behind them are names. */
static const char *const reading_verbs[] = {
    "list",    "ls",      "show",     "get",   "search",   "find",
    "info",    "help",    "status",   "stat",  "view",     "describe",
    "explain", "man",     "cat",      "print", "which",    "whatis",
    "check",   "diff",    "log",      "logs",  "history",  "grep",
    "query",   "inspect", "version",  "test",  "validate", "verify",
    "lint",    "count",   "top",      "ps",    "watch",    "read",
    "tail",    "head",    "config",   "env",   "login",    "whoami",
    "new",     "create",  "add",      "init",  "install",  "clone",
    "fetch",   "pull",    "build",    "run",   "exec",     "start",
    "open",    "edit",    "export",   "dump",  "backup",   "doc",
    "docs",    "tree",    "outdated", "plan",  "render",   "template",
    "set",     NULL,
};

/* Options that delete, or lose the contents of a file. */
static const char *const losing_options[] = {
    "--in-place", "--inplace", "--overwrite", "--delete", "--remove",
    "--purge",    "--destroy", "--drop",      "--wipe",   "--uninstall",
    "--erase",    "--prune",   "--flush",     "--revoke", "--kill",
    "-delete",    "-kill",     "-remove",     "-purge",   "-destroy",
    NULL,
};

/* Options with which the program only says what it would do. */
static const char *const dry_run_options[] = {
    "--dry-run", "--dryrun", "--simulate", "--pretend", "--what-if", "--whatif",
    "--noop",    "--no-act", "--preview",  "--plan",    NULL,
};

static bool
is_in_words(const char *s, size_t n, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == n && strncasecmp(s, *words, n) == 0)
            return true;
    return false;
}

/* Whether the first or last part of a word joined by - _ or : is harmful. */
static bool
has_harmful_part(const char *word)
{
    static const char marks[] = "-_:";
    size_t n = strlen(word), last = n;

    if (is_in_words(word, strcspn(word, marks), harmful_verbs))
        return true;
    while (last > 0 && !strchr(marks, word[last - 1]))
        last--;
    return is_in_words(word + last, n - last, harmful_verbs);
}

/* scancel, bkill: a name that ends with the verb. */
static bool
has_harmful_ending(const char *name)
{
    static const char *const ends[] = {
        "kill",  "delete", "cancel", "remove",    "destroy",
        "erase", "wipe",   "purge",  "uninstall", NULL};
    size_t n = strlen(name);

    for (const char *const *e = ends; *e; e++) {
        size_t m = strlen(*e);

        if (n > m && strcmp(name + n - m, *e) == 0)
            return true;
    }
    return false;
}

static bool
is_plain_word(const char *s)
{
    return s[0] && !strpbrk(s, "/=@ \t\n$") && strlen(s) < VERB_BYTES;
}

static bool
is_dry_run(const struct risk_parsed *p)
{
    static const char *const falses[] = {"false", "none", "no", "0", NULL};

    for (size_t i = 0; i < p->n_options; i++) {
        const struct risk_option *o = &p->options[i];

        if (!o->letter && is_in_words(o->arg->text, o->len, dry_run_options) &&
            (!o->value_text || o->value ||
             !is_in_words(o->value_text, strlen(o->value_text), falses)))
            return true;
    }
    return false;
}

static const struct risk_arg *
harmful_option(const struct risk_parsed *p)
{
    for (size_t i = 0; i < p->n_options; i++) {
        const struct risk_option *o = &p->options[i];
        const char *text = o->arg->text;

        if (o->letter)
            continue;
        if (is_in_words(text, o->len, losing_options))
            return o->arg;
        for (const char *const *l = losing_options; *l; l++)
            if (strncmp(text, *l, strlen(*l)) == 0 && text[strlen(*l)] == '-')
                return o->arg;
    }
    return NULL;
}

static bool
is_verb_word(const struct program_word *w)
{
    return w->kind == PROGRAM_OPERAND && w->n == 1 &&
           !strpbrk(risk_program_text(w->pattern), "*?[./:");
}

/* Whether a rule's conditions name this verb; NULL: any. */
static bool
names_verb(const struct program_rule *r, const char *verb)
{
    const struct program_clause *c = risk_program_clauses(r);

    for (size_t i = 0; i < r->n_clauses; i++)
        for (const struct program_word *w = risk_program_words(c[i].words);
             w->kind != PROGRAM_END; w++)
            if (verb ? w->kind == PROGRAM_OPERAND &&
                           risk_pattern_matches(risk_program_text(w->pattern),
                                                verb)
                     : is_verb_word(w))
                return true;
    return false;
}

bool
risk_verbs_are_listed(const struct program *program)
{
    const struct program_rule *r = risk_program_rules(program);
    bool has = false;

    for (size_t i = 0; i < program->n_rules; i++) {
        if (r[i].verb == PROGRAM_CODE)
            return false; /* its words are code */
        has = has || names_verb(&r[i], NULL);
    }
    return has;
}

/* Whether a rule mentions the verb: then its effect was reported. */
static bool
table_mentions(const struct program *program, const char *verb)
{
    const struct program_rule *r = risk_program_rules(program);

    for (size_t i = 0; i < program->n_rules; i++)
        if (names_verb(&r[i], verb))
            return true;
    return false;
}

/* A program's name among the operands: most programs with such an operand start
 * it. */
static const struct risk_arg *
find_started_program(const struct risk_parsed *p)
{
    static const char *const started[] = {"rm",    "unlink",   "shred",
                                          "rmdir", "truncate", NULL};

    for (size_t i = 0; i + 1 < p->n_operands; i++) {
        const struct risk_arg *a = p->operands[i];
        const char *base = path_base(a->text);

        if (a->known && is_in_words(base, strlen(base), started))
            return a;
    }
    return NULL;
}

const struct risk_arg *
risk_verbs_harmful(const struct risk_parsed *p, bool is_listed)
{
    const struct risk_arg *name = p->v - 1;
    const char *base = path_base(name->text);
    bool reads = false;

    if (is_dry_run(p))
        return NULL;
    for (size_t i = 0; i < p->n_operands && i < WORDS_MAX; i++) {
        const struct risk_arg *a = p->operands[i];

        if (!a->known || !is_plain_word(a->text))
            break;
        if (has_harmful_part(a->text))
            return is_listed && table_mentions(p->program, a->text) ? NULL : a;
        if (is_in_words(a->text, strlen(a->text), reading_verbs)) {
            reads = true;
            break;
        }
    }
    if (is_listed)
        return NULL;
    if (!reads && find_started_program(p))
        return find_started_program(p);
    if (has_harmful_part(base) || has_harmful_ending(base))
        return name;
    return harmful_option(p);
}

bool
risk_verbs_ask_for_help(const struct risk_parsed *p)
{
    const struct risk_arg *last = p->n ? &p->v[p->n - 1] : NULL;

    if (!last || p->dashes || !last->known || p->n > WORDS_MAX ||
        strcmp(last->text, "--help") != 0)
        return false;
    for (size_t i = 0; i + 1 < p->n; i++)
        if (!p->v[i].known || p->v[i].text[0] == '-' ||
            !is_plain_word(p->v[i].text))
            return false;
    return true;
}
