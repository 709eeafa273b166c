/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roff_cond.c - the conditions of .if and .ie. */
#include <stdlib.h>
#include <string.h>

#include "offline/manual/roff_state.h"

static const char *
skip_blanks(const char *s)
{
    return s + strspn(s, " \t");
}

/* What .nr made of a register. Pages ask for .g, "is this groff?", and are
 * told yes. */
static long
register_value(const struct roff *r, const char *name, size_t n)
{
    char key[64] = {ROFF_REGISTER};
    const struct roff_def *def;

    if (n == 2 && memcmp(name, ".g", 2) == 0)
        return 1;
    if (n + 1 >= sizeof(key))
        return 0;
    memcpy(key + 1, name, n);
    def = roff_find(r, key, n + 1);
    return def ? strtol(def->text, NULL, 10) : 0;
}

/* A number: digits, or a register; a width is never zero. */
static long
take_number(const struct roff *r, const char **p)
{
    const char *s = *p, *name;
    size_t n;
    long v = 0;

    if (s[0] == '\\' && s[1] == 'w') {
        s += 2;
        s = *s ? strchr(s + 1, *s) : NULL;
        *p = s ? s + 1 : *p + strlen(*p);
        return 1;
    }
    if (s[0] == '\\' && s[1] == 'n') {
        s += 2;
        roff_take_name(&s, &name, &n);
        *p = s;
        return register_value(r, name, n);
    }
    for (; *s >= '0' && *s <= '9'; s++)
        v = v > 100000 ? v : v * 10 + (*s - '0');
    *p = s + strspn(s, "ciPpmnuvs"); /* a unit */
    return v;
}

static bool
compare(long a, char op, bool or_equal, long b)
{
    if (op == '>')
        return a > b || (or_equal && a == b);
    if (op == '<')
        return a < b || (or_equal && a == b);
    if (op == '=')
        return a == b;
    if (op == '&')
        return a > 0 && b > 0;
    return a > 0 || b > 0;
}

/* Numbers joined by comparisons, from left to right as roff has it. */
static bool
take_expression(const struct roff *r, const char **p)
{
    const char *s = *p + strspn(*p, "(");
    long v = take_number(r, &s);

    s += strspn(s, ")");
    while (*s && strchr("><=&:", *s)) {
        char op = *s++;
        bool or_equal = *s == '=';

        s += or_equal;
        s += strspn(s, "(");
        v = compare(v, op, or_equal, take_number(r, &s));
        s += strspn(s, ")");
    }
    *p = s;
    return v > 0;
}

/* 'one'other': the same text? Any byte may be the quote. */
static bool
take_comparison(const char **p)
{
    const char *a = *p + 1, *b = strchr(a, **p), *end;
    bool same;

    end = b ? strchr(b + 1, **p) : NULL;
    if (!end) {
        *p += strlen(*p);
        return false;
    }
    same = b - a == end - b - 1 && memcmp(a, b + 1, (size_t)(b - a)) == 0;
    *p = end + 1;
    return same;
}

static bool
is_defined(const struct roff *r, const char **p)
{
    const char *name = skip_blanks(*p);
    size_t n = strcspn(name, " \t");

    *p = name + n;
    return roff_find(r, name, n) != NULL;
}

bool
roff_condition(const struct roff *r, const char *text, const char **rest)
{
    const char *s = skip_blanks(text);
    bool negated = *s == '!', holds;

    s += negated;
    if (strchr("notev", *s) && *s) {
        holds = *s == 'n' || *s == 'o'; /* a terminal, an odd page */
        s++;
    } else if (*s == 'd') {
        s++;
        holds = is_defined(r, &s);
    } else if (*s == 'r' || *s == 'm' || *s == 'c' || *s == 'F') {
        s = skip_blanks(s + 1);
        s += strcspn(s, " \t");
        holds = false;
    } else if (*s == '\'' || *s == '"') {
        holds = take_comparison(&s);
    } else if (*s == '\\' && s[1] != 'n' && s[1] != 'w') {
        s += strcspn(s, " \t");
        holds = false;
    } else {
        holds = take_expression(r, &s);
    }
    *rest = skip_blanks(s);
    return holds != negated;
}
