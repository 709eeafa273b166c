/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variant.c - writes a JSON Schema as providers take it. */
#include "model/variant.h"

#include <string.h>

#define DEPTH_MAX 32 /* a schema that refers to itself ends here, as {} */

struct variant {
    struct json_writer *w;
    const struct json *root; /* where references are looked up */
    unsigned flags;
    int depth;
};

static void put_schema(struct variant *v, const struct json *s, bool null);

static const char *
name_of(const struct json *member)
{
    return json_name(member, NULL);
}

/* What "#/definitions/NAME" or "#/$defs/NAME" stands for; else s itself. */
static const struct json *
resolve(const struct variant *v, const struct json *s)
{
    static const char *const homes[] = {"definitions", "$defs"};
    const char *ref = json_get_str(s, "$ref");

    for (size_t i = 0; ref && i < 2; i++) {
        size_t n = strlen(homes[i]);

        if (strncmp(ref, "#/", 2) == 0 && strncmp(ref + 2, homes[i], n) == 0 &&
            ref[2 + n] == '/')
            return json_get(json_get(v->root, homes[i]), ref + 3 + n);
    }
    return s;
}

static bool
is_required(const struct json *s, const char *name)
{
    const struct json *r;

    for (r = json_first(json_get(s, "required")); r; r = json_next(r)) {
        const char *word = json_str(r, NULL);

        if (word && strcmp(word, name) == 0)
            return true;
    }
    return false;
}

/* Whether strict mode makes this optional property one that may be null. */
static bool
becomes_nullable(const struct variant *v, const struct json *s,
                 const struct json *property)
{
    const char *type = json_get_str(resolve(v, property), "type");

    return (v->flags & VARIANT_STRICT) && !is_required(s, name_of(property)) &&
           !json_get(property, "default") &&
           !(type && strcmp(type, "array") == 0);
}

static void
put_properties(struct variant *v, const struct json *s,
               const struct json *properties)
{
    const struct json *p;

    json_open_object(v->w);
    for (p = json_first(properties); p; p = json_next(p)) {
        json_key(v->w, name_of(p));
        put_schema(v, p, becomes_nullable(v, s, p));
    }
    json_close_object(v->w);
    if (v->flags & VARIANT_STRICT) {
        json_key(v->w, "required");
        json_open_array(v->w);
        for (p = json_first(properties); p; p = json_next(p))
            json_put_str(v->w, name_of(p));
        json_close_array(v->w);
    }
    if (v->flags & (VARIANT_STRICT | VARIANT_CLOSED))
        json_member_bool(v->w, "additionalProperties", false);
}

/* Of several types without the object whose members nobody knows: a decoder
 * that must close every object would close it empty. */
static const struct json *
without_open_object(const struct json *s, const struct json *type)
{
    const struct json *one, *left = NULL;

    if (json_type(type) != JSON_ARRAY || json_get(s, "properties"))
        return type;
    for (one = json_first(type); one; one = json_next(one)) {
        const char *word = json_str(one, NULL);

        if (word && strcmp(word, "object") == 0)
            continue;
        if (left)
            return type;
        left = one;
    }
    return left ? left : type;
}

/* The type beside null in a list of two; else the type as it is. */
static const struct json *
without_null(const struct json *type)
{
    const struct json *other = json_at(type, 0);
    const char *word = json_str(other, NULL);

    if (json_type(type) != JSON_ARRAY || json_count(type) != 2)
        return type;
    if (word && strcmp(word, "null") == 0)
        return json_at(type, 1);
    word = json_str(json_at(type, 1), NULL);
    return word && strcmp(word, "null") == 0 ? other : type;
}

static void
put_type(struct variant *v, const struct json *s, const struct json *type,
         bool null)
{
    if (v->flags & VARIANT_ONE_TYPE)
        type = without_null(type);
    type = without_open_object(s, type);
    if (!null || json_type(type) != JSON_STRING) {
        json_put_value(v->w, type);
        return;
    }
    json_open_array(v->w);
    json_put_value(v->w, type);
    json_put_str(v->w, "null");
    json_close_array(v->w);
}

static void
put_enum(struct variant *v, const struct json *list, bool null)
{
    const struct json *item;

    json_open_array(v->w);
    for (item = json_first(list); item; item = json_next(item))
        json_put_value(v->w, item);
    if (null)
        json_put_null(v->w);
    json_close_array(v->w);
}

static void
put_list(struct variant *v, const struct json *list)
{
    const struct json *item;

    json_open_array(v->w);
    for (item = json_first(list); item; item = json_next(item))
        put_schema(v, item, false);
    json_close_array(v->w);
}

/* Members that every decoder knows; the rest is left out. */
static void
put_member(struct variant *v, const struct json *s, const struct json *m,
           bool null)
{
    const char *name = name_of(m);

    if (strcmp(name, "type") == 0) {
        json_key(v->w, name);
        put_type(v, s, m, null);
    } else if (strcmp(name, "enum") == 0) {
        json_key(v->w, name);
        put_enum(v, m, null);
    } else if (strcmp(name, "description") == 0 || strcmp(name, "const") == 0) {
        json_key(v->w, name);
        json_put_value(v->w, m);
    } else if (strcmp(name, "items") == 0) {
        json_key(v->w, name);
        put_schema(v, m, false);
    } else if (strcmp(name, "anyOf") == 0) {
        json_key(v->w, name);
        put_list(v, m);
    } else if (strcmp(name, "properties") == 0) {
        json_key(v->w, name);
        put_properties(v, s, m);
    } else if (strcmp(name, "required") == 0 && !(v->flags & VARIANT_STRICT)) {
        json_key(v->w, name);
        json_put_value(v->w, m);
    }
}

static void
put_schema(struct variant *v, const struct json *s, bool null)
{
    const struct json *m;

    json_open_object(v->w);
    if (v->depth < DEPTH_MAX) {
        v->depth++;
        s = resolve(v, s);
        for (m = json_first(s); m; m = json_next(m))
            put_member(v, s, m, null);
        v->depth--;
    }
    json_close_object(v->w);
}

void
variant_write(struct json_writer *w, const struct json *schema, unsigned flags)
{
    struct variant v = {.w = w, .root = schema, .flags = flags};

    put_schema(&v, schema, false);
}
