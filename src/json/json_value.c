/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_value.c - looks into a tree: types, members, numbers, equality. */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json/node.h"

/* Conversion of numbers, whatever the locale. */

/* The person's locale may have a decimal comma. In glibc the "C" locale is a
 * static object, so this costs no allocation. */
static locale_t
enter_c_locale(locale_t *old)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);

    *old = uselocale(c);
    return c;
}

static void
leave_c_locale(locale_t c, locale_t old)
{
    uselocale(old);
    if (c)
        freelocale(c);
}

/* A number's digits as a double, whatever the locale; may be infinite. */
static double
digits_to_double(const char *digits)
{
    locale_t old, c = enter_c_locale(&old);
    double d = strtod(digits, NULL);

    leave_c_locale(c, old);
    return d;
}

void
json_number_print(double d, char text[JSON_NUMBER_SIZE])
{
    locale_t old, c = enter_c_locale(&old);

    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, JSON_NUMBER_SIZE, "%.*g", digits, d);
        if (strtod(text, NULL) == d)
            break;
    }
    leave_c_locale(c, old);
}

/* Access to values. */

enum json_type
json_type(const struct json *v)
{
    switch (v ? json_node(v)->type & 0xFF : cJSON_NULL) {
    case cJSON_True:
    case cJSON_False:
        return JSON_BOOL;
    case cJSON_Number:
        return JSON_NUMBER;
    case cJSON_String:
        return JSON_STRING;
    case cJSON_Array:
        return JSON_ARRAY;
    case cJSON_Object:
        return JSON_OBJECT;
    default:
        return JSON_NULL;
    }
}

const struct json *
json_get(const struct json *object, const char *name)
{
    size_t len = strlen(name);

    if (json_type(object) != JSON_OBJECT)
        return NULL;
    for (const cJSON *c = json_node(object)->child; c; c = c->next) {
        if ((size_t)c->valueint == len && memcmp(c->string, name, len) == 0)
            return json_of(c);
    }
    return NULL;
}

const struct json *
json_at(const struct json *array, size_t i)
{
    const cJSON *c;

    if (json_type(array) != JSON_ARRAY)
        return NULL;
    c = json_node(array)->child;
    while (c && i-- > 0)
        c = c->next;
    return json_of(c);
}

size_t
json_count(const struct json *v)
{
    enum json_type t = json_type(v);

    if (t != JSON_ARRAY && t != JSON_OBJECT)
        return 0;
    return json_node_len(json_node(v));
}

static const char *
text_of(const struct json *v, enum json_type t, size_t *len)
{
    if (json_type(v) != t)
        return NULL;
    if (len)
        *len = json_node_len(json_node(v));
    return json_node(v)->valuestring;
}

const char *
json_str(const struct json *v, size_t *len)
{
    return text_of(v, JSON_STRING, len);
}

const char *
json_digits(const struct json *v, size_t *len)
{
    return text_of(v, JSON_NUMBER, len);
}

bool
json_bool(const struct json *v, bool *out)
{
    if (json_type(v) != JSON_BOOL)
        return false;
    *out = cJSON_IsTrue(json_node(v));
    return true;
}

bool
json_int(const struct json *v, int64_t *out)
{
    const char *digits = json_digits(v, NULL);
    int sys = errno;
    long long whole;
    bool fits;

    if (!digits || strpbrk(digits, ".eE"))
        return false;
    errno = 0;
    whole = strtoll(digits, NULL, 10);
    fits = errno == 0;
    errno = sys;
    if (fits)
        *out = whole;
    return fits;
}

bool
json_num(const struct json *v, double *out)
{
    const char *digits = json_digits(v, NULL);
    double d;

    if (!digits)
        return false;
    d = digits_to_double(digits);
    if (!isfinite(d))
        return false;
    *out = d;
    return true;
}

const char *
json_text(const struct json *v)
{
    size_t len;
    const char *s = json_str(v, &len);

    return s && strlen(s) == len ? s : NULL;
}

const char *
json_get_str(const struct json *object, const char *name)
{
    return json_text(json_get(object, name));
}

const struct json *
json_first(const struct json *v)
{
    enum json_type t = json_type(v);

    if (t != JSON_ARRAY && t != JSON_OBJECT)
        return NULL;
    return json_of(json_node(v)->child);
}

const struct json *
json_next(const struct json *child)
{
    return child ? json_of(json_node(child)->next) : NULL;
}

const char *
json_name(const struct json *member, size_t *len)
{
    if (!member || !json_node(member)->string)
        return NULL;
    if (len)
        *len = (size_t)json_node(member)->valueint;
    return json_node(member)->string;
}

/* Comparison of values. */

int
json_node_compare_names(const cJSON *a, const cJSON *b)
{
    if (a->valueint != b->valueint)
        return a->valueint < b->valueint ? -1 : 1;
    return memcmp(a->string, b->string, (size_t)a->valueint);
}

static bool
same_text(const char *a, size_t na, const char *b, size_t nb)
{
    return na == nb && memcmp(a, b, na) == 0;
}

static bool
same_number(const struct json *a, const struct json *b)
{
    size_t na = 0, nb = 0;
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
    size_t na = 0, nb = 0;
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
    default: /* null: both are false */
        json_bool(a, &ta);
        json_bool(b, &tb);
        return ta == tb;
    }
}
