/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_source.c - characters, blanks and reserved words of what is read. */
#include <string.h>

#include "guard/syntax/syntax_heredoc.h"
#include "guard/syntax/syntax_parse.h"

size_t
syntax_skip(const struct parser *p, size_t at)
{
    const struct source *s = &p->src;

    while (at + 1 < s->n && s->s[at] == '\\' && s->s[at + 1] == '\n')
        at += 2;
    return at;
}

int
syntax_peek(struct parser *p)
{
    struct source *s = &p->src;

    s->at = syntax_skip(p, s->at);
    return s->at < s->n ? (unsigned char)s->s[s->at] : SYNTAX_END;
}

int
syntax_after(const struct parser *p, size_t at)
{
    at = syntax_skip(p, at);
    return at < p->src.n ? (unsigned char)p->src.s[at] : SYNTAX_END;
}

size_t
syntax_ahead(struct parser *p, const char *text)
{
    const struct source *s = &p->src;
    size_t at = s->at;

    for (; *text; text++) {
        at = syntax_skip(p, at);
        if (at >= s->n || s->s[at] != *text)
            return 0;
        at++;
    }
    return at;
}

bool
syntax_take(struct parser *p, const char *text)
{
    size_t to = syntax_ahead(p, text);

    if (to == 0)
        return false;
    p->src.at = p->end = to;
    return true;
}

bool
syntax_is_meta(int c)
{
    return c == SYNTAX_END || (c && strchr(" \t\n|&;()<>", c));
}

bool
syntax_word_ahead(struct parser *p)
{
    return !syntax_is_meta(syntax_peek(p)) || syntax_ahead(p, "<(") ||
           syntax_ahead(p, ">(");
}

bool
syntax_is_name(int c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (!first && c >= '0' && c <= '9');
}

static void
note_comment(struct parser *p, size_t from, size_t to)
{
    struct syntax_comment *c;

    if (p->src.mapped)
        return;
    c = syntax_get(p, sizeof(*c));
    if (!c)
        return;
    c->from = from;
    c->to = to;
    *p->comment = c;
    p->comment = &c->next;
}

void
syntax_blanks(struct parser *p)
{
    struct source *s = &p->src;
    const char *end;
    size_t from;
    int c;

    while ((c = syntax_peek(p)) == ' ' || c == '\t')
        s->at++;
    if (c != '#')
        return;
    from = s->at;
    end = memchr(s->s + from, '\n', s->n - from);
    s->at = end ? (size_t)(end - s->s) : s->n;
    note_comment(p, from, s->at);
}

bool
syntax_newline(struct parser *p)
{
    if (syntax_peek(p) != '\n')
        return false;
    p->src.at++;
    syntax_heredoc_bodies(p);
    return true;
}

void
syntax_newlines(struct parser *p)
{
    do
        syntax_blanks(p);
    while (syntax_newline(p));
}

bool
syntax_keyword(struct parser *p, const char *word)
{
    size_t to = syntax_ahead(p, word);
    int c = to > 0 ? syntax_after(p, to) : 0;

    if (c == '<' || c == '>') /* if<(a) is a word */
        return syntax_after(p, syntax_skip(p, to) + 1) != '(';
    return to > 0 && syntax_is_meta(c);
}

bool
syntax_take_keyword(struct parser *p, const char *word)
{
    return syntax_keyword(p, word) && syntax_take(p, word);
}

size_t
syntax_place(const struct parser *p, size_t at)
{
    return p->src.mapped ? p->src.from : at;
}

size_t
syntax_place_to(const struct parser *p, size_t at)
{
    return p->src.mapped ? p->src.to : at;
}

const char *
syntax_text(struct parser *p, const char *s, size_t n)
{
    char *copy;

    if (n == 0)
        return "";
    copy = syntax_room(p, n + 1);
    if (!copy)
        return "";
    memcpy(copy, s, n);
    return copy;
}

size_t
syntax_name_end(const struct parser *p, size_t at)
{
    size_t end = at;
    bool first = true;
    int c;

    while ((c = syntax_after(p, end)), syntax_is_name(c, first)) {
        end = syntax_skip(p, end) + 1;
        first = false;
    }
    return end;
}

const char *
syntax_name_text(struct parser *p, size_t from, size_t to)
{
    char *copy = syntax_room(p, to - from + 1);
    size_t n = 0;

    if (!copy)
        return "";
    for (size_t at = syntax_skip(p, from); at < to; at = syntax_skip(p, at))
        copy[n++] = p->src.s[at++];
    return copy;
}
