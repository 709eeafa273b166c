/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_word.c - words made of the parts that were read. */
#include <string.h>

#include "guard/syntax/syntax_lex.h"

static void end_word(struct parser *p, struct frame *f);
static void end_arith(struct parser *p, struct frame *f);

static const struct lex_rule word = {
    0, 0, LEX_SINGLE | LEX_DOUBLE | LEX_PROCESS | LEX_WORD, end_word, NULL};
static const struct lex_rule arith = {'(', ')', LEX_OPEN | LEX_DOUBLE,
                                      end_arith, "unclosed (("};

void
syntax_word_push(struct parser *p, unsigned mode)
{
    struct frame *f = syntax_lex_push(p, &word);

    p->word = NULL;
    if (!f)
        return;
    f->lex.keep = true;
    f->lex.quoted = false;
    f->lex.mode = mode;
}

void
syntax_word_resume(struct parser *p, struct frame *f)
{
    f->rule = &word;
    f->lex.run = p->src.at;
}

static unsigned
part_flags(const struct syntax_part *part)
{
    unsigned flags = 0;

    if (part->kind != SYNTAX_TEXT)
        flags |= SYNTAX_EXPANDS;
    if (part->kind == SYNTAX_GLOB || part->kind == SYNTAX_BRACE)
        flags |= SYNTAX_PATTERN;
    return flags;
}

/* What a part is in the text of its word. */
static const char *
shown(const struct parser *p, const struct syntax_part *part, size_t *n)
{
    if (part->kind == SYNTAX_TEXT) {
        *n = strlen(part->text);
        return part->text;
    }
    *n = part->to - part->from;
    if (p->depth > SYNTAX_WRITTEN_MAX && *n > SYNTAX_WRITTEN_BYTES)
        *n = SYNTAX_WRITTEN_BYTES;
    return p->src.s + part->from;
}

static void
join_text(struct parser *p, struct syntax_word *w)
{
    size_t len = 0, n;
    char *text;

    for (const struct syntax_part *t = w->parts; t; t = t->next) {
        shown(p, t, &n);
        len += n;
    }
    w->text = "";
    w->len = len;
    if (w->parts && !w->parts->next && w->parts->kind == SYNTAX_TEXT)
        w->text = w->parts->text;
    if (len == 0 || *w->text)
        return;
    text = syntax_room(p, len + 1);
    if (!text)
        return;
    w->text = text;
    for (const struct syntax_part *t = w->parts; t; t = t->next) {
        const char *s = shown(p, t, &n);

        memcpy(text, s, n);
        text += n;
    }
}

/* From bytes of the source to bytes of the line. */
static void
place_parts(const struct parser *p, struct syntax_part *part)
{
    for (; p->src.mapped && part; part = part->next) {
        part->from = p->src.from;
        part->to = p->src.to;
        for (struct syntax_part *k = part->kids; k; k = k->next) {
            k->from = p->src.from;
            k->to = p->src.to;
        }
    }
}

struct syntax_word *
syntax_word_make(struct parser *p, struct frame *f)
{
    struct syntax_word *w = syntax_get(p, sizeof(*w));

    if (!w)
        return NULL;
    w->from = syntax_place(p, f->from);
    w->to = syntax_place_to(p, p->src.at);
    w->parts = f->lex.first;
    w->flags = f->lex.flags;
    for (const struct syntax_part *t = w->parts; t; t = t->next)
        w->flags |= part_flags(t);
    join_text(p, w);
    place_parts(p, w->parts);
    return w;
}

static void
end_word(struct parser *p, struct frame *f)
{
    struct syntax_word *w = NULL;

    if (p->src.at > f->from || f->lex.first) {
        syntax_mark(p, f);
        w = syntax_word_make(p, f);
        p->end = p->src.at;
    }
    syntax_pop(p);
    p->word = w;
}

struct syntax_word *
syntax_word_of(struct parser *p, size_t from, size_t to)
{
    struct syntax_word *w = syntax_get(p, sizeof(*w));
    struct syntax_part *part = syntax_get(p, sizeof(*part));

    if (!w || !part)
        return NULL;
    part->from = w->from = syntax_place(p, from);
    part->to = w->to = syntax_place_to(p, to);
    part->text = w->text = syntax_text(p, p->src.s + from, to - from);
    part->op = "";
    w->len = to - from;
    w->parts = part;
    return w;
}

void
syntax_lex_arith_push(struct parser *p, unsigned mode)
{
    struct frame *f = syntax_lex_push(p, &arith);

    p->word = NULL;
    if (!f)
        return;
    f->lex.quoted = true;
    f->lex.mode = mode;
}

static void
end_arith(struct parser *p, struct frame *f)
{
    size_t to = p->out->fault ? p->src.at : p->src.at - 1;
    bool bad = f->lex.mode & SYNTAX_LEX_HEADER && f->lex.semicolons != 2;
    struct syntax_word *w = syntax_word_of(p, f->from, to);
    size_t from = f->from;

    if (w) {
        w->flags = SYNTAX_EXPANDS | (f->lex.flags & SYNTAX_RUNS);
        w->parts->kind = SYNTAX_EXPRESSION;
        w->parts->kids = f->lex.first;
        w->parts->inside = p->src.mapped ? 0 : f->from;
    }
    syntax_pop(p);
    syntax_expect(p, ")", from, "unclosed ((");
    if (bad)
        syntax_fault(p, from, "a \"for ((\" that is not of three parts");
    p->word = w;
}
