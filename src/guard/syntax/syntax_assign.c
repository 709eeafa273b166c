/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_assign.c - parses NAME=, NAME+=, NAME[…]= and arrays. */
#include "guard/syntax/syntax_command.h"
#include "guard/syntax/syntax_lexer.h"

enum { ARRAY_BEGIN, ARRAY_ELEMENT, ARRAY_BEHIND };

static void end_index(struct syntax_parser *p, struct syntax_frame *f);

static const struct syntax_lex_rule index_rule = {
    '[', ']', SYNTAX_RULE_OPEN | SYNTAX_RULE_DOUBLE | SYNTAX_RULE_PROCESS,
    end_index, "unclosed ["};

/* Pushes a word whose first part, behind the name, is [ … ]. */
static void
push_indexed(struct syntax_parser *p, size_t name_to, unsigned mode)
{
    struct syntax_frame *word, *index;

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
step_array(struct syntax_parser *p, struct syntax_frame *f)
{
    if (f->state != ARRAY_BEGIN && p->word) {
        *f->array.word = p->word;
        f->array.word = &p->word->next;
        p->word = NULL;
    }
    if (p->out->fault || f->state == ARRAY_BEHIND) {
        syntax_pop_frame(p);
        return;
    }
    f->state = ARRAY_ELEMENT;
    syntax_skip_newlines(p);
    if (syntax_take(p, ")")) {
        f->state = ARRAY_BEHIND;
        if (!syntax_is_metachar(syntax_peek(p)))
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

/* Pushes the value; nothing when it is empty. */
static void
push_value(struct syntax_parser *p, struct syntax_assign *a)
{
    struct syntax_frame *f;

    p->word = NULL;
    if (syntax_peek(p) == '(') {
        f = syntax_push_frame(p, step_array, true);
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
new_assignment(struct syntax_parser *p, size_t from, size_t name_to)
{
    struct syntax_assign *a = syntax_alloc(p, sizeof(*a));

    if (!a)
        return NULL;
    a->from = syntax_line_offset(p, from);
    a->name = syntax_copy_name(p, from, name_to);
    return a;
}

/* Consumes = or +=. */
static bool
take_equals(struct syntax_parser *p, struct syntax_assign *a)
{
    a->append = syntax_take(p, "+=");
    return a->append || syntax_take(p, "=");
}

static void
end_index_word(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_frame *word = f->below;
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
    syntax_pop_frame(p);
    syntax_word_resume(p, word);
}

/* Behind the ] of name[…]: an assignment, or a word that continues. */
static void
end_index(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_frame *word = f->below, *command = word->below;
    size_t inside = f->lex.inside, to = p->src.at;
    struct syntax_part *kids = f->lex.first;
    struct syntax_assign *a;

    if (command->step != syntax_call_step || p->out->fault ||
        (!syntax_ahead(p, "=") && !syntax_ahead(p, "+="))) {
        end_index_word(p, f);
        return;
    }
    a = new_assignment(p, word->from, word->lex.run);
    if (!a)
        return;
    a->index = syntax_lex_written(p, inside, to - 1);
    a->inside = p->src.mapped ? 0 : inside;
    a->kids = kids;
    syntax_pop_frame(p);
    syntax_pop_frame(p);
    command->command.assigned = a;
    take_equals(p, a);
    push_value(p, a);
}

bool
syntax_assign_begin(struct syntax_parser *p, struct syntax_frame *f)
{
    size_t from = p->src.at, to = syntax_name_end(p, from);
    struct syntax_assign *a;

    f->command.assigned = NULL;
    if (to == from)
        return false;
    if (syntax_char_at(p, to) == '[') {
        push_indexed(p, to, 0);
        return true;
    }
    p->src.at = to;
    if (!syntax_ahead(p, "=") && !syntax_ahead(p, "+=")) {
        p->src.at = from;
        return false;
    }
    a = new_assignment(p, from, to);
    if (!a)
        return false;
    f->command.assigned = a;
    take_equals(p, a);
    push_value(p, a);
    return true;
}

void
syntax_assign_end(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_assign *a = f->command.assigned;

    f->command.assigned = NULL;
    a->to = syntax_line_offset_to(p, p->end);
    if (!a->is_array)
        a->value = p->word;
    p->word = NULL;
    *f->command.assign = a;
    f->command.assign = &a->next;
}
