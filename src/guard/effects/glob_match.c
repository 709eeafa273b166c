/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glob_match.c - whether one name matches one pattern. */
#include <string.h>
#include <wctype.h>

#include "base/utf8.h"
#include "guard/effects/glob.h"

/* One character; a byte that is no UTF-8 stands for itself. */
static uint32_t
next_char(const char **p)
{
    uint32_t c;
    size_t n = utf8_decode(*p, strlen(*p) < 4 ? strlen(*p) : 4, &c);

    if (n == 0) {
        c = (unsigned char)**p;
        n = 1;
    }
    *p += n;
    return c;
}

struct class_row {
    const char *name;
    int (*holds)(wint_t c);
};

static const struct class_row classes[] = {
    {"alnum", iswalnum}, {"alpha", iswalpha}, {"blank", iswblank},
    {"cntrl", iswcntrl}, {"digit", iswdigit}, {"graph", iswgraph},
    {"lower", iswlower}, {"print", iswprint}, {"punct", iswpunct},
    {"space", iswspace}, {"upper", iswupper}, {"xdigit", iswxdigit},
};

/* [:name:] at *p, which is left behind it; false: none stands there. */
static bool
read_class(const char **p, uint32_t c, bool *hit)
{
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
        size_t n = strlen(classes[i].name);

        if (strncmp(*p, "[:", 2) != 0 ||
            strncmp(*p + 2, classes[i].name, n) != 0 ||
            strncmp(*p + 2 + n, ":]", 2) != 0)
            continue;
        *hit |= classes[i].holds((wint_t)c) != 0;
        *p += n + 4;
        return true;
    }
    return false;
}

static uint32_t
bracket_char(const char **p)
{
    if (**p == '\\' && (*p)[1])
        (*p)++;
    return next_char(p);
}

/* What stands behind a '[': sets *hit, returns the byte after the ']', or
 * NULL when it is never closed and so is no bracket. */
static const char *
match_bracket(const char *p, uint32_t c, bool *hit)
{
    bool negated = *p == '!' || *p == '^', first = true;

    *hit = false;
    for (p += negated; *p && (first || *p != ']'); first = false) {
        uint32_t from, to;

        if (read_class(&p, c, hit))
            continue;
        from = to = bracket_char(&p);
        if (p[0] == '-' && p[1] && p[1] != ']') {
            p++;
            to = bracket_char(&p);
        }
        *hit |= from <= c && c <= to;
    }
    if (*p != ']')
        return NULL;
    *hit ^= negated;
    return p + 1;
}

/* Takes one character of the name by one item of the pattern, no star. */
static bool
match_one(const char **pattern, const char **name)
{
    const char *p = *pattern, *s = *name, *after;
    uint32_t c = next_char(&s);
    bool hit = false;

    if (*p == '?') {
        p++;
        hit = true;
    } else if (*p == '[' && (after = match_bracket(p + 1, c, &hit))) {
        p = after;
    } else {
        if (*p == '\\' && p[1])
            p++;
        hit = *p && next_char(&p) == c;
    }
    *pattern = p;
    *name = s;
    return hit;
}

/* Only the last star is ever tried again: an earlier one that took more would
 * leave less for what follows. */
bool
glob_match_any(const char *pattern, const char *name)
{
    const char *star = NULL, *retry = NULL;

    while (*name) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = name;
        } else if (!match_one(&pattern, &name)) {
            if (!star)
                return false;
            pattern = star;
            next_char(&retry);
            name = retry;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

bool
glob_is_pattern(const char *pattern, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (pattern[i] == '\\')
            i++;
        else if (strchr("*?[", pattern[i]))
            return true;
    }
    return false;
}

bool
glob_match(const char *pattern, const char *name)
{
    if (name[0] == '.' && pattern[0] != '.' &&
        !(pattern[0] == '\\' && pattern[1] == '.'))
        return false;
    return glob_match_any(pattern, name);
}

/* A star, and beside it nothing that a name could lack: dots, marks, and
 * brackets that only leave some character out. */
bool
glob_matches_all(const char *component, size_t n)
{
    bool star = false;

    for (size_t i = 0; i < n; i++) {
        const char *close;

        if (component[i] == '*')
            star = true;
        if (strchr("*?.", component[i]))
            continue;
        if (component[i] != '[' || i + 2 >= n ||
            !strchr("!^", component[i + 1]))
            return false;
        close = memchr(component + i + 3, ']', n - i - 3);
        if (!close)
            return false;
        i = (size_t)(close - component);
    }
    return star;
}

void
glob_quote(struct buf *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strchr("*?[]\\", text[i]))
            buf_ch(out, '\\');
        buf_ch(out, text[i]);
    }
}

void
glob_unquote(struct buf *out, const char *pattern, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (pattern[i] == '\\' && i + 1 < n)
            i++;
        buf_ch(out, pattern[i]);
    }
}
