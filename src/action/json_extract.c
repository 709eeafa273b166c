/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_extract.c - finds the JSON object in a model's text. */
#include "action/json_extract.h"

#include <string.h>

#include "base/ascii.h"
#include "model/provider/reasoning.h"

#define FENCE "```"

/* Objects beside the answer that are looked at, and those of them that have a
 * kind and are checked as answers: no honest answer has as many. */
#define OTHERS_MAX 1024
#define CHECKS_MAX 64
/* Bytes that are scanned for them: so many for each byte of the text, and what
 * a short text may take. */
#define SCANS_MAX  4
#define SCAN_BYTES 65536u

static size_t
find_text(const char *p, size_t from, size_t n, const char *what)
{
    const char *at = from < n ? memmem(p + from, n - from, what, strlen(what))
                              : NULL;

    return at ? (size_t)(at - p) : n;
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
        size_t at = json_find_object(p, from, end);

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
    while (*n > 0 && ascii_is_space(**p)) {
        ++*p;
        --*n;
    }
    while (*n > 0 && ascii_is_space((*p)[*n - 1]))
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

/* A text without its reasoning, and the answer that was found in it. */
struct others {
    const char *p;
    size_t n;
    const struct json *answer;
    const struct json_extract_check *check;
    size_t seen, checked, scanned;
};

static int
fail_crowd(struct err *e)
{
    return err_set(e, ERR_ANSWER, "too many JSON objects: send only one");
}

/* Whether a value is, or holds, an answer that is not the one that was found.
 * What an answer itself holds is data. */
static int
check_value(struct others *o, const struct json *v, struct err *e)
{
    if (json_get_str(v, "kind")) {
        if (++o->checked > CHECKS_MAX)
            return fail_crowd(e);
        if (o->check->is_answer(o->check->arg, v))
            return json_equal(v, o->answer)
                       ? 0
                       : err_set(e, ERR_ANSWER,
                                 "two objects that differ, so that it is not "
                                 "certain which is meant: send only one");
    }
    for (v = json_first(v); v; v = json_next(v)) {
        if (check_value(o, v, e) < 0)
            return -1;
    }
    return 0;
}

/* Checks the object at *at, and moves *at behind it; into it, where it is
 * broken. */
static int
check_object(struct others *o, size_t *at, struct err *e)
{
    CLEANUP(json_free_p) struct json *v = NULL;
    size_t reached;
    size_t len = json_span_reached(o->p + *at, o->n - *at, &reached, NULL);

    o->scanned += reached;
    if (++o->seen > OTHERS_MAX || o->scanned > SCANS_MAX * o->n + SCAN_BYTES)
        return fail_crowd(e);
    v = len ? json_parse(o->p + *at, len, JSON_UNIQUE, NULL) : NULL;
    *at += len ? len : 1;
    return check_value(o, v, e);
}

/* Fails where the text holds another answer than the one that was found at
 * `found`. */
static int
check_others(struct others *o, size_t found, size_t len, struct err *e)
{
    size_t at = 0;

    if (!o->check->is_answer(o->check->arg, o->answer))
        return 0; /* it will be refused for what it is */
    while ((at = json_find_object(o->p, at, o->n)) < o->n) {
        if (at == found)
            at += len;
        else if (check_object(o, &at, e) < 0)
            return -1;
    }
    return 0;
}

/* Finds the object in a text that is not JSON as a whole. */
static int
find_answer(const char *p, size_t n, const struct json_extract_check *check,
            struct json **root, struct buf *prose, struct err *e)
{
    struct others others = {.p = p, .n = n, .check = check};
    struct err why = {0};
    size_t at = find_fenced(p, n), len;

    at = at < n ? at : json_find_object(p, 0, n);
    if (at >= n) {
        buf_add(prose, p, n);
        return buf_ok(prose, "the answer", e);
    }
    len = json_span(p + at, n - at, &why);
    if (len == 0)
        return set_unusable(e, &why);
    if (parse_object(p + at, len, root, e) < 0)
        return -1;
    others.answer = *root;
    if (check_others(&others, at, len, e) == 0)
        return 0;
    json_free(*root);
    *root = NULL;
    return -1;
}

int
json_extract(const char *text, size_t n, const struct json_extract_check *check,
             struct json **root, struct buf *prose, struct err *e)
{
    CLEANUP_BUF struct buf plain = buf_of(n);
    const char *p;

    *root = NULL;
    trim(&text, &n);
    if (n == 0)
        return err_set(e, ERR_ANSWER, "the answer is empty");
    if (json_span(text, n, NULL) == n)
        return parse_object(text, n, root, e);
    (void)reasoning_drop(text, n, &plain);
    if (buf_ok(&plain, "the answer", e) < 0)
        return -1;
    p = plain.p;
    n = plain.len;
    trim(&p, &n);
    if (n == 0)
        return err_set(e, ERR_ANSWER, "the answer contains only reasoning");
    if (json_span(p, n, NULL) == n)
        return parse_object(p, n, root, e);
    return find_answer(p, n, check, root, prose, e);
}
