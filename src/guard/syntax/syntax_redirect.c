/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_redirect.c - parses redirections, and the bodies of here-documents. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "guard/syntax/syntax_command.h"
#include "guard/syntax/syntax_lexer.h"

static const struct {
    const char *op;
    enum syntax_redirect_kind kind;
} operators[] = {
    {"&>>", SYNTAX_APPEND_BOTH}, {"&>", SYNTAX_WRITE_BOTH},
    {"<<<", SYNTAX_HERE_STRING}, {"<<-", SYNTAX_HEREDOC},
    {"<<", SYNTAX_HEREDOC},      {"<&", SYNTAX_DUP_IN},
    {"<>", SYNTAX_READ_WRITE},   {"<", SYNTAX_READ},
    {">&", SYNTAX_DUP_OUT},      {">>", SYNTAX_APPEND},
    {">|", SYNTAX_CLOBBER},      {">", SYNTAX_WRITE},
};

#define N_OPERATORS ARRAY_SIZE(operators)

/* Whether a redirection begins with a < or > at `at`. */
static bool
redirects_at(const struct syntax_parser *p, size_t at)
{
    int c = syntax_char_at(p, at);

    return (c == '<' || c == '>') && syntax_char_at(p, at + 1) != '(';
}

/* A {name} that continues on the next line is a syntax error here. */
static void
reject_split_name(struct syntax_parser *p, size_t at)
{
    const struct syntax_source *s = &p->src;
    size_t to = syntax_skip_continued(p, at + 1);

    while (to < s->n && syntax_is_name_char(s->s[to], false))
        to = syntax_skip_continued(p, to + 1);
    if (to < s->n && strchr("[}", s->s[to]) &&
        memmem(s->s + at, to - at, "\\\n", 2))
        syntax_fault(p, at, "a {name} on two lines");
}

/* The end of digits or of {name} with an operator right behind them, or 0. */
static size_t
descriptor_end(struct syntax_parser *p, size_t at)
{
    const char *s = p->src.s;
    size_t n = p->src.n, from = at, name;

    while (at < n && isdigit((unsigned char)s[at]))
        at++;
    if (at > from)
        return redirects_at(p, at) && at - from < 10 ? at : 0;
    if (at + 1 < n && s[at] == '{')
        reject_split_name(p, at);
    if (at + 1 >= n || s[at] != '{' || !syntax_is_name_char(s[at + 1], true))
        return 0;
    for (name = ++at; at < n && syntax_is_name_char(s[at], at == name);)
        at++;
    if (at < n && s[at] == '[')
        while (at < n && s[at] != ']' && !syntax_is_metachar(s[at]))
            at++;
    at += at < n && s[at] == ']';
    return at < n && s[at] == '}' && redirects_at(p, at + 1) ? at + 1 : 0;
}

static void
take_descriptor(struct syntax_parser *p, struct syntax_redirect *r)
{
    const char *s = p->src.s + p->src.at;
    size_t to = descriptor_end(p, p->src.at);

    r->fd = SYNTAX_FD_DEFAULT;
    if (to == 0)
        return;
    if (*s == '{') {
        r->fd = SYNTAX_FD_NAMED;
        r->variable = syntax_copy(p, s + 1, to - p->src.at - 2);
    } else {
        r->fd = (int)strtol(s, NULL, 10);
    }
    p->src.at = to;
}

/* Consumes the minus of >&- and <&-, which ends them. */
static bool
take_minus(struct syntax_parser *p, struct syntax_redirect *r)
{
    size_t at;

    if ((r->kind != SYNTAX_DUP_IN && r->kind != SYNTAX_DUP_OUT) ||
        syntax_peek(p) != '-')
        return false;
    at = p->src.at;
    syntax_take(p, "-");
    p->word = syntax_word_of(p, at, p->src.at);
    return true;
}

bool
syntax_redirect_begin(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_redirect *r;
    size_t from, i = 0;
    bool dup;

    syntax_skip_blanks(p);
    from = p->src.at;
    if (!redirects_at(p, from) && !syntax_ahead(p, "&>") &&
        !descriptor_end(p, from))
        return false;
    r = syntax_alloc(p, sizeof(*r));
    if (!r)
        return false;
    r->from = syntax_line_offset(p, from);
    take_descriptor(p, r);
    while (i < N_OPERATORS - 1 && !syntax_ahead(p, operators[i].op))
        i++;
    r->kind = operators[i].kind;
    f->command.strips = strcmp(operators[i].op, "<<-") == 0;
    f->command.redirected = r;
    syntax_take(p, operators[i].op);
    dup = r->kind == SYNTAX_DUP_IN || r->kind == SYNTAX_DUP_OUT;
    syntax_skip_blanks(p);
    if (take_minus(p, r))
        return true;
    if (!syntax_word_ahead(p) ||
        (!dup && descriptor_end(p, p->src.at))) /* >2>x */
        syntax_unexpected(p);
    else
        syntax_word_push(p, r->kind == SYNTAX_HEREDOC ? SYNTAX_LEX_DELIMITER
                            : r->kind == SYNTAX_HERE_STRING ? SYNTAX_LEX_VALUE
                                                            : 0);
    return true;
}

/* >& with a word that is no descriptor redirects both outputs to a file. */
static void
settle_kind(struct syntax_redirect *r)
{
    const char *text = r->target->text;

    if (r->kind != SYNTAX_DUP_OUT || r->fd != SYNTAX_FD_DEFAULT ||
        !syntax_word_is_literal(r->target))
        return;
    if (text[strspn(text, "0123456789-")])
        r->kind = SYNTAX_WRITE_BOTH;
}

static void
append_heredoc(struct syntax_pending_heredoc **list,
               struct syntax_pending_heredoc *h)
{
    while (*list)
        list = &(*list)->next;
    *list = h;
}

/* A redirection << was read; its body begins behind the next newline. */
static void
add_heredoc(struct syntax_parser *p, struct syntax_redirect *r, bool strip)
{
    struct syntax_pending_heredoc *h;

    if (++p->n_pending > SYNTAX_HEREDOCS_MAX) {
        syntax_fault(p, p->src.at, "too many here-documents");
        return;
    }
    h = syntax_alloc(p, sizeof(*h));
    if (!h)
        return;
    h->redirect = r;
    h->owner = p->owner;
    h->strip = strip;
    h->quoted = r->target->flags & SYNTAX_QUOTED;
    append_heredoc(&p->pending, h);
}

void
syntax_redirect_end(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_redirect *r = f->command.redirected;

    f->command.redirected = NULL;
    if (!r || !p->word)
        return;
    r->target = p->word;
    r->to = p->word->to;
    p->word = NULL;
    settle_kind(r);
    *f->command.redirect = r;
    f->command.redirect = &r->next;
    if (r->kind == SYNTAX_HEREDOC)
        add_heredoc(p, r, f->command.strips);
}

/* Bodies of here-documents. */

#define NO_DELIMITER ((size_t)-1)

static void
end_heredoc_body(struct syntax_parser *p, struct syntax_frame *f)
{
    p->word = syntax_word_make(p, f);
    syntax_pop_frame(p);
}

static const struct syntax_lex_rule body_rule = {0, 0, 0, end_heredoc_body,
                                                 NULL};

/* The offset behind the delimiter when the line at `at` is the delimiter, else
 * NO_DELIMITER. In $(…) bash accepts a ) behind it on the same line. */
static size_t
delimiter_end(const struct syntax_parser *p,
              const struct syntax_pending_heredoc *h, size_t at)
{
    const struct syntax_source *s = &p->src;
    const char *rest;

    while (h->strip && at < s->n && s->s[at] == '\t')
        at++;
    for (const char *d = h->redirect->target->text; *d; d++) {
        if (!h->quoted)
            at = syntax_skip_continued(p, at);
        if (at >= s->n || s->s[at] != *d || *d == '\n')
            return NO_DELIMITER;
        at++;
    }
    if (!h->quoted)
        at = syntax_skip_continued(p, at);
    if (at >= s->n || s->s[at] == '\n')
        return at;
    rest = memchr(s->s + at, '\n', s->n - at);
    if (p->in_paren &&
        memchr(s->s + at, ')', rest ? (size_t)(rest - s->s) - at : s->n - at))
        return at;
    return NO_DELIMITER;
}

/* The start of the line behind the one at `at`, which may be continued. */
static size_t
next_line_start(const struct syntax_parser *p,
                const struct syntax_pending_heredoc *h, size_t at)
{
    const struct syntax_source *s = &p->src;

    while (at < s->n && s->s[at] != '\n')
        at += s->s[at] == '\\' && !h->quoted && at + 1 < s->n ? 2 : 1;
    return at < s->n ? at + 1 : s->n;
}

void
syntax_heredoc_bodies(struct syntax_parser *p)
{
    while (p->pending) {
        struct syntax_pending_heredoc *h = p->pending;
        size_t at = p->src.at, behind = NO_DELIMITER;

        h->body = at;
        while (at < p->src.n &&
               (behind = delimiter_end(p, h, at)) == NO_DELIMITER)
            at = next_line_start(p, h, at);
        h->body_to = at;
        syntax_count_lookahead(p, at - h->body);
        p->src.at = behind == NO_DELIMITER ? p->src.n : behind;
        if (p->src.at < p->src.n && p->src.s[p->src.at] == '\n')
            p->src.at++;
        p->pending = h->next;
        h->next = NULL;
        append_heredoc(&p->ready, h);
    }
    p->n_pending = 0;
}

/* A body that is text as written, without the tabs of <<-. */
static struct syntax_word *
read_quoted_body(struct syntax_parser *p,
                 const struct syntax_pending_heredoc *h)
{
    const char *s = p->src.s;
    struct syntax_word *w = syntax_word_of(p, h->body, h->body_to);
    char *text;
    size_t n = 0;

    if (!w || !h->strip || w->len == 0)
        return w;
    text = syntax_alloc_text(p, w->len + 1);
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
step_heredoc_body(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_pending_heredoc *h = f->body.heredoc;
    struct syntax_saved *o = &f->body.outside;
    struct syntax_frame *in;

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
    syntax_pop_frame(p);
}

void
syntax_heredoc_read(struct syntax_parser *p)
{
    struct syntax_pending_heredoc *h = p->ready;
    struct syntax_frame *f;

    p->ready = h->next;
    if (h->quoted) {
        h->redirect->heredoc = read_quoted_body(p, h);
        return;
    }
    f = syntax_push_frame(p, step_heredoc_body, false);
    if (!f)
        return;
    f->body.heredoc = h;
    f->body.outside = (struct syntax_saved){.src = p->src,
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
