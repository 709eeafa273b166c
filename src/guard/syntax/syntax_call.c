/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_call.c - a simple command, and "name ()" that makes a function. */
#include <string.h>

#include "guard/syntax/syntax_command.h"
#include "guard/syntax/syntax_lex.h"

enum { NEXT, WORD, REDIRECT, ASSIGN, BODY };

/* What takes NAME=(…) as an argument. */
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
take_result(struct parser *p, struct frame *f)
{
    struct syntax_node *node = f->command.node;

    if (f->state == WORD) {
        if (p->word && node->n_words == 0)
            f->must = is_declaration(p->word);
        syntax_command_word(p, f);
    } else if (f->state == REDIRECT) {
        syntax_redirect_end(p, f);
    } else if (f->state == ASSIGN && f->command.assigned) {
        syntax_assign_end(p, f);
    } else if (f->state == ASSIGN) { /* name[…] without = */
        syntax_command_word(p, f);
    }
}

/* "name ()": the call becomes a function. */
static void
begin_function(struct parser *p, struct frame *f)
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
    syntax_newlines(p);
    f->state = BODY;
    syntax_command_push(p, true);
}

static void
step_on(struct parser *p, struct frame *f)
{
    struct syntax_node *node = f->command.node;
    unsigned mode = f->must ? SYNTAX_LEX_DECLARES : 0;

    if (syntax_redirect_begin(p, f)) {
        f->state = REDIRECT;
    } else if (node->n_words == 0 && syntax_assign_begin(p, f)) {
        f->state = ASSIGN;
    } else if (syntax_word_ahead(p)) {
        f->state = WORD;
        syntax_word_push(p, mode);
    } else if (syntax_peek(p) == '(') {
        begin_function(p, f);
    } else {
        syntax_command_end(p, f);
    }
}

void
syntax_call_step(struct parser *p, struct frame *f)
{
    if (f->state == BODY) {
        syntax_command_kid(p, f);
        syntax_command_end(p, f);
        return;
    }
    take_result(p, f);
    p->reserved = false;
    f->state = NEXT;
    if (!p->out->fault)
        syntax_blanks(p);
    if (p->out->fault)
        syntax_command_end(p, f);
    else
        step_on(p, f);
}
