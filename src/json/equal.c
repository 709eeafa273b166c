/* SPDX-License-Identifier: GPL-3.0-or-later */
/* equal.c - whether two values are the same. */
#include <string.h>

#include "json/node.h"
#include "json/rule.h"

static bool
same_text(const char *a, size_t na, const char *b, size_t nb)
{
    return na == nb && memcmp(a, b, na) == 0;
}

static bool
same_number(const struct json *a, const struct json *b)
{
    size_t na, nb;
    const char *sa = json_digits(a, &na), *sb = json_digits(b, &nb);
    int64_t ia, ib;
    double da, db;

    if (same_text(sa, na, sb, nb))
        return true;
    if (json_int(a, &ia) && json_int(b, &ib))
        return ia == ib;
    return json_num(a, &da) && json_num(b, &db) && da == db;
}

static bool
same_array(const struct json *a, const struct json *b)
{
    const struct json *x = json_first(a), *y = json_first(b);

    for (; x && y; x = json_next(x), y = json_next(y)) {
        if (!json_equal(x, y))
            return false;
    }
    return !x && !y;
}

const struct json *
json_member_like(const struct json *object, const struct json *member)
{
    const struct json *c = json_first(object);

    while (c && json_node_compare_names(json_node(c), json_node(member)) != 0)
        c = json_next(c);
    return c;
}

static bool
same_object(const struct json *a, const struct json *b)
{
    if (json_count(a) != json_count(b))
        return false;
    for (const struct json *c = json_first(a); c; c = json_next(c)) {
        const struct json *other = json_member_like(b, c);

        if (!other || !json_equal(c, other))
            return false;
    }
    return true;
}

bool
json_equal(const struct json *a, const struct json *b)
{
    size_t na, nb;
    const char *sa = json_str(a, &na), *sb = json_str(b, &nb);
    bool ta = false, tb = false;

    if (json_type(a) != json_type(b))
        return false;
    switch (json_type(a)) {
    case JSON_STRING:
        return same_text(sa, na, sb, nb);
    case JSON_NUMBER:
        return same_number(a, b);
    case JSON_ARRAY:
        return same_array(a, b);
    case JSON_OBJECT:
        return same_object(a, b);
    default: /* null is false twice */
        json_bool(a, &ta);
        json_bool(b, &tb);
        return ta == tb;
    }
}
