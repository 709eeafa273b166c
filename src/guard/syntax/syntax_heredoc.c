/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_heredoc.c - here-documents: where their bodies are, what is in them.
 */
#include "guard/syntax/syntax_heredoc.h"

#include <string.h>

#include "guard/syntax/syntax_lex.h"

#define NONE ((size_t)-1)

static void end_heredoc(struct parser *p, struct frame *f);

static const struct lex_rule body_rule = {0, 0, 0, end_heredoc, NULL};

static void
append(struct heredoc **list, struct heredoc *h)
{
    while (*list)
        list = &(*list)->next;
    *list = h;
}

void
syntax_heredoc_add(struct parser *p, struct syntax_redirect *r, bool strip)
{
    struct heredoc *h;

    if (++p->n_pending > SYNTAX_HEREDOCS_MAX) {
        syntax_fault(p, p->src.at, "too many here-documents");
        return;
    }
    h = syntax_get(p, sizeof(*h));
    if (!h)
        return;
    h->redirect = r;
    h->owner = p->owner;
    h->strip = strip;
    h->quoted = r->target->flags & SYNTAX_QUOTED;
    append(&p->pending, h);
}

/* Behind the delimiter when the line at `at` is that, else NONE. In $(…), bash
 * takes a ) on the same line. */
static size_t
match_delimiter(const struct parser *p, const struct heredoc *h, size_t at)
{
    const struct source *s = &p->src;
    const char *rest;

    while (h->strip && at < s->n && s->s[at] == '\t')
        at++;
    for (const char *d = h->redirect->target->text; *d; d++) {
        if (!h->quoted)
            at = syntax_skip(p, at);
        if (at >= s->n || s->s[at] != *d || *d == '\n')
            return NONE;
        at++;
    }
    if (!h->quoted)
        at = syntax_skip(p, at);
    if (at >= s->n || s->s[at] == '\n')
        return at;
    rest = memchr(s->s + at, '\n', s->n - at);
    if (p->in_paren &&
        memchr(s->s + at, ')', rest ? (size_t)(rest - s->s) - at : s->n - at))
        return at;
    return NONE;
}

/* The start of the line after the one at `at`, which may be continued. */
static size_t
next_line(const struct parser *p, const struct heredoc *h, size_t at)
{
    const struct source *s = &p->src;

    while (at < s->n && s->s[at] != '\n')
        at += s->s[at] == '\\' && !h->quoted && at + 1 < s->n ? 2 : 1;
    return at < s->n ? at + 1 : s->n;
}

void
syntax_heredoc_bodies(struct parser *p)
{
    while (p->pending) {
        struct heredoc *h = p->pending;
        size_t at = p->src.at, behind = NONE;

        h->body = at;
        while (at < p->src.n && (behind = match_delimiter(p, h, at)) == NONE)
            at = next_line(p, h, at);
        h->body_to = at;
        syntax_scanned(p, at - h->body);
        p->src.at = behind == NONE ? p->src.n : behind;
        if (p->src.at < p->src.n && p->src.s[p->src.at] == '\n')
            p->src.at++;
        p->pending = h->next;
        h->next = NULL;
        append(&p->ready, h);
    }
    p->n_pending = 0;
}

/* Text as it stands, but for the tabs of <<-. */
static struct syntax_word *
quoted_body(struct parser *p, const struct heredoc *h)
{
    const char *s = p->src.s;
    struct syntax_word *w = syntax_word_of(p, h->body, h->body_to);
    char *text;
    size_t n = 0;

    if (!w || !h->strip || w->len == 0)
        return w;
    text = syntax_room(p, w->len + 1);
    if (!text)
        return w;
    for (size_t i = h->body; i < h->body_to; i++) {
        bool start = i == h->body || s[i - 1] == '\n';

        while (start && i < h->body_to && s[i] == '\t')
            i++;
        if (i < h->body_to)
            text[n++] = s[i];
    }
    w->text = w->parts->text = text;
    w->len = n;
    return w;
}

static void
end_heredoc(struct parser *p, struct frame *f)
{
    p->word = syntax_word_make(p, f);
    syntax_pop(p);
}

static void
step_body(struct parser *p, struct frame *f)
{
    struct heredoc *h = f->body.heredoc;
    struct outside *o = &f->body.outside;
    struct frame *in;

    if (f->state++ == 0) {
        in = syntax_lex_push(p, &body_rule);
        if (!in)
            return;
        in->lex.keep = in->lex.quoted = true;
        in->lex.mode = h->strip ? SYNTAX_LEX_STRIP : 0;
        while (h->strip && syntax_peek(p) == '\t')
            in->lex.run = ++p->src.at;
        return;
    }
    h->redirect->heredoc = p->word;
    p->src = o->src;
    if (p->out->fault)
        p->src.n = p->src.at;
    p->owner = o->owner;
    p->ready = o->ready;
    p->node = o->node;
    p->word = o->word;
    p->end = o->end;
    p->before = o->before;
    p->reserved = o->reserved;
    syntax_pop(p);
}

void
syntax_heredoc_read(struct parser *p)
{
    struct heredoc *h = p->ready;
    struct frame *f;

    p->ready = h->next;
    if (h->quoted) {
        h->redirect->heredoc = quoted_body(p, h);
        return;
    }
    f = syntax_push(p, step_body, false);
    if (!f)
        return;
    f->body.heredoc = h;
    f->body.outside = (struct outside){.src = p->src,
                                       .ready = p->ready,
                                       .owner = p->owner,
                                       .node = p->node,
                                       .before = p->before,
                                       .end = p->end,
                                       .reserved = p->reserved,
                                       .word = p->word};
    p->src.at = h->body;
    p->src.n = h->body_to;
    p->owner = h->owner;
    p->ready = NULL; /* those inside it come first */
}
