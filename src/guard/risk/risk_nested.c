/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_nested.c - what a call runs in turn: a command line, a text, code. */
#include "guard/risk/risk_nested.h"

#include <string.h>

#include "guard/risk/risk_memory.h"
#include "guard/risk/risk_paths.h"
#include "guard/risk/risk_run.h"

/* Builtins whose text the shell itself reads, now or later. */
static bool
is_own_shell(const char *name)
{
    static const char *const builtins[] = {"eval",      "trap",     "mapfile",
                                           "readarray", "compgen",  "source",
                                           ".",         "complete", NULL};

    for (const char *const *b = builtins; *b; b++)
        if (strcmp(*b, name) == 0)
            return true;
    return false;
}

static struct risk_nested
nested_in(struct risk_state *st, const struct risk_frame *f,
          const struct risk_parsed *p, const struct program_rule *r)
{
    struct risk_nested n = {st, p, r, *f, false};

    n.inner.outer = f;
    n.inner.elsewhere = f->elsewhere || r->elsewhere;
    n.inner.evals = strcmp(p->name, "eval") == 0;
    if (!is_own_shell(p->name) &&
        (r->verb == PROGRAM_SHELL || r->verb == PROGRAM_INPUT ||
         r->verb == PROGRAM_LOADS))
        n.inner.shell = ++st->n_shells;
    if (n.inner.shell != f->shell)
        n.inner.bashless = !n.inner.elsewhere && strcmp(p->name, "bash") != 0;
    n.inner.facts = st->facts & ~(RISK_UNKNOWN | RISK_WRITES);
    if (!f->wrapper[0])
        n.inner.wrapper = p->name;
    return n;
}

/* What xargs puts its input in the place of, with -I X, -iX or --replace=X. The
 * last two are {} without a value. NULL: it adds the input at the end. */
static const char *
replaced_mark(const struct risk_parsed *p)
{
    for (size_t i = 0; i < p->n_options; i++) {
        const struct risk_option *o = &p->options[i];
        const char *text = o->arg->text;

        if (o->letter == 'I' && o->value_text)
            return o->value_text;
        if (o->letter == 'i')
            text = o->value_text;
        else if (!o->letter && o->len > 2 &&
                 strncmp(text, "--replace", o->len) == 0)
            text = o->value_text ? o->value_text : "";
        else
            continue;
        return text[0] ? text : "{}";
    }
    return NULL;
}

/* fd adds what it finds to a command that has no place for it. */
static bool
has_place(const struct risk_arg *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strstr(v[i].text, "{}") || strstr(v[i].text, "{/") ||
            strstr(v[i].text, "{."))
            return true;
    return false;
}

/* What is put in for {}: some file, some line of input. */
static void
blur(struct risk_arg *a, const char *mark)
{
    if (mark[0] && strstr(a->text, mark)) {
        a->known = false;
        a->glob = "*";
    }
}

static void
run_words(struct risk_nested *n, const struct risk_arg *v, size_t count,
          const char *mark)
{
    struct risk_args args = {0};

    for (size_t i = 0; i < count; i++) {
        struct risk_arg *a = risk_args_add(n->st, &args);

        if (!a)
            return;
        *a = v[i];
        blur(a, mark);
    }
    if (n->feeds) {
        const struct risk_arg *name = n->p->v - 1;
        struct risk_arg *a = risk_args_add(n->st, &args);

        if (!a)
            return;
        a->text = "{}";
        a->glob = "*";
        a->from = name->from;
        a->to = name->to;
    }
    n->inner.external = true;
    if (args.n)
        risk_run(n->st, &n->inner, args.v, args.n);
}

/* NAME=value in front of a command, as env and sudo read it. */
static bool
is_setting(struct risk_nested *n, const struct risk_arg *a)
{
    const char *equals = strchr(a->text, '=');
    struct risk_arg value = *a;

    if (!equals || equals == a->text ||
        memchr(a->text, '/', (size_t)(equals - a->text)))
        return false;
    value.text = value.glob = equals + 1;
    if (!risk_environment(n->st, &n->inner, a->text, (size_t)(equals - a->text),
                          &value))
        n->inner.variable = risk_copy(n->st, a->text,
                                      (size_t)(equals - a->text));
    return true;
}

/* The words behind options, settings and r->n arguments. */
static bool
wrap(struct risk_nested *n)
{
    const struct risk_parsed *p = n->p;
    size_t i = 0, at;
    const char *mark = NULL;

    while (i < p->n_operands && is_setting(n, p->operands[i]))
        i++;
    i += n->rule->n;
    n->feeds = strcmp(p->name, "xargs") == 0;
    if (n->feeds) {
        n->inner.input.kind = RISK_INPUT_NONE;
        mark = replaced_mark(p);
        n->feeds = !mark;
    }
    if (i >= p->n_operands)
        return false;
    at = p->at[i];
    while (n->rule->n && at < p->n && p->v[at].text[0] == '-' &&
           strcmp(p->v[at].text, "-c") != 0)
        at++; /* perf record -a command */
    if (at < p->n && strcmp(p->v[at].text, "--") == 0)
        at++;
    if (at + 1 < p->n && strcmp(p->v[at].text, "-c") == 0) {
        n->inner.shell = ++n->st->n_shells;
        n->inner.bashless = !n->inner.elsewhere;
        risk_walk_text(n->st, &n->inner, p->v[at + 1].text, p->v[at + 1].known);
        return true;
    }
    if (at < p->n)
        run_words(n, p->v + at, p->n - at, mark ? mark : "{}");
    return true;
}

/* Words between one of the rule's AFTER and one of its UNTIL. */
static void
run_between(struct risk_nested *n)
{
    const struct program_word *words = program_words(n->rule->select);
    const struct risk_parsed *p = n->p;
    size_t from = 0;

    for (size_t i = 0; i <= p->n; i++) {
        bool begins = false, ends = i == p->n;

        for (const struct program_word *w = words;
             i < p->n && w->kind != PROGRAM_END; w++) {
            if (strcmp(program_text(w->text), p->v[i].text) != 0)
                continue;
            begins = begins || w->kind == PROGRAM_AFTER;
            ends = ends || w->kind == PROGRAM_UNTIL;
        }
        if (from && ends) {
            n->feeds = strncmp(p->name, "fd", 2) == 0 &&
                       !has_place(p->v + from, i - from);
            run_words(n, p->v + from, i - from, "{}");
            from = 0;
        } else if (!from && begins) {
            from = i + 1;
        }
    }
}

/* The rule's arguments, joined by blanks, are a text for a shell. */
static bool
run_text(struct risk_nested *n)
{
    const struct program_word *w = program_words(n->rule->select);
    struct risk_args args = {0}, rest = {0};
    const char *text = "";
    bool known = true, splits = strcmp(n->p->name, "env") == 0;

    risk_select(n->st, n->p, n->rule, &args);
    if (args.n == 0)
        return false;
    for (size_t i = 0; i < args.n; i++) {
        if (args.v[i].process || (!args.v[i].known && !args.v[i].number &&
                                  (i == 0 || args.n == 1 || n->inner.evals)))
            known = false;
        if (splits && strpbrk(args.v[i].text, "\\$"))
            known = false; /* of env -S: \_ is a blank */
        text = i ? risk_join(n->st, risk_join(n->st, text, " "), args.v[i].text)
                 : args.v[i].text;
    }
    n->inner.mapped = true;
    n->inner.from = args.v[0].from;
    n->inner.to = args.v[0].to;
    for (size_t i = 1; i < args.n; i++) { /* {} of xargs stands before them */
        if (args.v[i].from < n->inner.from)
            n->inner.from = args.v[i].from;
        if (args.v[i].to > n->inner.to)
            n->inner.to = args.v[i].to;
    }
    /* sh -c 'text' name $1 $2 … */
    if (w->kind == PROGRAM_NTH && n->p->n_operands >= w->n + 1u) {
        for (size_t i = w->n + 1u; i < n->p->n_operands; i++) {
            struct risk_arg *a = risk_args_add(n->st, &rest);

            if (a)
                *a = *n->p->operands[i];
        }
        n->inner.positional = &rest;
    } else {
        n->inner.positional = NULL;
    }
    if (strcmp(n->p->name, "trap") == 0)
        risk_walk_later(n->st, &n->inner, text, known);
    else
        risk_walk_text(n->st, &n->inner, text, known);
    return w->kind == PROGRAM_NTH || w->kind == PROGRAM_ARGS ||
           w->kind == PROGRAM_FROM;
}

static void
search_code(struct risk_nested *n)
{
    struct risk_args args = {0};

    risk_select(n->st, n->p, n->rule, &args);
    if (strcmp(program_text(n->rule->text), "redis") == 0 && args.n > 1)
        args.n = 1; /* the others are keys and values */
    for (size_t i = 0; i < args.n; i++)
        risk_code(n->st, &n->inner, program_text(n->rule->text), &args.v[i]);
}

bool
risk_nested(struct risk_state *st, const struct risk_frame *f,
            const struct risk_parsed *p, const struct program_rule *r)
{
    struct risk_nested n = nested_in(st, f, p, r);

    switch (r->verb) {
    case PROGRAM_WRAPS:
        return wrap(&n);
    case PROGRAM_RUNS:
        n.inner.input.kind = RISK_INPUT_NONE;
        if (program_words(r->select)->kind == PROGRAM_AFTER)
            run_between(&n);
        else {
            struct risk_args args = {0};

            risk_select(st, p, r, &args);
            run_words(&n, args.v, args.n, "{}");
        }
        return false;
    case PROGRAM_SHELL:
        return run_text(&n);
    case PROGRAM_CODE:
        search_code(&n);
        return false;
    case PROGRAM_INPUT:
        risk_read_input(&n, program_text(r->text));
        return false;
    case PROGRAM_LOADS:
        risk_load(&n);
        return false;
    default:
        return false;
    }
}
