/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_scan.c - the bytes of a wish, cut into words and quoted texts. */
#include <ctype.h>
#include <string.h>

#include "offline/request/request_in.h"

/* Quotes as people write them; old manuals close ` by '. */
static const struct quote {
    const char *open, *close, *other;
} quotes[] = {
    {"\"", "\"", NULL},
    {"'", "'", NULL},
    {"`", "`", "'"},
    {"\xe2\x80\x9c", "\xe2\x80\x9d", "\xe2\x80\x9c"},
    {"\xe2\x80\x98", "\xe2\x80\x99", "\xe2\x80\x98"},
    {"\xc2\xab", "\xc2\xbb", NULL},
};

static bool
begins(const char *s, const char *what)
{
    return what && strncmp(s, what, strlen(what)) == 0;
}

static bool
is_word_byte(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Where the quote that begins at s ends: its closing mark, which no letter
 * may follow (an apostrophe has one); NULL: it is none. */
static const char *
quote_end(const char *s, const struct quote *q, size_t *mark)
{
    for (const char *p = s; *p; p++) {
        const char *m = begins(p, q->close)   ? q->close
                        : begins(p, q->other) ? q->other
                                              : NULL;

        if (m && !is_word_byte(p[strlen(m)])) {
            *mark = strlen(m);
            return p;
        }
    }
    return NULL;
}

static bool
scan_quote(const char *text, size_t at, struct request_token *t)
{
    for (size_t i = 0; i < sizeof(quotes) / sizeof(quotes[0]); i++) {
        size_t k = strlen(quotes[i].open), mark;
        const char *end;

        if (!begins(text + at, quotes[i].open))
            continue;
        end = quote_end(text + at + k, &quotes[i], &mark);
        if (!end)
            return false;
        t->from = at;
        t->in = at + k;
        t->end = (size_t)(end - text);
        t->to = t->end + mark;
        t->quoted = true;
        return true;
    }
    return false;
}

/* Where what began with $( or ${ at p ends. */
static const char *
group_end(const char *p)
{
    char open = *p, close = open == '(' ? ')' : '}';
    unsigned depth = 0;

    for (const char *s = p; *s; s++) {
        depth += *s == open;
        if (*s == close && --depth == 0)
            return s + 1;
    }
    return p;
}

static size_t
word_end(const char *text, size_t at)
{
    const char *p = text + at;

    while (*p && *p != ' ') {
        if (*p == '$' && (p[1] == '(' || p[1] == '{'))
            p = group_end(p + 1);
        else if (*p == '{' && p == text + at)
            p = group_end(p) > p ? group_end(p) : p + 1;
        else
            p++;
    }
    return (size_t)(p - text);
}

static bool
is_dots(const char *s, size_t n)
{
    while (n && s[n - 1] == '.')
        n--;
    return n == 0;
}

static bool
has(const char *s, size_t n, char c)
{
    return memchr(s, c, n) != NULL;
}

/* Whether the last byte of s[0..n) is punctuation of the sentence. */
static bool
is_tail(const char *s, size_t n)
{
    switch (s[n - 1]) {
    case '.':
        return !is_dots(s, n) && !(n > 2 && memcmp(s + n - 3, "/..", 3) == 0) &&
               s[n - 2] != '/';
    case ',':
    case ';':
    case ':':
    case '!':
    case '"':
    case '\'':
    case '`':
        return true;
    case '?':
        return !has(s, n, '*') && !has(s, n - 1, '?');
    case ')':
        return !has(s, n, '(');
    case ']':
        return !has(s, n, '[');
    default:
        return false;
    }
}

/* Takes off what a sentence has around its words. */
static void
trim(const char *text, struct request_token *t)
{
    const char *s = text;

    while (t->in < t->end && strchr("(\"'`,;", s[t->in]))
        t->in++;
    if (t->end - t->in > 2 && s[t->in] == '<' && s[t->end - 1] == '>') {
        t->in++;
        t->end--;
    }
    while (t->end > t->in && is_tail(s + t->in, t->end - t->in))
        t->end--;
    if (t->end - t->in > 4 && memcmp(s + t->end - 3, "(s)", 3) == 0)
        t->end -= 3;
    t->from = t->in;
    t->to = t->end;
}

size_t
request_quoted(const char *text, size_t at)
{
    struct request_token t;

    return scan_quote(text, at, &t) ? t.to : at;
}

void
request_put_quoted(struct buf *out, const char *text)
{
    for (size_t i = 0; i < sizeof(quotes) / sizeof(quotes[0]); i++) {
        if (strstr(text, quotes[i].close))
            continue;
        buf_printf(out, "%s%s%s", quotes[i].open, text, quotes[i].close);
        return;
    }
    buf_str(out, text);
}

size_t
request_scan(const char *text, struct request_token *t, size_t max)
{
    size_t n = 0, at = 0;

    while (n < max) {
        at += strspn(text + at, " ");
        if (!text[at])
            break;
        if (text[at] == '(' && text[at + 1] && text[at + 1] != ' ')
            at++;
        memset(&t[n], 0, sizeof(t[n]));
        if (scan_quote(text, at, &t[n])) {
            at = t[n].to;
            at += strspn(text + at, ".,;:!?)");
            n++;
            continue;
        }
        t[n].from = t[n].in = at;
        t[n].to = t[n].end = at = word_end(text, at);
        trim(text, &t[n]);
        if (t[n].end > t[n].in)
            n += request_divide(text, &t[n], n, max - n);
    }
    return n;
}
