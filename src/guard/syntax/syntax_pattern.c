/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_pattern.c - splits the text of a word at patterns, braces and a
 * leading tilde. */
#include <ctype.h>
#include <string.h>

#include "guard/syntax/syntax_lexer.h"

/* An unquoted { and its end; 0: it is no brace expansion. */
struct brace {
    size_t from, to;
    bool comma;
    struct brace *outer; /* while it is open */
    struct brace *next;
};

struct pattern_scan {
    struct syntax_parser *p;
    struct syntax_frame *f;
    struct syntax_part **out;
    struct brace *brace; /* the next one */
    bool no_bracket;     /* no ] is to come */
};

static bool
is_unquoted_part(const struct syntax_part *part)
{
    return part->kind == SYNTAX_TEXT && !part->quoted;
}

static const char *
skip_integer(const char *s)
{
    s += *s == '+' || *s == '-';
    if (!isdigit((unsigned char)*s))
        return NULL;
    while (isdigit((unsigned char)*s))
        s++;
    return s;
}

/* Whether 1..9}, a..e} or 1..9..2} stands at s. */
static bool
is_sequence(const char *s)
{
    bool letters = isalpha((unsigned char)s[0]) && s[1] == '.';

    s = letters ? s + 1 : skip_integer(s);
    if (!s || strncmp(s, "..", 2) != 0)
        return false;
    s += 2;
    if (letters && !isalpha((unsigned char)*s))
        return false;
    s = letters ? s + 1 : skip_integer(s);
    if (s && strncmp(s, "..", 2) == 0)
        s = skip_integer(s + 2);
    return s && *s == '}';
}

static struct brace *
add_brace(struct pattern_scan *m, struct brace ***tail, size_t from)
{
    struct brace *b = syntax_alloc(m->p, sizeof(*b));

    if (!b)
        return NULL;
    b->from = from;
    **tail = b;
    *tail = &b->next;
    return b;
}

/* Matches the braces of all unquoted text. */
static void
match_braces(struct pattern_scan *m)
{
    struct brace *open = NULL, **tail = &m->brace, *b;

    for (struct syntax_part *t = m->f->lex.first; t; t = t->next)
        for (const char *s = is_unquoted_part(t) ? t->text : ""; *s; s++) {
            size_t at = t->from + (size_t)(s - t->text);

            if (*s == '{' && (b = add_brace(m, &tail, at))) {
                b->comma = is_sequence(s + 1);
                b->outer = open;
                open = b;
            } else if (*s == ',' && open) {
                open->comma = true;
            } else if (*s == '}' && open) {
                open->to = open->comma ? at + 1 : 0;
                open = open->outer;
            }
        }
}

/* The offset behind the ] of the [ at text[i] of a part, or 0. */
static size_t
bracket_end(struct pattern_scan *m, const struct syntax_part *t, size_t i)
{
    size_t first = i + 1;

    if (m->no_bracket)
        return 0;
    first += t->text[first] == '!' || t->text[first] == '^';
    first += t->text[first] == ']';
    for (const char *s = t->text + first; t;
         t = t->next, s = t && is_unquoted_part(t) ? t->text : "") {
        const char *end = strchr(s, ']');

        if (end)
            return t->from + (size_t)(end - t->text) + 1;
    }
    m->no_bracket = true;
    return 0;
}

/* The end of the pattern or brace that begins at text[i], and its kind; 0:
 * none begins. */
static size_t
special_end(struct pattern_scan *m, const struct syntax_part *t, size_t i,
            enum syntax_part_kind *kind)
{
    size_t at = t->from + i;

    *kind = SYNTAX_GLOB;
    switch (t->text[i]) {
    case '*':
    case '?':
        return at + 1;
    case '[':
        return bracket_end(m, t, i);
    case '{':
        *kind = SYNTAX_BRACE;
        while (m->brace && m->brace->from < at)
            m->brace = m->brace->next;
        return m->brace && m->brace->from == at ? m->brace->to : 0;
    default:
        return 0;
    }
}

static void
append_part(struct pattern_scan *m, struct syntax_part *part)
{
    part->next = NULL;
    *m->out = part;
    m->out = &part->next;
}

static struct syntax_part *
append_new_part(struct pattern_scan *m, enum syntax_part_kind kind, size_t from,
                size_t to)
{
    struct syntax_part *part;

    if (from >= to)
        return NULL;
    part = syntax_alloc(m->p, sizeof(*part));
    if (!part)
        return NULL;
    part->kind = kind;
    part->from = from;
    part->to = to;
    part->op = "";
    part->text = kind == SYNTAX_TEXT
                     ? syntax_copy(m->p, m->p->src.s + from, to - from)
                     : syntax_lex_written(m->p, from, to);
    append_part(m, part);
    return part;
}

/* The part in which `to` lies. Expansions before it become kids of `made`. */
static struct syntax_part *
absorb_parts(struct syntax_part *t, struct syntax_part *made, size_t to)
{
    struct syntax_part **kid = made ? &made->kids : NULL;

    while (t->to < to && t->next) {
        struct syntax_part *next = t->next;

        if (kid && t->kind != SYNTAX_TEXT) {
            t->next = NULL;
            *kid = t;
            kid = &t->next;
        }
        t = next;
    }
    return t;
}

static struct syntax_part *
split_text(struct pattern_scan *m, struct syntax_part *t)
{
    size_t at = t->from, run = at, to;
    enum syntax_part_kind kind;
    struct syntax_part *next;

    while (at < t->to) {
        to = special_end(m, t, at - t->from, &kind);
        if (to == 0) {
            at++;
            continue;
        }
        append_new_part(m, SYNTAX_TEXT, run, at);
        t = absorb_parts(t, append_new_part(m, kind, at, to), to);
        at = run = to;
    }
    next = t->next;
    if (run == t->from)
        append_part(m, t);
    else
        append_new_part(m, SYNTAX_TEXT, run, t->to);
    return next;
}

/* Splits off a leading ~ or ~user, up to a slash. */
static void
split_tilde(struct pattern_scan *m)
{
    struct syntax_part *t = m->f->lex.first, *rest;
    const char *stop = m->f->lex.mode & SYNTAX_LEX_ASSIGNED ? "/:" : "/";
    size_t n;

    if (!t || !is_unquoted_part(t) || t->text[0] != '~')
        return;
    n = strcspn(t->text, stop);
    if (!t->text[n] && t->next)
        return;
    rest = t->next;
    m->out = &m->f->lex.first;
    append_new_part(m, SYNTAX_TILDE, t->from, t->from + n);
    append_new_part(m, SYNTAX_TEXT, t->from + n, t->to);
    *m->out = rest;
}

void
syntax_mark_patterns(struct syntax_parser *p, struct syntax_frame *f)
{
    struct pattern_scan m = {.p = p, .f = f};
    struct syntax_part *t;

    if (f->lex.mode & SYNTAX_LEX_DELIMITER)
        return;
    split_tilde(&m);
    if (f->lex.mode & SYNTAX_LEX_VALUE || p->nomem)
        return;
    if (!(f->lex.mode & SYNTAX_LEX_PATTERN))
        match_braces(&m);
    t = f->lex.first;
    m.out = &f->lex.first;
    while (t && !p->nomem) {
        struct syntax_part *next = t->next;

        if (is_unquoted_part(t) && strpbrk(t->text, "*?[{"))
            next = split_text(&m, t);
        else
            append_part(&m, t);
        t = next;
    }
}
