/* SPDX-License-Identifier: GPL-3.0-or-later */
/* match.c - names that a pattern fits. */
#include "plugins/lib/match.h"

#include <stddef.h>
#include <string.h>

/* The set that begins at p[0] == '[': where it ends, or NULL; *hit: whether c
 * is in it. A ] in front stands for itself. */
static const char *
match_set(const char *p, unsigned char c, bool *hit)
{
    bool negated = p[1] == '!' || p[1] == '^', found = false;
    const char *first = p + 1 + negated;

    for (p = first; *p && (*p != ']' || p == first); p++) {
        unsigned char from = (unsigned char)*p, to = from;

        if (p[1] == '-' && p[2] && p[2] != ']') {
            to = (unsigned char)p[2];
            p += 2;
        }
        found = found || (c >= from && c <= to);
    }
    *hit = found != negated;
    return *p ? p + 1 : NULL;
}

/* What follows the pattern's first sign, when that fits c; else NULL. */
static const char *
match_one(const char *p, char c)
{
    bool hit;
    const char *after;

    if (*p == '[' && (after = match_set(p, (unsigned char)c, &hit)) != NULL)
        return hit ? after : NULL;
    return *p == c || *p == '?' ? p + 1 : NULL;
}

bool
match_glob(const char *pattern, const char *text)
{
    /* only the last star need try again: an earlier one gains nothing */
    const char *star = NULL, *from = NULL;

    while (*text) {
        const char *next;

        if (*pattern == '*') {
            star = ++pattern;
            from = text;
        } else if (*pattern && (next = match_one(pattern, *text)) != NULL) {
            pattern = next;
            text++;
        } else if (star) {
            pattern = star;
            text = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

bool
match_is_pattern(const char *text)
{
    return strpbrk(text, "*?[") != NULL;
}
