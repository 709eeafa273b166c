/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_compound.c - groups, if, while, until, functions and coprocesses. */
#include "guard/syntax/syntax_command.h"
#include "guard/syntax/syntax_lex.h"

/* A list that must hold something became a kid, and a word stands behind. */
static bool
end_part(struct parser *p, struct frame *f, const char *word,
         const char *missing)
{
    if (!p->node && !p->out->fault)
        syntax_unexpected(p);
    syntax_command_kid(p, f);
    if (!word || p->out->fault)
        return !p->out->fault;
    if (syntax_take_keyword(p, word))
        return true;
    if (syntax_peek(p) == SYNTAX_END)
        syntax_fault(p, f->from, missing);
    else
        syntax_unexpected(p);
    return false;
}

void
syntax_group_step(struct parser *p, struct frame *f)
{
    if (f->state++ == 0) {
        syntax_list_push(p, SYNTAX_LIST_BRACE);
        return;
    }
    end_part(p, f, "}", "unclosed {");
    syntax_command_redirects(p, f);
}

void
syntax_while_step(struct parser *p, struct frame *f)
{
    if (f->state++ == 0) {
        syntax_list_push(p, SYNTAX_LIST_DO);
    } else if (f->state == 2) {
        if (end_part(p, f, "do", "a loop without \"do\""))
            syntax_list_push(p, SYNTAX_LIST_DONE);
    } else {
        end_part(p, f, "done", "a loop without \"done\"");
        syntax_command_redirects(p, f);
    }
}

enum { IF_BEGIN, IF_CONDITION, IF_BODY, IF_ELSE };

void
syntax_if_step(struct parser *p, struct frame *f)
{
    static const char missing[] = "an \"if\" without \"fi\"";
    unsigned was = f->state;

    if (was == IF_BEGIN) {
        f->state = IF_CONDITION;
        syntax_list_push(p, SYNTAX_LIST_THEN);
    } else if (was == IF_CONDITION) {
        f->state = IF_BODY;
        if (end_part(p, f, "then", missing))
            syntax_list_push(p, SYNTAX_LIST_FI);
    } else if (was == IF_ELSE) {
        end_part(p, f, "fi", missing);
        syntax_command_redirects(p, f);
    } else if (end_part(p, f, NULL, NULL) && syntax_take_keyword(p, "elif")) {
        f->state = IF_CONDITION;
        syntax_list_push(p, SYNTAX_LIST_THEN);
    } else if (!p->out->fault && syntax_take_keyword(p, "else")) {
        f->state = IF_ELSE;
        syntax_list_push(p, SYNTAX_LIST_FI);
    } else {
        f->state = IF_ELSE;
        p->node = NULL;
        if (!p->out->fault && !syntax_take_keyword(p, "fi"))
            syntax_fault(p, f->from, missing);
        syntax_command_redirects(p, f);
    }
}

enum { FUNCTION_BEGIN, FUNCTION_NAME, FUNCTION_BODY };

/* Behind the word function. */
void
syntax_function_step(struct parser *p, struct frame *f)
{
    unsigned was = f->state++;

    if (p->out->fault && was != FUNCTION_BODY) {
        syntax_command_end(p, f);
    } else if (was == FUNCTION_BEGIN) {
        syntax_blanks(p);
        if (syntax_is_meta(syntax_peek(p)))
            syntax_unexpected(p);
        else
            syntax_word_push(p, 0);
    } else if (was == FUNCTION_NAME) {
        syntax_command_word(p, f);
        syntax_blanks(p);
        if (syntax_ahead(p, "(") && !syntax_lex_is_arith(p, p->src.at)) {
            size_t at = p->src.at;

            syntax_take(p, "(");
            syntax_blanks(p);
            if (!syntax_take(p, ")"))
                p->src.at = at; /* a subshell is its body */
        }
        syntax_newlines(p);
        syntax_command_push(p, true);
    } else {
        syntax_command_kid(p, f);
        syntax_command_end(p, f);
    }
}

/* NAME, when a compound command stands behind it. */
static bool
take_coproc_name(struct parser *p, struct frame *f)
{
    size_t from = p->src.at, to = syntax_name_end(p, from);
    bool named;

    p->src.at = to;
    while (syntax_peek(p) == ' ' || syntax_peek(p) == '\t')
        p->src.at++;
    named = to > from && p->src.at > to && syntax_command_is_compound(p);
    p->src.at = named ? to : from;
    if (!named)
        return false;
    p->word = syntax_word_of(p, from, to);
    syntax_command_word(p, f);
    return true;
}

/* Behind the word coproc: [NAME] and a compound command, or a simple one. */
void
syntax_coproc_step(struct parser *p, struct frame *f)
{
    bool named;

    if (f->state++ > 0) {
        syntax_command_kid(p, f);
        syntax_command_end(p, f);
        return;
    }
    syntax_blanks(p);
    named = !syntax_command_is_compound(p) && take_coproc_name(p, f);
    syntax_blanks(p);
    syntax_command_push(p, named || syntax_keyword(p, "function") ||
                               syntax_keyword(p, "coproc"));
}
