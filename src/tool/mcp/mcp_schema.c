/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_schema.c - simplifies the schema of an MCP server's tool. */
#include "tool/mcp/mcp_schema.h"

#include <string.h>

#include "base/array.h"
#include "json/schema.h"

#define DEPTH_MAX 32 /* nested schemas; a deeper one accepts anything */

/* How the value of a keyword is copied. */
enum part {
    PART_TEXT,    /* as it is: an annotation */
    PART_RULE,    /* as it is, if it is valid by itself */
    PART_SCHEMA,  /* a schema */
    PART_SCHEMAS, /* an object of schemas */
    PART_FORMS,   /* a list of schemas */
    PART_REF,
};

static const struct keyword {
    const char *name, *as;
    enum part part;
} keywords[] = {
    {"title", "title", PART_TEXT},
    {"description", "description", PART_TEXT},
    {"default", "default", PART_TEXT},
    {"type", "type", PART_RULE},
    {"enum", "enum", PART_RULE},
    {"const", "const", PART_RULE},
    {"required", "required", PART_RULE},
    {"minItems", "minItems", PART_RULE},
    {"maxItems", "maxItems", PART_RULE},
    {"minLength", "minLength", PART_RULE},
    {"maxLength", "maxLength", PART_RULE},
    {"minimum", "minimum", PART_RULE},
    {"maximum", "maximum", PART_RULE},
    {"properties", "properties", PART_SCHEMAS},
    {"additionalProperties", "additionalProperties", PART_SCHEMA},
    {"items", "items", PART_SCHEMA},
    /* each form accepts more than before, so that several may match */
    {"anyOf", "anyOf", PART_FORMS},
    {"oneOf", "anyOf", PART_FORMS},
    {"$ref", "$ref", PART_REF},
    {"$defs", "definitions", PART_SCHEMAS},
    {"definitions", "definitions", PART_SCHEMAS},
};

static void put_copied_schema(struct json_writer *w, const struct json *schema,
                              const struct json *root, int depth);

static bool
loads_alone(const char *name, const struct json *arg)
{
    CLEANUP_BUF struct buf text = buf_of(1u << 20);
    CLEANUP(json_free_p) struct json *tried = NULL;
    CLEANUP(json_schema_free_p) struct json_schema *s = NULL;
    struct json_writer w;

    json_write_init(&w, &text);
    json_open_object(&w);
    json_key(&w, name);
    json_put_value(&w, arg);
    json_close_object(&w);
    tried = json_parse(text.p, text.len, 0, NULL);
    s = tried ? json_schema_new(tried, NULL) : NULL;
    return s != NULL;
}

/* The name in a $ref that can be copied: plain, and defined at the root. */
static const char *
referenced_name(const struct json *arg, const struct json *root)
{
    static const char *const places[] = {"#/$defs/", "#/definitions/"};
    static const char *const members[] = {"$defs", "definitions"};
    const char *ref = json_str(arg, NULL);

    for (int i = 0; ref && i < 2; i++) {
        size_t n = strlen(places[i]);

        if (strncmp(ref, places[i], n) == 0 && !strpbrk(ref + n, "/~%") &&
            json_get(json_get(root, members[i]), ref + n))
            return ref + n;
    }
    return NULL;
}

static void
put_schemas(struct json_writer *w, const struct json *all,
            const struct json *root, int depth)
{
    json_open_object(w);
    for (const struct json *v = json_first(all); v; v = json_next(v)) {
        size_t n;
        const char *name = json_name(v, &n);

        json_keyn(w, name, n);
        put_copied_schema(w, v, root, depth);
    }
    json_close_object(w);
}

static void
put_ref(struct json_writer *w, const char *name)
{
    CLEANUP_BUF struct buf text = buf_of(4096);

    buf_printf(&text, "#/definitions/%s", name);
    json_put_str(w, text.p);
}

/* Whether the value can be copied. */
static bool
can_copy(const struct keyword *k, const struct json *arg,
         const struct json *root)
{
    switch (k->part) {
    case PART_TEXT:
        return true;
    case PART_RULE:
        return loads_alone(k->name, arg);
    case PART_SCHEMA:
        return json_type(arg) == JSON_BOOL || json_type(arg) == JSON_OBJECT;
    case PART_SCHEMAS:
        return json_type(arg) == JSON_OBJECT;
    case PART_FORMS:
        return json_type(arg) == JSON_ARRAY && json_count(arg) > 0;
    case PART_REF:
        return referenced_name(arg, root) != NULL;
    }
    return false;
}

static void
put_keyword_argument(struct json_writer *w, const struct keyword *k,
                     const struct json *arg, const struct json *root, int depth)
{
    json_key(w, k->as);
    switch (k->part) {
    case PART_TEXT:
    case PART_RULE:
        json_put_value(w, arg);
        break;
    case PART_SCHEMA:
        put_copied_schema(w, arg, root, depth);
        break;
    case PART_SCHEMAS:
        put_schemas(w, arg, root, depth);
        break;
    case PART_FORMS:
        json_open_array(w);
        for (const struct json *v = json_first(arg); v; v = json_next(v))
            put_copied_schema(w, v, root, depth);
        json_close_array(w);
        break;
    case PART_REF:
        put_ref(w, referenced_name(arg, root));
        break;
    }
}

/* Whether a keyword that is left out may define other members. */
static bool
may_be_left_open(const struct json *schema, const struct keyword *k)
{
    return strcmp(k->name, "additionalProperties") == 0 &&
           json_get(schema, "patternProperties");
}

/* Whether an earlier keyword was copied under the same name. */
static bool
is_keyword_taken(const struct json *schema, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (strcmp(keywords[j].as, keywords[i].as) == 0 &&
            json_get(schema, keywords[j].name))
            return true;
    return false;
}

static void
put_copied_schema(struct json_writer *w, const struct json *schema,
                  const struct json *root, int depth)
{
    if (json_type(schema) == JSON_BOOL) {
        json_put_value(w, schema);
        return;
    }
    json_open_object(w);
    for (size_t i = 0; depth < DEPTH_MAX && i < ARRAY_SIZE(keywords); i++) {
        const struct keyword *k = &keywords[i];
        const struct json *arg = json_get(schema, k->name);

        if (arg && can_copy(k, arg, root) && !is_keyword_taken(schema, i) &&
            !may_be_left_open(schema, k))
            put_keyword_argument(w, k, arg, root, depth + 1);
    }
    json_close_object(w);
}

void
mcp_schema_write(struct json_writer *w, const struct json *schema)
{
    const char *type = json_get_str(schema, "type");

    if (type && strcmp(type, "object") == 0) {
        put_copied_schema(w, schema, schema, 0);
        return;
    }
    json_open_object(w);
    json_member_str(w, "type", "object");
    json_close_object(w);
}
