/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_parse.c - turns text into a tree: the text is checked (scan.c), read by
 * cJSON, and the marks that the check left are undone. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "json/node.h"
#include "json/scan.h"
#include "json/write.h"

static unsigned
hex4(const char *p)
{
    unsigned sum = 0;

    for (int i = 0; i < 4; i++) {
        unsigned c = (unsigned char)p[i];

        sum = sum << 4 | (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return sum;
}

/* The character of an escape; *at is at its letter and moves behind the escape.
 */
static unsigned
unescape(const char **at)
{
    char letter = *(*at)++;
    unsigned unit;

    switch (letter) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'u':
        break;
    default:
        return (unsigned char)letter;
    }
    unit = hex4(*at);
    *at += 4;
    if (unit < 0xD800 || unit > 0xDFFF)
        return unit;
    unit = 0x10000 + ((unit - 0xD800) << 10) + (hex4(*at + 2) - 0xDC00);
    *at += 6; /* the second surrogate, with its "\u" */
    return unit;
}

/* What the n bytes between the quotation marks of a checked string mean, with a
 * NUL behind it; `to` has room for n + 1. Returns the length. */
static size_t
read_long_string(char *to, const char *text, size_t n)
{
    const char *begin = to, *end = text + n;

    for (;;) {
        const char *escape = memchr(text, '\\', (size_t)(end - text));
        size_t run = (size_t)((escape ? escape : end) - text);

        memcpy(to, text, run);
        to += run;
        if (!escape)
            break;
        text = escape + 1;
        to += utf8_bytes(to, unescape(&text));
    }
    *to = '\0';
    return (size_t)(to - begin);
}

/* Duplicate names in an object are found by sorting. */

#define FEW 16 /* members that need no allocation; most objects */

struct entry {
    cJSON *node;
    size_t at; /* the position in the object: the last duplicate wins */
};

static int
compare_members(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int order = json_node_compare_names(a->node, b->node);

    if (order != 0)
        return order;
    return a->at < b->at ? -1 : a->at > b->at;
}

static int
refuse_duplicate(const cJSON *member, struct err *e)
{
    CLEANUP_BUF struct buf name = buf_of(sizeof(e->text));

    json_describe_string(&name, member->string, (size_t)member->valueint);
    return err_set(e, ERR_INVALID, "duplicate name %s in an object", name.p);
}

static int
drop_sorted(cJSON *object, struct entry *all, size_t n, unsigned flags,
            struct err *e)
{
    qsort(all, n, sizeof(*all), compare_members);
    for (size_t i = 0; i + 1 < n; i++) {
        if (json_node_compare_names(all[i].node, all[i + 1].node) != 0)
            continue;
        if (flags & JSON_UNIQUE)
            return refuse_duplicate(all[i].node, e);
        cJSON_Delete(cJSON_DetachItemViaPointer(object, all[i].node));
        object->valuedouble -= 1;
    }
    return 0;
}

/* Whether an object of few members has a name twice: comparing each with each
 * takes less than sorting them. */
static bool
has_duplicate(const cJSON *object)
{
    for (const cJSON *a = object->child; a; a = a->next) {
        for (const cJSON *b = a->next; b; b = b->next) {
            if (json_node_compare_names(a, b) == 0)
                return true;
        }
    }
    return false;
}

/* Drops all but the last of each name, or fails with JSON_UNIQUE. */
static int
drop_duplicates(cJSON *object, unsigned flags, struct err *e)
{
    CLEANUP(free_p) struct entry *many = NULL;
    struct entry few[FEW], *all = few;
    size_t n = json_node_len(object), i = 0;

    if (n < 2 || (n <= FEW && !has_duplicate(object)))
        return 0;
    if (n > FEW && !(all = many = calloc(n, sizeof(*many))))
        return err_set(e, ERR_NOMEM, "out of memory for %zu members", n);
    for (cJSON *c = object->child; c && i < n; c = c->next, i++)
        all[i] = (struct entry){c, i};
    return drop_sorted(object, all, i, flags, e);
}

/* Undoing the marks in cJSON's tree, and parsing. */

/* Replaces the marks of scan.h by their characters. Returns the length, since
 * the string may then contain NUL. */
static size_t
unmark(char *s)
{
    char *from = strchr(s, SCAN_MARK);
    char *to = from;

    if (!from)
        return strlen(s);
    while (*from != '\0') {
        if (*from == SCAN_MARK) {
            *to++ = (char)(from[1] - '0');
            from += 2;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
    return (size_t)(to - s);
}

/* What is parsed: the text, and the flags. */
struct parse_source {
    const char *text;
    unsigned flags;
};

/* Reads a long string from the text, and replaces its mark. */
static int
copy_long_string(cJSON *v, const struct parse_source *from, struct err *e)
{
    char *digits = v->valuestring + 2;
    size_t at = strtoull(digits, &digits, 10);
    size_t n = strtoull(digits, NULL, 10);
    char *own = cJSON_malloc(n + 1);

    if (!own)
        return err_set(e, ERR_NOMEM, "out of memory for %zu bytes of JSON", n);
    v->valuedouble = (double)read_long_string(own, from->text + at, n);
    cJSON_free(v->valuestring);
    v->valuestring = own;
    return 0;
}

static int
settle_string(cJSON *v, const struct parse_source *from, struct err *e)
{
    char *s = v->valuestring;
    size_t len;

    if (s[0] == SCAN_MARK && s[1] == SCAN_MARK_LONG_STRING)
        return copy_long_string(v, from, e);
    if (s[0] == SCAN_MARK && s[1] == SCAN_MARK_NUMBER) {
        len = strlen(s + 2);
        memmove(s, s + 2, len + 1);
        v->type = cJSON_Number;
    } else {
        len = unmark(s);
    }
    v->valuedouble = (double)len;
    return 0;
}

/* Undoes the marks of a value and its children. The scanner has bounded the
 * depth. */
static int
settle(cJSON *v, const struct parse_source *from, struct err *e)
{
    if (v->string)
        v->valueint = (int)unmark(v->string);
    if (cJSON_IsString(v) && settle_string(v, from, e) < 0)
        return -1;
    for (cJSON *c = v->child; c; c = c->next) {
        if (settle(c, from, e) < 0)
            return -1;
        v->valuedouble += 1;
    }
    return cJSON_IsObject(v) ? drop_duplicates(v, from->flags, e) : 0;
}

static int
scan_whole(struct json_scan *s)
{
    if (json_scan_value(s) < 0)
        return -1;
    json_scan_blanks(s);
    if (s->pos < s->n)
        return json_scan_expected(s, "end of text after the value");
    scan_emit_run(s);
    return buf_ok(s->out, "rewritten JSON", s->e);
}

struct json *
json_parse(const char *text, size_t n, unsigned flags, struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(SCAN_OUT_MAX(n));
    const struct parse_source from = {text, flags};
    struct json_scan s = {.text = text, .n = n, .out = &out, .e = e};
    cJSON *root;

    if (n > INT_MAX / 4) { /* cJSON and valueint count with int */
        err_set(e, ERR_INVALID, "a JSON text of %zu bytes is too large", n);
        return NULL;
    }
    if (scan_whole(&s) < 0)
        return NULL;
    root = cJSON_ParseWithLength(out.p, out.len + 1);
    if (!root) { /* the text was checked, so it can be nothing else */
        err_set(e, ERR_NOMEM, "out of memory for %zu values of JSON", s.values);
        return NULL;
    }
    if (settle(root, &from, e) < 0) {
        cJSON_Delete(root);
        return NULL;
    }
    return (struct json *)root;
}

void
json_free(struct json *root)
{
    cJSON_Delete((cJSON *)root);
}

size_t
json_span_reached(const char *text, size_t n, size_t *reached, struct err *e)
{
    struct json_scan s = {.text = text, .n = n, .e = e};
    int rc = json_scan_value(&s);

    *reached = s.pos;
    return rc < 0 ? 0 : s.pos;
}

size_t
json_span(const char *text, size_t n, struct err *e)
{
    return json_span_reached(text, n, &(size_t){0}, e);
}

static bool
begins_object(const char *p, size_t n)
{
    size_t i = 1;

    while (i < n &&
           (p[i] == ' ' || p[i] == '\t' || p[i] == '\n' || p[i] == '\r'))
        i++;
    return i < n && (p[i] == '"' || p[i] == '}');
}

/* Only one brace looks at each blank, so that this is linear. */
size_t
json_find_object(const char *text, size_t from, size_t n)
{
    for (size_t i = from; i < n; i++) {
        if (text[i] == '{' && begins_object(text + i, n - i))
            return i;
    }
    return n;
}

struct json *
json_of_strings(const char *const *list, size_t max)
{
    CLEANUP_BUF struct buf text = buf_of(max);
    struct json_writer w;

    json_write_init(&w, &text);
    json_open_array(&w);
    for (; *list; list++)
        json_put_str(&w, *list);
    json_close_array(&w);
    return text.bad ? NULL : json_parse(text.p, text.len, 0, NULL);
}
