/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c - a command line cut into words, operators and redirections. */
#include "guard/words.h"

#include <stdlib.h>
#include <string.h>

#include "guard/word_scan.h"

/* Longest first: the first that fits is it. */
static const char *const operators[] = {
    ";;&", "&&", "||", "|&", ";;", ";&", "|", "&", ";", "(", ")", "\n",
};

/* After these a command's name or another reserved word comes, as after an
 * operator. */
static const char *const starters[] = {
    "if",   "then", "elif", "else", "while", "until", "do",
    "time", "{",    "!",    "}",    "fi",    "done",  "esac",
};

struct word *
word_split_add(struct word_split *sp, enum word_kind kind, size_t from)
{
    struct word_scan *sc = &sp->sc;
    struct words *w = sc->out;

    if (w->n == sc->word_cap) {
        size_t cap = sc->word_cap ? sc->word_cap * 2 : 16;
        void *p = reallocarray(w->v, cap, sizeof(*w->v));

        if (!p) {
            sc->nomem = true;
            return NULL;
        }
        w->v = p;
        sc->word_cap = cap;
    }
    w->v[w->n] = (struct word){
        .kind = kind, .from = from, .text = sc->text, .fd = WORD_FD_DEFAULT};
    sc->word = w->n;
    sc->flags = 0;
    return &w->v[w->n++];
}

void
word_split_end(struct word_split *sp, size_t index)
{
    struct word *w = &sp->sc.out->v[index];

    w->flags = sp->sc.flags | (sp->in_test ? WORD_IN_TEST : 0);
    w->to = sp->sc.at;
    *sp->sc.text++ = '\0';
}

void
word_split_put(struct word_scan *sc, size_t from, size_t to)
{
    memcpy(sc->text, sc->s + from, to - from);
    sc->text += to - from;
}

const char *
word_split_match(const struct word_scan *sc, size_t at, const char *const *rows,
                 size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t len = strlen(rows[i]);

        if (sc->n - at >= len && memcmp(sc->s + at, rows[i], len) == 0)
            return rows[i];
    }
    return NULL;
}

static void
take_operator(struct word_split *sp, const char *op)
{
    struct word_scan *sc = &sp->sc;
    size_t from = sc->at, index = sc->out->n;

    if (!word_split_add(sp, WORD_OPERATOR, from))
        return;
    word_split_put(sc, from, from + strlen(op));
    sc->at += strlen(op);
    word_split_end(sp, index);
    sp->at_start = true;
    if (*op == '\n')
        word_split_bodies(sp);
}

/* Whether a word names what comes before a command's name. */
static bool
is_starter(const struct word *w)
{
    for (size_t i = 0; i < sizeof(starters) / sizeof(starters[0]); i++)
        if (word_is(w, starters[i]))
            return true;
    return false;
}

static bool
is_target(const struct words *w)
{
    return w->n > 0 && w->v[w->n - 1].kind == WORD_REDIRECT;
}

static void
settle_word(struct word_split *sp, struct word *w, bool first)
{
    if (w->kind == WORD_TARGET)
        return;
    sp->after_for = first && word_is(w, "for");
    if (sp->in_test && word_is(w, "]]"))
        sp->in_test = false;
    else if (first && word_is(w, "[["))
        sp->in_test = true;
    if (first && (word_is(w, "{") || word_is(w, "}") || word_is(w, "!")))
        w->kind = WORD_OPERATOR;
    sp->at_start = first && (is_starter(w) || (w->flags & WORD_ASSIGN));
}

static void
take_word(struct word_split *sp)
{
    struct word_scan *sc = &sp->sc;
    size_t index = sc->out->n, from = sc->at;
    bool first = sp->at_start;
    enum word_kind kind = is_target(sc->out) ? WORD_TARGET : WORD_PLAIN;

    if (!word_split_add(sp, kind, sc->at))
        return;
    word_scan_word(sc);
    if (sc->at == from) { /* an operator of [[ … ]]: no word has its bytes */
        sc->at += 1 + (sc->at + 1 < sc->n && sc->s[from + 1] == sc->s[from] &&
                       strchr("&|", sc->s[from]));
        word_split_put(sc, from, sc->at);
    }
    word_split_end(sp, index);
    settle_word(sp, &sc->out->v[index], first);
}

/* ((…)) as a command or after for. */
static bool
take_arithmetic(struct word_split *sp)
{
    struct word_scan *sc = &sp->sc;
    size_t from = sc->at, index = sc->out->n, inner = 0, to;
    const char *fault = sc->out->fault;

    if (!(sp->at_start || sp->after_for) || sc->n - from < 2 ||
        memcmp(sc->s + from, "((", 2) != 0)
        return false;
    to = word_nest_close(sc, from, &inner);
    if (inner + 1 != to || sc->out->fault) {
        sc->out->fault = fault;
        return false; /* one subshell in another */
    }
    if (!word_split_add(sp, WORD_PLAIN, from))
        return true;
    sc->flags = WORD_ARITH;
    word_split_put(sc, from, to);
    sc->at = to;
    word_split_end(sp, index);
    sp->at_start = false;
    return true;
}

static bool
take_blank(struct word_split *sp)
{
    struct word_scan *sc = &sp->sc;
    char c = sc->s[sc->at];
    size_t index = sc->out->n, from = sc->at;

    if (c == ' ' || c == '\t' || (sp->in_test && c == '\n')) {
        sc->at++;
        return true;
    }
    if (c == '\\' && sc->at + 1 < sc->n && sc->s[sc->at + 1] == '\n') {
        sc->at += 2;
        return true;
    }
    if (c != '#')
        return false;
    while (sc->at < sc->n && sc->s[sc->at] != '\n')
        sc->at++;
    if (word_split_add(sp, WORD_COMMENT, from)) {
        word_split_put(sc, from, sc->at);
        word_split_end(sp, index);
    }
    return true;
}

static void
take_any(struct word_split *sp)
{
    const char *op;

    if (take_blank(sp))
        return;
    if (sp->in_test) {
        take_word(sp);
        return;
    }
    if (word_split_redirect(sp) || take_arithmetic(sp))
        return;
    op = WORD_SPLIT_MATCH(&sp->sc, sp->sc.at, operators);
    if (op && is_target(sp->sc.out))
        word_scan_fault(&sp->sc, sp->sc.at, "a redirection without a target");
    if (op)
        take_operator(sp, op);
    else
        take_word(sp);
}

int
words_split(const char *line, size_t n, struct words *out, struct err *e)
{
    struct words w = {0};
    struct word_split sp = {.sc = {.s = line, .n = n, .out = &w},
                            .at_start = true};

    if (n > WORDS_LINE_MAX)
        return err_set(e, ERR_INVALID, "a command line of %zu bytes", n);
    /* texts are no longer than the line, with a NUL for each word */
    w.arena = malloc(2 * n + 2);
    if (!w.arena)
        return err_sys(e, "words of a command line");
    sp.sc.text = w.arena;
    while (sp.sc.at < n && !sp.sc.nomem)
        take_any(&sp);
    if (sp.n_docs > 0)
        word_scan_fault(&sp.sc, n, "a here-document without its end");
    else if (sp.in_test)
        word_scan_fault(&sp.sc, n, "[[ without ]]");
    else if (is_target(&w))
        word_scan_fault(&sp.sc, n, "a redirection without a target");
    if (sp.sc.nomem) {
        words_done(&w);
        return err_set(e, ERR_NOMEM, "no memory for a command line's words");
    }
    *out = w;
    return 0;
}

void
words_done(struct words *w)
{
    if (!w)
        return;
    free(w->v);
    free(w->parts);
    free(w->arena);
    *w = (struct words){0};
}

bool
word_is_literal(const struct word *w)
{
    return !(w->flags & WORD_EXPANDS);
}

bool
word_is(const struct word *w, const char *text)
{
    return (w->kind == WORD_PLAIN || w->kind == WORD_OPERATOR) &&
           !(w->flags & WORD_QUOTED) && strcmp(w->text, text) == 0;
}

bool
word_is_op(const struct word *w, const char *text)
{
    return w->kind == WORD_OPERATOR && strcmp(w->text, text) == 0;
}
