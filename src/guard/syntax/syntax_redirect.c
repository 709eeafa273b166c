/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_redirect.c - redirections: their descriptors, kinds and targets. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "guard/syntax/syntax_command.h"
#include "guard/syntax/syntax_heredoc.h"
#include "guard/syntax/syntax_lex.h"

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

#define N_OPERATORS (sizeof(operators) / sizeof(operators[0]))

/* Whether < or > stands at `at` and is a redirection. */
static bool
redirects_at(const struct parser *p, size_t at)
{
    int c = syntax_after(p, at);

    return (c == '<' || c == '>') && syntax_after(p, at + 1) != '(';
}

/* {name} that goes on in the next line is none of ours to read. */
static void
refuse_split(struct parser *p, size_t at)
{
    const struct source *s = &p->src;
    size_t to = syntax_skip(p, at + 1);

    while (to < s->n && syntax_is_name(s->s[to], false))
        to = syntax_skip(p, to + 1);
    if (to < s->n && strchr("[}", s->s[to]) &&
        memmem(s->s + at, to - at, "\\\n", 2))
        syntax_fault(p, at, "a {name} on two lines");
}

/* Digits, or {name}, with an operator right behind. Their end, or 0. */
static size_t
descriptor_end(struct parser *p, size_t at)
{
    const char *s = p->src.s;
    size_t n = p->src.n, from = at, name;

    while (at < n && isdigit((unsigned char)s[at]))
        at++;
    if (at > from)
        return redirects_at(p, at) && at - from < 10 ? at : 0;
    if (at + 1 < n && s[at] == '{')
        refuse_split(p, at);
    if (at + 1 >= n || s[at] != '{' || !syntax_is_name(s[at + 1], true))
        return 0;
    for (name = ++at; at < n && syntax_is_name(s[at], at == name);)
        at++;
    if (at < n && s[at] == '[')
        while (at < n && s[at] != ']' && !syntax_is_meta(s[at]))
            at++;
    at += at < n && s[at] == ']';
    return at < n && s[at] == '}' && redirects_at(p, at + 1) ? at + 1 : 0;
}

static void
take_descriptor(struct parser *p, struct syntax_redirect *r)
{
    const char *s = p->src.s + p->src.at;
    size_t to = descriptor_end(p, p->src.at);

    r->fd = SYNTAX_FD_DEFAULT;
    if (to == 0)
        return;
    if (*s == '{') {
        r->fd = SYNTAX_FD_NAMED;
        r->variable = syntax_text(p, s + 1, to - p->src.at - 2);
    } else {
        r->fd = (int)strtol(s, NULL, 10);
    }
    p->src.at = to;
}

/* >&- and <&- end with their minus. */
static bool
take_minus(struct parser *p, struct syntax_redirect *r)
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
syntax_redirect_begin(struct parser *p, struct frame *f)
{
    struct syntax_redirect *r;
    size_t from, i = 0;
    bool dup;

    syntax_blanks(p);
    from = p->src.at;
    if (!redirects_at(p, from) && !syntax_ahead(p, "&>") &&
        !descriptor_end(p, from))
        return false;
    r = syntax_get(p, sizeof(*r));
    if (!r)
        return false;
    r->from = syntax_place(p, from);
    take_descriptor(p, r);
    while (i < N_OPERATORS - 1 && !syntax_ahead(p, operators[i].op))
        i++;
    r->kind = operators[i].kind;
    f->command.strips = strcmp(operators[i].op, "<<-") == 0;
    f->command.redirected = r;
    syntax_take(p, operators[i].op);
    dup = r->kind == SYNTAX_DUP_IN || r->kind == SYNTAX_DUP_OUT;
    syntax_blanks(p);
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

/* >& with a word that is no descriptor writes both. */
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

void
syntax_redirect_end(struct parser *p, struct frame *f)
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
        syntax_heredoc_add(p, r, f->command.strips);
}
