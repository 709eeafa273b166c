/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_select.c - selects the arguments that a rule of a stanza is about. */
#include <string.h>

#include "base/path.h"
#include "guard/risk/risk_args.h"
#include "guard/risk/risk_findings.h"
#include "guard/risk/risk_hosts.h"
#include "guard/risk/risk_paths.h"

struct arg_selection {
    struct risk_state *st;
    const struct risk_parsed *p;
    const struct program_rule *rule;
    struct risk_args *out;
};

/* The pattern for the end of an argument's text: as much of its glob as stands
 * for that end. */
static const char *
glob_of_tail(const struct risk_arg *a, const char *text)
{
    size_t all = strlen(a->text), n = strlen(text);
    size_t front = n <= all ? all - n : 0;

    if (strcmp(a->text + front, text) != 0)
        return a->glob;
    return strncmp(a->glob, a->text, front) == 0 ? a->glob + front : "*";
}

static void
add_argument(struct arg_selection *s, const struct risk_arg *a,
             const char *text)
{
    struct risk_arg *made = risk_args_add(s->st, s->out);

    if (!made)
        return;
    *made = *a;
    if (text != a->text) {
        made->text = made->glob = text;
        made->tilde = false;
        made->word = NULL; /* only a part of the word */
        if (!a->known)
            made->glob = glob_of_tail(a, text);
    }
}

static void
select_operands(struct arg_selection *s, size_t from, size_t to)
{
    for (size_t i = from; i < to && i < s->p->n_operands; i++)
        add_argument(s, s->p->operands[i], s->p->operands[i]->text);
}

static void
add_after_prefix(struct arg_selection *s, const char *name)
{
    size_t n = strlen(name);

    for (size_t i = 0; i < s->p->n_operands; i++) {
        const char *text = s->p->operands[i]->text;
        const char *mark = n == 1 ? strchr(text, name[0]) : text;

        if (mark && strncmp(mark, name, n) == 0)
            add_argument(s, s->p->operands[i], mark + n);
    }
}

/* The value behind the part that the pattern matches in front of its last *;
 * NULL: the pattern does not match. */
static const char *
strip_prefix_pattern(struct risk_state *st, const char *pattern,
                     const char *value)
{
    size_t n = strlen(pattern);
    const char *head;

    if (n == 0)
        return value;
    if (!risk_pattern_matches(pattern, value))
        return NULL;
    head = risk_copy(st, pattern, n - 1);
    for (size_t i = 0; i <= strlen(value) && i < 256; i++)
        if (risk_pattern_matches(head, risk_copy(st, value, i)))
            return value + i;
    return NULL;
}

static void
add_values(struct arg_selection *s, const struct program_word *w)
{
    for (size_t i = 0; i < s->p->n_options; i++) {
        const struct risk_option *o = &s->p->options[i];
        const char *text;

        if (!o->value_text || !risk_option_matches(s->p, o, w))
            continue;
        text = strip_prefix_pattern(s->st, risk_program_text(w->pattern),
                                    o->value_text);
        if (text)
            add_argument(s, o->value ? o->value : o->arg, text);
    }
}

/* The directory that one of the options behind INTO names. */
static const struct risk_arg *
target_option(struct arg_selection *s, const struct program_word *w,
              const char **text)
{
    for (; w->kind != PROGRAM_END; w++)
        for (size_t i = 0; i < s->p->n_options; i++) {
            const struct risk_option *o = &s->p->options[i];

            if (o->value_text && risk_option_matches(s->p, o, w)) {
                *text = o->value_text;
                return o->value ? o->value : o->arg;
            }
        }
    return NULL;
}

/* Adds the files that the first n operands become in a directory. A name that
 * is not known may be any name there. */
static void
add_inside(struct arg_selection *s, const struct risk_arg *dir,
           const char *text, size_t n)
{
    const char *in = text[0] ? risk_join(s->st, text, "/") : "";

    for (size_t i = 0; i < n; i++) {
        const struct risk_arg *a = s->p->operands[i];
        bool any = text[0] && !a->known;
        struct risk_arg made = *dir;

        made.known = dir->known && (a->known || any);
        made.pattern = dir->pattern || a->pattern || any;
        made.inside = any;
        made.text = risk_join(s->st, in, any ? "?*" : path_base(a->text));
        made.glob = risk_join(s->st, in, any ? "?*" : path_base(a->glob));
        made.word = NULL;
        add_argument(s, &made, made.text);
    }
}

static void
add_into(struct arg_selection *s, const struct program_word *w)
{
    size_t n = s->p->n_operands;
    const char *text = "";
    const struct risk_arg *dir = target_option(s, w, &text);

    if (dir) {
        add_inside(s, dir, text, n);
    } else if (n == 1) {
        struct risk_arg here = *s->p->operands[0];

        here.tilde = false;
        add_inside(s, &here, "", 1);
    } else if (n > 1) {
        dir = s->p->operands[n - 1];
        if (risk_path_is_directory(s->st, dir))
            add_inside(s, dir, dir->text, n - 1);
        else
            add_argument(s, dir, dir->text);
    }
}

static void
add_constant_path(struct arg_selection *s, const char *path)
{
    struct risk_arg a = {.text = path, .glob = path, .known = true};
    const struct risk_arg *name = s->p->v - 1;

    a.from = name->from;
    a.to = name->to;
    a.tilde = path[0] == '~';
    add_argument(s, &a, a.text);
}

static void
add_remote(struct arg_selection *s)
{
    for (size_t i = 0; i < s->p->n_operands; i++)
        if (risk_host_is_remote(s->p->operands[i]->text))
            add_argument(s, s->p->operands[i], s->p->operands[i]->text);
}

void
risk_select_args(struct risk_state *st, const struct risk_parsed *p,
                 const struct program_rule *r, struct risk_args *out)
{
    struct arg_selection s = {st, p, r, out};
    size_t n = p->n_operands;

    for (const struct program_word *w = risk_program_words(r->select);
         w->kind != PROGRAM_END; w++) {
        switch (w->kind) {
        case PROGRAM_ARGS:
            select_operands(&s, 0, n);
            break;
        case PROGRAM_LAST:
            select_operands(&s, n ? n - 1 : 0, n);
            break;
        case PROGRAM_BUT_LAST:
            select_operands(&s, 0, n ? n - 1 : 0);
            break;
        case PROGRAM_NTH:
            select_operands(&s, w->n - 1u, w->n);
            break;
        case PROGRAM_FROM:
            select_operands(&s, w->n - 1u, n);
            break;
        case PROGRAM_INTO:
            add_into(&s, w + 1);
            return;
        case PROGRAM_NAMED:
            add_after_prefix(&s, risk_program_text(w->text));
            break;
        case PROGRAM_REMOTE:
            add_remote(&s);
            break;
        case PROGRAM_LITERAL:
            add_constant_path(&s, risk_program_text(w->text));
            break;
        default:
            add_values(&s, w);
        }
    }
}
