/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_assignment.c - applies NAME=value, and declare, local, export and the
 * like. */
#include <string.h>

#include "guard/risk/risk_evaluate.h"
#include "guard/risk/risk_expand.h"
#include "guard/risk/risk_findings.h"
#include "guard/risk/risk_internal.h"

/* The value of an assignment; NULL: not known. */
static struct risk_args *
assigned_value(struct risk_state *st, const struct risk_frame *f,
               const struct syntax_assign *a)
{
    struct risk_args *value = risk_alloc(st, sizeof(*value));

    if (!value)
        return NULL;
    if (a->is_array) {
        for (const struct syntax_word *w = a->words; w; w = w->next) {
            if (w->text[0] == '[')
                return NULL; /* ([1]=a [0]=b): not in order */
            risk_expand_word(st, f, w, value);
        }
        return value;
    }
    if (!a->value)
        return risk_value_of_text(st, "");
    risk_homoglyph_check(st, f, a->value);
    risk_expand_word(st, f, a->value, value);
    return value->n == 1 ? value : NULL;
}

static struct risk_args *
appended_value(struct risk_state *st, const struct syntax_assign *a,
               const struct risk_args *value)
{
    struct risk_variable *v = risk_variable_find(st, a->name, strlen(a->name));
    const struct risk_args *old = v ? risk_variable_value(st, v) : NULL;
    struct risk_args *both;

    if (!value || !old || (old->n != 1 && !a->is_array))
        return NULL;
    if (!a->is_array && old->v[0].known && value->v[0].known)
        return risk_value_of_text(
            st, risk_join(st, old->v[0].text, value->v[0].text));
    both = risk_alloc(st, sizeof(*both));
    for (size_t i = 0; both && a->is_array && i < old->n + value->n; i++) {
        struct risk_arg *to = risk_args_add(st, both);

        if (to)
            *to = i < old->n ? old->v[i] : value->v[i - old->n];
    }
    return a->is_array ? both : NULL;
}

/* x=1 in front of a command: a shell that the command starts has it too. */
static void
assign_for_command(struct risk_state *st, const char *name,
                   struct risk_args *value)
{
    risk_variable_save(st, &st->settings, name, strlen(name), true);
    risk_variable_assign(st, name, strlen(name), value, true);
}

/* x[1]=a: the other elements are no longer known. */
static void
assign_element(struct risk_state *st, const char *name, struct risk_args *value)
{
    struct risk_variable *v = risk_variable_add(st, name, strlen(name));

    risk_variable_assign(st, name, strlen(name), value, false);
    if (v)
        v->unknown = true;
}

/* True: a program that inherits the variable may depend on it. */
static bool
apply_assignment(struct risk_state *st, const struct risk_frame *f,
                 const struct syntax_node *node, const struct syntax_assign *a)
{
    struct risk_args *value = assigned_value(st, f, a);
    struct risk_args *both = a->append ? appended_value(st, a, value) : NULL;
    struct risk_arg all = {.text = "",
                           .glob = "*",
                           .from = risk_line_from(f, a->from),
                           .to = risk_line_to(f, a->to)};
    bool matters;

    if (value && value->n == 1)
        all = value->v[0];
    else if (!a->value && !a->is_array)
        all.known = true;
    matters = !risk_environment_set(st, f, a->name, strlen(a->name), &all);
    if (a->append) {
        /* on an integer += adds, and evaluates what is added */
        risk_variable_assign(st, a->name, strlen(a->name), value, false);
        value = both;
    }
    if (a->index || a->is_array)
        risk_variable_note_list(st, a->name, strlen(a->name));
    if (a->index)
        assign_element(st, a->name, value);
    else if (node->words)
        assign_for_command(st, a->name, value);
    else
        risk_variable_assign_at(st, f, node, a->name, strlen(a->name), value);
    return matters;
}

const char *
risk_apply_assignments(struct risk_state *st, const struct risk_frame *f,
                       const struct syntax_node *node)
{
    const char *variable = NULL;

    for (const struct syntax_assign *a = node->assigns; a; a = a->next) {
        if (!apply_assignment(st, f, node, a))
            continue;
        if (node->words)
            variable = a->name;
        else if (st->exports)
            st->variable = a->name;
    }
    return variable;
}

/* bash takes $PWD from its environment only where it names the working
 * directory (bash(1)). */
static bool
is_replaced_by_shell(const char *name, size_t n)
{
    return n == strlen("PWD") && strncmp(name, "PWD", n) == 0;
}

void
risk_apply_variables(struct risk_state *st, const struct risk_frame *f,
                     const char *const *variables)
{
    for (; variables && *variables && !st->full; variables++) {
        const char *name = *variables;
        size_t n = risk_name_length(name);
        struct risk_args *value = risk_value_of_text(
            st, risk_copy(st, name + n + 1, strlen(name + n + 1)));

        if (!value)
            return;
        value->v[0].to = st->line->top ? st->line->top->to : 0;
        if (!risk_environment_set(st, f, name, n, &value->v[0]))
            st->variable = risk_copy(st, name, n);
        risk_variable_assign(
            st, name, n, is_replaced_by_shell(name, n) ? NULL : value, true);
    }
}

struct declaration {
    struct risk_state *st;
    const struct risk_frame *frame;
    const struct syntax_node *node;
    bool exports;   /* export: no subscript is evaluated */
    bool inherited; /* export, declare -x: programs inherit it */
    bool local;     /* the variable is local to the function */
    bool fails;     /* local in no function */
    bool map, list, integer, changes_case, refers, fixed, global, removes,
        functions, prints;
};

static void
read_declare_letters(struct declaration *d, const struct risk_arg *a)
{
    bool on = a->text[0] == '-';

    for (const char *s = a->text + 1; *s; s++) {
        d->map = d->map || (on && *s == 'A');
        d->functions = d->functions || strchr("fF", *s);
        d->prints = d->prints || *s == 'p';
        d->removes = d->removes || (!on && *s == 'A');
        d->list = d->list || (on && *s == 'a');
        d->integer = d->integer || *s == 'i';
        d->changes_case = d->changes_case || strchr("luc", *s);
        d->refers = d->refers || (on && strchr("nI", *s) && !d->exports);
        d->fixed = d->fixed || (on && *s == 'r');
        d->global = d->global || (on && *s == 'g');
        if (*s == 'x' || (d->exports && strchr("nfp", *s)))
            d->inherited = on && *s == 'x';
    }
}

/* declare c=(rm x): parses the words of an array from the argument's text. */
static struct risk_args *
parse_array(struct declaration *d, const struct risk_arg *a)
{
    const struct syntax *s = risk_parse_text(d->st, a->text);
    struct risk_frame inner = *d->frame;

    if (!s || s->fault || !s->top || s->top->kind != SYNTAX_CALL ||
        !s->top->assigns)
        return NULL;
    inner.outer = d->frame;
    inner.syntax = s;
    inner.mapped = true;
    inner.from = a->from;
    inner.to = a->to;
    risk_evaluate_array(d->st, &inner, s->top->assigns);
    if (a->flags & SYNTAX_QUOTED)
        return NULL; /* the quotes that separated its words are gone */
    return assigned_value(d->st, &inner, s->top->assigns);
}

/* How many bytes of the word surely are the NAME of NAME=…; 0: not sure. */
static size_t
certain_name_length(const struct risk_arg *a)
{
    const struct syntax_part *p = a->source ? a->source->parts : NULL;
    size_t n = risk_name_length(a->text);

    if (a->known)
        return n;
    if (!p || p->kind != SYNTAX_TEXT || risk_name_length(p->text) < n)
        return 0;
    return p->text[n] == '=' || (p->text[n] == '+' && p->text[n + 1] == '=')
               ? n
               : 0;
}

static void
set_attributes(struct declaration *d, struct risk_variable *v)
{
    v->is_list = v->is_list || d->list || d->map;
    v->loses_map = v->loses_map || d->list || d->removes ||
                   (d->local && !d->map);
    if (d->list || d->removes || (d->local && !d->map))
        v->is_map = false;
    if (d->map && risk_variable_branch(d->st, d->frame, d->node, v->name,
                                       strlen(v->name)))
        v->is_map = true;
    v->changes_case = v->changes_case || d->changes_case;
    if (d->integer)
        risk_variable_evaluate(d->st, v->name, strlen(v->name),
                               RISK_AS_ARITHMETIC);
}

/* A local variable is restored at the end of its function. */
static void
make_local(struct declaration *d, const char *name, size_t n)
{
    struct risk_state *st = d->st;
    bool surely = d->frame->body && d->frame->function;

    for (const struct syntax_node *at = d->node; surely && at != d->frame->body;
         at = at->parent)
        surely = at->parent && !at->depends &&
                 (at->parent->kind == SYNTAX_LIST ||
                  at->parent->kind == SYNTAX_GROUP);
    risk_variable_save(st, &st->locals, name, n, surely);
}

static struct risk_args *
declared_value(struct declaration *d, const struct risk_arg *a,
               const char *text)
{
    struct risk_args *value;

    if (!a->known) {
        value = NULL;
        if (a->source && a->source->parts && a->source->parts->next &&
            !a->source->parts->next->next &&
            a->source->parts->next->kind == SYNTAX_EXPRESSION)
            value = risk_value_of_number(d->st);
        return value;
    }
    return text[0] == '(' ? parse_array(d, a) : risk_value_of_text(d->st, text);
}

/* Evaluates the name[…] of name[…]=value. */
static void
evaluate_target(struct declaration *d, const struct risk_arg *a)
{
    const char *end = strstr(a->text, "]=");
    struct risk_arg target = *a;

    if (!end)
        end = strstr(a->text, "]+=");
    if (end && a->known)
        target.text = risk_copy(d->st, a->text, (size_t)(end + 1 - a->text));
    risk_evaluate_arg(d->st, d->frame, &target, RISK_AS_NAME);
}

/* Whether x=(…) is written unquoted in the line. */
static bool
is_written_array(const struct risk_arg *a, size_t at)
{
    const struct syntax_part *p = a->source ? a->source->parts : NULL;

    return p && p->kind == SYNTAX_TEXT && !p->quoted && p->text[at] == '(';
}

/* declare -a x='($(rm b))': bash reads a text in parentheses as the words of an
 * array, which expand. */
static void
walk_array(struct declaration *d, const struct risk_arg *a, size_t at,
           const struct risk_variable *v)
{
    struct risk_state *st = d->st;
    struct risk_frame inner = *d->frame;

    if (is_written_array(a, at))
        return;
    if (!a->known && strchr("($", a->text[at]) &&
        (v->is_list || risk_variable_is_array(v) || st->anything))
        risk_report_unread(st, a->from, a->to,
                           "expands the result of an expansion");
    if (!a->known || a->text[at] != '(' || !strpbrk(a->text, "$`<>["))
        return;
    inner.outer = d->frame;
    inner.mapped = true;
    inner.from = a->from;
    inner.to = a->to;
    risk_walk_text(st, &inner, a->text, true);
}

static void
apply_declared_name(struct declaration *d, const struct risk_arg *a)
{
    struct risk_state *st = d->st;
    size_t n = certain_name_length(a), at = n;
    struct risk_arg value = *a;
    struct risk_args *known;
    struct risk_variable *v;
    bool appends, indexed = a->text[n] == '[';

    if (n == 0 || indexed) {
        if (!d->exports || !a->known)
            evaluate_target(d, a);
        if (n == 0 && !a->known) {
            risk_variable_assign_all(st);
            return;
        }
        at += strcspn(a->text + at, "]");
        at += a->text[at] == ']';
    }
    v = n ? risk_variable_add(st, a->text, n) : NULL;
    if (!v)
        return;
    if (d->local)
        make_local(d, a->text, n);
    set_attributes(d, v);
    appends = a->text[at] == '+';
    at += appends;
    if (a->text[at] != '=') {
        if (d->local)
            risk_variable_assign_at(st, d->frame, d->node, a->text, n,
                                    risk_value_of_text(st, ""));
        v->is_fixed = v->is_fixed || d->fixed;
        if (d->inherited && v->n && risk_environment_is_unlisted(a->text, n))
            st->variable = risk_copy(st, a->text, n);
        return;
    }
    walk_array(d, a, at + 1, v);
    value.text = a->text + at + 1;
    value.glob = a->known ? value.text : "*";
    if (!risk_environment_set(st, d->frame, a->text, n, &value) && d->inherited)
        st->variable = risk_copy(st, a->text, n);
    known = declared_value(d, a, value.text);
    if (appends || d->fails)
        risk_variable_assign(st, a->text, n, known, false);
    if (d->fails)
        return;
    risk_variable_assign_at(st, d->frame, d->node, a->text, n,
                            appends || indexed ? NULL : known);
    v->is_fixed = v->is_fixed || d->fixed;
}

bool
risk_is_declared_assignment(const struct risk_args *before,
                            const struct syntax_word *w)
{
    static const char *const names[] = {"export", "declare",  "typeset",
                                        "local",  "readonly", NULL};
    const struct syntax_part *p = w->parts;
    const char *const *name = names;
    size_t n = p && p->kind == SYNTAX_TEXT ? risk_name_length(p->text) : 0;

    if (n == 0 || p->quoted || before->n == 0 ||
        p->text[n + (p->text[n] == '+')] != '=')
        return false;
    while (*name && strcmp(*name, before->v[0].text) != 0)
        name++;
    return *name != NULL;
}

void
risk_apply_declaration(struct risk_state *st, const struct risk_frame *f,
                       const struct syntax_node *node, const struct risk_arg *v,
                       size_t n)
{
    struct declaration d = {.st = st, .frame = f, .node = node};
    size_t i = 1;

    d.exports = d.inherited = strcmp(v[0].text, "export") == 0;
    d.fixed = strcmp(v[0].text, "readonly") == 0;
    while (i < n && v[i].known && strchr("-+", v[i].text[0]) && v[i].text[0] &&
           v[i].text[1] && strcmp(v[i].text, "--") != 0)
        read_declare_letters(&d, &v[i++]);
    i += i < n && strcmp(v[i].text, "--") == 0;
    d.local = st->in_function && !d.exports && !d.global &&
              strcmp(v[0].text, "readonly") != 0;
    if (d.functions && d.fixed)
        risk_state_note_change(st, &st->fixes, &st->fixes_often);
    if (d.refers)
        risk_report_unread(st, v[0].from, v[n - 1].to,
                           "makes a name stand for another variable");
    d.fails = strcmp(v[0].text, "local") == 0 && !st->in_function;
    /* -p x and -f x only print x */
    for (; i < n && (d.exports || d.fixed || !(d.functions || d.prints)); i++)
        apply_declared_name(&d, &v[i]);
    if (d.exports)
        for (struct risk_name *name = st->functions; name; name = name->next)
            for (size_t j = 1; j < n; j++)
                name->exported = name->exported || !v[j].known ||
                                 strcmp(v[j].text, name->name) == 0;
}
