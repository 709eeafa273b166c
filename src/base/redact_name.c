/* SPDX-License-Identifier: GPL-3.0-or-later */
/* redact_name.c - values under a name that says they are secret. */
#include <string.h>
#include <strings.h>

#include "base/redact_in.h"
#include "base/secret_name.h"

/* How the name stands in the text: name = value, --name value, or prose. */
enum binding { BIND_NONE, BIND_EQUALS, BIND_COLON, BIND_OPTION, BIND_PROSE };

/* Where the name that begins at i ends. */
static size_t
name_end(const struct redact_text *t, size_t i)
{
    size_t stop = t->n - i < SECRET_NAME_MAX ? t->n : i + SECRET_NAME_MAX;

    while (i < stop && (redact_is_word((unsigned char)t->p[i]) ||
                        t->p[i] == '-' || t->p[i] == '.'))
        i++;
    return i;
}

static size_t
skip_blanks(const struct redact_text *t, size_t i)
{
    while (redact_is_blank(redact_at(t, i)))
        i++;
    return i;
}

/* Whether a word stands before i on its line, so that it is a sentence that
 * goes on, not the name of a field. */
static bool
is_in_sentence(const struct redact_text *t, size_t i)
{
    if (i == 0 || !redact_is_blank(t->p[i - 1]))
        return false;
    while (i > 0 && redact_is_blank(t->p[i - 1]))
        i--;
    return i > 0 && redact_is_word((unsigned char)t->p[i - 1]);
}

/* "password is x", "the token was x": the word between. */
static size_t
skip_verb(const struct redact_text *t, size_t i)
{
    static const char *const verbs[] = {"is ", "was ", "as ", "to "};

    for (size_t k = 0; k < sizeof(verbs) / sizeof(verbs[0]); k++) {
        size_t n = strlen(verbs[k]);

        if (t->n - i > n && memcmp(t->p + i, verbs[k], n) == 0)
            return skip_blanks(t, i + n);
    }
    return i;
}

/* "--name", "-name": a hyphen within a word ("reset-password") is none. */
static bool
is_option(const struct redact_text *t, size_t i)
{
    if (i == 0 || t->p[i - 1] != '-')
        return false;
    return i == 1 ||
           (!redact_is_word((unsigned char)t->p[i - 2]) && t->p[i - 2] != '\\');
}

/* What joins the name that begins at i and ends at *at to a value; *at moves
 * to where the value begins. */
static enum binding
binding_of(const struct redact_text *t, size_t i, size_t *at)
{
    size_t k = *at;
    bool option = is_option(t, i);

    if (redact_at(t, k) == '\\' && redact_at(t, k + 1) == '"')
        k += 2; /* a name in JSON in JSON */
    else if (redact_at(t, k) == '"' || redact_at(t, k) == '\'')
        k++;
    k = skip_blanks(t, k);
    switch (redact_at(t, k)) {
    case '=':
        if (redact_at(t, k + 1) == '=' || redact_at(t, k + 1) == '~')
            return BIND_NONE; /* a comparison */
        *at = skip_blanks(t, k + 1);
        return BIND_EQUALS;
    case ':':
        *at = skip_blanks(t, k + 1 + (redact_at(t, k + 1) == '='));
        return is_in_sentence(t, i) ? BIND_PROSE : BIND_COLON;
    default:
        if (k == *at)
            return BIND_NONE;
        *at = option ? k : skip_verb(t, k);
        return option ? BIND_OPTION : BIND_PROSE;
    }
}

/* "Bearer x", "Basic x": the scheme stays. */
static size_t
skip_scheme(const struct redact_text *t, size_t i)
{
    static const char *const names[] = {"Bearer ", "Basic ",  "Token ",
                                        "Digest ", "ApiKey ", "Negotiate "};

    for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
        size_t n = strlen(names[k]);

        if (t->n - i > n && strncasecmp(t->p + i, names[k], n) == 0)
            return skip_blanks(t, i + n);
    }
    return i;
}

/* A header's value goes to the end of the line or of the quotes round it. */
static size_t
header_end(const struct redact_text *t, size_t i, size_t most)
{
    size_t stop = t->n - i < most ? t->n : i + most;

    while (i < stop && !strchr("\r\n\"'`", t->p[i])) {
        if (t->p[i] == '\\' && i + 1 < stop && strchr("nr\"", t->p[i + 1]))
            break;
        i++;
    }
    return i;
}

static bool
is_small_number(const char *p, size_t n)
{
    if (n > 5)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (p[i] < '0' || p[i] > '9')
            return false;
    }
    return true;
}

/* "token = Keyword.Type": a variable of a program, not what it holds. */
static bool
is_variable(const struct redact_text *t, size_t from, size_t n)
{
    const char *p = t->p + from;

    if (from < 2 || p[-1] != ' ' || p[-2] != '=')
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!redact_is_word((unsigned char)p[i]) && p[i] != '.')
            return false;
        if (p[i] >= '0' && p[i] <= '9')
            return false;
    }
    return true;
}

static bool
is_secret_value(const struct redact_text *t, const struct secret_name *r,
                enum binding b, const struct redact_span *s)
{
    const char *p = t->p + s->from;
    size_t n = s->to - s->from;

    if (redact_is_harmless(p, n))
        return false;
    if (b == BIND_PROSE || r->weak)
        return !(b == BIND_PROSE && r->weak) && redact_looks_random(p, n);
    if (strcmp(r->kind, "password") != 0 &&
        (is_small_number(p, n) || is_variable(t, s->from, n)))
        return false; /* token: 5 */
    if (memchr(p, '(', n))
        return false; /* the value of a call, in a program's text */
    if (b == BIND_OPTION)
        return n > 0 && p[0] != '-' && (n < 3 || memcmp(p, "id=", 3) != 0);
    return true;
}

/* "Bearer x" without a header's name. */
static bool
is_bearer(const struct redact_text *t, size_t i, struct redact_span *s)
{
    size_t from = i + 7, to;

    if (t->n - i < 20 || strncasecmp(t->p + i, "Bearer ", 7) != 0)
        return false;
    to = redact_value(t, &from, t->n);
    *s = (struct redact_span){from, to, "bearer-token"};
    return !redact_is_harmless(t->p + from, to - from) &&
           redact_looks_random(t->p + from, to - from);
}

/* "$TOKEN", "${TOKEN:-x}": a reference, not a name that gets a value. */
static bool
is_reference(const struct redact_text *t, size_t i)
{
    return (i > 0 && t->p[i - 1] == '$') ||
           (i > 1 && t->p[i - 1] == '{' && t->p[i - 2] == '$');
}

/* The value that begins at s->from, seen `most` bytes far. */
static void
span_value(const struct redact_text *t, bool header, size_t at, size_t most,
           struct redact_span *s)
{
    s->from = at;
    if (!header) {
        s->to = redact_value(t, &s->from, most);
        return;
    }
    s->from = skip_scheme(t, at);
    if (redact_at(t, s->from) == '"' || redact_at(t, s->from) == '\'')
        s->from = skip_scheme(t, s->from + 1); /* in JSON */
    s->to = header_end(t, s->from, most);
}

bool
redact_named(const struct redact_text *t, size_t i, struct redact_span *s)
{
    size_t at = name_end(t, i);
    const struct secret_name *r = secret_name_find(t->p + i, at - i);
    enum binding b;
    bool header;

    if (!r)
        return is_bearer(t, i, s);
    b = binding_of(t, i, &at);
    header = strcmp(r->kind, "authorization") == 0 ||
             strcmp(r->kind, "cookie") == 0;
    if (b == BIND_NONE || (header && b != BIND_COLON) || is_reference(t, i))
        return false;
    s->kind = r->kind;
    span_value(t, header, at, REDACT_JUDGE_BYTES, s);
    if (!is_secret_value(t, r, b, s))
        return false;
    span_value(t, header, at, t->n, s);
    return true;
}
