/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_walk.c - reads the commands of a text, one after the other. */
#include <string.h>

#include "guard/risk/risk_evaluate.h"
#include "guard/risk/risk_expand.h"
#include "guard/risk/risk_findings.h"
#include "guard/risk/risk_internal.h"
#include "guard/risk/risk_state.h"

/* Bashisms.
 *
 * A text for sh, dash or zsh is read here as bash reads it. Syntax that only
 * bash has makes it unreadable: dash takes [[ for a command, (( for two
 * parentheses, $' for a dollar and a quote. */

static bool
is_bash_kind(enum syntax_kind kind)
{
    return kind == SYNTAX_TEST || kind == SYNTAX_ARITH ||
           kind == SYNTAX_FOR_ARITH || kind == SYNTAX_SELECT ||
           kind == SYNTAX_COPROC;
}

/* Whether it is $[…], which is one byte shorter in front than $((…)), ${x/a/b},
 * ${x^} or the like. */
static bool
is_bash_part(const struct syntax_part *p)
{
    if (p->kind == SYNTAX_EXPRESSION)
        return p->inside == 0 || p->inside < p->from + 3;
    if (p->kind == SYNTAX_PARAMETER)
        return (p->text[0] == '!' && p->text[1]) ||
               (p->op[0] && strchr("/^,@", p->op[0]));
    return p->kind == SYNTAX_PROCESS_IN || p->kind == SYNTAX_PROCESS_OUT;
}

static bool
is_bash_word(const struct syntax_word *w)
{
    if (w->flags & SYNTAX_ANSI)
        return true;
    for (const struct syntax_part *p = w->parts; p; p = p->next) {
        if (is_bash_part(p))
            return true;
        for (const struct syntax_part *k = p->kids; k; k = k->next)
            if (is_bash_part(k))
                return true;
    }
    return false;
}

static bool
has_bash_assignment(const struct syntax_node *node)
{
    for (const struct syntax_assign *a = node->assigns; a; a = a->next)
        if (a->append || a->is_array || a->index ||
            (a->value && is_bash_word(a->value)))
            return true;
    return false;
}

static bool
has_bash_words(const struct syntax_node *node)
{
    const char *name = node->words ? node->words->text : "";

    if (node->kind == SYNTAX_CALL &&
        (strcmp(name, "declare") == 0 || strcmp(name, "typeset") == 0))
        return true;
    for (const struct syntax_word *w = node->words; w; w = w->next)
        if (is_bash_word(w))
            return true;
    for (const struct syntax_redirect *r = node->redirects; r; r = r->next)
        if (is_bash_word(r->target))
            return true;
    return false;
}

/* Reports a node in a text for another shell that has bash syntax. */
static void
report_bashism(struct risk_state *st, const struct risk_frame *f,
               const struct syntax_node *node)
{
    if (is_bash_kind(node->kind) || has_bash_assignment(node) ||
        has_bash_words(node))
        risk_report_unread(st, risk_line_from(f, node->from),
                           risk_line_to(f, node->to),
                           "another shell would read it differently");
}

#define NAMES_MAX 256 /* functions of one line; more is opaque */

/* Whether the name was already called or defined, in text that is read once but
 * runs repeatedly. */
static bool
is_used_name(const struct risk_state *st, const char *name)
{
    for (const struct risk_name *d = st->functions; d; d = d->next)
        if (strcmp(d->name, name) == 0)
            return true;
    for (size_t i = 0; i < st->out->n_calls; i++)
        if (strcmp(st->out->calls[i].name, name) == 0)
            return true;
    return false;
}

/* POSIX's special builtins: in POSIX mode no function replaces them, and an x=1
 * in front of one outlives it. */
static bool
is_special_builtin(const char *name)
{
    static const char *const builtins[] = {
        ":",    "eval",     "export", "readonly", "set",   "shift",
        "trap", "unset",    "exec",   ".",        "times", "return",
        "exit", "continue", "source", "break",    NULL};

    for (const char *const *b = builtins; *b; b++)
        if (strcmp(name, *b) == 0)
            return true;
    return false;
}

static void
define_function(struct risk_state *st, const struct risk_frame *f,
                const struct syntax_node *node)
{
    struct risk_name *d = risk_alloc(st, sizeof(*d));

    if (!d || !node->words || !node->kids)
        return;
    if (++st->n_names > NAMES_MAX) {
        st->full = true;
        return;
    }
    d->name = node->words->text;
    d->syntax = f->syntax;
    d->body = node->kids;
    d->certain = risk_is_certain(st, f, node) && !st->fixes &&
                 !is_special_builtin(d->name);
    d->shell = f->shell;
    if ((st->loop || st->later) && is_used_name(st, d->name))
        risk_report_unread(st, risk_line_from(f, node->from),
                           risk_line_to(f, node->to),
                           "means another command the next time");
    d->next = st->functions;
    st->functions = d;
}

/* bash calls this function by itself when a program is not found. */
static void
run_not_found_handler(struct risk_state *st, const struct risk_frame *f,
                      const struct syntax_node *node)
{
    static const char name[] = "command_not_found_handle";
    struct risk_arg a = {.text = name, .glob = name, .known = true};

    if (!node->words || strcmp(node->words->text, name) != 0)
        return;
    a.from = risk_line_from(f, node->words->from);
    a.to = risk_line_to(f, node->words->to);
    risk_analyze_call(st, f, &a, 1);
    risk_walk_text_later(st, f, name, true);
}

/* Reports a function that calls itself in a pipeline or in the background: it
 * never ends. */
static void
check_bomb(struct risk_state *st, const struct risk_frame *f,
           const struct syntax_node *node)
{
    bool many = false;

    if (!f->function || !node->words ||
        strcmp(node->words->text, f->function) != 0)
        return;
    for (const struct syntax_node *n = node; n && n != f->body; n = n->parent)
        many = many || n->join == SYNTAX_BACKGROUND || n->join == SYNTAX_PIPE ||
               n->join == SYNTAX_PIPE_BOTH;
    if (many)
        risk_report_program(st, RISK_DESTRUCTIVE, risk_line_from(f, node->from),
                            risk_line_to(f, node->to), f->function,
                            "starts itself without end (fork bomb)");
}

/* A shell that is connected to another machine: bash -i >& /dev/tcp/host/1. */
static void
check_remote_shell(struct risk_state *st, const struct risk_frame *f,
                   const struct syntax_node *node, const struct risk_arg *v)
{
    char base[64];
    const struct program *p;

    if (!risk_is_socket(node->redirects) || !v->known)
        return;
    p = risk_program_find_command(v->text, base, sizeof(base));
    for (size_t i = 0; p && i < p->n_rules; i++)
        if (risk_program_rules(p)[i].verb == PROGRAM_INPUT) {
            risk_report_unread(st, risk_line_from(f, node->from),
                               risk_line_to(f, node->to),
                               "gives another machine a shell here");
            return;
        }
}

/* An x=1 in front of a special builtin may outlive it. */
static void
keep_assignments(struct risk_state *st, const struct risk_saved *until,
                 const struct risk_args *args)
{
    const char *name = args->n ? args->v[0].text : "";
    bool stays = args->n > 0 && !args->v[0].known;

    stays = stays || is_special_builtin(name) || strcmp(name, "builtin") == 0 ||
            strcmp(name, "command") == 0;
    for (struct risk_saved *s = st->settings; stays && s && s != until;
         s = s->below)
        s->surely = false;
}

static void
walk_call(struct risk_state *st, const struct risk_frame *f,
          const struct syntax_node *node)
{
    struct risk_args args = {0};
    struct risk_frame here = *f;
    const struct risk_saved *settings = st->settings;
    const char *variable;

    for (const struct syntax_word *w = node->words; w; w = w->next) {
        risk_homoglyph_check(st, f, w);
        st->keeps_whole = w != node->words &&
                          risk_is_declared_assignment(&args, w);
        risk_expand_word(st, f, w, &args);
        st->keeps_whole = false;
    }
    variable = risk_apply_assignments(st, f, node);
    if (variable)
        here.variable = variable;
    keep_assignments(st, settings, &args);
    if (args.n == 0) {
        if (node->words)
            risk_report_unread(st, risk_line_from(f, node->from),
                               risk_line_to(f, node->to),
                               "cannot tell what runs: an expansion decides");
        risk_variable_restore(&st->settings, settings);
        return;
    }
    here.input = risk_input_of(st, f, node);
    check_bomb(st, f, node);
    check_remote_shell(st, f, node, &args.v[0]);
    risk_apply_builtin(st, f, node, args.v, args.n);
    risk_analyze_call(st, &here, args.v, args.n);
    risk_variable_restore(&st->settings, settings);
}

static void
walk_for(struct risk_state *st, const struct risk_frame *f,
         const struct syntax_node *node)
{
    const struct syntax_word *variable = node->words;
    struct risk_args all = {0};
    size_t n;

    if (!variable)
        return;
    n = strlen(variable->text);
    for (const struct syntax_word *w = variable->next; w; w = w->next) {
        risk_homoglyph_check(st, f, w);
        risk_expand_word(st, f, w, &all);
    }
    if (all.n == 0)
        risk_variable_assign_at(st, f, node, variable->text, n, NULL);
    for (size_t i = 0; i < all.n; i++) {
        struct risk_args *one = risk_alloc(st, sizeof(*one));
        struct risk_arg *a = one ? risk_args_add(st, one) : NULL;

        if (a)
            *a = all.v[i];
        risk_environment_assigned(st, f, variable->text, n, a ? one : NULL);
        if (i == 0)
            risk_variable_assign_at(st, f, node->kids ? node->kids : node,
                                    variable->text, n, a ? one : NULL);
        else
            risk_variable_assign(st, variable->text, n, a ? one : NULL, false);
    }
}

static void
leave_directories(struct risk_state *st, const struct risk_frame *f,
                  const struct syntax_node *node)
{
    while (st->directory->below && st->directory->frame == f &&
           node->from >= st->directory->until)
        st->directory = st->directory->below;
}

/* The coprocess's name becomes an array, and is unset when it ends. */
static void
name_coproc(struct risk_state *st, const char *text)
{
    size_t n = risk_name_length(text);

    if (n == 0)
        return;
    risk_variable_note_list(st, text, n);
    risk_variable_assign(st, text, n, NULL, false);
}

/* 2>&- and the like: later writes to the descriptor fail. */
static void
note_closed_descriptor(struct risk_state *st, const struct syntax_node *node)
{
    for (const struct syntax_redirect *r = node->redirects; r; r = r->next)
        if ((r->kind == SYNTAX_DUP_IN || r->kind == SYNTAX_DUP_OUT) &&
            strspn(r->target->text, "0123456789") != strlen(r->target->text))
            risk_state_note_change(st, &st->closes, &st->closes_often);
}

static void
walk_node(struct risk_state *st, const struct risk_frame *f,
          const struct syntax_node *node)
{
    unsigned before = st->facts;

    leave_directories(st, f, node);
    risk_variable_leave(st, f, node->from);
    st->facts = f->facts;
    st->from = risk_line_from(f, node->from);
    st->to = risk_line_to(f, node->to);
    note_closed_descriptor(st, node);
    if (f->bashless)
        report_bashism(st, f, node);
    risk_evaluate_node(st, f, node);
    switch (node->kind) {
    case SYNTAX_CALL:
        walk_call(st, f, node);
        break;
    case SYNTAX_FUNCTION:
        define_function(st, f, node);
        run_not_found_handler(st, f, node);
        break;
    case SYNTAX_FOR:
    case SYNTAX_SELECT:
        walk_for(st, f, node);
        break;
    case SYNTAX_COPROC:
        if (node->words)
            name_coproc(st, node->words->text);
        break;
    default:
        break;
    }
    risk_apply_redirects(st, f, node);
    st->facts |= before;
}

/* A function, or what eval reads, may have changed the directory. */
static void
forget_directory(struct risk_state *st, struct risk_directory *below)
{
    struct risk_directory *d = risk_alloc(st, sizeof(*d));

    st->directory = below;
    if (!d)
        return;
    d->below = below;
    d->until = (size_t)-1;
    st->directory = d;
}

static bool
is_loop(const struct syntax_node *node)
{
    return node->kind == SYNTAX_FOR || node->kind == SYNTAX_SELECT ||
           node->kind == SYNTAX_FOR_ARITH || node->kind == SYNTAX_WHILE ||
           node->kind == SYNTAX_UNTIL;
}

/* The loop that is being walked in a frame, and a body that is read out of
 * order: inside a here-document, which follows its command. */
struct walk_repetition {
    size_t loop_end, late_end;
    bool fails; /* what precedes the frame on the same line may fail */
};

/* Whether a node is the first on a line of its text. False in a text of one
 * line. */
static bool
begins_line(const struct syntax_node *node)
{
    const struct syntax_node *list = node->parent;
    const struct syntax_node *kid;

    if (!list || list->kind != SYNTAX_LIST || list->parent)
        return false;
    kid = list->kids;
    while (kid && kid->next != node)
        kid = kid->next;
    return !kid || kid->ends_line;
}

static void
enter_node(struct risk_state *st, const struct risk_frame *f,
           const struct syntax_node *node, struct walk_repetition *r)
{
    if (r->loop_end && node->from >= r->loop_end) {
        st->loop = 0;
        r->loop_end = 0;
    }
    if (r->late_end && node->from >= r->late_end) {
        st->later = false;
        r->late_end = 0;
    }
    if (!st->loop && is_loop(node)) {
        st->loop = risk_line_from(f, node->from) + 1;
        r->loop_end = node->to;
    }
    if (!st->later && node->holder && node->from >= node->holder->to) {
        st->later = true;
        r->late_end = node->to;
    }
}

static void
leave_frame(struct risk_state *st, const struct risk_frame *f,
            struct walk_repetition *r)
{
    risk_variable_leave(st, f, (size_t)-1);
    if (r->loop_end)
        st->loop = 0;
    if (r->late_end)
        st->later = false;
    st->fails = st->fails || r->fails;
}

/* Whether a node is `top` or inside it. Offsets tell, unless the text is a copy
 * whose nodes all have the same offsets. */
static bool
is_within_node(const struct syntax_node *node, const struct syntax_node *top)
{
    if (!top || node->from >= top->to)
        return false;
    if (!node->mapped || !top->mapped)
        return true;
    while (node && node != top)
        node = node->parent ? node->parent : node->holder;
    return node != NULL;
}

static void
walk_nodes(struct risk_state *st, const struct risk_frame *f)
{
    const struct syntax_node *node = f->body ? f->body : f->syntax->all;
    const struct syntax_node *function = NULL;
    struct walk_repetition r = {.fails = st->fails};

    for (; node && !st->full; node = node->after) {
        if (f->body && !is_within_node(node, f->body))
            break;
        if (++st->steps > RISK_STEPS_MAX)
            st->full = true;
        if (is_within_node(node, function))
            continue;
        enter_node(st, f, node, &r);
        if (begins_line(node))
            st->fails = r.fails;
        walk_node(st, f, node);
        if (node->kind == SYNTAX_FUNCTION)
            function = node;
    }
    leave_frame(st, f, &r);
}

void
risk_walk(struct risk_state *st, const struct risk_frame *f)
{
    const struct risk_frame *outer = st->frame;
    struct risk_directory *directory = st->directory;
    size_t from = st->from, to = st->to;

    st->frame = f;
    walk_nodes(st, f);
    st->frame = outer;
    st->from = from;
    st->to = to;
    if (st->directory != directory && (f->body || f->evals))
        forget_directory(st, directory);
    else
        st->directory = directory;
    if (!f->body && f->syntax->fault)
        risk_report_unread(st, risk_line_from(f, f->syntax->fault_at),
                           risk_line_to(f, f->syntax->fault_at),
                           "syntax error");
}

void
risk_walk_text(struct risk_state *st, const struct risk_frame *f,
               const char *text, bool known)
{
    struct risk_frame inner = *f;

    if (!known)
        risk_report_unread(st, f->from, f->to,
                           "runs the result of an expansion as code");
    if (f->depth >= RISK_NEST_MAX) {
        risk_report_unread(st, f->from, f->to,
                           "texts are nested too deeply to check");
        return;
    }
    inner.outer = f;
    inner.syntax = risk_parse_text(st, text);
    inner.body = NULL;
    inner.external = false;
    inner.depth++;
    if (inner.syntax)
        risk_walk(st, &inner);
}

void
risk_walk_text_later(struct risk_state *st, const struct risk_frame *f,
                     const char *text, bool known)
{
    struct risk_deferred *d = risk_alloc(st, sizeof(*d));
    bool later = st->later;

    st->later = true;
    risk_walk_text(st, f, text, known);
    st->later = later;
    if (!d)
        return;
    d->frame = *f;
    d->frame.outer = NULL;
    d->frame.positional = NULL;
    d->text = text;
    d->n_names = st->n_names;
    d->next = st->deferred;
    st->deferred = d;
}

void
risk_walk_deferred(struct risk_state *st)
{
    struct risk_deferred *d = st->deferred;

    st->later = true;
    for (; d; d = d->next)
        if (d->n_names != st->n_names)
            risk_walk_text(st, &d->frame, d->text, true);
    st->later = false;
}
