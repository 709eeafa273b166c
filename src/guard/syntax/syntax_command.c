/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_command.c - parses simple commands.
 *
 * It also decides which compound command begins at a place, and links what
 * the steps of a command read into its node. */
#include "guard/syntax/syntax_command.h"

#include <string.h>

#include "base/array.h"
#include "guard/syntax/syntax_lexer.h"

static const struct {
    const char *word;
    enum syntax_kind kind;
    syntax_step *step; /* NULL: it begins no command */
} reserved_words[] = {
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

#define N_RESERVED ARRAY_SIZE(reserved_words)

static size_t
find_reserved(struct syntax_parser *p)
{
    size_t i = 0;

    while (i < N_RESERVED && !syntax_keyword_ahead(p, reserved_words[i].word))
        i++;
    return i;
}

struct syntax_node *
syntax_node_new(struct syntax_parser *p, enum syntax_kind kind, size_t from)
{
    struct syntax_node *node = syntax_alloc(p, sizeof(*node));

    if (!node)
        return NULL;
    node->kind = kind;
    node->mapped = p->src.mapped;
    node->from = syntax_line_offset(p, from);
    node->to = syntax_line_offset_to(p, p->end > from ? p->end : from);
    node->after = p->last ? p->last->after : p->out->all;
    *(p->last ? &p->last->after : &p->out->all) = node;
    p->last = node;
    return node;
}

/* Creates the frame's node, which owns the substitutions in its words. */
static void
begin_node(struct syntax_parser *p, struct syntax_frame *f,
           enum syntax_kind kind)
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

void
syntax_command_kid(struct syntax_parser *p, struct syntax_frame *f)
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
syntax_command_word(struct syntax_parser *p, struct syntax_frame *f)
{
    if (!p->word)
        return;
    *f->command.word = p->word;
    f->command.word = &p->word->next;
    f->command.node->n_words++;
    p->word = NULL;
}

void
syntax_command_end(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_node *node = f->command.node;

    if (syntax_line_offset_to(p, p->end) > node->from)
        node->to = syntax_line_offset_to(p, p->end);
    p->owner = f->command.owner;
    p->node = node;
    p->before = f->command.before;
    syntax_pop_frame(p);
}

static void
step_redirects(struct syntax_parser *p, struct syntax_frame *f)
{
    if (f->state++ > 0) {
        syntax_redirect_end(p, f);
        p->reserved = false;
    }
    if (p->out->fault || !syntax_redirect_begin(p, f))
        syntax_command_end(p, f);
}

void
syntax_command_redirects(struct syntax_parser *p, struct syntax_frame *f)
{
    p->reserved = true;
    f->state = 0;
    f->step = step_redirects;
}

static void
step_subshell(struct syntax_parser *p, struct syntax_frame *f)
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
begin_command(struct syntax_parser *p, struct syntax_frame *f,
              enum syntax_kind kind, syntax_step *step)
{
    f->from = p->src.at;
    f->state = 0;
    f->step = step;
    begin_node(p, f, kind);
}

static bool
begins_call(struct syntax_parser *p)
{
    int c = syntax_peek(p);

    return !syntax_is_metachar(c) || c == '<' || c == '>' ||
           syntax_ahead(p, "&>");
}

/* Definitions are no body of a function or a coprocess. */
static bool
is_definition(enum syntax_kind kind)
{
    return kind == SYNTAX_FUNCTION || kind == SYNTAX_COPROC;
}

static void
step_command(struct syntax_parser *p, struct syntax_frame *f)
{
    bool is_arith;
    size_t i;

    if (syntax_peek(p) == '(') {
        is_arith = syntax_is_arith(p, p->src.at);
        if (p->out->fault)
            syntax_pop_frame(p);
        else if (is_arith)
            begin_command(p, f, SYNTAX_ARITH, syntax_arith_step);
        else
            begin_command(p, f, SYNTAX_SUBSHELL, step_subshell);
        return;
    }
    i = find_reserved(p);
    if (i < N_RESERVED && reserved_words[i].step &&
        !(f->must && is_definition(reserved_words[i].kind))) {
        begin_command(p, f, reserved_words[i].kind, reserved_words[i].step);
        syntax_take(p, reserved_words[i].word);
    } else if (i == N_RESERVED && !f->must && begins_call(p)) {
        begin_command(p, f, SYNTAX_CALL, syntax_call_step);
    } else {
        syntax_unexpected(p);
        syntax_pop_frame(p);
    }
}

void
syntax_command_push(struct syntax_parser *p, bool compound_only)
{
    struct syntax_frame *f;

    p->node = NULL;
    f = syntax_push_frame(p, step_command, false);
    if (f)
        f->must = compound_only;
}

bool
syntax_command_is_compound(struct syntax_parser *p)
{
    size_t i = find_reserved(p);

    return syntax_peek(p) == '(' || (i < N_RESERVED && reserved_words[i].step &&
                                     !is_definition(reserved_words[i].kind));
}

/* Simple commands, and "name ()", which defines a function. */

enum { CALL_NEXT, CALL_WORD, CALL_REDIRECT, CALL_ASSIGN, CALL_BODY };

/* The builtins that accept NAME=(…) as an argument. */
static const char *const declares[] = {
    "declare", "typeset", "local", "export", "readonly",
    "alias",   "eval",    "let",   NULL,
};

static bool
is_declaration(const struct syntax_word *w)
{
    const char *const *name = declares;

    while (*name && strcmp(*name, w->text) != 0)
        name++;
    return *name && !(w->flags & (SYNTAX_QUOTED | SYNTAX_EXPANDS));
}

static void
link_result(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_node *node = f->command.node;

    if (f->state == CALL_WORD) {
        if (p->word && node->n_words == 0)
            f->must = is_declaration(p->word);
        syntax_command_word(p, f);
    } else if (f->state == CALL_REDIRECT) {
        syntax_redirect_end(p, f);
    } else if (f->state == CALL_ASSIGN && f->command.assigned) {
        syntax_assign_end(p, f);
    } else if (f->state == CALL_ASSIGN) { /* name[…] without = */
        syntax_command_word(p, f);
    }
}

/* At the ( of "name ()": the simple command becomes a function. */
static void
begin_function(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_node *node = f->command.node;

    if (node->n_words != 1 || node->assigns || node->redirects) {
        syntax_unexpected(p);
        return;
    }
    syntax_take(p, "(");
    if (!syntax_expect(p, ")", f->from, "unclosed ("))
        return;
    node->kind = SYNTAX_FUNCTION;
    syntax_skip_newlines(p);
    f->state = CALL_BODY;
    syntax_command_push(p, true);
}

static void
step_next_item(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_node *node = f->command.node;
    unsigned mode = f->must ? SYNTAX_LEX_DECLARES : 0;

    if (syntax_redirect_begin(p, f)) {
        f->state = CALL_REDIRECT;
    } else if (node->n_words == 0 && syntax_assign_begin(p, f)) {
        f->state = CALL_ASSIGN;
    } else if (syntax_word_ahead(p)) {
        f->state = CALL_WORD;
        syntax_word_push(p, mode);
    } else if (syntax_peek(p) == '(') {
        begin_function(p, f);
    } else {
        syntax_command_end(p, f);
    }
}

void
syntax_call_step(struct syntax_parser *p, struct syntax_frame *f)
{
    if (f->state == CALL_BODY) {
        syntax_command_kid(p, f);
        syntax_command_end(p, f);
        return;
    }
    link_result(p, f);
    p->reserved = false;
    f->state = CALL_NEXT;
    if (!p->out->fault)
        syntax_skip_blanks(p);
    if (p->out->fault)
        syntax_command_end(p, f);
    else
        step_next_item(p, f);
}
