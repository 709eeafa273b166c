/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_word.c - reads words, quotes and the contents of expansions: one
 * step function for all of them, and words made of the parts. */
#include <string.h>

#include "guard/syntax/syntax_lexer.h"

static void end_quote(struct syntax_parser *p, struct syntax_frame *f);
static void end_group(struct syntax_parser *p, struct syntax_frame *f);
static void end_inline_array(struct syntax_parser *p, struct syntax_frame *f);

static const struct syntax_lex_rule quote_rule = {
    0, '"', SYNTAX_RULE_FEW, end_quote, "unclosed double quote"};
/* In arithmetic, and in ${x:-'…'} within double quotes. */
static const struct syntax_lex_rule open_quote_rule = {0, '\'', 0, end_quote,
                                                       "unclosed single quote"};
static const struct syntax_lex_rule group_rule = {
    '(', ')', SYNTAX_RULE_SINGLE | SYNTAX_RULE_DOUBLE | SYNTAX_RULE_PROCESS,
    end_group, "unclosed ("};
static const struct syntax_lex_rule inline_array_rule = {
    '(', ')',
    SYNTAX_RULE_SINGLE | SYNTAX_RULE_DOUBLE | SYNTAX_RULE_PROCESS |
        SYNTAX_RULE_ARRAY,
    end_inline_array, "unclosed ("};

static syntax_step lex_step;

struct syntax_frame *
syntax_lex_push(struct syntax_parser *p, const struct syntax_lex_rule *rule)
{
    const struct syntax_frame *below = p->top;
    bool inside = below && below->step == lex_step;
    struct syntax_frame *f = syntax_push_frame(
        p, lex_step, !(rule->flags & SYNTAX_RULE_WORD));

    if (!f)
        return NULL;
    f->rule = rule;
    f->lex.tail = &f->lex.first;
    f->lex.run = p->src.at;
    f->lex.quoted = inside && below->lex.quoted;
    return f;
}

struct syntax_part *
syntax_lex_part(struct syntax_parser *p, struct syntax_frame *f,
                enum syntax_part_kind kind, size_t from, size_t to)
{
    struct syntax_part *part = syntax_alloc(p, sizeof(*part));

    if (!part)
        return NULL;
    part->kind = kind;
    part->quoted = f->lex.quoted;
    part->from = f->lex.keep ? from : syntax_line_offset(p, from);
    part->to = f->lex.keep ? to : syntax_line_offset_to(p, to);
    part->text = part->op = "";
    *f->lex.tail = part;
    f->lex.tail = &part->next;
    return part;
}

void
syntax_lex_text(struct syntax_parser *p, struct syntax_frame *f, size_t from,
                size_t to, bool quoted)
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
    part->text = syntax_copy(p, p->src.s + from, to - from);
}

void
syntax_lex_flush(struct syntax_parser *p, struct syntax_frame *f, size_t to)
{
    syntax_lex_text(p, f, f->lex.run, to, false);
    f->lex.run = to;
}

static void
splice_parts(struct syntax_frame *from, struct syntax_frame *to)
{
    if (from->lex.first) {
        *to->lex.tail = from->lex.first;
        to->lex.tail = from->lex.tail;
    }
    to->lex.flags |= from->lex.flags;
}

const char *
syntax_lex_written(struct syntax_parser *p, size_t from, size_t to)
{
    size_t n = to - from;

    if (p->depth > SYNTAX_WRITTEN_MAX && n > SYNTAX_WRITTEN_BYTES)
        n = SYNTAX_WRITTEN_BYTES;
    return syntax_copy(p, p->src.s + from, n);
}

/* Ends the frame, at its closing character or at the end of the source. */
static void
end_frame(struct syntax_parser *p, struct syntax_frame *f)
{
    const struct syntax_lex_rule *rule = f->rule;

    syntax_lex_flush(p, f, p->src.at);
    if (syntax_peek(p) == SYNTAX_END && rule->fault)
        syntax_fault(p, f->from, rule->fault);
    else if (rule->close)
        p->src.at++;
    rule->done(p, f);
}

static void
resume_below(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_frame *below = p->top->below;

    splice_parts(f, below);
    below->lex.run = p->src.at;
    syntax_pop_frame(p);
}

static void
end_quote(struct syntax_parser *p, struct syntax_frame *f)
{
    f->lex.flags |= SYNTAX_QUOTED;
    resume_below(p, f);
}

static void
end_inline_array(struct syntax_parser *p, struct syntax_frame *f)
{
    if (p->src.at > 0 && !p->out->fault)
        syntax_lex_text(p, f, p->src.at - 1, p->src.at, false);
    resume_below(p, f);
}

/* @(…) is one part, from the character before the parenthesis. */
static void
end_group(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_frame *below = f->below;
    size_t from = below->lex.run;
    struct syntax_part *part = syntax_lex_part(p, below, SYNTAX_GLOB, from,
                                               p->src.at);

    if (part) {
        part->text = syntax_lex_written(p, from, p->src.at);
        part->kids = f->lex.first;
        f->lex.first = NULL;
    }
    f->lex.flags &= ~(unsigned)SYNTAX_QUOTED;
    resume_below(p, f);
}

static void
push_nested(struct syntax_parser *p, struct syntax_frame *f,
            const struct syntax_lex_rule *rule)
{
    struct syntax_frame *in;

    p->src.at++;
    in = syntax_lex_push(p, rule);
    if (!in)
        return;
    in->from--;
    in->lex.keep = f->lex.keep && rule != &group_rule;
    in->lex.quoted |= rule == &quote_rule || rule == &open_quote_rule;
}

/* The text of the word so far is NAME=, NAME+= or NAME[…]=. */
static bool
declares_array(const struct syntax_parser *p, const struct syntax_frame *f)
{
    const char *s = p->src.s;
    size_t at = f->from, to = p->src.at;

    if (!(f->lex.mode & SYNTAX_LEX_DECLARES) || f->lex.first ||
        s[to - 1] != '=')
        return false;
    while (at < to && syntax_is_name_char(s[at], at == f->from))
        at++;
    if (at == f->from)
        return false;
    if (s[at] == '[')
        at = s[to - 2] == ']' ? to - 1 : to - 2;
    return at + 1 == to || (at + 2 == to && s[at] == '+');
}

/* A ( or | inside a word; false: the word ends there. */
static bool
take_paren(struct syntax_parser *p, struct syntax_frame *f)
{
    char c = p->src.s[p->src.at];

    if (f->lex.mode & SYNTAX_LEX_REGEX && c == '(') {
        syntax_lex_flush(p, f, p->src.at);
        push_nested(p, f, &group_rule);
        return true;
    }
    if (f->lex.mode & SYNTAX_LEX_REGEX && c == '|') {
        p->src.at++;
        return true;
    }
    if (c != '(' || p->src.at == f->from || !declares_array(p, f))
        return false;
    syntax_lex_flush(p, f, p->src.at + 1);
    push_nested(p, f, &inline_array_rule);
    return true;
}

static void
take_comment(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_source *s = &p->src;
    const char *end = memchr(s->s + s->at, '\n', s->n - s->at);

    syntax_lex_flush(p, f, s->at);
    f->lex.run = s->at = end ? (size_t)(end - s->s) : s->n;
}

/* In NAME=(…): a comment; an operator is a syntax error. */
static bool
take_array_char(struct syntax_parser *p, struct syntax_frame *f, char c)
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
skip_tabs(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_source *s = &p->src;

    syntax_lex_flush(p, f, ++s->at);
    while (s->at < s->n && s->s[s->at] == '\t')
        s->at++;
    f->lex.run = s->at;
}

/* Reads the quotation or expansion that c begins under the frame's rule; false:
 * none. */
static bool
take_special(struct syntax_parser *p, struct syntax_frame *f, char c)
{
    const struct syntax_lex_rule *rule = f->rule;
    bool opens = syntax_char_at(p, p->src.at + 1) == '(';

    if (c == '\'' && rule->flags & SYNTAX_RULE_SINGLE)
        syntax_quote_single(p, f);
    else if (c == '\'' && rule->flags & SYNTAX_RULE_OPEN)
        push_nested(p, f, &open_quote_rule);
    else if (c == '"' && rule->flags & SYNTAX_RULE_DOUBLE) {
        syntax_lex_flush(p, f, p->src.at);
        push_nested(p, f, &quote_rule);
    } else if (c == '`')
        syntax_substitution_backtick(p, f);
    else if ((c == '<' || c == '>') && opens &&
             rule->flags & SYNTAX_RULE_PROCESS) {
        syntax_lex_flush(p, f, p->src.at);
        syntax_substitution_push(p, c == '<' ? SYNTAX_PROCESS_IN
                                             : SYNTAX_PROCESS_OUT);
    } else if (strchr("?*+@!", c) && opens && rule->flags & SYNTAX_RULE_WORD) {
        syntax_lex_flush(p, f, p->src.at);
        p->src.at++;
        syntax_peek(p);
        push_nested(p, f, &group_rule);
    } else
        return false;
    return true;
}

static bool
take_dollar(struct syntax_parser *p, struct syntax_frame *f)
{
    const struct syntax_lex_rule *rule = f->rule;
    bool inside = rule->flags & SYNTAX_RULE_OPEN || rule->close == '}';
    int c = syntax_char_at(p, p->src.at + 1);

    if ((!f->lex.quoted || inside) && c == '\'')
        return syntax_quote_ansi(p, f);
    if (!f->lex.quoted && c == '"') { /* $"…": for translators */
        syntax_lex_flush(p, f, p->src.at);
        f->lex.run = ++p->src.at;
        return true;
    }
    return syntax_lex_expansion(p, f);
}

/* Reads one character or what it begins; false: the frame has ended. */
static bool
take_word_char(struct syntax_parser *p, struct syntax_frame *f)
{
    const struct syntax_lex_rule *rule = f->rule;
    struct syntax_source *s = &p->src;
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
    if (rule->flags & SYNTAX_RULE_WORD && syntax_is_metachar((unsigned char)c))
        return take_paren(p, f);
    if (rule->flags & SYNTAX_RULE_ARRAY && take_array_char(p, f, c))
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

/* Whether a character is text under every rule. */
static bool
is_plain_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;
}

static void
lex_step(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_source *s = &p->src;

    while (p->top == f && !p->nomem) {
        while (s->at < s->n && is_plain_char(s->s[s->at]))
            s->at++;
        if (!take_word_char(p, f)) {
            end_frame(p, f);
            return;
        }
    }
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

/* The bytes of a part in the text of its word. */
static const char *
shown_text(const struct syntax_parser *p, const struct syntax_part *part,
           size_t *n)
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
join_text(struct syntax_parser *p, struct syntax_word *w)
{
    size_t len = 0, n;
    char *text;

    for (const struct syntax_part *t = w->parts; t; t = t->next) {
        shown_text(p, t, &n);
        len += n;
    }
    w->text = "";
    w->len = len;
    if (w->parts && !w->parts->next && w->parts->kind == SYNTAX_TEXT)
        w->text = w->parts->text;
    if (len == 0 || *w->text)
        return;
    text = syntax_alloc_text(p, len + 1);
    if (!text)
        return;
    w->text = text;
    for (const struct syntax_part *t = w->parts; t; t = t->next) {
        const char *s = shown_text(p, t, &n);

        memcpy(text, s, n);
        text += n;
    }
}

/* Maps offsets in the source to offsets in the line. */
static void
map_part_offsets(const struct syntax_parser *p, struct syntax_part *part)
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
syntax_word_make(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_word *w = syntax_alloc(p, sizeof(*w));

    if (!w)
        return NULL;
    w->from = syntax_line_offset(p, f->from);
    w->to = syntax_line_offset_to(p, p->src.at);
    w->parts = f->lex.first;
    w->flags = f->lex.flags;
    for (const struct syntax_part *t = w->parts; t; t = t->next)
        w->flags |= part_flags(t);
    join_text(p, w);
    map_part_offsets(p, w->parts);
    return w;
}

static void
end_word(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_word *w = NULL;

    if (p->src.at > f->from || f->lex.first) {
        syntax_mark_patterns(p, f);
        w = syntax_word_make(p, f);
        p->end = p->src.at;
    }
    syntax_pop_frame(p);
    p->word = w;
}

struct syntax_word *
syntax_word_of(struct syntax_parser *p, size_t from, size_t to)
{
    struct syntax_word *w = syntax_alloc(p, sizeof(*w));
    struct syntax_part *part = syntax_alloc(p, sizeof(*part));

    if (!w || !part)
        return NULL;
    part->from = w->from = syntax_line_offset(p, from);
    part->to = w->to = syntax_line_offset_to(p, to);
    part->text = w->text = syntax_copy(p, p->src.s + from, to - from);
    part->op = "";
    w->len = to - from;
    w->parts = part;
    return w;
}

static void
end_arith(struct syntax_parser *p, struct syntax_frame *f)
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
    syntax_pop_frame(p);
    syntax_expect(p, ")", from, "unclosed ((");
    if (bad)
        syntax_fault(p, from, "a \"for ((\" that is not of three parts");
    p->word = w;
}

static const struct syntax_lex_rule word_rule = {
    0, 0,
    SYNTAX_RULE_SINGLE | SYNTAX_RULE_DOUBLE | SYNTAX_RULE_PROCESS |
        SYNTAX_RULE_WORD,
    end_word, NULL};
static const struct syntax_lex_rule arith_rule = {
    '(', ')', SYNTAX_RULE_OPEN | SYNTAX_RULE_DOUBLE, end_arith, "unclosed (("};

void
syntax_word_push(struct syntax_parser *p, unsigned mode)
{
    struct syntax_frame *f = syntax_lex_push(p, &word_rule);

    p->word = NULL;
    if (!f)
        return;
    f->lex.keep = true;
    f->lex.quoted = false;
    f->lex.mode = mode;
}

void
syntax_word_resume(struct syntax_parser *p, struct syntax_frame *f)
{
    f->rule = &word_rule;
    f->lex.run = p->src.at;
}

void
syntax_arith_push(struct syntax_parser *p, unsigned mode)
{
    struct syntax_frame *f = syntax_lex_push(p, &arith_rule);

    p->word = NULL;
    if (!f)
        return;
    f->lex.quoted = true;
    f->lex.mode = mode;
}
