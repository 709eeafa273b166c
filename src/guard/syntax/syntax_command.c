/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_command.c - which command begins here, and how each ends. */
#include "guard/syntax/syntax_command.h"

#include <string.h>

#include "guard/syntax/syntax_lex.h"

static const struct {
    const char *word;
    enum syntax_kind kind;
    syntax_step *step; /* NULL: it only ends or goes on with something */
} reserved[] = {
    {"{", SYNTAX_GROUP, syntax_group_step},
    {"if", SYNTAX_IF, syntax_if_step},
    {"for", SYNTAX_FOR, syntax_for_step},
    {"while", SYNTAX_WHILE, syntax_while_step},
    {"until", SYNTAX_UNTIL, syntax_while_step},
    {"case", SYNTAX_CASE, syntax_case_step},
    {"select", SYNTAX_SELECT, syntax_for_step},
    {"function", SYNTAX_FUNCTION, syntax_function_step},
    {"coproc", SYNTAX_COPROC, syntax_coproc_step},
    {"[[", SYNTAX_TEST, syntax_test_step},
    {"}", 0, NULL},
    {"then", 0, NULL},
    {"do", 0, NULL},
    {"done", 0, NULL},
    {"fi", 0, NULL},
    {"else", 0, NULL},
    {"elif", 0, NULL},
    {"esac", 0, NULL},
    {"in", 0, NULL},
    {"!", 0, NULL},
    {"]]", 0, NULL},
};

#define N_RESERVED (sizeof(reserved) / sizeof(reserved[0]))

static size_t
find_reserved(struct parser *p)
{
    size_t i = 0;

    while (i < N_RESERVED && !syntax_keyword(p, reserved[i].word))
        i++;
    return i;
}

struct syntax_node *
syntax_node_new(struct parser *p, enum syntax_kind kind, size_t from)
{
    struct syntax_node *node = syntax_get(p, sizeof(*node));

    if (!node)
        return NULL;
    node->kind = kind;
    node->mapped = p->src.mapped;
    node->from = syntax_place(p, from);
    node->to = syntax_place_to(p, p->end > from ? p->end : from);
    node->after = p->last ? p->last->after : p->out->all;
    *(p->last ? &p->last->after : &p->out->all) = node;
    p->last = node;
    return node;
}

/* The frame's command, which owns what runs in its words. */
static void
begin_node(struct parser *p, struct frame *f, enum syntax_kind kind)
{
    struct syntax_node *before = p->last;
    struct syntax_node *node = syntax_node_new(p, kind, p->src.at);

    f->command.node = node;
    if (!node)
        return;
    f->command.before = before;
    f->command.owner = p->owner;
    f->command.kid = &node->kids;
    f->command.word = &node->words;
    f->command.assign = &node->assigns;
    f->command.redirect = &node->redirects;
    p->owner = node;
}

/* What the frame above has read becomes the next kid. */
void
syntax_command_kid(struct parser *p, struct frame *f)
{
    struct syntax_node *kid = p->node;

    p->node = NULL;
    if (!kid)
        return;
    kid->parent = f->command.node;
    *f->command.kid = kid;
    f->command.kid = &kid->next;
}

void
syntax_command_word(struct parser *p, struct frame *f)
{
    if (!p->word)
        return;
    *f->command.word = p->word;
    f->command.word = &p->word->next;
    f->command.node->n_words++;
    p->word = NULL;
}

void
syntax_command_end(struct parser *p, struct frame *f)
{
    struct syntax_node *node = f->command.node;

    if (syntax_place_to(p, p->end) > node->from)
        node->to = syntax_place_to(p, p->end);
    p->owner = f->command.owner;
    p->node = node;
    p->before = f->command.before;
    syntax_pop(p);
}

static void
step_redirects(struct parser *p, struct frame *f)
{
    if (f->state++ > 0) {
        syntax_redirect_end(p, f);
        p->reserved = false;
    }
    if (p->out->fault || !syntax_redirect_begin(p, f))
        syntax_command_end(p, f);
}

/* A compound command is complete: redirections may follow. */
void
syntax_command_redirects(struct parser *p, struct frame *f)
{
    p->reserved = true;
    f->state = 0;
    f->step = step_redirects;
}

static void
step_subshell(struct parser *p, struct frame *f)
{
    if (f->state++ == 0) {
        syntax_take(p, "(");
        syntax_list_push(p, SYNTAX_LIST_PAREN);
        return;
    }
    if (!p->node)
        syntax_unexpected(p);
    syntax_command_kid(p, f);
    syntax_expect(p, ")", f->from, "unclosed (");
    syntax_command_redirects(p, f);
}

static void
begin(struct parser *p, struct frame *f, enum syntax_kind kind,
      syntax_step *step)
{
    f->from = p->src.at;
    f->state = 0;
    f->step = step;
    begin_node(p, f, kind);
}

static bool
begins_call(struct parser *p)
{
    int c = syntax_peek(p);

    return !syntax_is_meta(c) || c == '<' || c == '>' || syntax_ahead(p, "&>");
}

/* These are no body of another. */
static bool
is_definition(enum syntax_kind kind)
{
    return kind == SYNTAX_FUNCTION || kind == SYNTAX_COPROC;
}

static void
step_command(struct parser *p, struct frame *f)
{
    bool is_arith;
    size_t i;

    if (syntax_peek(p) == '(') {
        is_arith = syntax_lex_is_arith(p, p->src.at);
        if (p->out->fault)
            syntax_pop(p);
        else if (is_arith)
            begin(p, f, SYNTAX_ARITH, syntax_arith_step);
        else
            begin(p, f, SYNTAX_SUBSHELL, step_subshell);
        return;
    }
    i = find_reserved(p);
    if (i < N_RESERVED && reserved[i].step &&
        !(f->must && is_definition(reserved[i].kind))) {
        begin(p, f, reserved[i].kind, reserved[i].step);
        syntax_take(p, reserved[i].word);
    } else if (i == N_RESERVED && !f->must && begins_call(p)) {
        begin(p, f, SYNTAX_CALL, syntax_call_step);
    } else {
        syntax_unexpected(p);
        syntax_pop(p);
    }
}

void
syntax_command_push(struct parser *p, bool compound_only)
{
    struct frame *f;

    p->node = NULL;
    f = syntax_push(p, step_command, false);
    if (f)
        f->must = compound_only;
}

bool
syntax_command_is_compound(struct parser *p)
{
    size_t i = find_reserved(p);

    return syntax_peek(p) == '(' || (i < N_RESERVED && reserved[i].step &&
                                     !is_definition(reserved[i].kind));
}
