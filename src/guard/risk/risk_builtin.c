/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_builtin.c - commands that change what the rest of the line means. */
#include <string.h>

#include "guard/risk/risk_expand.h"
#include "guard/risk/risk_memory.h"
#include "guard/risk/risk_run.h"

#define NAMES_MAX 256 /* aliases of one line; more: opaque */

static bool
is(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* Where the directory that a command changes is in force: to the end of the
 * subshell, the substitution or the piece of a pipeline it stands in. */
static size_t
end_of_shell(const struct syntax_node *node)
{
    for (; node; node = node->parent) {
        if (node->kind == SYNTAX_SUBSHELL || node->join == SYNTAX_BACKGROUND)
            return node->to;
        if (node->parent && node->parent->kind == SYNTAX_PIPELINE &&
            node->parent->kids && node->parent->kids->next)
            return node->to;
        if (!node->parent && node->holder)
            return node->to;
    }
    return (size_t)-1;
}

static const char *
moved(struct risk_state *st, const struct risk_arg *a)
{
    const char *dir = st->directory->dir, *home = st->where->home;

    if (!a)
        return home;
    if (!a->known || a->pattern || strcmp(a->text, "-") == 0)
        return NULL;
    if (a->tilde)
        return home && (!a->text[1] || a->text[1] == '/')
                   ? risk_join(st, home, a->text + 1)
                   : NULL;
    if (a->text[0] == '/')
        return a->text;
    if (strcmp(a->text, ".") == 0 || !dir)
        return dir;
    return risk_join(st, risk_join(st, dir, "/"), a->text);
}

static void
change_directory(struct risk_state *st, const struct risk_frame *f,
                 const struct syntax_node *node, const struct risk_arg *v,
                 size_t n)
{
    struct risk_directory *d = risk_alloc(st, sizeof(*d));
    const struct risk_arg *to = NULL;
    bool keeps = strcmp(v[0].text, "cd") != 0;

    if (!d)
        return;
    for (size_t i = 1; i < n; i++)
        if (v[i].text[0] != '-' || !v[i].text[1])
            to = &v[i];
    d->dir = keeps && !to ? NULL : moved(st, to);
    d->frame = f;
    d->until = end_of_shell(node);
    d->below = st->directory;
    st->directory = d;
}

/* read x, mapfile x, printf -v x, unset x: who knows what x is now. */
static void
forget(struct risk_state *st, const struct risk_arg *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        size_t len = strcspn(v[i].text, "[");

        if (risk_variable(st, v[i].text, len))
            risk_assign(st, v[i].text, len, NULL, true);
        for (struct risk_name *d = st->functions; d; d = d->next)
            if (strcmp(d->name, v[i].text) == 0)
                d->certain = false;
    }
}

static void
define_alias(struct risk_state *st, const struct risk_arg *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const char *equals = strchr(v[i].text, '=');
        struct risk_name *d = equals ? risk_alloc(st, sizeof(*d)) : NULL;

        if (!d)
            continue;
        if (++st->n_names > NAMES_MAX) {
            st->full = true;
            return;
        }
        d->name = risk_copy(st, v[i].text, (size_t)(equals - v[i].text));
        d->text = v[i].known ? equals + 1 : "$unknown";
        d->next = st->aliases;
        st->aliases = d;
    }
}

static struct risk_args *
value_of(struct risk_state *st, const struct risk_frame *f,
         const struct syntax_assign *a)
{
    struct risk_args *value = risk_alloc(st, sizeof(*value));

    if (!value)
        return NULL;
    if (a->is_array) {
        for (const struct syntax_word *w = a->words; w; w = w->next)
            risk_expand(st, f, w, value);
        return value;
    }
    if (a->value) {
        risk_deceit(st, f, a->value);
        risk_expand(st, f, a->value, value);
    } else {
        return risk_value(st, "");
    }
    return value->n == 1 ? value : NULL;
}

/* declare c=(rm x): the words of an array, read as if they stood alone. */
static struct risk_args *
array_in(struct risk_state *st, const struct risk_frame *f,
         const struct risk_arg *a)
{
    const struct syntax *s = risk_parse(st, a->text);
    struct risk_frame inner = *f;

    if (!s || s->fault || !s->top || s->top->kind != SYNTAX_CALL ||
        !s->top->assigns)
        return NULL;
    inner.syntax = s;
    inner.mapped = true;
    inner.from = a->from;
    inner.to = a->to;
    return value_of(st, &inner, s->top->assigns);
}

/* export NAME=value */
static void
declare(struct risk_state *st, const struct risk_frame *f,
        const struct risk_arg *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const char *equals = strchr(v[i].text, '=');
        struct risk_arg value = v[i];
        struct risk_args *known;
        size_t len;

        if (!equals || v[i].text[0] == '-')
            continue;
        len = (size_t)(equals - v[i].text);
        value.text = equals + 1;
        value.glob = v[i].known ? value.text : "*";
        risk_environment(st, f, v[i].text, len, &value);
        if (value.text[0] == '(' && v[i].known)
            known = array_in(st, f, &v[i]);
        else
            known = v[i].known ? risk_value(st, value.text) : NULL;
        risk_assign(st, v[i].text, len, known, true);
    }
}

/* set -- a b, set a b: whether $1 is another now. The word behind an o is the
 * name of an option. */
static bool
sets_words(const struct risk_arg *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const char *text = v[i].text;

        if (!v[i].known || (text[0] != '-' && text[0] != '+') || !text[1] ||
            strcmp(text, "--") == 0)
            return true;
        i += strchr(text, 'o') != NULL;
    }
    return false;
}

static void
set_options(struct risk_state *st, const struct risk_arg *v, size_t n)
{
    st->shifted = st->shifted || sets_words(v, n);
    for (size_t i = 1; i < n; i++) {
        if (strcmp(v[i].text, "noclobber") == 0)
            st->no_clobber = v[i - 1].text[0] == '-';
        else if (v[i].text[0] == '-' && v[i].text[1] != '-' &&
                 strchr(v[i].text, 'C'))
            st->no_clobber = true;
        else if (strcmp(v[i].text, "+C") == 0)
            st->no_clobber = false;
    }
}

void
risk_builtin(struct risk_state *st, const struct risk_frame *f,
             const struct syntax_node *node, const struct risk_arg *v, size_t n)
{
    static const char *const prefixes[] = {"command", "builtin", NULL};
    static const char *const moves[] = {"cd", "pushd", "popd", NULL};
    static const char *const reads[] = {
        "read", "mapfile", "readarray", "getopts", "unset", "printf", NULL};
    static const char *const declares[] = {"export", "declare",  "typeset",
                                           "local",  "readonly", NULL};

    while (n > 1 && is(v[0].text, prefixes))
        do {
            v++;
            n--;
        } while (n > 1 && v[0].text[0] == '-'); /* command -p cd x */
    if (!v[0].known)
        return;
    if (is(v[0].text, moves))
        change_directory(st, f, node, v, n);
    else if (is(v[0].text, reads))
        forget(st, v, n);
    else if (is(v[0].text, declares))
        declare(st, f, v, n);
    else if (strcmp(v[0].text, "alias") == 0)
        define_alias(st, v, n);
    else if (strcmp(v[0].text, "set") == 0)
        set_options(st, v, n);
    else if (strcmp(v[0].text, "shift") == 0)
        st->shifted = true;
}

bool
risk_is_certain(const struct risk_frame *f, const struct syntax_node *node)
{
    for (; node; node = node->parent) {
        if (node->depends || node->join == SYNTAX_BACKGROUND)
            return false;
        if (node->parent ? node->parent->kind != SYNTAX_LIST &&
                               node->parent->kind != SYNTAX_GROUP
                         : node->holder != NULL)
            return false;
    }
    return f->depth == 0; /* a text inside may be another shell's */
}

static struct risk_args *
appended(struct risk_state *st, const struct syntax_assign *a,
         const struct risk_args *value)
{
    const struct risk_variable *v = risk_variable(st, a->name, strlen(a->name));
    const struct risk_args *old = v && v->n == 1 ? v->values[0] : NULL;
    struct risk_args *both;

    if (!value || !old || v->unknown || old->n != 1)
        return NULL;
    if (!a->is_array && old->v[0].known && value->v[0].known)
        return risk_value(st, risk_join(st, old->v[0].text, value->v[0].text));
    both = risk_alloc(st, sizeof(*both));
    for (size_t i = 0; both && a->is_array && i < old->n + value->n; i++) {
        struct risk_arg *to = risk_args_add(st, both);

        if (to)
            *to = i < old->n ? old->v[i] : value->v[i - old->n];
    }
    return a->is_array ? both : NULL;
}

void
risk_assignments(struct risk_state *st, const struct risk_frame *f,
                 const struct syntax_node *node)
{
    for (const struct syntax_assign *a = node->assigns; a; a = a->next) {
        struct risk_args *value = value_of(st, f, a);
        struct risk_arg all = {.text = "",
                               .glob = "*",
                               .from = risk_from(f, a->from),
                               .to = risk_to(f, a->to)};

        if (value && value->n == 1)
            all = value->v[0];
        else if (!a->value && !a->is_array)
            all.known = true;
        risk_environment(st, f, a->name, strlen(a->name), &all);
        if (node->words)
            continue; /* of that command's environment only */
        if (a->index)
            value = NULL;
        else if (a->append)
            value = appended(st, a, value);
        risk_assign(st, a->name, strlen(a->name), value,
                    risk_is_certain(f, node));
    }
}
