/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_verbs.c - what the words of a program tell that no table knows. */
#include "guard/risk/risk_verbs.h"

#include <string.h>

#include "base/path.h"

#define WORDS_MAX  3 /* the object, its kind, the verb: cluster node delete */
#define VERB_BYTES 32

static const char *const harmful[] = {
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

/* Verbs behind which a name may be anything. */
static const char *const looking[] = {
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

/* Options that are no verb, and lose what a file holds. */
static const char *const losing[] = {
    "--in-place", "--inplace", "--overwrite", "--delete", "--remove",
    "--purge",    "--destroy", "--drop",      "--wipe",   "--uninstall",
    "--erase",    "--prune",   "--flush",     "--revoke", "--kill",
    "-delete",    "-kill",     "-remove",     "-purge",   "-destroy",
    NULL,
};

/* With one of these it says what it would do. */
static const char *const trying[] = {
    "--dry-run", "--dryrun", "--simulate", "--pretend", "--what-if", "--whatif",
    "--noop",    "--no-act", "--preview",  "--plan",    NULL,
};

static bool
is_one_of(const char *s, size_t n, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == n && strncasecmp(s, *words, n) == 0)
            return true;
    return false;
}

/* The first or the last part of a word that is joined by - _ . or : */
static bool
has_harmful_part(const char *word)
{
    static const char marks[] = "-_:";
    size_t n = strlen(word), last = n;

    if (is_one_of(word, strcspn(word, marks), harmful))
        return true;
    while (last > 0 && !strchr(marks, word[last - 1]))
        last--;
    return is_one_of(word + last, n - last, harmful);
}

/* scancel, bkill: named for what it does, with nothing between. */
static bool
ends_harmfully(const char *name)
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
is_word(const char *s)
{
    return s[0] && !strpbrk(s, "/=@ \t\n$") && strlen(s) < VERB_BYTES;
}

static bool
only_tries(const struct risk_parsed *p)
{
    static const char *const falses[] = {"false", "none", "no", "0", NULL};

    for (size_t i = 0; i < p->n_options; i++) {
        const struct risk_option *o = &p->options[i];

        if (!o->letter && is_one_of(o->arg->text, o->len, trying) &&
            (!o->value_text || o->value ||
             !is_one_of(o->value_text, strlen(o->value_text), falses)))
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
        if (is_one_of(text, o->len, losing))
            return o->arg;
        for (const char *const *l = losing; *l; l++)
            if (strncmp(text, *l, strlen(*l)) == 0 && text[strlen(*l)] == '-')
                return o->arg;
    }
    return NULL;
}

static bool
is_verb(const struct program_word *w)
{
    return w->kind == PROGRAM_OPERAND && w->n == 1 &&
           !strpbrk(program_text(w->pattern), "*?[./:");
}

/* Whether a line's conditions name a verb: this one; NULL: any. */
static bool
names_verb(const struct program_rule *r, const char *verb)
{
    const struct program_clause *c = program_clauses(r);

    for (size_t i = 0; i < r->n_clauses; i++)
        for (const struct program_word *w = program_words(c[i].words);
             w->kind != PROGRAM_END; w++)
            if (verb ? w->kind == PROGRAM_OPERAND &&
                           risk_matches(program_text(w->pattern), verb)
                     : is_verb(w))
                return true;
    return false;
}

bool
risk_has_verbs(const struct program *program)
{
    const struct program_rule *r = program_rules(program);
    bool has = false;

    for (size_t i = 0; i < program->n_rules; i++) {
        if (r[i].verb == PROGRAM_CODE)
            return false; /* its words are read as a language */
        has = has || names_verb(&r[i], NULL);
    }
    return has;
}

/* Then the table has said what it does, with these options. */
static bool
is_told_of(const struct program *program, const char *verb)
{
    const struct program_rule *r = program_rules(program);

    for (size_t i = 0; i < program->n_rules; i++)
        if (names_verb(&r[i], verb))
            return true;
    return false;
}

/* A program behind paths and names, with a word of its own: most that take
 * such words start it. */
static const struct risk_arg *
started_word(const struct risk_parsed *p)
{
    static const char *const started[] = {"rm",    "unlink",   "shred",
                                          "rmdir", "truncate", NULL};

    for (size_t i = 0; i + 1 < p->n_operands; i++) {
        const struct risk_arg *a = p->operands[i];
        const char *base = path_base(a->text);

        if (a->known && is_one_of(base, strlen(base), started))
            return a;
    }
    return NULL;
}

const struct risk_arg *
risk_harmful_word(const struct risk_parsed *p, bool is_listed)
{
    const struct risk_arg *name = p->v - 1;
    const char *base = path_base(name->text);
    bool looks = false;

    if (only_tries(p))
        return NULL;
    for (size_t i = 0; i < p->n_operands && i < WORDS_MAX; i++) {
        const struct risk_arg *a = p->operands[i];

        if (!a->known || !is_word(a->text))
            break;
        if (has_harmful_part(a->text))
            return is_listed && is_told_of(p->program, a->text) ? NULL : a;
        if (is_one_of(a->text, strlen(a->text), looking)) {
            looks = true;
            break;
        }
    }
    if (is_listed)
        return NULL;
    if (!looks && started_word(p))
        return started_word(p);
    if (has_harmful_part(base) || ends_harmfully(base))
        return name;
    return harmful_option(p);
}

bool
risk_asks_verb_for_help(const struct risk_parsed *p)
{
    const struct risk_arg *last = p->n ? &p->v[p->n - 1] : NULL;

    if (!last || p->dashes || !last->known || p->n > WORDS_MAX ||
        strcmp(last->text, "--help") != 0)
        return false;
    for (size_t i = 0; i + 1 < p->n; i++)
        if (!p->v[i].known || p->v[i].text[0] == '-' || !is_word(p->v[i].text))
            return false;
    return true;
}
