/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse.c - text to tree: checked, parsed by cJSON, marks undone. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "json/aside.h"
#include "json/node.h"
#include "json/scan.h"

/* Turns the marks of scan.h back into the characters they stand for and
 * returns the length, which strlen cannot tell. */
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

/* What a tree is made of: a text, and how to take duplicate names. */
struct source {
    const char *text;
    unsigned flags;
};

/* Reads a long string from where it was left. */
static int
take_aside(cJSON *v, const struct source *from, struct err *e)
{
    char *digits = v->valuestring + 2;
    size_t at = strtoull(digits, &digits, 10);
    size_t n = strtoull(digits, NULL, 10);
    char *own = cJSON_malloc(n + 1);

    if (!own)
        return err_set(e, ERR_NOMEM, "out of memory for %zu bytes of JSON", n);
    v->valuedouble = (double)aside_read(own, from->text + at, n);
    cJSON_free(v->valuestring);
    v->valuestring = own;
    return 0;
}

static int
settle_string(cJSON *v, const struct source *from, struct err *e)
{
    char *s = v->valuestring;
    size_t len;

    if (s[0] == SCAN_MARK && s[1] == SCAN_MARK_ASIDE)
        return take_aside(v, from, e);
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

/* The depth is bounded by the scanner. */
static int
settle(cJSON *v, const struct source *from, struct err *e)
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
    return cJSON_IsObject(v) ? json_node_unique(v, from->flags, e) : 0;
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
    const struct source from = {text, flags};
    struct json_scan s = {.text = text, .n = n, .out = &out, .e = e};
    cJSON *root;

    if (n > INT_MAX / 4) { /* cJSON and valueint count with int */
        err_set(e, ERR_INVALID, "a JSON text of %zu bytes is too large", n);
        return NULL;
    }
    if (scan_whole(&s) < 0)
        return NULL;
    root = cJSON_ParseWithLength(out.p, out.len + 1);
    if (!root) { /* it was checked, so nothing else is left */
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
