/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write_tree.c - writing what was read: compact and canonical.
 *
 * The recursion is as deep as the tree, which is JSON_DEPTH_MAX at most. */
#include <stdlib.h>
#include <string.h>

#include "json/node.h"
#include "json/write.h"

static void
put_scalar(struct json_writer *w, const struct json *v)
{
    size_t len = 0;
    const char *text;
    bool truth;

    if ((text = json_str(v, &len)) != NULL)
        json_put_strn(w, text, len);
    else if ((text = json_digits(v, &len)) != NULL)
        json_put_raw(w, text, len);
    else if (json_bool(v, &truth))
        json_put_bool(w, truth);
    else
        json_put_null(w);
}

static void
put_name(struct json_writer *w, const struct json *member)
{
    size_t len;
    const char *name = json_name(member, &len);

    json_keyn(w, name, len);
}

static void
put_object(struct json_writer *w, const struct json *object)
{
    json_open_object(w);
    for (const struct json *c = json_first(object); c; c = json_next(c)) {
        put_name(w, c);
        json_put_value(w, c);
    }
    json_close_object(w);
}

static void
put_array(struct json_writer *w, const struct json *array)
{
    json_open_array(w);
    for (const struct json *c = json_first(array); c; c = json_next(c))
        json_put_value(w, c);
    json_close_array(w);
}

void
json_put_value(struct json_writer *w, const struct json *v)
{
    if (json_type(v) == JSON_OBJECT)
        put_object(w, v);
    else if (json_type(v) == JSON_ARRAY)
        put_array(w, v);
    else
        put_scalar(w, v);
}

static int
by_bytes(const void *left, const void *right)
{
    const struct json *const *a = left, *const *b = right;
    size_t na, nb;
    const char *sa = json_name(*a, &na), *sb = json_name(*b, &nb);
    int order = memcmp(sa, sb, na < nb ? na : nb);

    if (order != 0)
        return order;
    return na < nb ? -1 : na > nb;
}

static void
put_sorted_object(struct json_writer *w, const struct json *object)
{
    size_t n = json_count(object), i = 0;
    CLEANUP(free_p) const struct json **all = calloc(n + 1, sizeof(*all));

    if (!all) {
        w->out->bad = true;
        return;
    }
    for (const struct json *c = json_first(object); c; c = json_next(c))
        all[i++] = c;
    qsort(all, n, sizeof(*all), by_bytes);
    json_open_object(w);
    for (i = 0; i < n; i++) {
        put_name(w, all[i]);
        json_put_canonical(w, all[i]);
    }
    json_close_object(w);
}

void
json_put_canonical(struct json_writer *w, const struct json *v)
{
    if (json_type(v) == JSON_OBJECT) {
        put_sorted_object(w, v);
        return;
    }
    if (json_type(v) != JSON_ARRAY) {
        put_scalar(w, v);
        return;
    }
    json_open_array(w);
    for (const struct json *c = json_first(v); c; c = json_next(c))
        json_put_canonical(w, c);
    json_close_array(w);
}
