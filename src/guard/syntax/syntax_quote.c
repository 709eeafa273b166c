/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_quote.c - single quotes, $'…' and backslashes. */
#include <string.h>

#include "guard/syntax/syntax_ansi.h"
#include "guard/syntax/syntax_lex.h"

void
syntax_quote_single(struct parser *p, struct frame *f)
{
    struct source *s = &p->src;
    size_t from = s->at + 1;
    const char *end = memchr(s->s + from, '\'', s->n - from);

    syntax_lex_flush(p, f, s->at);
    if (!end) {
        syntax_fault(p, s->at, "unclosed single quote");
        f->lex.run = s->at;
        return;
    }
    s->at = (size_t)(end - s->s);
    syntax_lex_text(p, f, from, s->at, true);
    f->lex.run = ++s->at;
}

/* Inside ${…} and expressions bash makes '…' of $'…' before it reads them, and
 * there single quotes may hide nothing. */
static bool
is_read_again(const struct frame *f, const char *text)
{
    const struct lex_rule *rule = f->rule;

    if (rule->flags & LEX_OPEN)
        return strpbrk(text, "$`\\\"'{}[]()") != NULL;
    return rule->close == '}' && strpbrk(text, "$`") != NULL;
}

/* $'…' */
bool
syntax_quote_ansi(struct parser *p, struct frame *f)
{
    struct source *s = &p->src;
    size_t from = s->at + 2, at = from, n;
    struct syntax_part *part;
    char *text;

    while (at < s->n && s->s[at] != '\'')
        at += s->s[at] == '\\' && at + 1 < s->n ? 2 : 1;
    syntax_lex_flush(p, f, s->at);
    if (at >= s->n) {
        syntax_fault(p, s->at, "unclosed $' quote");
        return true;
    }
    f->lex.flags |= SYNTAX_QUOTED | SYNTAX_ANSI;
    f->lex.run = s->at = at + 1;
    text = syntax_room(p, at - from + 1);
    if (!text)
        return true;
    n = syntax_ansi_decode(s->s + from, at - from, text);
    text[n] = '\0';
    if (is_read_again(f, text))
        syntax_fault(p, from, "a $' quote that is read twice");
    if (!f->lex.keep || at == from)
        return true;
    part = syntax_lex_part(p, f, SYNTAX_TEXT, from, at);
    if (!part)
        return true;
    part->text = text;
    part->quoted = true;
    return true;
}

void
syntax_quote_backslash(struct parser *p, struct frame *f)
{
    const struct lex_rule *rule = f->rule;
    struct source *s = &p->src;
    size_t at = s->at, n = 1;
    char c = at + 1 < s->n ? s->s[at + 1] : '\0';

    if (c == '\n') {
        syntax_lex_flush(p, f, at);
        f->lex.run = s->at = at + 2;
        return;
    }
    s->at++;
    if (at + 1 >= s->n || (f->lex.quoted && !strchr("$`\"\\}", c)) ||
        (f->lex.quoted && c == '}' && rule->close != '}') ||
        (!rule->close && f->lex.quoted && c == '"'))
        return;
    syntax_lex_flush(p, f, at);
    while (at + 1 + n < s->n &&
           ((unsigned char)s->s[at + 1 + n] & 0xc0) == 0x80)
        n++;
    syntax_lex_text(p, f, at + 1, at + 1 + n, true);
    f->lex.run = s->at = at + 1 + n;
}
