/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_dollar.c - what begins with a dollar: $x ${x…} $((…)) $[…] $(…). */
#include <ctype.h>
#include <string.h>

#include "guard/syntax/syntax_lex.h"

static void end_parameter(struct parser *p, struct frame *f);
static void end_expression(struct parser *p, struct frame *f);

static const struct lex_rule plain_parameter = {
    0, '}', LEX_SINGLE | LEX_DOUBLE | LEX_PROCESS, end_parameter,
    "unclosed ${"};
static const struct lex_rule open_parameter = {
    0, '}', LEX_OPEN | LEX_DOUBLE | LEX_PROCESS, end_parameter, "unclosed ${"};
static const struct lex_rule double_round = {'(', ')', LEX_OPEN | LEX_DOUBLE,
                                             end_expression, "unclosed $(("};
static const struct lex_rule square = {'[', ']', LEX_OPEN | LEX_DOUBLE,
                                       end_expression, "unclosed $["};

static bool
is_special(int c)
{
    return c > 0 && strchr("@*#?-$!", c);
}

/* Behind a name that begins at `at`. */
static size_t
name_end(const struct parser *p, size_t at)
{
    const char *s = p->src.s;
    size_t n = p->src.n, to = syntax_name_end(p, at);

    if (to > at)
        return to;
    while (to < n && isdigit((unsigned char)s[to]))
        to++;
    if (to > at || at >= n || !is_special((unsigned char)s[at]))
        return to;
    return at + 1;
}

/* A [index] that needs no care, as part of the name; else `at`. */
static size_t
index_end(const struct parser *p, size_t at)
{
    const char *s = p->src.s;
    size_t i = at + 1;

    if (at >= p->src.n || s[at] != '[')
        return at;
    while (i < p->src.n &&
           (isalnum((unsigned char)s[i]) || strchr("_@*+-.:/, ", s[i])))
        i++;
    return i < p->src.n && s[i] == ']' && i > at + 1 ? i + 1 : at;
}

/* ${#x} and ${!x}: the # or ! stands before another name. */
static size_t
prefix_end(const struct parser *p, size_t at)
{
    const char *s = p->src.s;
    size_t end;

    if (at + 1 >= p->src.n || (s[at] != '#' && s[at] != '!'))
        return at;
    end = name_end(p, at + 1);
    if (end == at + 1)
        return at;
    if (isalnum((unsigned char)s[at + 1]) || s[at + 1] == '_')
        return at + 1;
    return end < p->src.n && s[end] == '}' ? at + 1 : at;
}

/* What stands at `at`, behind the name in ${name…}. Single quotes hide nothing
 * in an index and in :offset, which are arithmetic; nor within "…", but for
 * patterns, behind # % / ^ and a comma. */
static const struct lex_rule *
parameter_rule(const struct parser *p, const struct frame *f, size_t at)
{
    char op = at < p->src.n ? p->src.s[at] : '}';
    char next = at + 1 < p->src.n ? p->src.s[at + 1] : '}';
    bool number = op == '[' || (op == ':' && !strchr("-=?+", next));

    if (number || (f->lex.quoted && !strchr("#%/^,", op)))
        return &open_parameter;
    return &plain_parameter;
}

/* Behind the name that begins at `at`; `at` when it has none: a dollar before
 * a bracket begins something. */
static size_t
parameter_end(const struct parser *p, size_t at)
{
    const char *s = p->src.s;
    size_t to = index_end(p, name_end(p, prefix_end(p, at)));

    if (to == at + 1 && s[at] == '$' && to < p->src.n && strchr("{([", s[to]))
        return at;
    return to;
}

static void
take_braces(struct parser *p, struct frame *f)
{
    size_t at, to;
    struct frame *in;

    syntax_lex_flush(p, f, p->src.at);
    syntax_take(p, "${");
    syntax_peek(p);
    at = p->src.at;
    if (at < p->src.n && strchr(" \t\n|", p->src.s[at])) {
        /* a command from bash 5.3 on, before that a bad substitution */
        syntax_body_braces(p, f->lex.run);
        return;
    }
    to = parameter_end(p, at);
    in = syntax_lex_push(p, parameter_rule(p, f, to));
    if (!in)
        return;
    in->lex.kind = SYNTAX_PARAMETER;
    in->lex.name = syntax_text(p, p->src.s + at, to - at);
    p->src.at = in->lex.run = in->lex.inside = to;
}

static void
take_name(struct parser *p, struct frame *f, size_t name, size_t to)
{
    size_t from = p->src.at;
    struct syntax_part *part;

    syntax_lex_flush(p, f, from);
    part = syntax_lex_part(p, f, SYNTAX_PARAMETER, from, to);
    if (part)
        part->text = syntax_name_text(p, name, to);
    f->lex.run = p->src.at = to;
}

static void
take_expression(struct parser *p, struct frame *f, const char *open,
                const struct lex_rule *rule)
{
    struct frame *in;

    syntax_lex_flush(p, f, p->src.at);
    syntax_take(p, open);
    in = syntax_lex_push(p, rule);
    if (!in)
        return;
    in->lex.kind = SYNTAX_EXPRESSION;
    in->lex.inside = p->src.at;
    in->lex.quoted = true;
}

bool
syntax_lex_dollar(struct parser *p, struct frame *f)
{
    size_t open = syntax_ahead(p, "$(");
    size_t name, to;

    if (open && syntax_lex_is_arith(p, open - 1)) {
        take_expression(p, f, "$((", &double_round);
    } else if (open) {
        syntax_lex_flush(p, f, p->src.at);
        syntax_body_push(p, SYNTAX_COMMAND);
    } else if (syntax_ahead(p, "${")) {
        take_braces(p, f);
    } else if (syntax_ahead(p, "$[")) {
        take_expression(p, f, "$[", &square);
    } else {
        name = syntax_skip(p, p->src.at + 1);
        to = isdigit(syntax_after(p, name)) ? name + 1 : name_end(p, name);
        if (to == name)
            return false;
        take_name(p, f, name, to);
    }
    return true;
}

/* The part that a frame was, in the one below; both go on from here. */
static struct syntax_part *
end_part(struct parser *p, struct frame *f)
{
    struct frame *below = f->below;
    struct syntax_part *part;

    part = syntax_lex_part(p, below, f->lex.kind, below->lex.run, p->src.at);
    if (part)
        part->kids = f->lex.first;
    below->lex.flags |= f->lex.flags & SYNTAX_RUNS;
    below->lex.run = p->src.at;
    syntax_pop(p);
    return part;
}

static void
end_parameter(struct parser *p, struct frame *f)
{
    size_t inside = f->lex.inside, to = p->src.at;
    const char *name = f->lex.name;
    struct syntax_part *part = end_part(p, f);

    to -= to > inside && !p->out->fault;
    if (!part)
        return;
    part->text = name;
    part->op = syntax_lex_written(p, inside, to);
    part->inside = p->src.mapped ? 0 : inside;
}

static void
end_expression(struct parser *p, struct frame *f)
{
    size_t inside = f->lex.inside, to = p->src.at;
    bool is_round = f->rule == &double_round;
    struct syntax_part *part;

    to -= to > inside && !p->out->fault;
    if (is_round)
        syntax_expect(p, ")", f->from, "unclosed $((");
    part = end_part(p, f);
    if (!part)
        return;
    part->text = syntax_lex_written(p, inside, to);
    part->inside = p->src.mapped ? 0 : inside;
}
