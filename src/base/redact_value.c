/* SPDX-License-Identifier: GPL-3.0-or-later */
/* redact_value.c - where a value ends, and whether it can be a secret. */
#include <string.h>
#include <strings.h>

#include "base/redact_in.h"

#define RANDOM_MIN 8   /* shorter words say too little about themselves */
#define RANDOM_MAX 512 /* longer is a blob, not something typed */

/* The closing quote, or the end of the line or text where it is missing. */
static size_t
quoted_end(const struct redact_text *t, size_t i, size_t stop, char quote,
           bool escaped)
{
    for (; i < stop && t->p[i] != '\n'; i++) {
        if (escaped && t->p[i] == '\\' && redact_at(t, i + 1) == quote)
            return i;
        if (!escaped && t->p[i] == quote)
            return i;
        if (!escaped && t->p[i] == '\\' && i + 1 < stop)
            i++;
    }
    return i;
}

/* "\n" of text within JSON ends a value; "\ " of a shell does not. */
static bool
is_json_escape(const struct redact_text *t, size_t i)
{
    int c = redact_at(t, i + 1);

    return t->p[i] == '\\' && (c == 'n' || c == 'r' || c == 't' || c == '"');
}

size_t
redact_value(const struct redact_text *t, size_t *i, size_t most)
{
    size_t stop = t->n - *i < most ? t->n : *i + most, end;
    int c = redact_at(t, *i);
    bool escaped = c == '\\';

    if (escaped)
        c = redact_at(t, *i + 1);
    if (c == '"' || c == '\'' || c == '`') {
        *i += escaped ? 2 : 1;
        return quoted_end(t, *i, stop, (char)c, escaped);
    }
    for (end = *i; end < stop; end++) {
        if (strchr(" \t\r\n\"'`;&|)<>", t->p[end]) || is_json_escape(t, end))
            break;
    }
    return end;
}

static bool
is_one_of(const char *p, size_t n, const char *const *words)
{
    for (; *words; words++) {
        if (strlen(*words) == n && strncasecmp(p, *words, n) == 0)
            return true;
    }
    return false;
}

static bool
is_repeated(const char *p, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (p[i] != p[0])
            return false;
    }
    return n > 0 && strchr("*xX.-_#", p[0]) != NULL;
}

/* env:NAME, file:PATH, fd:3: where openssl and its like find the secret. */
static bool
is_elsewhere(const char *p, size_t n)
{
    return (n > 4 && memcmp(p, "env:", 4) == 0) ||
           (n > 5 && memcmp(p, "file:", 5) == 0) ||
           (n == 4 && memcmp(p, "fd:", 3) == 0);
}

bool
redact_is_harmless(const char *p, size_t n)
{
    static const char *const words[] = {
        "true", "false", "null",     "none",     "nil",    "undefined",
        "yes",  "no",    "required", "optional", "string", "str",
        "",     ",",     "is",       "has",      "...",    NULL};
    const size_t mark = sizeof(REDACT_MARK) - 1;

    if (is_one_of(p, n, words) || is_repeated(p, n) || is_elsewhere(p, n))
        return true;
    if (n >= mark && memcmp(p, REDACT_MARK, mark) == 0)
        return true;
    if (p[0] == '<' || p[0] == '%' || p[0] == '{' || p[0] == '[')
        return true; /* <token>, %s, {{ token }}, [list] */
    return p[0] == '$' && n > 1 &&
           (redact_is_word((unsigned char)p[1]) || strchr("{(", p[1])) &&
           !(p[1] >= '0' && p[1] <= '9');
}

bool
redact_looks_random(const char *p, size_t n)
{
    bool digit = false, lower = false, upper = false, other = false;
    bool seen[256] = {false};
    size_t kinds = 0;

    if (n < RANDOM_MIN || n > RANDOM_MAX || strchr("/.~$<-(", p[0]))
        return false;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)p[i];

        kinds += !seen[c];
        seen[c] = true;
        digit |= c >= '0' && c <= '9';
        lower |= c >= 'a' && c <= 'z';
        upper |= c >= 'A' && c <= 'Z';
        other |= strchr("!@#%^*+=?_", c) != NULL && c;
    }
    return kinds >= 6 && digit && (lower || upper) &&
           (n >= 12 || (lower && upper) || other);
}
