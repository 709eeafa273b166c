/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sample.c - makes arguments from a schema: valid ones, and invalid ones. */
#include "tool/check/sample.h"

#include <string.h>

#include "json/write.h"

#define DEPTH_MAX 32   /* a schema may refer to itself */
#define FILL_MAX  4096 /* of a long text, or elements of a list */

struct sample {
    const struct manifest_action *action;
    const char *path;
    struct json_writer w;
};

/* A value that the schema gives: an example, a default, a constant. NULL:
 * none. */
static const struct json *
given_value(const struct json *schema)
{
    const struct json *v = json_first(json_get(schema, "examples"));

    if (!v)
        v = json_get(schema, "default");
    if (!v)
        v = json_get(schema, "const");
    return v ? v : json_first(json_get(schema, "enum"));
}

/* Follows a reference, "#/definitions/NAME". */
static const struct json *
resolve_sample(const struct sample *s, const struct json *schema)
{
    static const char place[] = "#/definitions/";
    const char *ref = json_get_str(schema, "$ref");

    if (!ref || strncmp(ref, place, sizeof(place) - 1) != 0)
        return schema;
    return json_get(json_get(s->action->args, "definitions"),
                    ref + sizeof(place) - 1);
}

/* The first type that is not null; without one a text will do. */
static const char *
sample_type(const struct json *schema)
{
    const struct json *v = json_get(schema, "type");
    const char *type = json_str(v, NULL);

    for (const struct json *c = json_first(v); c && !type; c = json_next(c)) {
        const char *one = json_str(c, NULL);

        if (one && strcmp(one, "null") != 0)
            type = one;
    }
    if (type)
        return type;
    return json_get(schema, "properties") ? "object" : "string";
}

static int64_t
sample_number(const struct json *schema, const char *name, int64_t fallback)
{
    int64_t v;

    return json_int(json_get(schema, name), &v) ? v : fallback;
}

static void
put_sample_text(struct sample *s, const struct json *schema)
{
    CLEANUP_BUF struct buf text = buf_of(FILL_MAX);
    int64_t n = sample_number(schema, "minLength", 1);

    for (int64_t i = 0; i < n && i < FILL_MAX; i++)
        buf_ch(&text, 'a');
    json_put_str(&s->w, text.p);
}

static void
put_sample_number(struct sample *s, const struct json *schema)
{
    int64_t max = sample_number(schema, "maximum", INT64_MAX);
    int64_t v = sample_number(schema, "minimum", max < 1 ? max : 1);

    json_put_int(&s->w, v);
}

static bool
names_a_path(const struct sample *s, const char *name)
{
    const char *const *lists[] = {s->action->reads, s->action->writes};

    for (size_t l = 0; l < 2; l++) {
        for (size_t i = 0; lists[l][i]; i++) {
            if (strcmp(lists[l][i], name) == 0)
                return true;
        }
    }
    return false;
}

static void
put_sample_path(struct sample *s, const struct json *schema)
{
    if (strcmp(sample_type(schema), "array") != 0) {
        json_put_str(&s->w, s->path);
        return;
    }
    json_open_array(&s->w);
    json_put_str(&s->w, s->path);
    json_close_array(&s->w);
}

static void put_value(struct sample *s, const struct json *schema, int depth);

static void
put_sample_object(struct sample *s, const struct json *schema, int depth,
                  bool is_args)
{
    const struct json *v = json_first(json_get(schema, "required"));

    json_open_object(&s->w);
    for (; v; v = json_next(v)) {
        const char *name = json_str(v, NULL);
        const struct json *member;

        if (!name)
            continue;
        member = json_get(json_get(schema, "properties"), name);
        json_key(&s->w, name);
        if (is_args && !given_value(member) && names_a_path(s, name))
            put_sample_path(s, member);
        else
            put_value(s, member, depth);
    }
    json_close_object(&s->w);
}

static void put_sample_list(struct sample *s, const struct json *schema,
                            int depth);

static void
put_typed(struct sample *s, const struct json *schema, int depth)
{
    const char *type = sample_type(schema);

    if (strcmp(type, "object") == 0)
        put_sample_object(s, schema, depth - 1, schema == s->action->args);
    else if (strcmp(type, "array") == 0)
        put_sample_list(s, schema, depth - 1);
    else if (strcmp(type, "integer") == 0 || strcmp(type, "number") == 0)
        put_sample_number(s, schema);
    else if (strcmp(type, "boolean") == 0)
        json_put_bool(&s->w, false);
    else if (strcmp(type, "null") == 0)
        json_put_null(&s->w);
    else
        put_sample_text(s, schema);
}

static void
put_value(struct sample *s, const struct json *schema, int depth)
{
    const struct json *v, *form;

    schema = resolve_sample(s, schema);
    if (depth == 0) {
        json_put_null(&s->w);
        return;
    }
    if ((v = given_value(schema)) != NULL) {
        json_put_value(&s->w, v);
        return;
    }
    if (!(form = json_first(json_get(schema, "anyOf"))))
        form = json_first(json_get(schema, "oneOf"));
    if (form && !json_get(schema, "type"))
        put_value(s, form, depth - 1);
    else
        put_typed(s, schema, depth);
}

static void
put_sample_list(struct sample *s, const struct json *schema, int depth)
{
    int64_t n = sample_number(schema, "minItems", 0);

    json_open_array(&s->w);
    for (int64_t i = 0; i < n && i < FILL_MAX; i++)
        put_value(s, json_get(schema, "items"), depth);
    json_close_array(&s->w);
}

bool
sample_fits(const struct manifest_action *a, const char *args, struct err *e)
{
    CLEANUP(json_free_p) struct json *v = json_parse(args, strlen(args), 0, e);

    return v && json_schema_check(a->args_check, v, 0, e) == 0;
}

int
sample_args(const struct manifest_action *a, const char *path, struct buf *out,
            struct err *e)
{
    struct sample s = {.action = a, .path = path};
    struct err why = {0};

    json_write_init(&s.w, out);
    put_value(&s, a->args, DEPTH_MAX);
    if (buf_ok(out, "the arguments", e) < 0)
        return -1;
    if (!sample_fits(a, out->p, &why))
        return err_set(e, ERR_INVALID, "%s", why.text);
    return 0;
}

int
sample_change(const char *args, const char *name, const char *value,
              struct buf *out, struct err *e)
{
    CLEANUP(json_free_p) struct json *v = json_parse(args, strlen(args), 0, e);
    struct json_writer w;

    if (!v)
        return -1;
    json_write_init(&w, out);
    json_open_object(&w);
    for (const struct json *c = json_first(v); c; c = json_next(c)) {
        size_t n;
        const char *member = json_name(c, &n);

        if (strcmp(member, name) == 0)
            continue;
        json_keyn(&w, member, n);
        json_put_value(&w, c);
    }
    if (value) {
        json_key(&w, name);
        json_put_raw(&w, value, strlen(value));
    }
    json_close_object(&w);
    return buf_ok(out, "the arguments", e);
}
