/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_for.c - for, select and case. */
#include "guard/syntax/syntax_command.h"
#include "guard/syntax/syntax_lex.h"

enum { BEGIN, NAME, LIST, VALUE, HEADER, BODY, BODY_BRACE };

/* A word ahead is taken; else a fault. */
static void
take_word(struct parser *p, unsigned mode)
{
    syntax_blanks(p);
    if (syntax_word_ahead(p))
        syntax_word_push(p, mode);
    else
        syntax_unexpected(p);
}

/* do … done, or { … } */
static void
begin_body(struct parser *p, struct frame *f, bool may_be_brace)
{
    syntax_newlines(p);
    if (syntax_take_keyword(p, "do")) {
        f->state = BODY;
        syntax_list_push(p, SYNTAX_LIST_DONE);
    } else if (may_be_brace && syntax_take_keyword(p, "{")) {
        f->state = BODY_BRACE;
        syntax_list_push(p, SYNTAX_LIST_BRACE);
    } else {
        syntax_unexpected(p);
    }
}

static void
end_body(struct parser *p, struct frame *f)
{
    bool brace = f->state == BODY_BRACE;

    if (!p->node && !p->out->fault)
        syntax_unexpected(p);
    syntax_command_kid(p, f);
    if (!p->out->fault && !syntax_take_keyword(p, brace ? "}" : "done"))
        syntax_fault(p, f->from, "a loop without an end");
    syntax_command_redirects(p, f);
}

/* Behind the variable: in and its list, ; or nothing. */
static void
after_name(struct parser *p, struct frame *f)
{
    bool separated;

    syntax_command_word(p, f);
    syntax_blanks(p);
    separated = syntax_ahead(p, ";") && syntax_take(p, ";");
    if (separated) {
        begin_body(p, f, true);
        return;
    }
    separated = syntax_peek(p) == '\n';
    syntax_newlines(p);
    if (syntax_take_keyword(p, "in"))
        f->state = LIST;
    else
        begin_body(p, f, separated);
}

static void
next_value(struct parser *p, struct frame *f)
{
    syntax_command_word(p, f);
    f->state = LIST;
    syntax_blanks(p);
    if ((!syntax_ahead(p, ";;") && syntax_take(p, ";")) || syntax_newline(p))
        begin_body(p, f, true);
    else
        take_word(p, 0);
}

void
syntax_for_step(struct parser *p, struct frame *f)
{
    struct syntax_node *node = f->command.node;

    if (f->state == BODY || f->state == BODY_BRACE) {
        end_body(p, f);
        return;
    }
    if (p->out->fault) {
        syntax_command_word(p, f);
        syntax_command_end(p, f);
        return;
    }
    if (f->state == BEGIN) {
        f->state = NAME;
        syntax_blanks(p);
        if (node->kind == SYNTAX_FOR && syntax_ahead(p, "((")) {
            f->state = HEADER;
            node->kind = SYNTAX_FOR_ARITH;
            syntax_take(p, "((");
            syntax_lex_arith_push(p, SYNTAX_LEX_HEADER);
        } else {
            take_word(p, SYNTAX_LEX_VALUE);
        }
    } else if (f->state == NAME) {
        after_name(p, f);
    } else if (f->state == HEADER) {
        syntax_command_word(p, f);
        syntax_blanks(p);
        if (!syntax_ahead(p, ";;"))
            syntax_take(p, ";");
        begin_body(p, f, true);
    } else {
        next_value(p, f);
    }
}

enum { CASE_BEGIN, CASE_SUBJECT, CASE_ITEM, CASE_PATTERN, CASE_BODY };

/* What follows up to the item's end belongs to f->command.item. */
static void
begin_item(struct parser *p, struct frame *f)
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
    take_word(p, SYNTAX_LEX_PATTERN);
}

static void
add_pattern(struct parser *p, struct frame *f)
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
    syntax_blanks(p);
    if (!syntax_ahead(p, "||") && syntax_take(p, "|")) {
        take_word(p, SYNTAX_LEX_PATTERN);
    } else if (syntax_take(p, ")")) {
        f->state = CASE_BODY;
        syntax_list_push(p, SYNTAX_LIST_ESAC);
    } else {
        syntax_unexpected(p);
    }
}

/* The driver reads here-documents before the next step. */
static void
before_item(struct parser *p, struct frame *f)
{
    syntax_newlines(p);
    f->state = CASE_ITEM;
}

static void
end_item(struct parser *p, struct frame *f)
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
        syntax_keyword(p, "esac"))
        before_item(p, f);
    else
        syntax_fault(p, f->from, "a \"case\" without \"esac\"");
}

static void
after_subject(struct parser *p, struct frame *f)
{
    syntax_command_word(p, f);
    if (p->out->fault)
        return;
    syntax_newlines(p);
    if (syntax_take_keyword(p, "in"))
        before_item(p, f);
    else
        syntax_unexpected(p);
}

void
syntax_case_step(struct parser *p, struct frame *f)
{
    bool stopped = p->out->fault != NULL;

    if (f->state == CASE_PATTERN)
        add_pattern(p, f);
    else if (f->state == CASE_BODY)
        end_item(p, f);
    else if (f->state == CASE_SUBJECT)
        after_subject(p, f);
    else if (!stopped && f->state == CASE_ITEM)
        begin_item(p, f);
    else if (!stopped)
        take_word(p, SYNTAX_LEX_VALUE);
    if (f->state == CASE_BEGIN && f->step == syntax_case_step)
        f->state = CASE_SUBJECT;
    if (stopped)
        syntax_command_end(p, f);
}
