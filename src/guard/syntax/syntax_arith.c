/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_arith.c - "((" is arithmetic, or two brackets? And (( … )) itself.
 *
 * It is arithmetic when the inner bracket is closed right before the outer
 * one. To know that, the brackets behind it are matched; what is found out
 * about others on the way is kept, so that nesting costs nothing more. */
#include <stdlib.h>
#include <string.h>

#include "guard/syntax/syntax_command.h"
#include "guard/syntax/syntax_lex.h"

enum { UNKNOWN, ARITHMETIC, BRACKETS };

/* The brackets and quotes that are open: where each began. */
struct scan {
    struct parser *p;
    size_t *open;
    size_t n, cap;
    size_t last_open, last_close; /* of the pair that was closed last */
};

static void
open_at(struct scan *sc, size_t at)
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
close_at(struct scan *sc, size_t at)
{
    struct source *s = &sc->p->src;
    size_t open = sc->open[--sc->n], inner;

    if (s->s[open] != '(')
        return;
    inner = syntax_skip(sc->p, open + 1);
    /* bash takes $((x)\ ) over two lines for arithmetic, ((x)\ ) for brackets
     */
    if (sc->last_open == inner && sc->last_close + 1 < at &&
        syntax_skip(sc->p, sc->last_close + 1) == at)
        syntax_fault(sc->p, at, "a newline between the brackets of a ((");
    if (inner < s->n && s->s[inner] == '(')
        s->arith[open] = sc->last_open == inner && sc->last_close + 1 == at
                             ? ARITHMETIC
                             : BRACKETS;
    sc->last_open = open;
    sc->last_close = at;
}

/* Behind the single quote or backtick that closes the one at `at`. */
static size_t
skip_quote(const struct source *s, size_t at, bool escapes)
{
    char quote = s->s[at++];

    while (at < s->n && s->s[at] != quote)
        at += escapes && s->s[at] == '\\' ? 2 : 1;
    return at + 1;
}

/* Takes what stands at `at`; where to go on. */
static size_t
scan_one(struct scan *sc, size_t at)
{
    const struct source *s = &sc->p->src;
    char c = s->s[at], in = s->s[sc->open[sc->n - 1]];
    bool dollar = at > 0 && s->s[at - 1] == '$';

    if (c == '\\')
        return at + 2;
    if (c == '`' || (c == '\'' && in != '"'))
        return skip_quote(s, at, c == '`' || dollar);
    if ((c == ')' && in == '(') || (c == '}' && in == '{') ||
        (c == '"' && in == '"'))
        close_at(sc, at);
    else if (c == '"' || (c == '{' && dollar) ||
             (c == '(' && (in == '(' || dollar)))
        open_at(sc, at);
    return at + 1;
}

static void
scan(struct parser *p, size_t from)
{
    struct source *s = &p->src;
    struct scan sc = {.p = p};
    size_t at = from;

    open_at(&sc, at++);
    while (at < s->n && sc.n > 0 && !p->nomem)
        at = scan_one(&sc, at);
    free(sc.open);
    if (sc.n > 0)
        syntax_fault(p, from, "unclosed ((");
    syntax_scanned(p, at - from);
}

void
syntax_lex_arith_room(struct parser *p)
{
    struct source *s = &p->src;

    if (!memmem(s->s, s->n, "((", 2) && !memmem(s->s, s->n, "(\\\n", 3))
        return;
    s->arith = syntax_room(p, s->n + 1);
}

bool
syntax_lex_is_arith(struct parser *p, size_t at)
{
    struct source *s = &p->src;
    size_t inner = syntax_skip(p, at + 1);

    if (!s->arith || inner >= s->n || s->s[at] != '(' || s->s[inner] != '(')
        return false;
    if (s->arith[at] == UNKNOWN)
        scan(p, at);
    return s->arith[at] == ARITHMETIC;
}

/* (( … )), behind the keyword's place: its first bracket is ahead. */
void
syntax_arith_step(struct parser *p, struct frame *f)
{
    if (f->state++ == 0) {
        syntax_take(p, "((");
        syntax_lex_arith_push(p, 0);
        return;
    }
    syntax_command_word(p, f);
    syntax_command_redirects(p, f);
}
