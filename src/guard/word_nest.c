/* SPDX-License-Identifier: GPL-3.0-or-later */
/* word_nest.c - where brackets and quotes end, whatever they hold. */
#include <string.h>

#include "guard/word_scan.h"

/* Brackets and quotes inside one another; bash itself reads far more, no
 * person does. */
#define DEPTH_MAX 200

size_t
word_nest_single(const struct word_scan *sc, size_t open, bool ansi)
{
    for (size_t i = open + 1; i < sc->n; i++) {
        if (ansi && sc->s[i] == '\\')
            i++;
        else if (sc->s[i] == '\'')
            return i + 1;
    }
    return sc->n + 1;
}

size_t
word_nest_backtick(const struct word_scan *sc, size_t open)
{
    for (size_t i = open + 1; i < sc->n; i++) {
        if (sc->s[i] == '\\')
            i++;
        else if (sc->s[i] == '`')
            return i + 1;
    }
    return sc->n + 1;
}

static size_t
skip_comment(const struct word_scan *sc, size_t at)
{
    while (at < sc->n && sc->s[at] != '\n')
        at++;
    return at;
}

static bool
begins_comment(const struct word_scan *sc, size_t at)
{
    return sc->s[at] == '#' && at > 0 &&
           strchr(" \t\n;|&(", sc->s[at - 1]) != NULL;
}

/* One step inside brackets; returns where to go on. `shut` is the stack of
 * what closes what is open. */
static size_t
step_inside(const struct word_scan *sc, size_t i, char *shut, size_t *depth)
{
    char c = sc->s[i], top = shut[*depth - 1];
    bool quoted = top == '"';

    if (c == '\\')
        return i + 2;
    if (c == top) {
        --*depth;
        return i + 1;
    }
    if (c == '`')
        return word_nest_backtick(sc, i);
    if (c == '\'' && !quoted)
        return word_nest_single(sc, i, sc->s[i - 1] == '$');
    if (top == ')' && begins_comment(sc, i))
        return skip_comment(sc, i);
    if (c == '"')
        shut[(*depth)++] = '"';
    else if (c == '(' && (!quoted || sc->s[i - 1] == '$'))
        shut[(*depth)++] = ')';
    else if (c == '{' && sc->s[i - 1] == '$')
        shut[(*depth)++] = '}';
    return i + 1;
}

size_t
word_nest_close(struct word_scan *sc, size_t open, size_t *inner)
{
    char shut[DEPTH_MAX + 1];
    size_t depth = 1, i = open + 1;
    bool seen = false;

    shut[0] = sc->s[open] == '(' ? ')' : sc->s[open] == '[' ? ']' : '}';
    while (i < sc->n && depth > 0) {
        size_t was = depth;

        i = step_inside(sc, i, shut, &depth);
        if (depth > DEPTH_MAX - 1) {
            word_scan_fault(sc, open, "brackets nested too deeply");
            return sc->n;
        }
        if (!seen && was == 2 && depth == 1) {
            seen = true;
            if (inner)
                *inner = i;
        }
    }
    if (depth > 0 || i > sc->n) {
        word_scan_fault(sc, open, "a bracket that is not closed");
        return sc->n;
    }
    return i;
}
