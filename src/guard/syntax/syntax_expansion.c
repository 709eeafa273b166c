/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_expansion.c - parses what expands inside words: $x, ${x…}, $((…)),
 * $[…] and the substitutions $(…), `…`, <(…) and >(…). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "guard/syntax/syntax_command.h"
#include "guard/syntax/syntax_lexer.h"

/* Whether "((" begins an expression or two nested subshells.
 *
 * It is an expression when the inner parenthesis is closed right before the
 * outer one. The scan matches the brackets behind it and stores what it finds
 * out about the others on its way, so that nesting adds no cost. */

enum { UNKNOWN, ARITHMETIC, BRACKETS };

/* A stack of the offsets where open brackets and quotes began. */
struct arith_scan {
    struct syntax_parser *p;
    size_t *open;
    size_t n, cap;
    size_t last_open, last_close; /* of the pair that was closed last */
};

static void
push_bracket(struct arith_scan *sc, size_t at)
{
    size_t cap = sc->cap ? sc->cap * 2 : 64;
    void *grown;

    if (sc->n == sc->cap) {
        grown = reallocarray(sc->open, cap, sizeof(*sc->open));
        if (!grown) {
            sc->p->nomem = true;
            return;
        }
        sc->open = grown;
        sc->cap = cap;
    }
    sc->open[sc->n++] = at;
}

static void
close_bracket(struct arith_scan *sc, size_t at)
{
    struct syntax_source *s = &sc->p->src;
    size_t open = sc->open[--sc->n], inner;

    if (s->s[open] != '(')
        return;
    inner = syntax_skip_continued(sc->p, open + 1);
    /* Over two lines bash reads $((x)\ ) as arithmetic, ((x)\ ) as
     * subshells. */
    if (sc->last_open == inner && sc->last_close + 1 < at &&
        syntax_skip_continued(sc->p, sc->last_close + 1) == at)
        syntax_fault(sc->p, at, "a newline between the brackets of a ((");
    if (inner < s->n && s->s[inner] == '(')
        s->arith[open] = sc->last_open == inner && sc->last_close + 1 == at
                             ? ARITHMETIC
                             : BRACKETS;
    sc->last_open = open;
    sc->last_close = at;
}

/* The offset behind the quote or backtick that closes the one at `at`. */
static size_t
skip_quote(const struct syntax_source *s, size_t at, bool escapes)
{
    char quote = s->s[at++];

    while (at < s->n && s->s[at] != quote)
        at += escapes && s->s[at] == '\\' ? 2 : 1;
    return at + 1;
}

/* Reads one item at `at`; returns the offset behind it. */
static size_t
scan_char(struct arith_scan *sc, size_t at)
{
    const struct syntax_source *s = &sc->p->src;
    char c = s->s[at], in = s->s[sc->open[sc->n - 1]];
    bool dollar = at > 0 && s->s[at - 1] == '$';

    if (c == '\\')
        return at + 2;
    if (c == '`' || (c == '\'' && in != '"'))
        return skip_quote(s, at, c == '`' || dollar);
    if ((c == ')' && in == '(') || (c == '}' && in == '{') ||
        (c == '"' && in == '"'))
        close_bracket(sc, at);
    else if (c == '"' || (c == '{' && dollar) ||
             (c == '(' && (in == '(' || dollar)))
        push_bracket(sc, at);
    return at + 1;
}

static void
scan_brackets(struct syntax_parser *p, size_t from)
{
    struct syntax_source *s = &p->src;
    struct arith_scan sc = {.p = p};
    size_t at = from;

    push_bracket(&sc, at++);
    while (at < s->n && sc.n > 0 && !p->nomem)
        at = scan_char(&sc, at);
    free(sc.open);
    if (sc.n > 0)
        syntax_fault(p, from, "unclosed ((");
    syntax_count_lookahead(p, at - from);
}

void
syntax_arith_cache_new(struct syntax_parser *p)
{
    struct syntax_source *s = &p->src;

    if (!memmem(s->s, s->n, "((", 2) && !memmem(s->s, s->n, "(\\\n", 3))
        return;
    s->arith = syntax_alloc_text(p, s->n + 1);
}

bool
syntax_is_arith(struct syntax_parser *p, size_t at)
{
    struct syntax_source *s = &p->src;
    size_t inner = syntax_skip_continued(p, at + 1);

    if (!s->arith || inner >= s->n || s->s[at] != '(' || s->s[inner] != '(')
        return false;
    if (s->arith[at] == UNKNOWN)
        scan_brackets(p, at);
    return s->arith[at] == ARITHMETIC;
}

/* Substitutions: commands inside words. */

static void
save_state(struct syntax_parser *p, struct syntax_saved *o)
{
    *o = (struct syntax_saved){.src = p->src,
                               .pending = p->pending,
                               .n_pending = p->n_pending,
                               .owner = p->owner,
                               .in_paren = p->in_paren};
    p->pending = NULL;
    p->n_pending = 0;
}

static void
restore_state(struct syntax_parser *p, const struct syntax_saved *o)
{
    p->pending = o->pending;
    p->n_pending = o->n_pending;
    p->owner = o->owner;
    p->in_paren = o->in_paren;
}

/* The list that was read becomes a part of the frame below. */
static void
end_substitution(struct syntax_parser *p, struct syntax_frame *f, size_t to)
{
    struct syntax_frame *below = f->below;
    struct syntax_part *part;

    part = syntax_lex_part(p, below, f->body.kind, below->lex.run, to);
    if (part && p->node) {
        part->body = p->node;
        p->node->holder = p->owner;
        below->lex.flags |= SYNTAX_RUNS;
    }
    p->node = NULL;
    below->lex.run = p->src.at;
    syntax_pop_frame(p);
}

static void
step_paren_substitution(struct syntax_parser *p, struct syntax_frame *f)
{
    if (f->state++ == 0) {
        p->in_paren = true;
        syntax_list_push(p, SYNTAX_LIST_PAREN);
        return;
    }
    syntax_expect(p, ")", f->from, "unclosed substitution");
    restore_state(p, &f->body.outside);
    end_substitution(p, f, p->src.at);
}

void
syntax_substitution_push(struct syntax_parser *p, enum syntax_part_kind kind)
{
    size_t from = p->src.at;
    struct syntax_frame *f = syntax_push_frame(p, step_paren_substitution,
                                               false);

    if (!f)
        return;
    f->from = from;
    f->body.kind = kind;
    save_state(p, &f->body.outside);
    syntax_take(p, kind == SYNTAX_COMMAND      ? "$("
                   : kind == SYNTAX_PROCESS_IN ? "<("
                                               : ">(");
}

static void
step_brace_substitution(struct syntax_parser *p, struct syntax_frame *f)
{
    if (f->state++ == 0) {
        p->in_paren = false;
        syntax_list_push(p, SYNTAX_LIST_INSIDE);
        return;
    }
    syntax_expect(p, "}", f->from, "unclosed substitution");
    restore_state(p, &f->body.outside);
    if (p->node)
        p->node->shares = true;
    end_substitution(p, f, p->src.at);
}

/* Behind the "${" of ${ a; } and ${| a; }, which began at `from`. */
static void
push_brace_substitution(struct syntax_parser *p, size_t from)
{
    struct syntax_frame *f = syntax_push_frame(p, step_brace_substitution,
                                               false);

    if (!f)
        return;
    f->from = from;
    f->body.kind = SYNTAX_COMMAND;
    save_state(p, &f->body.outside);
    syntax_take(p, "|");
}

static void
step_backtick_substitution(struct syntax_parser *p, struct syntax_frame *f)
{
    bool fault;

    if (f->state++ == 0) {
        syntax_list_push(p, SYNTAX_LIST_ALL);
        return;
    }
    p->src = f->body.outside.src;
    fault = p->out->fault != NULL;
    restore_state(p, &f->body.outside);
    end_substitution(p, f, p->src.at);
    if (fault)
        p->src.n = p->src.at;
}

/* Continues in a copy without the backslashes that `…` removes. */
static void
enter_unescaped_copy(struct syntax_parser *p, size_t from, size_t to,
                     bool quoted)
{
    const char *s = p->src.s;
    char *copy = syntax_alloc_text(p, to - from + 1);
    size_t n = 0;

    if (!copy)
        return;
    for (size_t i = from; i < to; i++) {
        if (s[i] == '\\' && i + 1 < to &&
            (strchr("$`\\", s[i + 1]) || (quoted && s[i + 1] == '"')))
            i++;
        copy[n++] = s[i];
    }
    p->src = (struct syntax_source){.s = copy,
                                    .n = n,
                                    .mapped = true,
                                    .from = syntax_line_offset(p, from - 1),
                                    .to = syntax_line_offset_to(p, to + 1)};
    syntax_arith_cache_new(p);
}

void
syntax_substitution_backtick(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_source *s = &p->src;
    size_t from = s->at + 1, to = from;
    bool quoted = f->lex.quoted;
    struct syntax_frame *in;

    syntax_lex_flush(p, f, s->at);
    while (to < s->n && s->s[to] != '`')
        to += s->s[to] == '\\' && to + 1 < s->n ? 2 : 1;
    if (to >= s->n) {
        syntax_fault(p, s->at, "unclosed backtick");
        return;
    }
    in = syntax_push_frame(p, step_backtick_substitution, false);
    if (!in)
        return;
    in->body.kind = SYNTAX_COMMAND;
    s->at = to + 1;
    save_state(p, &in->body.outside);
    if (memchr(s->s + from, '\\', to - from)) {
        enter_unescaped_copy(p, from, to, quoted);
        return;
    }
    s->at = from; /* no copy, so what is inside keeps its offsets */
    s->n = to;
}

/* Expansions that begin with a dollar. */

static void end_parameter(struct syntax_parser *p, struct syntax_frame *f);
static void end_expression(struct syntax_parser *p, struct syntax_frame *f);

static const struct syntax_lex_rule plain_parameter = {
    0, '}', SYNTAX_RULE_SINGLE | SYNTAX_RULE_DOUBLE | SYNTAX_RULE_PROCESS,
    end_parameter, "unclosed ${"};
static const struct syntax_lex_rule open_parameter = {
    0, '}', SYNTAX_RULE_OPEN | SYNTAX_RULE_DOUBLE | SYNTAX_RULE_PROCESS,
    end_parameter, "unclosed ${"};
static const struct syntax_lex_rule double_round = {
    '(', ')', SYNTAX_RULE_OPEN | SYNTAX_RULE_DOUBLE, end_expression,
    "unclosed $(("};
static const struct syntax_lex_rule square = {
    '[', ']', SYNTAX_RULE_OPEN | SYNTAX_RULE_DOUBLE, end_expression,
    "unclosed $["};

static bool
is_special(int c)
{
    return c > 0 && strchr("@*#?-$!", c);
}

/* The offset behind a name or special parameter at `at`. */
static size_t
parameter_name_end(const struct syntax_parser *p, size_t at)
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

/* The offset behind a plain [index], which is part of the name; else `at`. */
static size_t
index_end(const struct syntax_parser *p, size_t at)
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

/* The offset behind the # or ! of ${#x} and ${!x}; `at` when it is itself the
 * parameter. */
static size_t
prefix_end(const struct syntax_parser *p, size_t at)
{
    const char *s = p->src.s;
    size_t end;

    if (at + 1 >= p->src.n || (s[at] != '#' && s[at] != '!'))
        return at;
    end = parameter_name_end(p, at + 1);
    if (end == at + 1)
        return at;
    if (isalnum((unsigned char)s[at + 1]) || s[at + 1] == '_')
        return at + 1;
    return end < p->src.n && s[end] == '}' ? at + 1 : at;
}

/* The rule for what follows the name in ${name…}, at `at`. Single quotes do
 * not quote in an index and in :offset, which are arithmetic; nor within "…",
 * except in patterns, behind # % / ^ and a comma. */
static const struct syntax_lex_rule *
parameter_rule(const struct syntax_parser *p, const struct syntax_frame *f,
               size_t at)
{
    char op = at < p->src.n ? p->src.s[at] : '}';
    char next = at + 1 < p->src.n ? p->src.s[at + 1] : '}';
    bool number = op == '[' || (op == ':' && !strchr("-=?+", next));

    if (number || (f->lex.quoted && !strchr("#%/^,", op)))
        return &open_parameter;
    return &plain_parameter;
}

/* The offset behind the name at `at`; `at` when there is none: a dollar before
 * a bracket begins another expansion. */
static size_t
parameter_end(const struct syntax_parser *p, size_t at)
{
    const char *s = p->src.s;
    size_t to = index_end(p, parameter_name_end(p, prefix_end(p, at)));

    if (to == at + 1 && s[at] == '$' && to < p->src.n && strchr("{([", s[to]))
        return at;
    return to;
}

static void
take_braced_parameter(struct syntax_parser *p, struct syntax_frame *f)
{
    size_t at, to;
    struct syntax_frame *in;

    syntax_lex_flush(p, f, p->src.at);
    syntax_take(p, "${");
    syntax_peek(p);
    at = p->src.at;
    if (at < p->src.n && strchr(" \t\n|", p->src.s[at])) {
        /* since bash 5.3 a command substitution, before that an error */
        push_brace_substitution(p, f->lex.run);
        return;
    }
    to = parameter_end(p, at);
    in = syntax_lex_push(p, parameter_rule(p, f, to));
    if (!in)
        return;
    in->lex.kind = SYNTAX_PARAMETER;
    in->lex.name = syntax_copy(p, p->src.s + at, to - at);
    p->src.at = in->lex.run = in->lex.inside = to;
}

static void
take_parameter_name(struct syntax_parser *p, struct syntax_frame *f,
                    size_t name, size_t to)
{
    size_t from = p->src.at;
    struct syntax_part *part;

    syntax_lex_flush(p, f, from);
    part = syntax_lex_part(p, f, SYNTAX_PARAMETER, from, to);
    if (part)
        part->text = syntax_copy_name(p, name, to);
    f->lex.run = p->src.at = to;
}

static void
take_expansion(struct syntax_parser *p, struct syntax_frame *f,
               const char *open, const struct syntax_lex_rule *rule)
{
    struct syntax_frame *in;

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
syntax_lex_expansion(struct syntax_parser *p, struct syntax_frame *f)
{
    size_t open = syntax_ahead(p, "$(");
    size_t name, to;

    if (open && syntax_is_arith(p, open - 1)) {
        take_expansion(p, f, "$((", &double_round);
    } else if (open) {
        syntax_lex_flush(p, f, p->src.at);
        syntax_substitution_push(p, SYNTAX_COMMAND);
    } else if (syntax_ahead(p, "${")) {
        take_braced_parameter(p, f);
    } else if (syntax_ahead(p, "$[")) {
        take_expansion(p, f, "$[", &square);
    } else {
        name = syntax_skip_continued(p, p->src.at + 1);
        to = isdigit(syntax_char_at(p, name)) ? name + 1
                                              : parameter_name_end(p, name);
        if (to == name)
            return false;
        take_parameter_name(p, f, name, to);
    }
    return true;
}

/* Adds the frame as a part to the one below, and pops it. */
static struct syntax_part *
end_expansion(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_frame *below = f->below;
    struct syntax_part *part;

    part = syntax_lex_part(p, below, f->lex.kind, below->lex.run, p->src.at);
    if (part)
        part->kids = f->lex.first;
    below->lex.flags |= f->lex.flags & SYNTAX_RUNS;
    below->lex.run = p->src.at;
    syntax_pop_frame(p);
    return part;
}

static void
end_parameter(struct syntax_parser *p, struct syntax_frame *f)
{
    size_t inside = f->lex.inside, to = p->src.at;
    const char *name = f->lex.name;
    struct syntax_part *part = end_expansion(p, f);

    to -= to > inside && !p->out->fault;
    if (!part)
        return;
    part->text = name;
    part->op = syntax_lex_written(p, inside, to);
    part->inside = p->src.mapped ? 0 : inside;
}

static void
end_expression(struct syntax_parser *p, struct syntax_frame *f)
{
    size_t inside = f->lex.inside, to = p->src.at;
    bool is_round = f->rule == &double_round;
    struct syntax_part *part;

    to -= to > inside && !p->out->fault;
    if (is_round)
        syntax_expect(p, ")", f->from, "unclosed $((");
    part = end_expansion(p, f);
    if (!part)
        return;
    part->text = syntax_lex_written(p, inside, to);
    part->inside = p->src.mapped ? 0 : inside;
}
