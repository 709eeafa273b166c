/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_assign.c - NAME=, NAME+=, NAME[…]= and arrays. */
#include "guard/syntax/syntax_command.h"
#include "guard/syntax/syntax_lex.h"

enum { ELEMENTS, ELEMENT, BEHIND };

static void end_index(struct parser *p, struct frame *f);

static const struct lex_rule index_rule = {
    '[', ']', LEX_OPEN | LEX_DOUBLE | LEX_PROCESS, end_index, "unclosed ["};

/* A word whose first part is [ … ], after what was read of it. */
static void
push_indexed(struct parser *p, size_t name_to, unsigned mode)
{
    struct frame *word, *index;

    syntax_word_push(p, mode);
    word = p->top;
    if (p->nomem)
        return;
    p->src.at = name_to;
    syntax_lex_flush(p, word, name_to);
    syntax_take(p, "[");
    index = syntax_lex_push(p, &index_rule);
    if (index)
        index->lex.inside = p->src.at;
}

static void
step_array(struct parser *p, struct frame *f)
{
    if (f->state != ELEMENTS && p->word) {
        *f->array.word = p->word;
        f->array.word = &p->word->next;
        p->word = NULL;
    }
    if (p->out->fault || f->state == BEHIND) {
        syntax_pop(p);
        return;
    }
    f->state = ELEMENT;
    syntax_newlines(p);
    if (syntax_take(p, ")")) {
        f->state = BEHIND;
        if (!syntax_is_meta(syntax_peek(p)))
            syntax_word_push(p, 0);
    } else if (syntax_peek(p) == SYNTAX_END) {
        syntax_fault(p, f->from, "unclosed (");
    } else if (syntax_peek(p) == '[') {
        push_indexed(p, p->src.at, 0);
    } else if (!syntax_word_ahead(p)) {
        syntax_unexpected(p);
    } else {
        syntax_word_push(p, 0);
    }
}

/* What is assigned. Nothing is pushed when that is nothing. */
static void
push_value(struct parser *p, struct syntax_assign *a)
{
    struct frame *f;

    p->word = NULL;
    if (syntax_peek(p) == '(') {
        f = syntax_push(p, step_array, true);
        syntax_take(p, "(");
        a->is_array = true;
        if (!f)
            return;
        f->array.word = &a->words;
    } else if (syntax_word_ahead(p)) {
        syntax_word_push(p, SYNTAX_LEX_VALUE | SYNTAX_LEX_ASSIGNED);
    }
}

static struct syntax_assign *
new_assign(struct parser *p, size_t from, size_t name_to)
{
    struct syntax_assign *a = syntax_get(p, sizeof(*a));

    if (!a)
        return NULL;
    a->from = syntax_place(p, from);
    a->name = syntax_name_text(p, from, name_to);
    return a;
}

/* = or += ahead. */
static bool
take_equals(struct parser *p, struct syntax_assign *a)
{
    a->append = syntax_take(p, "+=");
    return a->append || syntax_take(p, "=");
}

static void
end_index_word(struct parser *p, struct frame *f)
{
    struct frame *word = f->below;
    size_t from = word->lex.run, inside = f->lex.inside, to = p->src.at;
    bool subscript = syntax_ahead(p, "=") || syntax_ahead(p, "+=");
    struct syntax_part *part;

    part = syntax_lex_part(p, word,
                           !subscript     ? SYNTAX_GLOB
                           : f->lex.first ? SYNTAX_EXPRESSION
                                          : SYNTAX_TEXT,
                           from, to);
    if (part) {
        part->kids = f->lex.first;
        part->quoted = subscript; /* nothing in it is a pattern */
        part->text = syntax_lex_written(p, from, to);
    }
    if (part && part->kind == SYNTAX_EXPRESSION) {
        part->text = syntax_lex_written(p, inside, to - 1);
        part->op = "[";
        part->inside = p->src.mapped ? 0 : inside;
    }
    word->lex.flags |= f->lex.flags & SYNTAX_RUNS;
    syntax_pop(p);
    syntax_word_resume(p, word);
}

/* Behind the ] of name[…]: an assignment, or a word that goes on. */
static void
end_index(struct parser *p, struct frame *f)
{
    struct frame *word = f->below, *command = word->below;
    size_t inside = f->lex.inside, to = p->src.at;
    struct syntax_part *kids = f->lex.first;
    struct syntax_assign *a;

    if (command->step != syntax_call_step || p->out->fault ||
        (!syntax_ahead(p, "=") && !syntax_ahead(p, "+="))) {
        end_index_word(p, f);
        return;
    }
    a = new_assign(p, word->from, word->lex.run);
    if (!a)
        return;
    a->index = syntax_lex_written(p, inside, to - 1);
    a->inside = p->src.mapped ? 0 : inside;
    a->kids = kids;
    syntax_pop(p);
    syntax_pop(p);
    command->command.assigned = a;
    take_equals(p, a);
    push_value(p, a);
}

bool
syntax_assign_begin(struct parser *p, struct frame *f)
{
    size_t from = p->src.at, to = syntax_name_end(p, from);
    struct syntax_assign *a;

    f->command.assigned = NULL;
    if (to == from)
        return false;
    if (syntax_after(p, to) == '[') {
        push_indexed(p, to, 0);
        return true;
    }
    p->src.at = to;
    if (!syntax_ahead(p, "=") && !syntax_ahead(p, "+=")) {
        p->src.at = from;
        return false;
    }
    a = new_assign(p, from, to);
    if (!a)
        return false;
    f->command.assigned = a;
    take_equals(p, a);
    push_value(p, a);
    return true;
}

void
syntax_assign_end(struct parser *p, struct frame *f)
{
    struct syntax_assign *a = f->command.assigned;

    f->command.assigned = NULL;
    a->to = syntax_place_to(p, p->end);
    if (!a->is_array)
        a->value = p->word;
    p->word = NULL;
    *f->command.assign = a;
    f->command.assign = &a->next;
}
