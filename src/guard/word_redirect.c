/* SPDX-License-Identifier: GPL-3.0-or-later */
/* word_redirect.c - redirections of a command line, and here-documents. */
#include <string.h>

#include "guard/word_scan.h"

/* Longest first: the first that fits is it. */
static const char *const redirects[] = {
    "&>>", "<<<", "<<-", "&>", ">>", ">|", ">&", "<<", "<&", "<>", ">", "<",
};

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool
is_name(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           c == '_';
}

/* The length of a descriptor before a redirection at the scanner: digits or
 * {name}; 0 when none stands there. */
static size_t
descriptor(const struct word_scan *sc, int *fd)
{
    size_t i = sc->at;
    bool named = sc->s[i] == '{';
    int v = 0;

    for (i += named;
         i < sc->n && (named ? is_name(sc->s[i]) : is_digit(sc->s[i])); i++)
        v = v > 100000 ? v : v * 10 + (sc->s[i] - '0');
    if (i == sc->at + named)
        return 0;
    if (named && (i == sc->n || sc->s[i++] != '}'))
        return 0;
    if (i >= sc->n || (sc->s[i] != '<' && sc->s[i] != '>'))
        return 0;
    *fd = named ? WORD_FD_NAMED : v;
    return i - sc->at;
}

bool
word_split_redirect(struct word_split *sp)
{
    struct word_scan *sc = &sp->sc;
    int fd = WORD_FD_DEFAULT;
    size_t from = sc->at, skip = descriptor(sc, &fd), index = sc->out->n;
    const char *op = WORD_SPLIT_MATCH(sc, from + skip, redirects);
    struct word *w;

    if (!op || (skip && op[0] == '&'))
        return false;
    if (!skip && op[1] == '\0' && sc->n > from + 1 && sc->s[from + 1] == '(')
        return false; /* <( and >( begin a word */
    w = word_split_add(sp, WORD_REDIRECT, from);
    if (!w)
        return true;
    w->fd = fd;
    word_split_put(sc, from + skip, from + skip + strlen(op));
    sc->at = from + skip + strlen(op);
    word_split_end(sp, index);
    if (strcmp(op, "<<") != 0 && strcmp(op, "<<-") != 0)
        return true;
    if (sp->n_docs < WORD_HEREDOCS_MAX)
        sp->docs[sp->n_docs++] = index;
    else
        word_scan_fault(sc, from, "too many here-documents");
    return true;
}

/* The end of the body that begins at the scanner; *next is the line behind
 * its end mark. */
static size_t
body_end(const struct word_scan *sc, const char *mark, bool tabs, size_t *next)
{
    size_t at = sc->at, len = strlen(mark);

    while (at < sc->n) {
        const char *nl = memchr(sc->s + at, '\n', sc->n - at);
        size_t stop = nl ? (size_t)(nl - sc->s) : sc->n, i = at;

        while (tabs && i < stop && sc->s[i] == '\t')
            i++;
        if (stop - i == len && memcmp(sc->s + i, mark, len) == 0) {
            *next = nl ? stop + 1 : stop;
            return at;
        }
        at = nl ? stop + 1 : stop;
    }
    *next = sc->n;
    return sc->n + 1;
}

void
word_split_bodies(struct word_split *sp)
{
    struct word_scan *sc = &sp->sc;

    for (size_t i = 0; i < sp->n_docs && !sc->nomem; i++) {
        size_t redirect = sp->docs[i], index = sc->out->n, next;
        const struct word *op = &sc->out->v[redirect], *mark = op + 1;
        bool open, quoted = mark->flags & WORD_QUOTED;
        size_t from = sc->at, to;

        to = body_end(sc, mark->text, op->text[2] == '-', &next);
        open = to > sc->n;
        if (open) {
            word_scan_fault(sc, from, "a here-document without its end");
            to = sc->n;
        }
        if (!word_split_add(sp, WORD_HEREDOC, from))
            break;
        if (quoted)
            word_split_put(sc, from, to);
        else
            word_scan_body(sc, from, to);
        sc->at = to;
        sc->flags |= quoted ? WORD_QUOTED : 0;
        word_split_end(sp, index);
        sc->at = next;
    }
    sp->n_docs = 0;
}
