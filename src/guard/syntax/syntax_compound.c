/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_compound.c - parses compound commands: groups, if, while, until, for,
 * select, case, [[ … ]], (( … )), functions and coprocesses. */
#include <string.h>

#include "base/array.h"
#include "guard/syntax/syntax_command.h"
#include "guard/syntax/syntax_lexer.h"

/* Links the list that was read, which must not be empty, and consumes the
 * reserved word behind it. */
static bool
end_required_list(struct syntax_parser *p, struct syntax_frame *f,
                  const char *word, const char *missing)
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
syntax_group_step(struct syntax_parser *p, struct syntax_frame *f)
{
    if (f->state++ == 0) {
        syntax_list_push(p, SYNTAX_LIST_BRACE);
        return;
    }
    end_required_list(p, f, "}", "unclosed {");
    syntax_command_redirects(p, f);
}

void
syntax_while_step(struct syntax_parser *p, struct syntax_frame *f)
{
    if (f->state++ == 0) {
        syntax_list_push(p, SYNTAX_LIST_DO);
    } else if (f->state == 2) {
        if (end_required_list(p, f, "do", "a loop without \"do\""))
            syntax_list_push(p, SYNTAX_LIST_DONE);
    } else {
        end_required_list(p, f, "done", "a loop without \"done\"");
        syntax_command_redirects(p, f);
    }
}

/* (( … )): its first bracket is ahead. */
void
syntax_arith_step(struct syntax_parser *p, struct syntax_frame *f)
{
    if (f->state++ == 0) {
        syntax_take(p, "((");
        syntax_arith_push(p, 0);
        return;
    }
    syntax_command_word(p, f);
    syntax_command_redirects(p, f);
}

enum { IF_BEGIN, IF_CONDITION, IF_BODY, IF_ELSE };

void
syntax_if_step(struct syntax_parser *p, struct syntax_frame *f)
{
    static const char missing[] = "an \"if\" without \"fi\"";
    unsigned was = f->state;

    if (was == IF_BEGIN) {
        f->state = IF_CONDITION;
        syntax_list_push(p, SYNTAX_LIST_THEN);
    } else if (was == IF_CONDITION) {
        f->state = IF_BODY;
        if (end_required_list(p, f, "then", missing))
            syntax_list_push(p, SYNTAX_LIST_FI);
    } else if (was == IF_ELSE) {
        end_required_list(p, f, "fi", missing);
        syntax_command_redirects(p, f);
    } else if (end_required_list(p, f, NULL, NULL) &&
               syntax_take_keyword(p, "elif")) {
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
syntax_function_step(struct syntax_parser *p, struct syntax_frame *f)
{
    unsigned was = f->state++;

    if (p->out->fault && was != FUNCTION_BODY) {
        syntax_command_end(p, f);
    } else if (was == FUNCTION_BEGIN) {
        syntax_skip_blanks(p);
        if (syntax_is_metachar(syntax_peek(p)))
            syntax_unexpected(p);
        else
            syntax_word_push(p, 0);
    } else if (was == FUNCTION_NAME) {
        syntax_command_word(p, f);
        syntax_skip_blanks(p);
        if (syntax_ahead(p, "(") && !syntax_is_arith(p, p->src.at)) {
            size_t at = p->src.at;

            syntax_take(p, "(");
            syntax_skip_blanks(p);
            if (!syntax_take(p, ")"))
                p->src.at = at; /* a subshell is its body */
        }
        syntax_skip_newlines(p);
        syntax_command_push(p, true);
    } else {
        syntax_command_kid(p, f);
        syntax_command_end(p, f);
    }
}

/* Consumes NAME when a compound command follows it. */
static bool
take_coproc_name(struct syntax_parser *p, struct syntax_frame *f)
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
syntax_coproc_step(struct syntax_parser *p, struct syntax_frame *f)
{
    bool named;

    if (f->state++ > 0) {
        syntax_command_kid(p, f);
        syntax_command_end(p, f);
        return;
    }
    syntax_skip_blanks(p);
    named = !syntax_command_is_compound(p) && take_coproc_name(p, f);
    syntax_skip_blanks(p);
    syntax_command_push(p, named || syntax_keyword_ahead(p, "function") ||
                               syntax_keyword_ahead(p, "coproc"));
}

/* for, select and case. */

enum {
    FOR_BEGIN,
    FOR_NAME,
    FOR_LIST,
    FOR_VALUE,
    FOR_HEADER,
    FOR_BODY,
    FOR_BODY_BRACE
};

/* Reads the word that has to be ahead. */
static void
push_required_word(struct syntax_parser *p, unsigned mode)
{
    syntax_skip_blanks(p);
    if (syntax_word_ahead(p))
        syntax_word_push(p, mode);
    else
        syntax_unexpected(p);
}

/* At do … done, or { … }. */
static void
begin_loop_body(struct syntax_parser *p, struct syntax_frame *f,
                bool may_be_brace)
{
    syntax_skip_newlines(p);
    if (syntax_take_keyword(p, "do")) {
        f->state = FOR_BODY;
        syntax_list_push(p, SYNTAX_LIST_DONE);
    } else if (may_be_brace && syntax_take_keyword(p, "{")) {
        f->state = FOR_BODY_BRACE;
        syntax_list_push(p, SYNTAX_LIST_BRACE);
    } else {
        syntax_unexpected(p);
    }
}

static void
end_loop_body(struct syntax_parser *p, struct syntax_frame *f)
{
    bool brace = f->state == FOR_BODY_BRACE;

    if (!p->node && !p->out->fault)
        syntax_unexpected(p);
    syntax_command_kid(p, f);
    if (!p->out->fault && !syntax_take_keyword(p, brace ? "}" : "done"))
        syntax_fault(p, f->from, "a loop without an end");
    syntax_command_redirects(p, f);
}

/* Behind the variable: `in` and a list, a semicolon or nothing. */
static void
after_for_name(struct syntax_parser *p, struct syntax_frame *f)
{
    bool separated;

    syntax_command_word(p, f);
    syntax_skip_blanks(p);
    separated = syntax_ahead(p, ";") && syntax_take(p, ";");
    if (separated) {
        begin_loop_body(p, f, true);
        return;
    }
    separated = syntax_peek(p) == '\n';
    syntax_skip_newlines(p);
    if (syntax_take_keyword(p, "in"))
        f->state = FOR_LIST;
    else
        begin_loop_body(p, f, separated);
}

static void
next_for_value(struct syntax_parser *p, struct syntax_frame *f)
{
    syntax_command_word(p, f);
    f->state = FOR_LIST;
    syntax_skip_blanks(p);
    if ((!syntax_ahead(p, ";;") && syntax_take(p, ";")) ||
        syntax_take_newline(p))
        begin_loop_body(p, f, true);
    else
        push_required_word(p, 0);
}

void
syntax_for_step(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_node *node = f->command.node;

    if (f->state == FOR_BODY || f->state == FOR_BODY_BRACE) {
        end_loop_body(p, f);
        return;
    }
    if (p->out->fault) {
        syntax_command_word(p, f);
        syntax_command_end(p, f);
        return;
    }
    if (f->state == FOR_BEGIN) {
        f->state = FOR_NAME;
        syntax_skip_blanks(p);
        if (node->kind == SYNTAX_FOR && syntax_ahead(p, "((")) {
            f->state = FOR_HEADER;
            node->kind = SYNTAX_FOR_ARITH;
            syntax_take(p, "((");
            syntax_arith_push(p, SYNTAX_LEX_HEADER);
        } else {
            push_required_word(p, SYNTAX_LEX_VALUE);
        }
    } else if (f->state == FOR_NAME) {
        after_for_name(p, f);
    } else if (f->state == FOR_HEADER) {
        syntax_command_word(p, f);
        syntax_skip_blanks(p);
        if (!syntax_ahead(p, ";;"))
            syntax_take(p, ";");
        begin_loop_body(p, f, true);
    } else {
        next_for_value(p, f);
    }
}

enum { CASE_BEGIN, CASE_SUBJECT, CASE_ITEM, CASE_PATTERN, CASE_BODY };

/* The patterns and the body that follow belong to f->command.item. */
static void
begin_case_item(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_node *item;

    if (syntax_take_keyword(p, "esac")) {
        syntax_command_redirects(p, f);
        return;
    }
    if (syntax_peek(p) == SYNTAX_END) {
        syntax_fault(p, f->from, "a \"case\" without \"esac\"");
        return;
    }
    item = syntax_node_new(p, SYNTAX_CASE_ITEM, p->src.at);
    if (!item)
        return;
    item->parent = f->command.node;
    *f->command.kid = item;
    f->command.kid = &item->next;
    f->command.item = item;
    f->command.word = &item->words;
    p->owner = item;
    f->state = CASE_PATTERN;
    syntax_take(p, "(");
    push_required_word(p, SYNTAX_LEX_PATTERN);
}

static void
add_case_pattern(struct syntax_parser *p, struct syntax_frame *f)
{
    if (p->word) {
        *f->command.word = p->word;
        f->command.word = &p->word->next;
        f->command.item->n_words++;
        f->command.item->to = p->word->to;
        p->word = NULL;
    }
    if (p->out->fault)
        return;
    syntax_skip_blanks(p);
    if (!syntax_ahead(p, "||") && syntax_take(p, "|")) {
        push_required_word(p, SYNTAX_LEX_PATTERN);
    } else if (syntax_take(p, ")")) {
        f->state = CASE_BODY;
        syntax_list_push(p, SYNTAX_LIST_ESAC);
    } else {
        syntax_unexpected(p);
    }
}

/* Leaves the item to the next step: before that one the driver reads the
 * here-documents. */
static void
expect_case_item(struct syntax_parser *p, struct syntax_frame *f)
{
    syntax_skip_newlines(p);
    f->state = CASE_ITEM;
}

static void
end_case_item(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_node *item = f->command.item;

    if (p->node) {
        item->kids = p->node;
        item->to = p->node->to;
        p->node->parent = item;
        p->node = NULL;
    }
    p->owner = f->command.node;
    if (p->out->fault)
        return;
    if (syntax_take(p, ";;&") || syntax_take(p, ";;") || syntax_take(p, ";&") ||
        syntax_keyword_ahead(p, "esac"))
        expect_case_item(p, f);
    else
        syntax_fault(p, f->from, "a \"case\" without \"esac\"");
}

static void
after_case_subject(struct syntax_parser *p, struct syntax_frame *f)
{
    syntax_command_word(p, f);
    if (p->out->fault)
        return;
    syntax_skip_newlines(p);
    if (syntax_take_keyword(p, "in"))
        expect_case_item(p, f);
    else
        syntax_unexpected(p);
}

void
syntax_case_step(struct syntax_parser *p, struct syntax_frame *f)
{
    bool stopped = p->out->fault != NULL;

    if (f->state == CASE_PATTERN)
        add_case_pattern(p, f);
    else if (f->state == CASE_BODY)
        end_case_item(p, f);
    else if (f->state == CASE_SUBJECT)
        after_case_subject(p, f);
    else if (!stopped && f->state == CASE_ITEM)
        begin_case_item(p, f);
    else if (!stopped)
        push_required_word(p, SYNTAX_LEX_VALUE);
    if (f->state == CASE_BEGIN && f->step == syntax_case_step)
        f->state = CASE_SUBJECT;
    if (stopped)
        syntax_command_end(p, f);
}

/* [[ … ]]: operands and operators, as words. */

enum { TEST_TERM, TEST_OPERAND, TEST_LEFT, TEST_RIGHT, TEST_AFTER };

static const char *const binary_operators[] = {
    "=",   "==",  "!=",  "=~",  "-eq", "-ne", "-lt",
    "-le", "-gt", "-ge", "-nt", "-ot", "-ef"};

#define N_BINARY_OPERATORS ARRAY_SIZE(binary_operators)

/* Adds a word that is an operator because of its position. */
static void
add_test_operator(struct syntax_parser *p, struct syntax_frame *f,
                  const char *op)
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
take_test_end(struct syntax_parser *p, struct syntax_frame *f)
{
    if (!syntax_keyword_ahead(p, "]]") || f->command.depth > 0)
        return false;
    syntax_take(p, "]]");
    syntax_command_redirects(p, f);
    return true;
}

static bool
is_unary_operator(const struct syntax_word *w)
{
    return w->len == 2 && w->text[0] == '-' && !w->flags &&
           strchr("abcdefghknoprstuvwxzGLNORS", w->text[1]);
}

static void
push_test_operand(struct syntax_parser *p, struct syntax_frame *f,
                  unsigned state, unsigned mode)
{
    f->state = state;
    if (!syntax_word_ahead(p) &&
        !(mode & SYNTAX_LEX_REGEX && syntax_ahead(p, "(")))
        syntax_unexpected(p);
    else
        syntax_word_push(p, mode | SYNTAX_LEX_PATTERN);
}

static void
begin_test_term(struct syntax_parser *p, struct syntax_frame *f)
{
    syntax_skip_newlines(p);
    if (take_test_end(p, f))
        return;
    if (syntax_ahead(p, "(")) {
        add_test_operator(p, f, "(");
        f->command.depth++;
    } else if (syntax_keyword_ahead(p, "!")) {
        add_test_operator(p, f, "!");
    } else {
        push_test_operand(p, f, TEST_OPERAND, 0);
    }
}

/* Behind a complete term. */
static void
after_test_term(struct syntax_parser *p, struct syntax_frame *f)
{
    f->state = TEST_TERM;
    syntax_skip_newlines(p);
    if (take_test_end(p, f))
        return;
    if (syntax_ahead(p, "&&"))
        add_test_operator(p, f, "&&");
    else if (syntax_ahead(p, "||"))
        add_test_operator(p, f, "||");
    else if (syntax_ahead(p, ")") && f->command.depth > 0) {
        add_test_operator(p, f, ")");
        f->command.depth--;
        f->state = TEST_AFTER;
    } else {
        syntax_unexpected(p);
    }
}

/* Behind a word: a binary operator, or the term is complete. */
static void
after_left_operand(struct syntax_parser *p, struct syntax_frame *f)
{
    unsigned mode;

    syntax_skip_blanks(p);
    mode = syntax_keyword_ahead(p, "=~") ? SYNTAX_LEX_REGEX : 0;
    for (size_t i = 0; i < N_BINARY_OPERATORS; i++)
        if (syntax_keyword_ahead(p, binary_operators[i])) {
            add_test_operator(p, f, binary_operators[i]);
            syntax_skip_blanks(p);
            push_test_operand(p, f, TEST_RIGHT, mode);
            return;
        }
    if (syntax_ahead(p, "<") || syntax_ahead(p, ">")) {
        add_test_operator(p, f, syntax_ahead(p, "<") ? "<" : ">");
        syntax_skip_blanks(p);
        push_test_operand(p, f, TEST_RIGHT, 0);
        return;
    }
    if (syntax_peek(p) == '\n')
        syntax_unexpected(p);
    else
        after_test_term(p, f);
}

void
syntax_test_step(struct syntax_parser *p, struct syntax_frame *f)
{
    bool unary = f->state == TEST_OPERAND && p->word &&
                 is_unary_operator(p->word);

    if (unary)
        p->word->flags |= SYNTAX_OPERATOR;
    syntax_command_word(p, f);
    if (p->out->fault) {
        syntax_command_end(p, f);
        return;
    }
    if (unary) {
        syntax_skip_blanks(p);
        push_test_operand(p, f, TEST_RIGHT, 0);
    } else if (f->state == TEST_TERM) {
        begin_test_term(p, f);
    } else if (f->state == TEST_OPERAND) {
        after_left_operand(p, f);
    } else {
        after_test_term(p, f);
    }
}
