/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_shell_builtin.c - applies builtins that change what the rest of the line
 * means. */
#include <string.h>

#include "base/array.h"
#include "base/str.h"
#include "guard/risk/risk_evaluate.h"
#include "guard/risk/risk_findings.h"
#include "guard/risk/risk_internal.h"

#define NAMES_MAX 256 /* aliases of one line; more is opaque */

/* Where a change of directory ends: with the subshell, the substitution or the
 * pipeline's element around it. */
static size_t
subshell_end(const struct syntax_node *node)
{
    for (; node; node = node->parent) {
        if (node->kind == SYNTAX_SUBSHELL || node->apart)
            return risk_chain_end(node);
        if (node->parent && node->parent->kind == SYNTAX_PIPELINE &&
            node->parent->kids && node->parent->kids->next)
            return node->to;
        if (!node->parent && node->holder)
            return node->to;
    }
    return (size_t)-1;
}

static const char *
new_directory(struct risk_state *st, const struct risk_arg *a)
{
    const char *dir = st->directory->dir, *home = risk_home(st);

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
    /* the end of a subshell is not known in a mapped text */
    d->dir = (keeps && !to) || node->mapped ? NULL : new_directory(st, to);
    d->frame = f;
    d->until = subshell_end(node);
    d->below = st->directory;
    st->directory = d;
}

/* Builtins that assign to names: options with a value, those of them whose
 * value is a name, and what the operands are. */
static const struct name_builtin {
    const char *builtin;
    const char *values, *names;
    enum { WORDS, NAMES, SECOND, EXPRESSIONS } operands;
    const char *usual; /* the name when none is given */
} name_builtins[] = {
    {"read", "adinNptu", "a", NAMES, "REPLY"},
    {"mapfile", "dnOsuCc", "", NAMES, "MAPFILE"},
    {"readarray", "dnOsuCc", "", NAMES, "MAPFILE"},
    {"unset", "", "", NAMES, NULL},
    {"printf", "v", "v", WORDS, NULL},
    {"wait", "p", "p", WORDS, NULL},
    {"getopts", "", "", SECOND, "OPTARG"},
    {"let", "", "", EXPRESSIONS, NULL},
};

/* read x, mapfile x, printf -v x, unset x: the value of x is not known now. */
static void
assign_unknown(struct risk_state *st, const struct risk_frame *f,
               const struct risk_arg *a, bool ends)
{
    struct risk_variable *v;
    size_t n = risk_name_length(a->text);

    risk_evaluate_arg(st, f, a, RISK_AS_NAME);
    if (!a->known) {
        risk_variable_assign_all(st);
        return;
    }
    if (n > 0 && !ends)
        risk_environment_assigned(st, f, a->text, n, NULL);
    if (n > 0) {
        risk_variable_note_list(st, a->text, n);
        risk_variable_assign(st, a->text, n, NULL, true);
    }
    v = n > 0 && ends && !a->text[n] ? risk_variable_find(st, a->text, n)
                                     : NULL;
    if (v) {
        v->is_map = false;
        v->loses_map = true;
    }
    for (struct risk_name *d = st->functions; d; d = d->next)
        if (strcmp(d->name, a->text) == 0)
            d->certain = false;
}

static const struct name_builtin *
find_name_builtin(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(name_builtins); i++)
        if (strcmp(name_builtins[i].builtin, name) == 0)
            return &name_builtins[i];
    return NULL;
}

/* The text of an argument when everything unknown in it is empty: $x-v is then
 * an option, too. */
static const char *
option_text(struct risk_state *st, const struct risk_arg *a)
{
    char *text, *to;

    if (a->known || a->text[0] == '-')
        return a->text;
    text = to = risk_alloc(st, strlen(a->glob) + 1);
    for (const char *s = a->glob; to && *s; s++)
        if (*s != '*')
            *to++ = *s;
    return text ? text : "";
}

/* Applies the options in the word at v[0]. Returns the number of words used: 1,
 * or 2 with the value. */
static size_t
apply_option(struct risk_state *st, const struct risk_frame *f,
             const struct name_builtin *b, const char *text,
             const struct risk_arg *v, size_t n)
{
    for (const char *s = text + 1; *s; s++) {
        struct risk_arg rest = v[0];

        if (!strchr(b->values, *s))
            continue;
        rest.text = s + 1;
        rest.source = NULL;
        if (strchr(b->names, *s) && (s[1] || n > 1))
            assign_unknown(st, f, s[1] ? &rest : &v[1], false);
        return s[1] ? 1 : 2;
    }
    return 1;
}

static void
apply_name_builtin(struct risk_state *st, const struct risk_frame *f,
                   const struct name_builtin *b, const struct risk_arg *v,
                   size_t n)
{
    size_t at = 1, seen = 0;
    const char *text;

    while (at < n && (text = option_text(st, &v[at]))[0] == '-' && text[1] &&
           b->operands != EXPRESSIONS && strcmp(text, "--") != 0)
        at += apply_option(st, f, b, text, v + at, n - at);
    at += at < n && strcmp(v[at].text, "--") == 0;
    for (; at < n; at++, seen++)
        if (b->operands == EXPRESSIONS)
            risk_evaluate_arg(st, f, &v[at], RISK_AS_ARITHMETIC);
        else if (b->operands == NAMES || (b->operands == SECOND && seen == 1))
            assign_unknown(st, f, &v[at], b->builtin[0] == 'u');
    if (b->usual && (seen == 0 || b->operands == SECOND))
        risk_variable_assign(st, b->usual, strlen(b->usual), NULL, true);
}

/* Whether an argument may be several words, -v among them: an unknown $x or
 * "$@". */
static bool
may_be_words(const struct risk_state *st, const struct risk_arg *a)
{
    const struct syntax_part *p = a->source ? a->source->parts : NULL;
    const struct risk_variable *v;

    if (a->known || a->number || !p || p->next || p->kind != SYNTAX_PARAMETER)
        return false;
    if (strcmp(p->text, "@") == 0)
        return true;
    if (p->quoted)
        return false;
    v = risk_variable_find(st, p->text, risk_name_length(p->text));
    return strcmp(p->text, "*") == 0 || (v && v->ever);
}

/* test -v x[…] evaluates the subscript. The first of two unknown words may be
 * -v. */
static void
apply_test(struct risk_state *st, const struct risk_frame *f,
           const struct risk_arg *v, size_t n)
{
    n -= n > 1 && strcmp(v[0].text, "[") == 0;
    for (size_t i = 1; i < n; i++)
        if (may_be_words(st, &v[i]))
            risk_report_unread(st, v[i].from, v[i].to,
                               "cannot tell what it tests");
    for (size_t i = 1; i + 1 < n; i++)
        if ((v[i].known && strcmp(v[i].text, "-v") == 0) ||
            (!v[i].known && !v[i].number && n == 3))
            risk_evaluate_arg(st, f, &v[i + 1], RISK_AS_NAME);
}

/* Reads the words of -W, which expand. */
static void
expand_word_list(struct risk_state *st, const struct risk_frame *f,
                 const struct risk_arg *a)
{
    struct risk_frame inner = *f;

    if (a->known && !strpbrk(a->text, "$`"))
        return;
    inner.outer = f;
    inner.mapped = true;
    inner.from = a->from;
    inner.to = a->to;
    risk_walk_text(st, &inner, risk_join(st, ": ", a->text), a->known);
}

/* compgen -W 'text' and complete -aW'text' expand the text; compgen -F name
 * calls the function. */
static void
apply_completion(struct risk_state *st, const struct risk_frame *f,
                 const struct risk_arg *v, size_t n)
{
    for (size_t i = 1; i < n && (v[i].text[0] == '-' || !v[i].known); i++) {
        const char *letter = strpbrk(v[i].text, "AoGWFCXPS");
        struct risk_arg value = v[i];

        if (!letter || (!letter[1] && i + 1 == n))
            continue;
        value.text = letter + 1;
        value.source = NULL;
        if (!letter[1])
            value = v[++i];
        if (*letter == 'W')
            expand_word_list(st, f, &value);
        if (*letter == 'F' && v[0].text[4] == 'g')
            risk_analyze_call(st, f, &value, 1);
    }
}

static void
define_alias(struct risk_state *st, const struct risk_arg *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const char *equals = strchr(v[i].text, '=');
        struct risk_name *d = equals ? risk_alloc(st, sizeof(*d)) : NULL;

        st->has_aliases = st->has_aliases || equals || !v[i].known;
        if (!v[i].known && v[i].glob[strcspn(v[i].glob, "=*")] == '*')
            risk_report_unread(st, v[i].from, v[i].to,
                               "defines a name that is not known");
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

/* Whether set changes $1: set -- a b, set a b. The word behind an o is the name
 * of an option. */
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
apply_set(struct risk_state *st, const struct risk_arg *v, size_t n)
{
    if (sets_words(v, n))
        risk_state_note_change(st, &st->shifted, &st->shifts_often);
    for (size_t i = 1; i < n; i++) {
        if (v[i].text[0] == '-' && v[i].text[1] != '-')
            st->exports = st->exports || strchr(v[i].text, 'a');
        st->exports = st->exports || strcmp(v[i].text, "allexport") == 0;
        if (strcmp(v[i].text, "noclobber") == 0)
            st->no_clobber = v[i - 1].text[0] == '-';
        else if (v[i].text[0] == '-' && v[i].text[1] != '-' &&
                 strchr(v[i].text, 'C'))
            st->no_clobber = true;
        else if (strcmp(v[i].text, "+C") == 0)
            st->no_clobber = false;
        if (strcmp(v[i].text, "posix") == 0)
            st->expands_aliases = true;
    }
}

/* Options with which bash reads a line otherwise than it is read here. */
static bool
changes_meaning(const struct risk_arg *a)
{
    static const char *const options[] = {
        "extdebug",        /* a trap skips commands */
        "failglob",        /* a pattern without a match ends the line */
        "localvar_inherit" /* local x inherits the value of an outer x */
    };

    for (size_t i = 0; i < ARRAY_SIZE(options); i++)
        if (strcmp(a->text, options[i]) == 0)
            return true;
    return !a->known;
}

static void
apply_shopt(struct risk_state *st, const struct risk_arg *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (changes_meaning(&v[i]))
            risk_report_unread(st, v[i].from, v[i].to,
                               "an option changes what the line means");
        st->expands_aliases = st->expands_aliases || !v[i].known ||
                              strcmp(v[i].text, "expand_aliases") == 0;
        st->last_pipe = st->last_pipe || !v[i].known ||
                        strcmp(v[i].text, "lastpipe") == 0;
    }
}

void
risk_apply_builtin(struct risk_state *st, const struct risk_frame *f,
                   const struct syntax_node *node, const struct risk_arg *v,
                   size_t n)
{
    static const char *const prefixes[] = {"command", "builtin", NULL};
    static const char *const moves[] = {"cd", "pushd", "popd", NULL};
    static const char *const declares[] = {"export", "declare",  "typeset",
                                           "local",  "readonly", NULL};
    const struct name_builtin *name_builtin;

    while (n > 1 && str_in_words(v[0].text, prefixes))
        do {
            v++;
            n--;
        } while (n > 1 && v[0].text[0] == '-'); /* command -p cd x */
    if (!v[0].known)
        return;
    if (str_in_words(v[0].text, moves))
        change_directory(st, f, node, v, n);
    else if ((name_builtin = find_name_builtin(v[0].text)))
        apply_name_builtin(st, f, name_builtin, v, n);
    else if (str_in_words(v[0].text, declares))
        risk_apply_declaration(st, f, node, v, n);
    else if (strcmp(v[0].text, "test") == 0 || strcmp(v[0].text, "[") == 0)
        apply_test(st, f, v, n);
    else if (strcmp(v[0].text, "compgen") == 0 ||
             strcmp(v[0].text, "complete") == 0)
        apply_completion(st, f, v, n);
    else if (strcmp(v[0].text, "shopt") == 0)
        apply_shopt(st, v, n);
    else if (strcmp(v[0].text, "alias") == 0)
        define_alias(st, v, n);
    else if (strcmp(v[0].text, "set") == 0)
        apply_set(st, v, n);
    else if (strcmp(v[0].text, "shift") == 0)
        risk_state_note_change(st, &st->shifted, &st->shifts_often);
    else if (strcmp(v[0].text, "exec") == 0 && n == 1 && node->redirects)
        risk_state_note_change(st, &st->reads, &st->reads_often);
}

bool
risk_is_certain(const struct risk_state *st, const struct risk_frame *f,
                const struct syntax_node *node)
{
    if (st->fails && risk_line_end(node) > 0)
        return false;
    for (; node; node = node->parent) {
        if (node->depends || node->apart || risk_may_be_skipped(st, node))
            return false;
        if (node->parent ? node->parent->kind != SYNTAX_LIST &&
                               node->parent->kind != SYNTAX_GROUP
                         : node->holder != NULL)
            return false;
    }
    return f->depth == 0; /* a nested text may run in another shell */
}
