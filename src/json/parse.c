/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse.c - text to tree, and how far a value reaches. */
#include <limits.h>

#include "json/scan.h"

/* Looks for duplicate names; the depth is bounded by the scanner. */
static int
settle(struct json *v, unsigned flags, struct err *e)
{
    for (struct json *c = v->first; c; c = c->next) {
        if (c->first && settle(c, flags, e) < 0)
            return -1;
    }
    return v->type == JSON_OBJECT ? json_node_unique(v, flags, e) : 0;
}

static int
scan_whole(struct json_scan *s)
{
    if (json_scan_value(s) < 0)
        return -1;
    json_scan_blanks(s);
    return s->pos < s->n ? json_scan_expected(s, "nothing after the value") : 0;
}

struct json *
json_parse(const char *text, size_t n, unsigned flags, struct err *e)
{
    CLEANUP(json_free_p) struct json *root = NULL;
    struct json_build build;
    struct json_scan s = {.text = text, .n = n, .build = &build, .e = e};
    int rc;

    if (n > INT_MAX / 4) { /* a name's length is kept as an unsigned */
        err_set(e, ERR_INVALID, "a JSON text of %zu bytes is too large", n);
        return NULL;
    }
    if (json_build_init(&build, n, e) < 0)
        return NULL;
    rc = scan_whole(&s);
    root = json_build_take(&build);
    return rc < 0 || settle(root, flags, e) < 0 ? NULL : TAKE_PTR(root);
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
