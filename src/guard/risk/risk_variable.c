/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_variable.c - tracks what the line itself assigns to variables. */
#include "guard/risk/risk_variable.h"

#include <string.h>

#include "base/array.h"
#include "base/environ_names.h"
#include "guard/path/path_table.h"
#include "guard/risk/risk_evaluate.h"
#include "guard/risk/risk_findings.h"

#define VARIABLES_MAX 256 /* of one line; more is opaque */
#define EVER_MAX      64  /* values of one; more is anything */
#define CHAIN_MAX     64  /* commands between && that are followed */

/* Variables that bash itself sets (bash(1), Shell Variables). */
static const struct special_variable {
    const char *name;
    enum { NUMBER, TEXT, RUNS, SPLITS } kind;
} special_variables[] = {
    {"BASHPID", NUMBER},
    {"BASH_ARGC", NUMBER},
    {"BASH_LINENO", NUMBER},
    {"BASH_SUBSHELL", NUMBER},
    {"COLUMNS", NUMBER},
    {"EPOCHREALTIME", NUMBER},
    {"EPOCHSECONDS", NUMBER},
    {"EUID", NUMBER},
    {"GROUPS", NUMBER},
    {"HISTCMD", NUMBER},
    {"LINENO", NUMBER},
    {"LINES", NUMBER},
    {"OPTIND", NUMBER},
    {"PIPESTATUS", NUMBER},
    {"PPID", NUMBER},
    {"RANDOM", NUMBER},
    {"SECONDS", NUMBER},
    {"SHLVL", NUMBER},
    {"SRANDOM", NUMBER},
    {"UID", NUMBER},
    {"BASH", TEXT},
    {"BASHOPTS", TEXT},
    {"BASH_ARGV", TEXT},
    {"BASH_ARGV0", TEXT},
    {"BASH_COMMAND", TEXT},
    {"BASH_EXECUTION_STRING", TEXT},
    {"BASH_REMATCH", TEXT},
    {"BASH_SOURCE", TEXT},
    {"BASH_VERSION", TEXT},
    {"BASH_VERSINFO", TEXT},
    {"DIRSTACK", TEXT},
    {"FUNCNAME", TEXT},
    {"OLDPWD", TEXT},
    {"SHELLOPTS", TEXT},
    {"_", TEXT},
    {"BASH_ALIASES", RUNS},
    {"BASH_CMDS", RUNS},
    {"IFS", SPLITS},
};

static const struct special_variable *
special_of(const char *name, size_t n)
{
    for (size_t i = 0; i < ARRAY_SIZE(special_variables); i++)
        if (special_variables[i].name[0] == name[0] &&
            strncmp(special_variables[i].name, name, n) == 0 &&
            !special_variables[i].name[n])
            return &special_variables[i];
    return NULL;
}

size_t
risk_name_length(const char *text)
{
    if (*text >= '0' && *text <= '9')
        return 0;
    return strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                        "0123456789_");
}

struct risk_variable *
risk_variable_find(const struct risk_state *st, const char *name, size_t n)
{
    for (struct risk_variable *v = st->variables; v; v = v->next)
        if (strncmp(v->name, name, n) == 0 && !v->name[n])
            return v;
    return NULL;
}

const char *
risk_home(const struct risk_state *st)
{
    const struct risk_variable *v = risk_variable_find(st, "HOME", 4);

    return st->anything || (v && v->ever) ? NULL : st->where->home;
}

struct risk_variable *
risk_variable_add(struct risk_state *st, const char *name, size_t n)
{
    struct risk_variable *v = risk_variable_find(st, name, n);

    if (v)
        return v;
    st->full = st->full || st->n_variables == VARIABLES_MAX;
    v = st->full ? NULL : risk_alloc(st, sizeof(*v));
    if (!v)
        return NULL;
    st->n_variables++;
    v->name = risk_copy(st, name, n);
    v->next = st->variables;
    st->variables = v;
    return v;
}

bool
risk_variable_is_array(const struct risk_variable *v)
{
    return strcmp(v->name, "COPROC") == 0 ||
           special_of(v->name, strlen(v->name)) != NULL;
}

void
risk_variable_note_list(struct risk_state *st, const char *name, size_t n)
{
    struct risk_variable *v = risk_variable_add(st, name, n);

    if (!v || v->is_list)
        return;
    v->is_list = true;
    st->again = st->again || st->loop || st->later;
}

static bool
same_value(const struct risk_args *a, const struct risk_args *b)
{
    if (!a || !b || a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        const struct risk_arg *x = &a->v[i], *y = &b->v[i];

        if (!x->known && !y->known && x->number == y->number)
            continue;
        if (!x->known || !y->known || x->pattern != y->pattern ||
            x->tilde != y->tilde || strcmp(x->text, y->text) != 0)
            return false;
    }
    return true;
}

/* Whether the variable may have this value while the current text runs. */
static bool
may_be_now(const struct risk_state *st, const struct risk_value *e)
{
    return st->later || e->later || (st->loop && e->loop == st->loop);
}

static void
record_use(struct risk_state *st, struct risk_variable *v)
{
    v->used_in = st->loop;
    v->used_later = v->used_later || st->later;
}

const struct risk_args *
risk_variable_value(struct risk_state *st, struct risk_variable *v)
{
    if (v->unknown || v->n != 1 || st->anything || v->shell != st->frame->shell)
        return NULL;
    for (const struct risk_value *e = v->ever; e; e = e->next)
        if (may_be_now(st, e) && !same_value(e->words, v->values[0]))
            return NULL;
    record_use(st, v);
    return v->values[0];
}

static bool
is_number_value(const struct risk_args *words)
{
    if (!words || words->n != 1)
        return false;
    return words->v[0].number ||
           (words->v[0].known &&
            strspn(words->v[0].text, "0123456789") == strlen(words->v[0].text));
}

bool
risk_variable_is_number(struct risk_state *st, struct risk_variable *v)
{
    if (v->unknown || v->n == 0 || st->anything || v->shell != st->frame->shell)
        return false;
    for (size_t i = 0; i < v->n; i++)
        if (!is_number_value(v->values[i]))
            return false;
    for (const struct risk_value *e = v->ever; e; e = e->next)
        if (may_be_now(st, e) && !is_number_value(e->words))
            return false;
    record_use(st, v);
    return true;
}

/* Whether a new value contradicts what a use of the variable assumed. */
static bool
contradicts_use(const struct risk_state *st, const struct risk_variable *v,
                const struct risk_args *value)
{
    if (!v->used_later && (!st->loop || v->used_in != st->loop) && !st->later)
        return false;
    return v->unknown || v->n != 1 || !same_value(v->values[0], value);
}

static void
add_ever_value(struct risk_state *st, struct risk_variable *v,
               const struct risk_args *value)
{
    struct risk_value *e = v->ever;

    if (v->n_ever >= EVER_MAX)
        value = NULL;
    while (e && (e->loop != st->loop || e->later != st->later ||
                 (e->words != value && !same_value(e->words, value))))
        e = e->next;
    if (e)
        return;
    if (contradicts_use(st, v, value))
        st->again = true;
    e = risk_alloc(st, sizeof(*e));
    if (!e)
        return;
    e->words = value;
    e->loop = st->loop;
    e->later = st->later;
    e->next = v->ever;
    v->ever = e;
    v->n_ever++;
    if (!v->evaluated)
        return;
    st->fails = true;
    risk_evaluate_value(st, value, v->evaluated);
}

static void
add_current_value(struct risk_variable *v, struct risk_args *value)
{
    for (size_t i = 0; i < v->n; i++)
        if (same_value(v->values[i], value))
            return;
    if (!value || v->n == RISK_VALUES_MAX)
        v->unknown = true;
    else
        v->values[v->n++] = value;
}

void
risk_state_note_change(struct risk_state *st, bool *now, bool *often)
{
    *now = true;
    if (*often || (!st->loop && !st->later))
        return;
    *often = true;
    st->again = true;
}

/* Handles variables that bash treats specially. Returns the value to store. */
static struct risk_args *
assign_special(struct risk_state *st, const char *name, size_t n,
               struct risk_args *value)
{
    const struct special_variable *s = special_of(name, n);

    if (!s)
        return value;
    st->fails = st->fails || s->kind != SPLITS; /* UID=1 */
    if (s->kind == SPLITS) {
        risk_state_note_change(st, &st->split_changed, &st->splits_often);
        return value;
    }
    if (s->kind == RUNS)
        risk_report_unread(st, st->from, st->to,
                           "makes a name mean another command");
    if (s->kind == NUMBER)
        risk_evaluate_value(st, value, RISK_AS_ARITHMETIC);
    return NULL;
}

void
risk_variable_assign(struct risk_state *st, const char *name, size_t n,
                     struct risk_args *value, bool instead)
{
    struct risk_variable *v = risk_variable_add(st, name, n);

    value = assign_special(st, name, n, value);
    if (!v)
        return;
    if (v->changes_case)
        value = NULL;
    st->fails = st->fails || v->is_fixed;
    if (value)
        for (size_t i = 0; i < value->n; i++)
            value->v[i].source = NULL;
    add_ever_value(st, v, value);
    if (instead && !v->is_fixed && !st->later) {
        v->n = 0;
        v->unknown = false;
    } else if (v->n == 0 || v->shell != st->frame->shell) {
        v->unknown = true; /* it may also be unset */
    }
    add_current_value(v, value);
    v->shell = st->frame->shell;
}

void
risk_variable_assign_all(struct risk_state *st)
{
    if (st->anything)
        return;
    st->anything = true;
    risk_state_note_change(st, &st->split_changed, &st->splits_often);
    for (struct risk_variable *v = st->variables; v; v = v->next) {
        if (v->evaluated)
            risk_evaluate_value(st, NULL, v->evaluated);
        st->again = st->again || v->used_later ||
                    (st->loop && v->used_in == st->loop);
    }
}

/* Whether a variable that the line does not set may come from outside. */
static bool
is_from_outside(const char *name, size_t n)
{
    const struct special_variable *s = special_of(name, n);

    return s ? s->kind == TEXT || s->kind == RUNS
             : environ_names_is_plain(name, n);
}

void
risk_variable_evaluate(struct risk_state *st, const char *name, size_t n,
                       unsigned as)
{
    const struct special_variable *s = special_of(name, n);
    struct risk_variable *v;
    unsigned more;

    if (s && s->kind == NUMBER)
        return;
    v = risk_variable_add(st, name, n);
    more = v ? as & ~v->evaluated : 0;
    if (!more)
        return;
    v->evaluated |= more;
    if (st->anything || (s && s->kind != SPLITS) ||
        (!v->ever && is_from_outside(name, n)))
        risk_evaluate_value(st, NULL, more);
    for (const struct risk_value *e = v->ever; e; e = e->next)
        risk_evaluate_value(st, e->words, more);
}

void
risk_variable_save(struct risk_state *st, struct risk_saved **list,
                   const char *name, size_t n, bool surely)
{
    struct risk_variable *v = risk_variable_add(st, name, n);
    struct risk_saved *s = v ? risk_alloc(st, sizeof(*s)) : NULL;

    if (!s)
        return;
    s->variable = v;
    s->before = *v;
    s->surely = surely;
    s->below = *list;
    *list = s;
}

static void
restore_variable(struct risk_variable *v, const struct risk_variable *before,
                 bool surely)
{
    if (surely) {
        memcpy(v->values, before->values, sizeof(v->values));
        v->n = before->n;
        v->unknown = before->unknown;
        v->loses_map = v->loses_map || v->is_map != before->is_map;
        v->is_map = before->is_map;
        v->shell = before->shell;
        return;
    }
    for (size_t i = 0; i < before->n; i++)
        add_current_value(v, before->values[i]);
    v->unknown = v->unknown || before->unknown || before->n == 0;
    v->is_map = v->is_map && before->is_map;
}

void
risk_variable_restore(struct risk_saved **list, const struct risk_saved *until)
{
    while (*list && *list != until) {
        restore_variable((*list)->variable, &(*list)->before, (*list)->surely);
        *list = (*list)->below;
    }
}

size_t
risk_chain_end(const struct syntax_node *node)
{
    for (int i = 0; i < CHAIN_MAX && node->join == SYNTAX_AND && node->next;
         i++)
        node = node->next;
    return node->to;
}

/* Whether a kid runs whenever its parent does. */
static bool
always_runs(const struct syntax_node *kid)
{
    switch (kid->parent->kind) {
    case SYNTAX_LIST:
    case SYNTAX_GROUP:
        return true;
    case SYNTAX_IF:
    case SYNTAX_WHILE:
    case SYNTAX_UNTIL:
        return kid == kid->parent->kids;
    case SYNTAX_PIPELINE:
        return !kid->parent->kids->next;
    default:
        return false;
    }
}

static bool
runs_in_subshell(const struct risk_state *st, const struct syntax_node *kid)
{
    enum syntax_kind kind = kid->parent->kind;

    return kind == SYNTAX_SUBSHELL || kind == SYNTAX_COPROC ||
           (kind == SYNTAX_PIPELINE && !st->last_pipe);
}

bool
risk_may_be_skipped(const struct risk_state *st, const struct syntax_node *node)
{
    for (const struct syntax_redirect *r = node->redirects; r; r = r->next) {
        const char *target = r->target->text;

        if (r->kind == SYNTAX_HEREDOC || r->kind == SYNTAX_HERE_STRING)
            continue;
        if (path_is(target, PATH_IS_NULL) && r->kind != SYNTAX_WRITE_BOTH)
            continue;
        if ((r->kind == SYNTAX_DUP_IN || r->kind == SYNTAX_DUP_OUT) &&
            target[0] >= '0' && target[0] <= '2' && !target[1] && !st->closes)
            continue;
        return true;
    }
    return false;
}

size_t
risk_line_end(const struct syntax_node *node)
{
    while (node->parent &&
           (node->parent->kind != SYNTAX_LIST || node->parent->parent))
        node = node->parent;
    while (node && !node->ends_line)
        node = node->next;
    return node ? node->to : 0;
}

/* An error such as 1/0 skips the rest of its line. */
static bool
find_line_end(const struct risk_state *st, const struct risk_frame *f,
              const struct syntax_node *node, struct risk_saved *out)
{
    out->until = st->fails && !f->body ? risk_line_end(node) : 0;
    out->surely = false;
    return out->until > 0;
}

/* Finds how far an assignment by a node surely holds: to the end of the branch
 * around it. False: for everything that follows. */
static bool
find_branch_end(const struct risk_state *st, const struct risk_frame *f,
                const struct syntax_node *at, struct risk_saved *out)
{
    const struct syntax_node *node = at;

    out->until = (size_t)-1;
    for (; node && node != f->body; node = node->parent) {
        if (node->mapped) {
            out->until = 0;
            return true;
        }
        out->until = node->to;
        out->surely = false;
        if (risk_may_be_skipped(st, node))
            return true;
        out->surely = !node->shares;
        if (node->apart)
            out->until = risk_chain_end(node);
        if (node->apart || (!node->parent && node->holder))
            return true;
        out->surely = node->parent && runs_in_subshell(st, node);
        if (node->depends)
            out->until = risk_chain_end(node);
        if (node->depends || (node->parent && !always_runs(node)))
            return true;
    }
    if (find_line_end(st, f, at, out))
        return true;
    out->until = (size_t)-1;
    out->surely = false;
    return f->depth > 0;
}

bool
risk_variable_branch(struct risk_state *st, const struct risk_frame *f,
                     const struct syntax_node *node, const char *name, size_t n)
{
    struct risk_saved branch = {.frame = f};

    if (!find_branch_end(st, f, node, &branch))
        return true;
    if (branch.until == 0)
        return false;
    risk_variable_save(st, &st->branches, name, n, branch.surely);
    if (st->branches) {
        st->branches->frame = f;
        st->branches->until = branch.until;
    }
    return true;
}

void
risk_variable_assign_at(struct risk_state *st, const struct risk_frame *f,
                        const struct syntax_node *node, const char *name,
                        size_t n, struct risk_args *value)
{
    risk_variable_assign(st, name, n, value,
                         risk_variable_branch(st, f, node, name, n));
}

void
risk_variable_leave(struct risk_state *st, const struct risk_frame *f,
                    size_t at)
{
    while (st->branches && st->branches->frame == f &&
           at >= st->branches->until)
        risk_variable_restore(&st->branches, st->branches->below);
}

struct risk_args *
risk_value_of_text(struct risk_state *st, const char *text)
{
    struct risk_args *value = risk_alloc(st, sizeof(*value));
    struct risk_arg *a = value ? risk_args_add(st, value) : NULL;

    if (!a)
        return NULL;
    a->text = a->glob = text;
    a->known = true;
    return value;
}

struct risk_args *
risk_value_of_number(struct risk_state *st)
{
    struct risk_args *value = risk_value_of_text(st, "");

    if (value) {
        value->v[0].glob = "*";
        value->v[0].known = false;
        value->v[0].number = true;
    }
    return value;
}
