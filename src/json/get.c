/* SPDX-License-Identifier: GPL-3.0-or-later */
/* get.c - looking into a tree. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json/node.h"

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
    d = json_number_read(digits);
    if (!isfinite(d))
        return false;
    *out = d;
    return true;
}

const char *
json_get_str(const struct json *object, const char *name)
{
    size_t len;
    const char *s = json_str(json_get(object, name), &len);

    return s && strlen(s) == len ? s : NULL;
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
