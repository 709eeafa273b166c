/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema_dialect.c - writes a JSON Schema in the subset that a provider takes.
 */
#include "model/provider/schema_dialect.h"

#include <string.h>

#define DEPTH_MAX 32 /* deeper schemas, such as recursive ones, become {} */

struct schema_writer {
    struct json_writer *w;
    const struct json *root; /* where references are looked up */
    unsigned flags;
    int depth;
};

static void put_schema(struct schema_writer *v, const struct json *s,
                       bool null);

static const char *
member_name(const struct json *member)
{
    return json_name(member, NULL);
}

/* Resolves a reference "#/definitions/NAME" or "#/$defs/NAME"; else s itself.
 */
static const struct json *
resolve_reference(const struct schema_writer *v, const struct json *s)
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

/* Whether strict mode makes this optional property nullable. */
static bool
becomes_nullable(const struct schema_writer *v, const struct json *s,
                 const struct json *property)
{
    const char *type = json_get_str(resolve_reference(v, property), "type");

    return (v->flags & SCHEMA_DIALECT_STRICT) &&
           !is_required(s, member_name(property)) &&
           !json_get(property, "default") &&
           !(type && strcmp(type, "array") == 0);
}

static void
put_properties(struct schema_writer *v, const struct json *s,
               const struct json *properties)
{
    const struct json *p;

    json_open_object(v->w);
    for (p = json_first(properties); p; p = json_next(p)) {
        json_key(v->w, member_name(p));
        put_schema(v, p, becomes_nullable(v, s, p));
    }
    json_close_object(v->w);
    if (v->flags & SCHEMA_DIALECT_STRICT) {
        json_key(v->w, "required");
        json_open_array(v->w);
        for (p = json_first(properties); p; p = json_next(p))
            json_put_str(v->w, member_name(p));
        json_close_array(v->w);
    }
    if (v->flags & (SCHEMA_DIALECT_STRICT | SCHEMA_DIALECT_CLOSED))
        json_member_bool(v->w, "additionalProperties", false);
}

/* Removes "object" from a list of types when the schema has no properties: a
 * decoder that closes every object would allow only an empty one. */
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

/* Removes "null" from a list of two types. */
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
put_type(struct schema_writer *v, const struct json *s, const struct json *type,
         bool null)
{
    if (v->flags & SCHEMA_DIALECT_ONE_TYPE)
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
put_enum(struct schema_writer *v, const struct json *list, bool null)
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
put_list(struct schema_writer *v, const struct json *list)
{
    const struct json *item;

    json_open_array(v->w);
    for (item = json_first(list); item; item = json_next(item))
        put_schema(v, item, false);
    json_close_array(v->w);
}

/* Writes the members that every decoder supports; the others are left out. */
static void
put_member(struct schema_writer *v, const struct json *s, const struct json *m,
           bool null)
{
    const char *name = member_name(m);

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
    } else if (strcmp(name, "required") == 0 &&
               !(v->flags & SCHEMA_DIALECT_STRICT)) {
        json_key(v->w, name);
        json_put_value(v->w, m);
    }
}

static void
put_schema(struct schema_writer *v, const struct json *s, bool null)
{
    const struct json *m;

    json_open_object(v->w);
    if (v->depth < DEPTH_MAX) {
        v->depth++;
        s = resolve_reference(v, s);
        for (m = json_first(s); m; m = json_next(m))
            put_member(v, s, m, null);
        v->depth--;
    }
    json_close_object(v->w);
}

void
schema_dialect_write(struct json_writer *w, const struct json *schema,
                     unsigned flags)
{
    struct schema_writer v = {.w = w, .root = schema, .flags = flags};

    put_schema(&v, schema, false);
}
