/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_nested.c - what a call runs in turn: a command line, a text, code. */
#include <string.h>

#include "guard/risk_memory.h"
#include "guard/risk_paths.h"
#include "guard/risk_run.h"

struct nested {
    struct risk_state *st;
    const struct risk_parsed *p;
    const struct program_rule *rule;
    struct risk_frame inner; /* where what is run is read */
    bool feeds; /* words come from standard input too (xargs, find) */
};

static struct nested
nested_in(struct risk_state *st, const struct risk_frame *f,
          const struct risk_parsed *p, const struct program_rule *r)
{
    struct nested n = {st, p, r, *f, false};

    n.inner.outer = f;
    n.inner.elsewhere = f->elsewhere || r->elsewhere;
    n.inner.facts = st->facts & ~(RISK_UNKNOWN | RISK_WRITES);
    if (!f->wrapper[0])
        n.inner.wrapper = p->name;
    return n;
}

/* An option's letter with its value, wherever it stands: -I of xargs. */
static const char *
value_of(const struct risk_parsed *p, char letter)
{
    for (size_t i = 0; i < p->n_options; i++)
        if (p->options[i].letter == letter && p->options[i].value_text)
            return p->options[i].value_text;
    return NULL;
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
run_words(struct nested *n, const struct risk_arg *v, size_t count,
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
is_setting(struct nested *n, const struct risk_arg *a)
{
    const char *equals = strchr(a->text, '=');
    struct risk_arg value = *a;

    if (!equals || equals == a->text ||
        strspn(a->text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                        "0123456789_") < (size_t)(equals - a->text))
        return false;
    value.text = value.glob = equals + 1;
    risk_environment(n->st, &n->inner, a->text, (size_t)(equals - a->text),
                     &value);
    return true;
}

/* The words behind options, settings and r->n arguments. */
static bool
wrap(struct nested *n)
{
    const struct risk_parsed *p = n->p;
    size_t i = 0, at;
    const char *mark = value_of(p, 'I');

    while (i < p->n_operands && is_setting(n, p->operands[i]))
        i++;
    i += n->rule->n;
    n->feeds = strcmp(p->name, "xargs") == 0;
    if (n->feeds) {
        n->inner.input.kind = RISK_INPUT_NONE;
        if (mark)
            n->feeds = false;
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
        risk_walk_text(n->st, &n->inner, p->v[at + 1].text, p->v[at + 1].known);
        return true;
    }
    if (at < p->n)
        run_words(n, p->v + at, p->n - at, mark ? mark : "{}");
    return true;
}

/* Words between one of the rule's AFTER and one of its UNTIL. */
static void
run_between(struct nested *n)
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
            run_words(n, p->v + from, i - from, "{}");
            from = 0;
        } else if (!from && begins) {
            from = i + 1;
        }
    }
}

/* The rule's arguments, joined by blanks, are a text for a shell. */
static bool
run_text(struct nested *n)
{
    const struct program_word *w = program_words(n->rule->select);
    struct risk_args args = {0}, rest = {0};
    const char *text = "";
    bool known = true;

    risk_select(n->st, n->p, n->rule, &args);
    if (args.n == 0)
        return false;
    for (size_t i = 0; i < args.n; i++) {
        if (args.v[i].process || (!args.v[i].known && (i == 0 || args.n == 1)))
            known = false;
        text = i ? risk_join(n->st, risk_join(n->st, text, " "), args.v[i].text)
                 : args.v[i].text;
    }
    n->inner.mapped = true;
    n->inner.from = args.v[0].from;
    n->inner.to = args.v[args.n - 1].to;
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
    risk_walk_text(n->st, &n->inner, text, known);
    return w->kind == PROGRAM_NTH || w->kind == PROGRAM_ARGS ||
           w->kind == PROGRAM_FROM;
}

static void
search_code(struct nested *n)
{
    struct risk_args args = {0};

    risk_select(n->st, n->p, n->rule, &args);
    if (strcmp(program_text(n->rule->text), "redis") == 0 && args.n > 1)
        args.n = 1; /* the others are keys and values */
    for (size_t i = 0; i < args.n; i++)
        risk_code(n->st, &n->inner, program_text(n->rule->text), &args.v[i]);
}

/* The commands of a crontab's lines, less the time that each begins with. */
static const char *
without_times(struct risk_state *st, const char *text)
{
    char *out = risk_alloc(st, strlen(text) + 1), *to = out;

    while (out && *text) {
        size_t line = strcspn(text, "\n");
        const char *s = text, *end = text + line;

        for (int i = s < end && *s == '@' ? 4 : 0; i < 5; i++) {
            s += strspn(s, " \t");
            s += strcspn(s, " \t\n");
        }
        if (s < end && *text != '#') {
            memcpy(to, s, (size_t)(end - s));
            to += end - s;
        }
        text = end + (*end == '\n');
        *to++ = *end ? '\n' : '\0';
    }
    return out ? out : "";
}

static void
read_input(struct nested *n, const char *language)
{
    const struct risk_input *in = &n->inner.input;
    struct risk_arg a;

    if (in->kind == RISK_INPUT_NONE)
        return;
    if (in->kind == RISK_INPUT_UNKNOWN) {
        risk_say_opaque(n->st, in->from, in->to,
                        "what is read from there runs as code");
        return;
    }
    if (strcmp(language, "shell") == 0 || strcmp(language, "cron") == 0) {
        const char *text = in->text;

        if (language[0] == 'c')
            text = without_times(n->st, text);
        n->inner.mapped = true;
        n->inner.from = in->from;
        n->inner.to = in->to;
        n->inner.positional = NULL;
        risk_walk_text(n->st, &n->inner, text, true);
        return;
    }
    a = (struct risk_arg){.text = in->text,
                          .glob = in->text,
                          .known = true,
                          .from = in->from,
                          .to = in->to};
    risk_code(n->st, &n->inner, language, &a);
}

/* The language of a program's own input; of `source` it is the shell's. */
static const char *
language_of(const struct risk_parsed *p)
{
    for (size_t i = 0; i < p->program->n_rules; i++)
        if (program_rules(p->program)[i].verb == PROGRAM_INPUT)
            return program_text(program_rules(p->program)[i].text);
    return "shell";
}

static bool
is_input_name(const char *text)
{
    return strcmp(text, "-") == 0 || strcmp(text, "/dev/stdin") == 0 ||
           strncmp(text, "/dev/fd/", 8) == 0 ||
           strncmp(text, "/proc/self/fd/", 14) == 0;
}

/* A file of code: nobody has read it; some nobody could. */
static void
load(struct nested *n, const struct risk_arg *a)
{
    if (a->known && is_input_name(a->text)) {
        if (n->inner.input.kind == RISK_INPUT_TEXT)
            read_input(n, language_of(n->p));
        else
            risk_say_opaque(n->st, a->from, a->to,
                            "what is read from there runs as code");
        return;
    }
    if (a->process || strspn(a->glob, "*") == strlen(a->glob) ||
        risk_is_made(n->st, a))
        risk_say_opaque(n->st, a->from, a->to,
                        "runs code that nobody has read");
    else
        risk_say(n->st, RISK_UNKNOWN, a->from, a->to, n->p->name,
                 "runs a file of code");
    risk_touch(n->st, &n->inner, a, RISK_READS, false, n->p->name);
}

static void
load_all(struct nested *n)
{
    struct risk_args args = {0};

    risk_select(n->st, n->p, n->rule, &args);
    for (size_t i = 0; i < args.n; i++)
        load(n, &args.v[i]);
}

bool
risk_nested(struct risk_state *st, const struct risk_frame *f,
            const struct risk_parsed *p, const struct program_rule *r)
{
    struct nested n = nested_in(st, f, p, r);

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
        read_input(&n, program_text(r->text));
        return false;
    case PROGRAM_LOADS:
        load_all(&n);
        return false;
    default:
        return false;
    }
}
