/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_extract.c - finds the JSON object in a model's text. */
#include "action/json_extract.h"

#include <string.h>

#define THINK     "<think>"
#define THINK_END "</think>"
#define FENCE     "```"

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* `{`, blanks, then `"` or `}`: `{a,b}`, `${x}` and `{plan}` begin none. */
static bool
begins_object(const char *p, size_t n)
{
    size_t i = 1;

    if (n == 0 || p[0] != '{')
        return false;
    while (i < n && is_blank(p[i]))
        i++;
    return i < n && (p[i] == '"' || p[i] == '}');
}

/* Offset of the first object in [from, n), or n. Only one brace looks at each
 * blank, so that this is linear. */
static size_t
find_object(const char *p, size_t from, size_t n)
{
    for (size_t i = from; i < n; i++) {
        if (p[i] == '{' && begins_object(p + i, n - i))
            return i;
    }
    return n;
}

static size_t
find_text(const char *p, size_t from, size_t n, const char *what)
{
    const char *at = from < n ? memmem(p + from, n - from, what, strlen(what))
                              : NULL;

    return at ? (size_t)(at - p) : n;
}

/* A scan for the tags of a text. It is linear for any text: each tag is
 * found once, and a tag near an object that turned out to be broken is in no
 * object. */
struct tags {
    const char *p;
    size_t n, open, close; /* the offset of the next of each, or n */
    size_t broken;         /* end of the scans of broken objects */
};

/* Moves to the first tags at or behind `at`. */
static void
tags_from(struct tags *t, size_t at)
{
    if (t->open < at)
        t->open = find_text(t->p, at, t->n, THINK);
    if (t->close < at)
        t->close = find_text(t->p, at, t->n, THINK_END);
}

/* End of the object that `tag` lies in, or 0: a tag inside the action's own
 * strings is data. */
static size_t
object_around(struct tags *t, size_t from, size_t tag)
{
    size_t at, len, reached;

    if (tag < t->broken)
        return 0;
    at = find_object(t->p, from, tag);
    if (at >= tag)
        return 0;
    len = json_span_reached(t->p + at, t->n - at, &reached, NULL);
    if (len == 0 && at + reached > t->broken)
        t->broken = at + reached;
    return len > 0 && at + len > tag ? at + len : 0;
}

/* Appends the text without `<think>` blocks, without what is before a lone
 * `</think>`, and without what is after an unclosed `<think>`. */
static void
drop_reasoning(const char *p, size_t n, struct buf *out)
{
    struct tags t = {p, n, find_text(p, 0, n, THINK),
                     find_text(p, 0, n, THINK_END), 0};
    size_t kept = 0; /* out holds [.., kept) */

    while (t.open < n || t.close < n) {
        size_t tag = t.open < t.close ? t.open : t.close;
        size_t around = object_around(&t, kept, tag);

        if (around) {
            tags_from(&t, around);
            continue;
        }
        if (t.open < t.close)
            buf_add(out, p + kept, t.open - kept);
        else
            buf_clear(out);
        kept = t.close < n ? t.close + strlen(THINK_END) : n;
        tags_from(&t, kept);
    }
    buf_add(out, p + kept, n - kept);
}

/* The end of the line that holds i. */
static size_t
line_end(const char *p, size_t i, size_t n)
{
    const char *nl = memchr(p + i, '\n', n - i);

    return nl ? (size_t)(nl - p) : n;
}

/* First object of the first fenced block that holds one, or n. */
static size_t
find_fenced(const char *p, size_t n)
{
    size_t i = find_text(p, 0, n, FENCE);

    while (i < n) {
        size_t from = i + strlen(FENCE);
        size_t end = find_text(p, from, n, FENCE);
        size_t at = find_object(p, from, end);

        if (at < end)
            return at;
        if (end >= n)
            return n;
        /* an info string may follow the fence */
        i = find_text(p, line_end(p, end, n), n, FENCE);
    }
    return n;
}

static void
trim(const char **p, size_t *n)
{
    while (*n > 0 && is_blank(**p)) {
        ++*p;
        --*n;
    }
    while (*n > 0 && is_blank((*p)[*n - 1]))
        --*n;
}

static int
set_unusable(struct err *e, const struct err *why)
{
    return err_set(e, ERR_ANSWER, "invalid JSON: %s", why->text);
}

static int
parse_object(const char *p, size_t n, struct json **root, struct err *e)
{
    struct err why = {0};

    *root = json_parse(p, n, JSON_UNIQUE, &why);
    return *root ? 0 : set_unusable(e, &why);
}

int
json_extract(const char *text, size_t n, struct json **root, struct buf *prose,
             struct err *e)
{
    CLEANUP_BUF struct buf plain = buf_of(n);
    struct err why = {0};
    size_t at, len;
    const char *p;

    *root = NULL;
    trim(&text, &n);
    if (n == 0)
        return err_set(e, ERR_ANSWER, "the answer is empty");
    if (json_span(text, n, NULL) == n)
        return parse_object(text, n, root, e);
    drop_reasoning(text, n, &plain);
    if (buf_ok(&plain, "the answer", e) < 0)
        return -1;
    p = plain.p;
    n = plain.len;
    trim(&p, &n);
    if (n == 0)
        return err_set(e, ERR_ANSWER, "the answer contains only reasoning");
    if (json_span(p, n, NULL) == n)
        return parse_object(p, n, root, e);
    at = find_fenced(p, n);
    at = at < n ? at : find_object(p, 0, n);
    if (at >= n) {
        buf_add(prose, p, n);
        return buf_ok(prose, "the answer", e);
    }
    len = json_span(p + at, n - at, &why);
    return len ? parse_object(p + at, len, root, e) : set_unusable(e, &why);
}
