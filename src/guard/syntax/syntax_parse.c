/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_parse.c - drives the parser: frames, syntax errors, the main loop. */
#include "guard/syntax/syntax_parse.h"

#include <string.h>

#include "base/buf.h"
#include "guard/syntax/syntax.h"
#include "guard/syntax/syntax_command.h"
#include "guard/syntax/syntax_lexer.h"

#define SCANNED_MAX ((size_t)16 * SYNTAX_LINE_MAX)

void *
syntax_alloc(struct syntax_parser *p, size_t n)
{
    void *got = arena_get(p->arena, n);

    p->nomem |= !got;
    return got;
}

char *
syntax_alloc_text(struct syntax_parser *p, size_t n)
{
    char *got = arena_text(p->arena, n);

    p->nomem |= !got;
    return got;
}

struct syntax_frame *
syntax_push_frame(struct syntax_parser *p, syntax_step *step, bool nests)
{
    struct syntax_frame *f = p->spare;

    if (nests && p->depth + 1 > SYNTAX_DEPTH_MAX) {
        syntax_fault(p, p->src.at, "nested too deeply");
        return NULL;
    }
    if (f)
        p->spare = f->below;
    else if (!(f = syntax_alloc(p, sizeof(*f))))
        return NULL;
    memset(f, 0, sizeof(*f));
    f->step = step;
    f->nests = nests;
    f->from = p->src.at;
    f->below = p->top;
    p->depth += nests;
    p->top = f;
    return f;
}

void
syntax_pop_frame(struct syntax_parser *p)
{
    struct syntax_frame *f = p->top;

    p->depth -= f->nests;
    p->top = f->below;
    f->below = p->spare;
    p->spare = f;
}

void
syntax_fault(struct syntax_parser *p, size_t at, const char *what)
{
    if (!p->out->fault) {
        p->out->fault = what;
        p->out->fault_at = syntax_line_offset(p, at);
    }
    p->src.n = p->src.at;
}

void
syntax_count_lookahead(struct syntax_parser *p, size_t n)
{
    p->scanned += n;
    if (p->scanned > SCANNED_MAX)
        syntax_fault(p, p->src.at, "nested too deeply");
}

void
syntax_unexpected(struct syntax_parser *p)
{
    static const char *const operators[] = {"&&", "||", ";;&", ";;", ";&",
                                            "|&", "&>", ">>",  "<<", NULL};
    const char *const *op = operators;
    const char *s = p->src.s + p->src.at;
    CLEANUP_BUF struct buf b = buf_of(128);
    size_t n = 0, left = p->src.n - p->src.at;

    if (p->out->fault)
        return;
    if (syntax_peek(p) == SYNTAX_END) {
        syntax_fault(p, p->src.at, "unexpected end");
        return;
    }
    while (*op && !syntax_ahead(p, *op))
        op++;
    if (*op)
        n = strlen(*op);
    else
        while (n < left && n < 40 && (n == 0 || !syntax_is_metachar(s[n])))
            n++;
    buf_str(&b, "an unexpected ");
    if (*s == '\n')
        buf_str(&b, "end of line");
    else
        buf_printf(&b, "\"%.*s\"", (int)n, *op ? *op : s);
    syntax_fault(p, p->src.at, syntax_copy(p, b.p, b.len));
}

bool
syntax_expect(struct syntax_parser *p, const char *text, size_t from,
              const char *missing)
{
    if (p->out->fault)
        return false;
    syntax_skip_blanks(p);
    if (syntax_take(p, text))
        return true;
    if (syntax_peek(p) == SYNTAX_END)
        syntax_fault(p, from, missing);
    else
        syntax_unexpected(p);
    return false;
}

static void
run_parser(struct syntax_parser *p)
{
    const char *nul = memchr(p->src.s, '\0', p->src.n);

    if (nul)
        p->src.n = (size_t)(nul - p->src.s);
    syntax_arith_cache_new(p);
    syntax_list_push(p, SYNTAX_LIST_ALL);
    while ((p->top || (p->ready && !p->out->fault)) && !p->nomem) {
        if (p->ready && !p->out->fault)
            syntax_heredoc_read(p);
        else
            p->top->step(p, p->top);
    }
    p->out->top = p->node;
    if (nul)
        syntax_fault(p, (size_t)(nul - p->src.s), "a NUL byte");
}

int
syntax_read(const char *line, size_t n, struct syntax *out, struct err *e)
{
    struct syntax made = {0};
    struct syntax_parser p = {.out = &made, .src = {.s = line, .n = n}};

    if (n > SYNTAX_LINE_MAX)
        return err_set(e, ERR_INVALID, "a command line of %zu bytes", n);
    p.arena = arena_new();
    if (!p.arena)
        return err_set(e, ERR_NOMEM, "out of memory for a command line");
    p.comment = &made.comments;
    run_parser(&p);
    made.memory = p.arena;
    if (p.nomem) {
        syntax_done(&made);
        return err_set(e, ERR_NOMEM, "out of memory for a command line");
    }
    *out = made;
    return 0;
}

void
syntax_done(struct syntax *s)
{
    if (!s)
        return;
    arena_free(s->memory);
    *s = (struct syntax){0};
}

bool
syntax_word_is_literal(const struct syntax_word *w)
{
    return !(w->flags & SYNTAX_EXPANDS);
}
