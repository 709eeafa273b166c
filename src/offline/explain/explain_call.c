/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_call.c - one command with its arguments. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "guard/path/path_table.h"
#include "offline/explain/explain_args.h"

#define NAME_SHOWN 200 /* bytes of a variable's name */

/* The name to look up, a path where it is one; NULL for a program somewhere
 * else. */
static const char *
program_name(const char *text)
{
    const char *base = path_base(text);
    size_t n = (size_t)(base - text);
    char dir[PATH_MAX];

    if (n == 0)
        return text;
    if (n > sizeof(dir))
        return NULL;
    snprintf(dir, sizeof(dir), "%.*s", (int)n - 1, text);
    return path_is(dir, PATH_IS_BIN_DIR) ? text : NULL;
}

static void
set_source(struct explainer *x, struct explain_part *part,
           const struct program *p)
{
    CLEANUP_BUF struct buf b = buf_of(512);

    program_describe(p, &b);
    if (part)
        part->source = buf_take(&b);
    if (part && !part->source)
        x->nomem = true;
}

/* The part that names the command. */
static void
add_command(const struct scope *s, const struct syntax_word *w,
            const struct program *p)
{
    const char *summary = p ? program_summary(p) : "";
    struct explain_part *part;

    if (!syntax_word_is_literal(w)) {
        explain_unknown(explain_add_word(s, w, EXPLAIN_COMMAND,
                                         "the command that this comes to"));
    } else if (w->text[0] == '!' && w->text[1]) {
        explain_add_word(s, w, EXPLAIN_EXPANSION,
                         "an earlier command, where a person types: !! is the "
                         "last one");
    } else if (!p) {
        explain_unknown(explain_add_word(
            s, w, EXPLAIN_COMMAND,
            "a program or script of this machine, without a manual page"));
    } else if (!program_is_known(p)) {
        explain_unknown(
            explain_add_word(s, w, EXPLAIN_COMMAND,
                             "no manual page for %.100s on this machine, and "
                             "not in the built-in tables",
                             p->name));
    } else {
        part = explain_add_word(s, w, EXPLAIN_COMMAND, "%s",
                                *summary ? summary : "a program");
        set_source(s->x, part, p);
        s->x->out->known = true;
    }
}

/* Whether a synopsis shows `word` behind the program's name: git-commit's
 * says "git commit", ssh-keygen's does not say "ssh keygen". */
static bool
is_subcommand(const struct program *p, const char *name, const char *word)
{
    char shown[256];

    if (p->table)
        return true;
    snprintf(shown, sizeof(shown), "%s %s", name, word);
    for (char *c = shown; *c; c++)
        if ((*c == '-' || *c == '_') && c < shown + strlen(name))
            *c = ' ';
    for (size_t i = 0; p->page && i < p->page->n; i++)
        if (p->page->rows[i].kind == 'S' &&
            strstr(p->page->rows[i].field[0], shown))
            return true;
    return false;
}

/* Whether it may have subcommands: our table of it names operands and no
 * words of its own where it has none, and then no page is looked for. */
static bool
may_have_subcommands(const struct program *p)
{
    bool operands = false;

    for (size_t i = 0; p->table && i < p->table->n; i++) {
        if (p->table->rows[i].kind == 'T')
            return true;
        operands = operands || p->table->rows[i].kind == 'P';
    }
    return !operands;
}

/* The whole word of one that is cut short: address for addr. */
static const char *
whole_object(const struct program *p, const char *word, char out[64])
{
    const char *list = program_quirk(p, "objects");
    size_t n = strlen(word);

    for (; list && *list; list += strspn(list, " ")) {
        size_t len = strcspn(list, " ");

        if (len >= n && len < 64 && memcmp(list, word, n) == 0) {
            memcpy(out, list, len);
            out[len] = '\0';
            return out;
        }
        list += len;
    }
    return word;
}

/* The page of "git commit", "gcloud compute ssh"; NULL when there is none. */
static const struct program *
find_subcommand(struct args *a, const char *word)
{
    static const char joints[] = "-_";
    const char *base = a->p ? path_base(a->p->name) : "";
    char name[200], whole[64];

    if (!isalpha((unsigned char)*word) || !a->p || strlen(word) > 60 ||
        !may_have_subcommands(a->p))
        return NULL;
    word = whole_object(a->p, word, whole);
    for (size_t i = 0; i < 2; i++) {
        const struct program *p;

        if (snprintf(name, sizeof(name), "%s%c%s", base, joints[i], word) >=
            (int)sizeof(name))
            return NULL;
        p = knowledge_get(&a->s->x->known, name);
        if (program_is_known(p) && is_subcommand(p, base, word))
            return p;
    }
    return NULL;
}

/* Whether the program is called with a word that says what to do. */
static bool
has_verbs(const struct program *p, const char *word)
{
    static const char *const signs[] = {"COMMAND", "command", "OBJECT",
                                        "ACTION",  "action",  "subcommand"};

    if (p->table && page_term(p->table, word, strlen(word)))
        return true;
    for (size_t i = 0; p->page && i < p->page->n; i++) {
        const char *synopsis = p->page->rows[i].field[0];

        if (p->page->rows[i].kind != 'S')
            continue;
        for (size_t k = 0; k < sizeof(signs) / sizeof(signs[0]); k++)
            if (strstr(synopsis, signs[k]))
                return true;
        if (strstr(synopsis, word))
            return true;
    }
    return false;
}

/* What the family's table knows of its object, for the sentence. */
static void
note_family(struct args *a, const struct syntax_word *w)
{
    const struct page_row *row;

    if (!program_quirk(a->p, "objects"))
        return;
    a->family = a->p;
    row = page_term(a->p->table, w->text, strlen(w->text));
    if (row)
        args_note(a, row, a->s->base + w->from, a->s->base + w->to);
}

/* The first operand may be a subcommand: a page or a word of its own. */
static bool
take_subcommand(struct args *a, const struct syntax_word *w)
{
    const struct program *sub;
    const struct page_row *row;
    struct explain_part *part;

    if (!syntax_word_is_literal(w) || a->ended || a->n_operands > 0)
        return false;
    sub = find_subcommand(a, w->text);
    if (sub) {
        part = explain_add_word(a->s, w, EXPLAIN_COMMAND, "%s",
                                *program_summary(sub) ? program_summary(sub)
                                                      : "a subcommand");
        set_source(a->s->x, part, sub);
        note_family(a, w);
        a->p = sub;
        a->name_to = a->s->base + w->to;
        return true;
    }
    row = isalpha((unsigned char)*w->text)
              ? program_term(a->p, w->text, strlen(w->text))
              : NULL;
    if (!row || program_quirk(a->p, "letters") || !has_verbs(a->p, w->text))
        return false;
    explain_add_word(a->s, w, EXPLAIN_COMMAND, "%s", row->field[2]);
    args_note(a, row, a->s->base + w->from, a->s->base + w->to);
    a->name_to = a->s->base + w->to;
    return true;
}

/* How many operands stand before a command of its own; -1: none comes, as
 * behind the options that the quirk names: "0 !-v". */
static long
runs_after(const struct args *a)
{
    const char *runs = program_quirk(a->p, "runs");
    const char *no = runs ? strchr(runs, '!') : NULL;

    for (; no; no = strchr(no + 1, '!'))
        for (size_t i = 0; i < a->n_used; i++)
            if (page_row_names(a->used[i].row, no + 1, strcspn(no + 1, " ")))
                return -1;
    return runs ? strtol(runs, NULL, 10) : -1;
}

/* A program of that command line's own: behind env, sudo, timeout …. */
static void
explain_rest(struct args *a)
{
    struct call inner = {
        .s = a->s, .argv = a->c->argv + a->i, .n = a->c->n - a->i};
    const struct syntax_word *only = inner.argv[0];

    a->i = a->c->n;
    if (a->s->x->calls >= EXPLAIN_CALLS_MAX)
        return;
    a->s->x->calls++;
    /* ssh HOST 'cd /srv && ls': one word that is a line */
    if (inner.n == 1 && only->flags & SYNTAX_QUOTED &&
        strchr(only->text, ' ') && explain_inner_word(a->s, only)) {
        args_take_said(a);
        return;
    }
    a->inner = explain_call(&inner);
}

/* python3 a.py -x: the option is the script's. */
static bool
ends_behind(const struct args *a)
{
    const char *ends = program_quirk(a->p, "ends");

    return ends && (long)a->n_operands >= strtol(ends, NULL, 10);
}

static void
take_operand(struct args *a, const struct syntax_word *w)
{
    const char *assign = explain_is_assignment(w)
                             ? program_quirk(a->p, "assign")
                             : NULL;

    if (assign && (long)a->n_operands >= strtol(assign, NULL, 10)) {
        size_t n = strcspn(w->text, "=");

        explain_add_word(a->s, w, EXPLAIN_ASSIGNMENT, "sets the variable %.*s",
                         n < NAME_SHOWN ? (int)n : NAME_SHOWN, w->text);
        return;
    }
    if ((long)a->n_operands == runs_after(a)) {
        explain_rest(a);
        return;
    }
    if (explain_letters(a) || explain_keyword(a) || explain_term(a) ||
        take_subcommand(a, w))
        return;
    /* builtins look for options in front of their operands only */
    a->ended = a->ended ||
               (program_is_builtin(a->p) && !program_quirk(a->p, "mixed"));
    a->operands[a->n_operands++] = w;
    a->ended = a->ended || ends_behind(a);
}

/* The -1 of kill -9 -1: behind the signal, no other one. */
static bool
is_group(const struct args *a, const char *text)
{
    return a->n_used > 0 && program_quirk(a->p, "groups") && text[1] &&
           strspn(text + 1, "0123456789") == strlen(text + 1);
}

static void
take_word(struct args *a)
{
    const struct syntax_word *w = a->c->argv[a->i];
    const char *t = w->text;
    const struct page_row *row;
    enum option_takes takes;

    a->ended = a->ended ||
               (t[0] == '-' && (explain_is_text(a, w) || is_group(a, t)));
    if (!a->ended && strcmp(t, "--") == 0) {
        explain_add_word(a->s, w, EXPLAIN_OPERATOR,
                         "ends the options: what follows is none");
        row = a->p->table ? page_option(a->p->table, t, 2, &takes) : NULL;
        if (row)
            args_note(a, row, a->s->base + w->from, a->s->base + w->to);
        a->ended = a->behind = true;
        a->n_before = a->n_operands;
    } else if (!a->ended && t[0] == '-' &&
               (t[1] || program_option(a->p, "-", 1, &takes))) {
        explain_option(a);
    } else if (!a->ended && t[0] == '+' && t[1] &&
               program_option(a->p, t, 2, &takes)) {
        explain_option(a);
    } else {
        take_operand(a, w);
    }
}

/* What nobody here knows: its words by their looks. */
static void
explain_unknown_args(const struct call *c)
{
    for (size_t i = 1; i < c->n; i++)
        explain_unknown(explain_add_word(
            c->s, c->argv[i],
            c->argv[i]->text[0] == '-' ? EXPLAIN_OPTION : EXPLAIN_OPERAND,
            c->argv[i]->text[0] == '-' ? "probably an option" : "an argument"));
}

struct fact *
explain_call(const struct call *c)
{
    const struct syntax_word *w = c->argv[0];
    const char *name = syntax_word_is_literal(w) ? program_name(w->text) : NULL;
    const struct program *p = name && *name
                                  ? knowledge_get(&c->s->x->known, name)
                                  : NULL;
    CLEANUP(free_p) const struct syntax_word **operands = NULL;
    struct args a = {.c = c, .s = c->s, .p = p, .i = 1};
    struct fact *f;

    a.name_to = c->s->base + w->to;

    add_command(c->s, w, p);
    if (!program_is_known(p)) {
        explain_unknown_args(c);
        return fact_keep(&a);
    }
    operands = calloc(c->n, sizeof(*operands));
    if (!operands) {
        c->s->x->nomem = true;
        return NULL;
    }
    a.operands = operands;
    for (; a.i < c->n; a.i++)
        take_word(&a);
    explain_operands(c->s, a.family ? a.family : a.p,
                     &(struct operands){.v = operands,
                                        .n = a.n_operands,
                                        .behind = a.behind,
                                        .n_before = a.n_before,
                                        .used = a.used,
                                        .n_used = a.n_used});
    if (program_quirk(p, "condition") && !c->s->mapped)
        a.said = explain_condition(c);
    f = fact_keep(&a);
    explain_precise(c->s->x, f);
    return f;
}
