/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_body.c - commands inside words: $(…), `…`, <(…) and >(…). */
#include <string.h>

#include "guard/syntax/syntax_command.h"
#include "guard/syntax/syntax_lex.h"

static void
leave(struct parser *p, struct outside *o)
{
    *o = (struct outside){.src = p->src,
                          .pending = p->pending,
                          .n_pending = p->n_pending,
                          .owner = p->owner,
                          .in_paren = p->in_paren};
    p->pending = NULL;
    p->n_pending = 0;
}

static void
come_back(struct parser *p, const struct outside *o)
{
    p->pending = o->pending;
    p->n_pending = o->n_pending;
    p->owner = o->owner;
    p->in_paren = o->in_paren;
}

/* What the list was becomes a part of the frame below. */
static void
end_body(struct parser *p, struct frame *f, size_t to)
{
    struct frame *below = f->below;
    struct syntax_part *part;

    part = syntax_lex_part(p, below, f->body.kind, below->lex.run, to);
    if (part && p->node) {
        part->body = p->node;
        p->node->holder = p->owner;
        below->lex.flags |= SYNTAX_RUNS;
    }
    p->node = NULL;
    below->lex.run = p->src.at;
    syntax_pop(p);
}

static void
step_paren(struct parser *p, struct frame *f)
{
    if (f->state++ == 0) {
        p->in_paren = true;
        syntax_list_push(p, SYNTAX_LIST_PAREN);
        return;
    }
    syntax_expect(p, ")", f->from, "unclosed substitution");
    come_back(p, &f->body.outside);
    end_body(p, f, p->src.at);
}

void
syntax_body_push(struct parser *p, enum syntax_part_kind kind)
{
    size_t from = p->src.at;
    struct frame *f = syntax_push(p, step_paren, false);

    if (!f)
        return;
    f->from = from;
    f->body.kind = kind;
    leave(p, &f->body.outside);
    syntax_take(p, kind == SYNTAX_COMMAND      ? "$("
                   : kind == SYNTAX_PROCESS_IN ? "<("
                                               : ">(");
}

static void
step_braces(struct parser *p, struct frame *f)
{
    if (f->state++ == 0) {
        p->in_paren = false;
        syntax_list_push(p, SYNTAX_LIST_INSIDE);
        return;
    }
    syntax_expect(p, "}", f->from, "unclosed substitution");
    come_back(p, &f->body.outside);
    if (p->node)
        p->node->shares = true;
    end_body(p, f, p->src.at);
}

void
syntax_body_braces(struct parser *p, size_t from)
{
    struct frame *f = syntax_push(p, step_braces, false);

    if (!f)
        return;
    f->from = from;
    f->body.kind = SYNTAX_COMMAND;
    leave(p, &f->body.outside);
    syntax_take(p, "|");
}

static void
step_backtick(struct parser *p, struct frame *f)
{
    bool fault;

    if (f->state++ == 0) {
        syntax_list_push(p, SYNTAX_LIST_ALL);
        return;
    }
    p->src = f->body.outside.src;
    fault = p->out->fault != NULL;
    come_back(p, &f->body.outside);
    end_body(p, f, p->src.at);
    if (fault)
        p->src.n = p->src.at;
}

/* Without the backslashes that `…` takes away. */
static void
enter_copy(struct parser *p, size_t from, size_t to, bool quoted)
{
    const char *s = p->src.s;
    char *copy = syntax_room(p, to - from + 1);
    size_t n = 0;

    if (!copy)
        return;
    for (size_t i = from; i < to; i++) {
        if (s[i] == '\\' && i + 1 < to &&
            (strchr("$`\\", s[i + 1]) || (quoted && s[i + 1] == '"')))
            i++;
        copy[n++] = s[i];
    }
    p->src = (struct source){.s = copy,
                             .n = n,
                             .mapped = true,
                             .from = syntax_place(p, from - 1),
                             .to = syntax_place_to(p, to + 1)};
    syntax_lex_arith_room(p);
}

void
syntax_body_backtick(struct parser *p, struct frame *f)
{
    struct source *s = &p->src;
    size_t from = s->at + 1, to = from;
    bool quoted = f->lex.quoted;
    struct frame *in;

    syntax_lex_flush(p, f, s->at);
    while (to < s->n && s->s[to] != '`')
        to += s->s[to] == '\\' && to + 1 < s->n ? 2 : 1;
    if (to >= s->n) {
        syntax_fault(p, s->at, "unclosed backtick");
        return;
    }
    in = syntax_push(p, step_backtick, false);
    if (!in)
        return;
    in->body.kind = SYNTAX_COMMAND;
    s->at = to + 1;
    leave(p, &in->body.outside);
    if (memchr(s->s + from, '\\', to - from)) {
        enter_copy(p, from, to, quoted);
        return;
    }
    s->at = from; /* as it stands, so what is inside keeps its place */
    s->n = to;
}
