/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_lexer.c - reads characters, blanks, reserved words, names and
 * quotations from the source. */
#include "guard/syntax/syntax_lexer.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"
#include "guard/syntax/syntax.h"
#include "guard/syntax/syntax_command.h"
#include "guard/syntax/syntax_parse.h"

size_t
syntax_skip_continued(const struct syntax_parser *p, size_t at)
{
    const struct syntax_source *s = &p->src;

    while (at + 1 < s->n && s->s[at] == '\\' && s->s[at + 1] == '\n')
        at += 2;
    return at;
}

int
syntax_peek(struct syntax_parser *p)
{
    struct syntax_source *s = &p->src;

    s->at = syntax_skip_continued(p, s->at);
    return s->at < s->n ? (unsigned char)s->s[s->at] : SYNTAX_END;
}

int
syntax_char_at(const struct syntax_parser *p, size_t at)
{
    at = syntax_skip_continued(p, at);
    return at < p->src.n ? (unsigned char)p->src.s[at] : SYNTAX_END;
}

size_t
syntax_ahead(struct syntax_parser *p, const char *text)
{
    const struct syntax_source *s = &p->src;
    size_t at = s->at;

    for (; *text; text++) {
        at = syntax_skip_continued(p, at);
        if (at >= s->n || s->s[at] != *text)
            return 0;
        at++;
    }
    return at;
}

bool
syntax_take(struct syntax_parser *p, const char *text)
{
    size_t to = syntax_ahead(p, text);

    if (to == 0)
        return false;
    p->src.at = p->end = to;
    return true;
}

bool
syntax_is_metachar(int c)
{
    return c == SYNTAX_END || (c && strchr(" \t\n|&;()<>", c));
}

bool
syntax_word_ahead(struct syntax_parser *p)
{
    return !syntax_is_metachar(syntax_peek(p)) || syntax_ahead(p, "<(") ||
           syntax_ahead(p, ">(");
}

bool
syntax_is_name_char(int c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (!first && c >= '0' && c <= '9');
}

static void
record_comment(struct syntax_parser *p, size_t from, size_t to)
{
    struct syntax_comment *c;

    if (p->src.mapped)
        return;
    c = syntax_alloc(p, sizeof(*c));
    if (!c)
        return;
    c->from = from;
    c->to = to;
    *p->comment = c;
    p->comment = &c->next;
}

void
syntax_skip_blanks(struct syntax_parser *p)
{
    struct syntax_source *s = &p->src;
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
    record_comment(p, from, s->at);
}

bool
syntax_take_newline(struct syntax_parser *p)
{
    if (syntax_peek(p) != '\n')
        return false;
    p->src.at++;
    syntax_heredoc_bodies(p);
    return true;
}

void
syntax_skip_newlines(struct syntax_parser *p)
{
    do
        syntax_skip_blanks(p);
    while (syntax_take_newline(p));
}

bool
syntax_keyword_ahead(struct syntax_parser *p, const char *word)
{
    size_t to = syntax_ahead(p, word);
    int c = to > 0 ? syntax_char_at(p, to) : 0;

    if (c == '<' || c == '>') /* if<(a) is a word */
        return syntax_char_at(p, syntax_skip_continued(p, to) + 1) != '(';
    return to > 0 && syntax_is_metachar(c);
}

bool
syntax_take_keyword(struct syntax_parser *p, const char *word)
{
    return syntax_keyword_ahead(p, word) && syntax_take(p, word);
}

size_t
syntax_line_offset(const struct syntax_parser *p, size_t at)
{
    return p->src.mapped ? p->src.from : at;
}

size_t
syntax_line_offset_to(const struct syntax_parser *p, size_t at)
{
    return p->src.mapped ? p->src.to : at;
}

const char *
syntax_copy(struct syntax_parser *p, const char *s, size_t n)
{
    char *copy;

    if (n == 0)
        return "";
    copy = syntax_alloc_text(p, n + 1);
    if (!copy)
        return "";
    memcpy(copy, s, n);
    return copy;
}

size_t
syntax_name_end(const struct syntax_parser *p, size_t at)
{
    size_t end = at;
    bool first = true;
    int c;

    while ((c = syntax_char_at(p, end)), syntax_is_name_char(c, first)) {
        end = syntax_skip_continued(p, end) + 1;
        first = false;
    }
    return end;
}

const char *
syntax_copy_name(struct syntax_parser *p, size_t from, size_t to)
{
    char *copy = syntax_alloc_text(p, to - from + 1);
    size_t n = 0;

    if (!copy)
        return "";
    for (size_t at = syntax_skip_continued(p, from); at < to;
         at = syntax_skip_continued(p, at))
        copy[n++] = p->src.s[at++];
    return copy;
}

/* The escapes of $'…'. */

static int
digit_value(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

/* Reads at most max digits of a base at s[*i]; moves *i behind them. */
static unsigned long
read_digits(const char *s, size_t n, size_t *i, int base, int max)
{
    unsigned long v = 0;

    while (max-- > 0 && *i < n && digit_value(s[*i]) < base)
        v = v * base + digit_value(s[(*i)++]);
    return v;
}

/* Writes a number as a byte, or as a character in UTF-8. */
static size_t
encode_number(unsigned long v, bool is_char, char *out)
{
    struct buf b;
    size_t len;

    if (!is_char || v < 0x80) {
        *out = (char)v;
        return 1;
    }
    buf_init(&b, 8);
    utf8_encode(&b, v > 0x10ffff ? UTF8_REPLACEMENT : (unsigned)v);
    len = b.len;
    memcpy(out, b.p, len);
    buf_done(&b);
    return len;
}

/* Decodes the escape whose letter is s[*i]; moves *i behind it. */
static size_t
decode_escape(const char *s, size_t n, size_t *i, char *out)
{
    static const char from[] = "abeEfnrtv\\'\"?", to[] = "\a\b\033\033\f\n\r\t"
                                                         "\v\\'\"?";
    char c = s[(*i)++];
    const char *plain = c ? strchr(from, c) : NULL;
    size_t start = *i;
    unsigned long v;

    if (plain) {
        *out = to[plain - from];
        return 1;
    }
    if (c >= '0' && c <= '7') {
        --*i;
        return encode_number(read_digits(s, n, i, 8, 3) & 0xff, false, out);
    }
    if (c == 'c' && *i < n) {
        *out = (char)(s[(*i)++] & 0x1f);
        return 1;
    }
    if (c == 'x' || c == 'u' || c == 'U') {
        v = read_digits(s, n, i, 16, c == 'x' ? 2 : c == 'u' ? 4 : 8);
        if (*i > start)
            return encode_number(v, c != 'x', out);
    }
    out[0] = '\\';
    out[1] = c;
    return 2;
}

size_t
syntax_ansi_decode(const char *s, size_t n, char *out)
{
    size_t len = 0, i = 0;

    while (i < n) {
        size_t was = len;

        if (s[i] != '\\' || i + 1 == n) {
            out[len++] = s[i++];
        } else {
            i++;
            len += decode_escape(s, n, &i, out + len);
        }
        if (out[was] == '\0')
            return was;
    }
    return len;
}

/* Quotations: '…', $'…' and backslashes. */

void
syntax_quote_single(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_source *s = &p->src;
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

/* Inside ${…} and expressions bash first turns $'…' into '…' and then parses
 * again, where single quotes may not quote. Whether the text could then expand
 * or end something. */
static bool
is_read_again(const struct syntax_frame *f, const char *text)
{
    const struct syntax_lex_rule *rule = f->rule;

    if (rule->flags & SYNTAX_RULE_OPEN)
        return strpbrk(text, "$`\\\"'{}[]()") != NULL;
    return rule->close == '}' && strpbrk(text, "$`") != NULL;
}

bool
syntax_quote_ansi(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_source *s = &p->src;
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
    text = syntax_alloc_text(p, at - from + 1);
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
syntax_quote_backslash(struct syntax_parser *p, struct syntax_frame *f)
{
    const struct syntax_lex_rule *rule = f->rule;
    struct syntax_source *s = &p->src;
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
