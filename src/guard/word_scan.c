/* SPDX-License-Identifier: GPL-3.0-or-later */
/* word_scan.c - one word of a command line: quotes and expansions. */
#include "guard/word_scan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "guard/syntax_ansi.h"

static int
peek(const struct word_scan *sc, size_t i)
{
    return i < sc->n ? (unsigned char)sc->s[i] : -1;
}

static bool
is_name(int c)
{
    return c == '_' || (c >= 0 && c < 128 && isalnum(c));
}

static void
put(struct word_scan *sc, size_t from, size_t to)
{
    memcpy(sc->text, sc->s + from, to - from);
    sc->text += to - from;
}

void
word_scan_fault(struct word_scan *sc, size_t at, const char *what)
{
    if (sc->out->fault)
        return;
    sc->out->fault = what;
    sc->out->fault_at = at;
}

static void
add_part(struct word_scan *sc, unsigned flag, size_t from, size_t to, size_t in,
         size_t in_to)
{
    struct words *w = sc->out;

    sc->flags |= flag;
    if (w->n_parts == sc->part_cap) {
        size_t cap = sc->part_cap ? sc->part_cap * 2 : 8;
        void *p = reallocarray(w->parts, cap, sizeof(*w->parts));

        if (!p) {
            sc->nomem = true;
            return;
        }
        w->parts = p;
        sc->part_cap = cap;
    }
    w->parts[w->n_parts++] = (struct word_part){flag, sc->word, from,
                                                to,   in,       in_to};
}

/* An expansion with brackets: [from, to) is all of it, open its bracket. */
static void
take_bracketed(struct word_scan *sc, unsigned flag, size_t open)
{
    size_t from = sc->at, inner = 0;
    size_t to = word_nest_close(sc, open, &inner), in = open + 1;
    size_t in_to = sc->out->fault ? to : to - 1;

    if (flag == WORD_COMMAND && peek(sc, open + 1) == '(' && inner + 1 == to) {
        flag = WORD_ARITH;
        in++;
        in_to = sc->out->fault ? to : in_to - 1;
    }
    add_part(sc, flag, from, to, in, in_to < in ? in : in_to);
    put(sc, from, to);
    sc->at = to;
}

static void
take_backtick(struct word_scan *sc)
{
    size_t from = sc->at, to = word_nest_backtick(sc, from);

    if (to > sc->n) {
        word_scan_fault(sc, from, "a backtick that is not closed");
        to = sc->n;
        add_part(sc, WORD_COMMAND, from, to, from + 1, to);
    } else {
        add_part(sc, WORD_COMMAND, from, to, from + 1, to - 1);
    }
    put(sc, from, to);
    sc->at = to;
}

static void
take_variable(struct word_scan *sc)
{
    size_t from = sc->at, i = from + 1;

    if (is_name(peek(sc, i)) && !isdigit(peek(sc, i))) {
        while (is_name(peek(sc, i)))
            i++;
    } else {
        i++; /* $1 $? $$ …: one character */
    }
    add_part(sc, WORD_VARIABLE, from, i, from + 1, i);
    put(sc, from, i);
    sc->at = i;
}

/* A dollar, outside $'…' and $"…". */
static void
take_dollar(struct word_scan *sc)
{
    int c = peek(sc, sc->at + 1);

    if (c == '(')
        take_bracketed(sc, WORD_COMMAND, sc->at + 1);
    else if (c == '{')
        take_bracketed(sc, WORD_VARIABLE, sc->at + 1);
    else if (c == '[')
        take_bracketed(sc, WORD_ARITH, sc->at + 1);
    else if (is_name(c) || (c > 0 && strchr("@*#?$!-", c)))
        take_variable(sc);
    else {
        put(sc, sc->at, sc->at + 1);
        sc->at++;
    }
}

/* A backslash; `special` are the characters it hides, NULL for all. */
static void
take_backslash(struct word_scan *sc, const char *special)
{
    int c = peek(sc, sc->at + 1);

    if (c == '\n') {
        sc->at += 2;
    } else if (c < 0 || (special && (c == 0 || !strchr(special, c)))) {
        put(sc, sc->at, sc->at + 1);
        sc->at++;
    } else {
        put(sc, sc->at + 1, sc->at + 2);
        sc->at += 2;
    }
}

static void
take_single(struct word_scan *sc)
{
    size_t from = sc->at, to = word_nest_single(sc, from, false);

    sc->flags |= WORD_QUOTED;
    if (to > sc->n) {
        word_scan_fault(sc, from, "a single quote that is not closed");
        put(sc, from + 1, sc->n);
        sc->at = sc->n;
        return;
    }
    put(sc, from + 1, to - 1);
    sc->at = to;
}

static void
take_ansi(struct word_scan *sc)
{
    size_t open = sc->at + 1, to = word_nest_single(sc, open, true);

    sc->flags |= WORD_QUOTED | WORD_ANSI;
    if (to > sc->n) {
        word_scan_fault(sc, sc->at, "a $' quote that is not closed");
        to = sc->n + 1;
    }
    sc->text += syntax_ansi_decode(sc->s + open + 1, to - open - 2, sc->text);
    sc->at = to > sc->n ? sc->n : to;
}

/* What expands between double quotes and in here-documents; to `end` or the
 * quote. */
static void
take_quoted(struct word_scan *sc, size_t end, char quote)
{
    while (sc->at < end && (!quote || sc->s[sc->at] != quote)) {
        char c = sc->s[sc->at];

        if (c == '\\') {
            take_backslash(sc, quote ? "$`\"\\" : "$`\\");
        } else if (c == '$') {
            take_dollar(sc);
        } else if (c == '`') {
            take_backtick(sc);
        } else {
            put(sc, sc->at, sc->at + 1);
            sc->at++;
        }
    }
}

static void
take_double(struct word_scan *sc)
{
    size_t from = sc->at++;

    sc->flags |= WORD_QUOTED;
    take_quoted(sc, sc->n, '"');
    if (sc->at >= sc->n)
        word_scan_fault(sc, from, "a double quote that is not closed");
    else
        sc->at++;
}

void
word_scan_body(struct word_scan *sc, size_t from, size_t to)
{
    size_t n = sc->n;

    sc->n = to; /* an open bracket ends with the body */
    sc->at = from;
    take_quoted(sc, to, '\0');
    sc->n = n;
}

/* NAME, NAME[…] before = or +=, from the word's first byte. */
static size_t
assignment_at(const struct word_scan *sc, size_t from)
{
    size_t i = from;

    if (!is_name(peek(sc, i)) || isdigit(peek(sc, i)))
        return 0;
    while (is_name(peek(sc, i)))
        i++;
    if (peek(sc, i) == '[') {
        while (i < sc->n && !strchr("] \t\n;|&()<>'\"", sc->s[i]))
            i++;
        if (peek(sc, i) != ']')
            return 0;
        i++;
    }
    if (peek(sc, i) == '+' && peek(sc, i + 1) == '=')
        i++;
    return peek(sc, i) == '=' ? i + 1 : 0;
}

struct marks {          /* what was seen unquoted, for globs and braces */
    size_t from, value; /* the word's start; behind NAME= or 0 */
    bool bracket, brace, list;
    char before; /* the byte before, when it was unquoted */
};

static void
mark_plain(struct word_scan *sc, struct marks *m, char c)
{
    size_t at = sc->at;

    if (c == '*' || c == '?' || (c == ']' && m->bracket))
        sc->flags |= WORD_GLOB;
    else if (c == '[')
        m->bracket = true;
    else if (c == '{')
        m->brace = true;
    else if (m->brace && (c == ',' || (c == '.' && m->before == '.')))
        m->list = true;
    else if (c == '}' && m->list)
        sc->flags |= WORD_BRACE;
    else if (c == '~' && (at == m->from || at == m->value ||
                          (m->value && m->before == ':')))
        sc->flags |= WORD_TILDE;
}

/* A byte with no quote round it. False at the end of the word. */
static bool
take_plain(struct word_scan *sc, struct marks *m)
{
    char c = sc->s[sc->at];
    bool paren = peek(sc, sc->at + 1) == '(';

    if ((c == '<' || c == '>') && paren) {
        take_bracketed(sc, WORD_PROCESS, sc->at + 1);
    } else if (c != '\0' && strchr("?*+@!", c) && paren) {
        take_bracketed(sc, WORD_GLOB, sc->at + 1);
    } else if (c == '(' && m->value && sc->at == m->value) {
        take_bracketed(sc, WORD_VARIABLE, sc->at);
    } else if (c != '\0' && strchr(" \t\n|&;()<>", c)) {
        return false;
    } else {
        mark_plain(sc, m, c);
        put(sc, sc->at, sc->at + 1);
        sc->at++;
    }
    m->before = c;
    return true;
}

void
word_scan_word(struct word_scan *sc)
{
    struct marks m = {.from = sc->at, .value = assignment_at(sc, sc->at)};
    bool more = true;

    if (m.value)
        sc->flags |= WORD_ASSIGN;
    while (more && sc->at < sc->n && !sc->nomem) {
        char c = sc->s[sc->at];
        int next = peek(sc, sc->at + 1);

        if (c == '\\') {
            sc->flags |= next == '\n' ? 0 : WORD_QUOTED;
            take_backslash(sc, NULL);
        } else if (c == '\'') {
            take_single(sc);
        } else if (c == '"' || (c == '$' && next == '"')) {
            sc->flags |= c == '$' ? WORD_VARIABLE : 0;
            sc->at += c == '$';
            take_double(sc);
        } else if (c == '$' && next == '\'') {
            take_ansi(sc);
        } else if (c == '$') {
            take_dollar(sc);
        } else if (c == '`') {
            take_backtick(sc);
        } else {
            more = take_plain(sc, &m);
            continue;
        }
        m.before = '\0';
    }
}
