/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema_dialect.c - writes a JSON Schema in the subset that a provider takes.
 */
#include "model/provider/schema_dialect.h"
#include "json/schema.h"

#include <string.h>

#define DEPTH_MAX 32    /* deeper schemas, such as recursive ones, become {} */
#define ITEMS_MAX 100   /* longer lists would make a grammar large */
#define RANGE_MAX 65536 /* greater numbers are no bounds to a model */

struct schema_writer {
    struct json_writer *w;
    const struct json *root; /* where references are looked up */
    unsigned flags;
    int depth;
    const struct json *open[DEPTH_MAX]; /* what is being written, by depth */
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

/* Whether strict mode makes this optional property nullable. */
static bool
becomes_nullable(const struct schema_writer *v, const struct json *s,
                 const struct json *property)
{
    const char *type = json_get_str(resolve_reference(v, property), "type");

    return (v->flags & SCHEMA_DIALECT_STRICT) &&
           !json_schema_requires(s, member_name(property)) &&
           !json_get(property, "default") &&
           !(type && strcmp(type, "array") == 0);
}

static void
put_closed(struct schema_writer *v)
{
    if (v->flags & (SCHEMA_DIALECT_STRICT | SCHEMA_DIALECT_CLOSED))
        json_member_bool(v->w, "additionalProperties", false);
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
    put_closed(v);
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

static void
put_const(struct schema_writer *v, const struct json *value)
{
    bool list = v->flags & SCHEMA_DIALECT_ENUM;

    json_key(v->w, list ? "enum" : "const");
    if (list)
        json_open_array(v->w);
    json_put_value(v->w, value);
    if (list)
        json_close_array(v->w);
}

/* Whether a pattern is a whole one of letters, sets and repeats, which all
 * decoders read alike. */
static bool
is_plain_pattern(const struct json *m)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                " _:@/,.+*?[]-";
    size_t n;
    const char *p = json_str(m, &n);

    return p && n > 2 && p[0] == '^' && p[n - 1] == '$' &&
           strspn(p + 1, plain) == n - 2;
}

/* A list that must hold something is what every decoder but OpenAI's strict
 * mode can demand: there a list is required even where it has to be empty. */
static bool
is_kept_bound(const struct schema_writer *v, const char *name,
              const struct json *m)
{
    int64_t n = 0;
    bool one = json_int(m, &n) && n == 1;

    if (strcmp(name, "minItems") == 0)
        return one && !(v->flags & SCHEMA_DIALECT_STRICT);
    if (strcmp(name, "minimum") == 0 || strcmp(name, "maximum") == 0)
        return (v->flags & SCHEMA_DIALECT_RANGES) && json_int(m, &n) &&
               n >= -RANGE_MAX && n <= RANGE_MAX;
    if (!(v->flags & SCHEMA_DIALECT_BOUNDS))
        return false;
    if (strcmp(name, "pattern") == 0)
        return is_plain_pattern(m);
    return (strcmp(name, "minLength") == 0 && one) ||
           (strcmp(name, "maxItems") == 0 && n <= ITEMS_MAX);
}

static bool
is_kept_words(const struct schema_writer *v, const char *name)
{
    return strcmp(name, "description") == 0 &&
           !(v->flags & SCHEMA_DIALECT_TERSE);
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
    } else if (strcmp(name, "const") == 0) {
        put_const(v, m);
    } else if (is_kept_words(v, name) || is_kept_bound(v, name, m)) {
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

/* Whether these are objects that can become one. */
static bool
are_objects(const struct schema_writer *v, const struct json *list)
{
    const struct json *item = json_first(list);

    for (; item; item = json_next(item)) {
        if (!json_get(resolve_reference(v, item), "properties"))
            return false;
    }
    return json_count(list) > 0;
}

/* The property of this name in one of the objects; NULL: it has none. */
static const struct json *
property_of(const struct schema_writer *v, const struct json *object,
            const char *name)
{
    return json_get(json_get(resolve_reference(v, object), "properties"), name);
}

static bool
all_require(const struct schema_writer *v, const struct json *list,
            const char *name)
{
    const struct json *item = json_first(list);

    for (; item; item = json_next(item)) {
        if (!json_schema_requires(resolve_reference(v, item), name))
            return false;
    }
    return true;
}

/* The words that a property allows: its constant or its enum. */
static const struct json *
first_word(const struct json *property)
{
    const struct json *word = json_get(property, "const");

    return word ? word : json_first(json_get(property, "enum"));
}

static const struct json *
next_word(const struct json *property, const struct json *word)
{
    return json_get(property, "const") ? NULL : json_next(word);
}

/* Whether the same word was allowed by this name before `until`. */
static bool
is_word_of_earlier(const struct schema_writer *v, const struct json *list,
                   const char *name, const struct json *until)
{
    const struct json *item = json_first(list), *p, *word;

    for (; item; item = json_next(item)) {
        p = property_of(v, item, name);
        for (word = first_word(p); word; word = next_word(p, word)) {
            if (word == until)
                return false;
            if (json_equal(word, until))
                return true;
        }
    }
    return false;
}

/* Writes the property that has words in each object, with the words of all. */
static void
put_all_words(struct schema_writer *v, const struct json *list,
              const char *name)
{
    const struct json *item = json_first(list), *p, *word;

    json_open_object(v->w);
    json_member_str(v->w, "type", "string");
    json_key(v->w, "enum");
    json_open_array(v->w);
    for (; item; item = json_next(item)) {
        p = property_of(v, item, name);
        for (word = first_word(p); word; word = next_word(p, word)) {
            if (!is_word_of_earlier(v, list, name, word))
                json_put_value(v->w, word);
        }
    }
    json_close_array(v->w);
    json_close_object(v->w);
}

/* Whether the property is an object that is not the same in each object. */
static bool
differs(const struct schema_writer *v, const struct json *list,
        const struct json *first)
{
    const struct json *item = json_first(list);
    const char *type = json_get_str(first, "type");
    bool object = type && strcmp(type, "object") == 0;

    for (; object && item; item = json_next(item)) {
        const struct json *p = property_of(v, item, member_name(first));

        if (p && !json_equal(p, first))
            return true;
    }
    return false;
}

/* A property that only some of the objects have is no constant of all: the
 * prompt says what it may be, and a plain string is short. */
static void
put_flat_property(struct schema_writer *v, const struct json *list,
                  const struct json *p)
{
    static const char text[] = "{\"type\":\"string\"}";
    CLEANUP(json_free_p) struct json *string = NULL;
    const char *name = member_name(p), *type = json_get_str(p, "type");
    bool all = all_require(v, list, name);
    bool null = (v->flags & SCHEMA_DIALECT_STRICT) && !all &&
                !(type && strcmp(type, "array") == 0);

    json_key(v->w, name);
    if (all && first_word(p)) {
        put_all_words(v, list, name);
        return;
    }
    if (first_word(p) || differs(v, list, p))
        p = string = json_parse(text, strlen(text), 0, NULL);
    put_schema(v, p, null);
}

/* Calls put for the first property of each name. */
static void
for_each_name(struct schema_writer *v, const struct json *list,
              void (*put)(struct schema_writer *v, const struct json *list,
                          const struct json *p))
{
    const struct json *item = json_first(list), *p, *before;

    for (; item; item = json_next(item)) {
        p = json_first(json_get(resolve_reference(v, item), "properties"));
        for (; p; p = json_next(p)) {
            before = json_first(list);
            while (before != item && !property_of(v, before, member_name(p)))
                before = json_next(before);
            if (before == item)
                put(v, list, p);
        }
    }
}

static void
put_required_name(struct schema_writer *v, const struct json *list,
                  const struct json *p)
{
    if ((v->flags & SCHEMA_DIALECT_STRICT) ||
        all_require(v, list, member_name(p)))
        json_put_str(v->w, member_name(p));
}

/* Writes the objects of a list as one. */
static void
put_flat(struct schema_writer *v, const struct json *list)
{
    json_member_str(v->w, "type", "object");
    json_key(v->w, "properties");
    json_open_object(v->w);
    for_each_name(v, list, put_flat_property);
    json_close_object(v->w);
    json_key(v->w, "required");
    json_open_array(v->w);
    for_each_name(v, list, put_required_name);
    json_close_array(v->w);
    put_closed(v);
}

/* Whether this anyOf is written as one object. */
static bool
is_flattened(const struct schema_writer *v, const struct json *list)
{
    unsigned flag = v->depth == 1 ? SCHEMA_DIALECT_FLAT_ROOT
                                  : SCHEMA_DIALECT_FLAT;

    return list && (v->flags & flag) && are_objects(v, list);
}

/* Whether s is written into itself: a definition that refers to itself. */
static bool
is_open(const struct schema_writer *v, const struct json *s)
{
    for (int i = 0; i < v->depth; i++) {
        if (v->open[i] == s)
            return true;
    }
    return false;
}

/* Each reference is written out. One to what is being written becomes {}, and
 * nothing more is written once there is no room: a schema of a server could
 * grow with each level otherwise. */
static void
put_schema(struct schema_writer *v, const struct json *s, bool null)
{
    const struct json *m, *list;

    json_open_object(v->w);
    s = resolve_reference(v, s);
    if (v->depth < DEPTH_MAX && !v->w->out->bad && !is_open(v, s)) {
        v->open[v->depth++] = s;
        list = json_get(s, "anyOf");
        if (is_flattened(v, list))
            put_flat(v, list);
        else
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
