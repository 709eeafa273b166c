/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_lex.c - the step that reads words and what stands in them. */
#include "guard/syntax/syntax_lex.h"

#include <string.h>

static void end_quote(struct parser *p, struct frame *f);
static void end_group(struct parser *p, struct frame *f);
static void end_inline(struct parser *p, struct frame *f);

static const struct lex_rule quote = {0, '"', LEX_FEW, end_quote,
                                      "unclosed double quote"};
/* In ${x:-'…'} within quotes and in arithmetic. */
static const struct lex_rule open_quote = {0, '\'', 0, end_quote,
                                           "unclosed single quote"};
static const struct lex_rule group = {
    '(', ')', LEX_SINGLE | LEX_DOUBLE | LEX_PROCESS, end_group, "unclosed ("};
static const struct lex_rule inline_array = {
    '(', ')', LEX_SINGLE | LEX_DOUBLE | LEX_PROCESS | LEX_ARRAY, end_inline,
    "unclosed ("};

static syntax_step lex_step;

struct frame *
syntax_lex_push(struct parser *p, const struct lex_rule *rule)
{
    const struct frame *below = p->top;
    bool inside = below && below->step == lex_step;
    struct frame *f = syntax_push(p, lex_step, !(rule->flags & LEX_WORD));

    if (!f)
        return NULL;
    f->rule = rule;
    f->lex.tail = &f->lex.first;
    f->lex.run = p->src.at;
    f->lex.quoted = inside && below->lex.quoted;
    return f;
}

struct syntax_part *
syntax_lex_part(struct parser *p, struct frame *f, enum syntax_part_kind kind,
                size_t from, size_t to)
{
    struct syntax_part *part = syntax_get(p, sizeof(*part));

    if (!part)
        return NULL;
    part->kind = kind;
    part->quoted = f->lex.quoted;
    part->from = f->lex.keep ? from : syntax_place(p, from);
    part->to = f->lex.keep ? to : syntax_place_to(p, to);
    part->text = part->op = "";
    *f->lex.tail = part;
    f->lex.tail = &part->next;
    return part;
}

/* Bytes of the line that are text. */
void
syntax_lex_text(struct parser *p, struct frame *f, size_t from, size_t to,
                bool quoted)
{
    struct syntax_part *part;

    if (quoted)
        f->lex.flags |= SYNTAX_QUOTED;
    if (!f->lex.keep || from >= to)
        return;
    part = syntax_lex_part(p, f, SYNTAX_TEXT, from, to);
    if (!part)
        return;
    part->quoted = quoted || f->lex.quoted;
    part->text = syntax_text(p, p->src.s + from, to - from);
}

void
syntax_lex_flush(struct parser *p, struct frame *f, size_t to)
{
    syntax_lex_text(p, f, f->lex.run, to, false);
    f->lex.run = to;
}

static void
splice(struct frame *from, struct frame *to)
{
    if (from->lex.first) {
        *to->lex.tail = from->lex.first;
        to->lex.tail = from->lex.tail;
    }
    to->lex.flags |= from->lex.flags;
}

/* As it is written; see SYNTAX_WRITTEN_MAX. */
const char *
syntax_lex_written(struct parser *p, size_t from, size_t to)
{
    size_t n = to - from;

    if (p->depth > SYNTAX_WRITTEN_MAX && n > SYNTAX_WRITTEN_BYTES)
        n = SYNTAX_WRITTEN_BYTES;
    return syntax_text(p, p->src.s + from, n);
}

/* Ends the frame, at its closing character or at the end of the source. */
static void
finish(struct parser *p, struct frame *f)
{
    const struct lex_rule *rule = f->rule;

    syntax_lex_flush(p, f, p->src.at);
    if (syntax_peek(p) == SYNTAX_END && rule->fault)
        syntax_fault(p, f->from, rule->fault);
    else if (rule->close)
        p->src.at++;
    rule->done(p, f);
}

static void
below_goes_on(struct parser *p, struct frame *f)
{
    struct frame *below = p->top->below;

    splice(f, below);
    below->lex.run = p->src.at;
    syntax_pop(p);
}

static void
end_quote(struct parser *p, struct frame *f)
{
    f->lex.flags |= SYNTAX_QUOTED;
    below_goes_on(p, f);
}

static void
end_inline(struct parser *p, struct frame *f)
{
    if (p->src.at > 0 && !p->out->fault)
        syntax_lex_text(p, f, p->src.at - 1, p->src.at, false);
    below_goes_on(p, f);
}

/* @(…): all of it is one part, from the character before its bracket. */
static void
end_group(struct parser *p, struct frame *f)
{
    struct frame *below = f->below;
    size_t from = below->lex.run;
    struct syntax_part *part = syntax_lex_part(p, below, SYNTAX_GLOB, from,
                                               p->src.at);

    if (part) {
        part->text = syntax_lex_written(p, from, p->src.at);
        part->kids = f->lex.first;
        f->lex.first = NULL;
    }
    f->lex.flags &= ~(unsigned)SYNTAX_QUOTED;
    below_goes_on(p, f);
}

static void
push_inside(struct parser *p, struct frame *f, const struct lex_rule *rule)
{
    struct frame *in;

    p->src.at++;
    in = syntax_lex_push(p, rule);
    if (!in)
        return;
    in->from--;
    in->lex.keep = f->lex.keep && rule != &group;
    in->lex.quoted |= rule == &quote || rule == &open_quote;
}

/* The text of the word so far is NAME=, NAME+= or NAME[…]=. */
static bool
declares_array(const struct parser *p, const struct frame *f)
{
    const char *s = p->src.s;
    size_t at = f->from, to = p->src.at;

    if (!(f->lex.mode & SYNTAX_LEX_DECLARES) || f->lex.first ||
        s[to - 1] != '=')
        return false;
    while (at < to && syntax_is_name(s[at], at == f->from))
        at++;
    if (at == f->from)
        return false;
    if (s[at] == '[')
        at = s[to - 2] == ']' ? to - 1 : to - 2;
    return at + 1 == to || (at + 2 == to && s[at] == '+');
}

/* A ( or | inside a word; false: it ends there. */
static bool
take_paren(struct parser *p, struct frame *f)
{
    char c = p->src.s[p->src.at];

    if (f->lex.mode & SYNTAX_LEX_REGEX && c == '(') {
        syntax_lex_flush(p, f, p->src.at);
        push_inside(p, f, &group);
        return true;
    }
    if (f->lex.mode & SYNTAX_LEX_REGEX && c == '|') {
        p->src.at++;
        return true;
    }
    if (c != '(' || p->src.at == f->from || !declares_array(p, f))
        return false;
    syntax_lex_flush(p, f, p->src.at + 1);
    push_inside(p, f, &inline_array);
    return true;
}

static void
take_comment(struct parser *p, struct frame *f)
{
    struct source *s = &p->src;
    const char *end = memchr(s->s + s->at, '\n', s->n - s->at);

    syntax_lex_flush(p, f, s->at);
    f->lex.run = s->at = end ? (size_t)(end - s->s) : s->n;
}

/* In NAME=(…): a comment; operators are a fault. */
static bool
take_array(struct parser *p, struct frame *f, char c)
{
    if (strchr(";&|()<>", c)) {
        syntax_lex_flush(p, f, p->src.at);
        syntax_unexpected(p);
    } else if (c == '#' && strchr(" \t\n(", p->src.s[p->src.at - 1])) {
        take_comment(p, f);
    } else {
        return false;
    }
    return true;
}

/* Behind a newline in the body of <<-. */
static void
skip_tabs(struct parser *p, struct frame *f)
{
    struct source *s = &p->src;

    syntax_lex_flush(p, f, ++s->at);
    while (s->at < s->n && s->s[s->at] == '\t')
        s->at++;
    f->lex.run = s->at;
}

/* Whether a character begins something in a frame of this rule. */
static bool
take_special(struct parser *p, struct frame *f, char c)
{
    const struct lex_rule *rule = f->rule;
    bool opens = syntax_after(p, p->src.at + 1) == '(';

    if (c == '\'' && rule->flags & LEX_SINGLE)
        syntax_quote_single(p, f);
    else if (c == '\'' && rule->flags & LEX_OPEN)
        push_inside(p, f, &open_quote);
    else if (c == '"' && rule->flags & LEX_DOUBLE) {
        syntax_lex_flush(p, f, p->src.at);
        push_inside(p, f, &quote);
    } else if (c == '`')
        syntax_body_backtick(p, f);
    else if ((c == '<' || c == '>') && opens && rule->flags & LEX_PROCESS) {
        syntax_lex_flush(p, f, p->src.at);
        syntax_body_push(p, c == '<' ? SYNTAX_PROCESS_IN : SYNTAX_PROCESS_OUT);
    } else if (strchr("?*+@!", c) && opens && rule->flags & LEX_WORD) {
        syntax_lex_flush(p, f, p->src.at);
        p->src.at++;
        syntax_peek(p);
        push_inside(p, f, &group);
    } else
        return false;
    return true;
}

static bool
take_dollar(struct parser *p, struct frame *f)
{
    const struct lex_rule *rule = f->rule;
    bool inside = rule->flags & LEX_OPEN || rule->close == '}';
    int c = syntax_after(p, p->src.at + 1);

    if ((!f->lex.quoted || inside) && c == '\'')
        return syntax_quote_ansi(p, f);
    if (!f->lex.quoted && c == '"') { /* $"…": for translators */
        syntax_lex_flush(p, f, p->src.at);
        f->lex.run = ++p->src.at;
        return true;
    }
    return syntax_lex_dollar(p, f);
}

/* Reads on from one character; false: the frame has ended. */
static bool
take_char(struct parser *p, struct frame *f)
{
    const struct lex_rule *rule = f->rule;
    struct source *s = &p->src;
    char c;

    if (s->at >= s->n)
        return false;
    c = s->s[s->at];
    if (rule->close && c == rule->close && f->lex.count == 0)
        return false;
    if (c == '\\') {
        syntax_quote_backslash(p, f);
        return true;
    }
    if ((c == '$' && take_dollar(p, f)) || take_special(p, f, c))
        return true;
    if (rule->flags & LEX_WORD && syntax_is_meta((unsigned char)c))
        return take_paren(p, f);
    if (rule->flags & LEX_ARRAY && take_array(p, f, c))
        return true;
    if (c == '\n' && f->lex.mode & SYNTAX_LEX_STRIP) {
        skip_tabs(p, f);
        return true;
    }
    f->lex.semicolons += c == ';';
    f->lex.count += rule->open && c == rule->open;
    f->lex.count -= rule->close && c == rule->close;
    s->at++;
    return true;
}

/* What no rule takes for anything but text. */
static bool
is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;
}

static void
lex_step(struct parser *p, struct frame *f)
{
    struct source *s = &p->src;

    while (p->top == f && !p->nomem) {
        while (s->at < s->n && is_plain(s->s[s->at]))
            s->at++;
        if (!take_char(p, f)) {
            finish(p, f);
            return;
        }
    }
}
