/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_test.c - [[ … ]]: operands and operators, as words. */
#include <string.h>

#include "guard/syntax/syntax_command.h"
#include "guard/syntax/syntax_lex.h"

enum { TERM, OPERAND, LEFT, RIGHT, AFTER };

static const char *const binary[] = {"=",   "==",  "!=",  "=~",  "-eq",
                                     "-ne", "-lt", "-le", "-gt", "-ge",
                                     "-nt", "-ot", "-ef"};

#define N_BINARY (sizeof(binary) / sizeof(binary[0]))

/* A word that is an operator by its place. */
static void
add_operator(struct parser *p, struct frame *f, const char *op)
{
    size_t from = p->src.at;

    syntax_take(p, op);
    p->word = syntax_word_of(p, from, p->src.at);
    if (!p->word)
        return;
    p->word->flags |= SYNTAX_OPERATOR;
    syntax_command_word(p, f);
}

static bool
take_end(struct parser *p, struct frame *f)
{
    if (!syntax_keyword(p, "]]") || f->command.depth > 0)
        return false;
    syntax_take(p, "]]");
    syntax_command_redirects(p, f);
    return true;
}

static bool
is_unary(const struct syntax_word *w)
{
    return w->len == 2 && w->text[0] == '-' && !w->flags &&
           strchr("abcdefghknoprstuvwxzGLNORS", w->text[1]);
}

static void
push_operand(struct parser *p, struct frame *f, unsigned state, unsigned mode)
{
    f->state = state;
    if (!syntax_word_ahead(p) &&
        !(mode & SYNTAX_LEX_REGEX && syntax_ahead(p, "(")))
        syntax_unexpected(p);
    else
        syntax_word_push(p, mode | SYNTAX_LEX_PATTERN);
}

static void
begin_term(struct parser *p, struct frame *f)
{
    syntax_newlines(p);
    if (take_end(p, f))
        return;
    if (syntax_ahead(p, "(")) {
        add_operator(p, f, "(");
        f->command.depth++;
    } else if (syntax_keyword(p, "!")) {
        add_operator(p, f, "!");
    } else {
        push_operand(p, f, OPERAND, 0);
    }
}

/* Behind a whole term. */
static void
after_term(struct parser *p, struct frame *f)
{
    f->state = TERM;
    syntax_newlines(p);
    if (take_end(p, f))
        return;
    if (syntax_ahead(p, "&&"))
        add_operator(p, f, "&&");
    else if (syntax_ahead(p, "||"))
        add_operator(p, f, "||");
    else if (syntax_ahead(p, ")") && f->command.depth > 0) {
        add_operator(p, f, ")");
        f->command.depth--;
        f->state = AFTER;
    } else {
        syntax_unexpected(p);
    }
}

/* Behind a word: an operator with another, or the term is complete. */
static void
after_left(struct parser *p, struct frame *f)
{
    unsigned mode;

    syntax_blanks(p);
    mode = syntax_keyword(p, "=~") ? SYNTAX_LEX_REGEX : 0;
    for (size_t i = 0; i < N_BINARY; i++)
        if (syntax_keyword(p, binary[i])) {
            add_operator(p, f, binary[i]);
            syntax_blanks(p);
            push_operand(p, f, RIGHT, mode);
            return;
        }
    if (syntax_ahead(p, "<") || syntax_ahead(p, ">")) {
        add_operator(p, f, syntax_ahead(p, "<") ? "<" : ">");
        syntax_blanks(p);
        push_operand(p, f, RIGHT, 0);
        return;
    }
    if (syntax_peek(p) == '\n')
        syntax_unexpected(p);
    else
        after_term(p, f);
}

void
syntax_test_step(struct parser *p, struct frame *f)
{
    bool unary = f->state == OPERAND && p->word && is_unary(p->word);

    if (unary)
        p->word->flags |= SYNTAX_OPERATOR;
    syntax_command_word(p, f);
    if (p->out->fault) {
        syntax_command_end(p, f);
        return;
    }
    if (unary) {
        syntax_blanks(p);
        push_operand(p, f, RIGHT, 0);
    } else if (f->state == TERM) {
        begin_term(p, f);
    } else if (f->state == OPERAND) {
        after_left(p, f);
    } else {
        after_term(p, f);
    }
}
