/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema.c - loads a schema and checks a value against it.
 *
 * A keyword is a row: how its argument is loaded, and how a value is checked
 * against it. Those for strings and numbers are in schema_scalar.c. */
#include "json/schema.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"
#include "json/schema_rule.h"
#include "json/write.h"

/* Limits for a schema that refers to itself without end, or doubles its work at
 * each step. A level of a value takes up to about four levels of schemas. */
#define STEPS_MAX (1 << 24)
#define DEPTH_MAX (4 * JSON_DEPTH_MAX)

#define REASON_MAX 512 /* bytes of a part of a message, which may be cut */

/* A schema within the schema: the two recursions. */
static int schema_load(struct json_schema *s, const struct json *schema,
                       struct err *e);
static int schema_apply(struct schema_check *c, const struct json *schema,
                        const struct json *v, const struct schema_path *at);

/* Keywords that lead to other schemas for the same value. */

/* An object of schemas. */
static int
load_members(struct json_schema *s, const struct json *arg, struct err *e)
{
    if (json_type(arg) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "must be an object");
    for (const struct json *c = json_first(arg); c; c = json_next(c)) {
        if (schema_load(s, c, e) < 0)
            return err_wrap(e, "%s", json_name(c, NULL));
    }
    return 0;
}

static const struct json *
resolve_definition(const struct json_schema *s, const struct json *ref)
{
    static const char prefix[] = "#/definitions/";
    const char *path = json_str(ref, NULL);

    if (!path || strncmp(path, prefix, strlen(prefix)) != 0)
        return NULL;
    return json_get(json_get(s->root, "definitions"), path + strlen(prefix));
}

static int
load_ref(struct json_schema *s, const struct json *arg, struct err *e)
{
    if (resolve_definition(s, arg))
        return 0;
    return err_set(e, ERR_INVALID, "names nothing in \"definitions\"");
}

static int
check_ref(struct schema_check *c, const struct json *schema,
          const struct json *arg, const struct json *v,
          const struct schema_path *at)
{
    (void)schema;
    return schema_apply(c, resolve_definition(c->schema, arg), v, at);
}

static int
load_forms(struct json_schema *s, const struct json *arg, struct err *e)
{
    if (json_type(arg) != JSON_ARRAY || json_count(arg) == 0)
        return err_set(e, ERR_INVALID, "must be a list of schemas");
    for (const struct json *c = json_first(arg); c; c = json_next(c)) {
        if (schema_load(s, c, e) < 0)
            return -1;
    }
    return 0;
}

/* Counts the alternatives that match, up to `enough`. When none does, the error
 * is that of the alternative that matched furthest into the value, which is
 * probably the intended one. -1 when a limit was reached. */
static int
count_fits(struct schema_check *c, const struct json *forms, int enough,
           const struct json *v, const struct schema_path *at)
{
    struct err fault = {0};
    struct schema_check form = *c; /* its errors do not count for c yet */
    bool faulty = false;
    int fits = 0;

    form.e = &fault;
    for (const struct json *f = json_first(forms); f; f = json_next(f)) {
        if (schema_apply(&form, f, v, at) == 0) {
            if (++fits == enough)
                break;
        } else if (!faulty || form.gave_up ||
                   form.fault_level > c->fault_level) {
            *c->e = fault;
            c->fault_level = form.fault_level;
            faulty = true;
        }
        if (form.gave_up)
            break;
    }
    c->steps = form.steps;
    c->gave_up = form.gave_up;
    return form.gave_up ? -1 : fits;
}

static int
check_any_of(struct schema_check *c, const struct json *schema,
             const struct json *arg, const struct json *v,
             const struct schema_path *at)
{
    (void)schema;
    return count_fits(c, arg, 1, v, at) > 0 ? 0 : -1;
}

static int
check_one_of(struct schema_check *c, const struct json *schema,
             const struct json *arg, const struct json *v,
             const struct schema_path *at)
{
    int fits = count_fits(c, arg, 2, v, at);

    (void)schema;
    if (fits == 2)
        return schema_error(c, at,
                            "matches more than one of the allowed forms");
    return fits == 1 ? 0 : -1;
}

static const struct schema_rule *
combining_rules(void)
{
    static const struct schema_rule rules[] = {
        {"definitions", load_members, NULL},
        {"$ref", load_ref, check_ref},
        {"anyOf", load_forms, check_any_of},
        {"oneOf", load_forms, check_one_of},
        {NULL, NULL, NULL},
    };

    return rules;
}

/* Keywords for values of every type. */

struct type_row {
    const char *word, *shown;
    enum json_type type;
    bool whole; /* "integer": written without fraction or exponent */
};

static const struct type_row types[] = {
    {"string", "a string", JSON_STRING, false},
    {"integer", "an integer", JSON_NUMBER, true},
    {"number", "a number", JSON_NUMBER, false},
    {"boolean", "true or false", JSON_BOOL, false},
    {"object", "an object", JSON_OBJECT, false},
    {"array", "an array", JSON_ARRAY, false},
    {"null", "null", JSON_NULL, false},
};

#define N_TYPES ARRAY_SIZE(types)

static const struct type_row *
find_type(const struct json *word)
{
    const char *s = json_str(word, NULL);

    for (size_t i = 0; s && i < N_TYPES; i++) {
        if (strcmp(types[i].word, s) == 0)
            return &types[i];
    }
    return NULL;
}

static int
load_type(struct json_schema *s, const struct json *arg, struct err *e)
{
    (void)s;
    if (find_type(arg))
        return 0;
    for (const struct json *c = json_first(arg); c; c = json_next(c)) {
        if (!find_type(c))
            return err_set(e, ERR_INVALID, "names an unknown type");
    }
    if (json_type(arg) != JSON_ARRAY || json_count(arg) == 0)
        return err_set(e, ERR_INVALID, "must be a type or a list of types");
    return 0;
}

static bool
value_has_type(const struct json *v, const struct type_row *t)
{
    const char *digits = json_digits(v, NULL);

    return json_type(v) == t->type &&
           !(t->whole && strpbrk(digits, ".eE") != NULL);
}

/* Whether v has one of the types; the types are appended to list. */
static bool
has_one_type(const struct json *v, const struct json *arg, struct buf *list)
{
    const struct json *c = json_type(arg) == JSON_ARRAY ? json_first(arg) : arg;

    for (; c; c = c == arg ? NULL : json_next(c)) {
        const struct type_row *t = find_type(c);

        if (value_has_type(v, t))
            return true;
        buf_str(list, list->len == 0 ? "" : " or ");
        buf_str(list, t->shown);
    }
    return false;
}

/* Whether "integer" is the type, or one of the types. */
static bool
names_integer(const struct json *arg)
{
    const struct json *c = json_type(arg) == JSON_ARRAY ? json_first(arg) : arg;

    for (; c; c = c == arg ? NULL : json_next(c)) {
        if (find_type(c)->whole)
            return true;
    }
    return false;
}

static int
check_type(struct schema_check *c, const struct json *schema,
           const struct json *arg, const struct json *v,
           const struct schema_path *at)
{
    CLEANUP_BUF struct buf list = buf_of(REASON_MAX);
    CLEANUP_BUF struct buf found = buf_of(REASON_MAX);

    (void)schema;
    if (has_one_type(v, arg, &list))
        return 0;
    if (json_type(v) == JSON_STRING)
        buf_str(&found, "a string");
    else if (json_type(v) == JSON_NUMBER && !names_integer(arg))
        buf_str(&found, "a number");
    else
        json_describe(&found, v);
    return schema_error(c, at, "must be %s, not %s", list.p, found.p);
}

static int
load_enum(struct json_schema *s, const struct json *arg, struct err *e)
{
    (void)s;
    if (json_type(arg) == JSON_ARRAY && json_count(arg) > 0)
        return 0;
    return err_set(e, ERR_INVALID, "must be a list of values");
}

static int
check_enum(struct schema_check *c, const struct json *schema,
           const struct json *arg, const struct json *v,
           const struct schema_path *at)
{
    CLEANUP_BUF struct buf list = buf_of(REASON_MAX);
    CLEANUP_BUF struct buf found = buf_of(REASON_MAX);

    (void)schema;
    for (const struct json *one = json_first(arg); one; one = json_next(one)) {
        if (json_equal(one, v))
            return 0;
        buf_str(&list, list.len == 0 ? "" : json_next(one) ? ", " : " or ");
        json_describe(&list, one);
    }
    json_describe(&found, v);
    return schema_error(c, at, "must be %s, not %s",
                        list.bad ? "one of the allowed values" : list.p,
                        found.p);
}

static int
load_nothing(struct json_schema *s, const struct json *arg, struct err *e)
{
    (void)s;
    (void)arg;
    (void)e;
    return 0;
}

static int
check_const(struct schema_check *c, const struct json *schema,
            const struct json *arg, const struct json *v,
            const struct schema_path *at)
{
    CLEANUP_BUF struct buf wanted = buf_of(REASON_MAX);
    CLEANUP_BUF struct buf found = buf_of(REASON_MAX);

    (void)schema;
    if (json_equal(arg, v))
        return 0;
    json_describe(&wanted, arg);
    json_describe(&found, v);
    return schema_error(c, at, "must be %s, not %s", wanted.p, found.p);
}

static const struct schema_rule *
value_rules(void)
{
    static const struct schema_rule rules[] = {
        {"type", load_type, check_type},
        {"enum", load_enum, check_enum},
        {"const", load_nothing, check_const},
        {NULL, NULL, NULL},
    };

    return rules;
}

/* Keywords for objects and arrays. */

static int
load_required(struct json_schema *s, const struct json *arg, struct err *e)
{
    (void)s;
    if (json_type(arg) != JSON_ARRAY)
        return err_set(e, ERR_INVALID, "must be a list of names");
    for (const struct json *c = json_first(arg); c; c = json_next(c)) {
        size_t len;
        const char *name = json_str(c, &len);

        if (!name || strlen(name) != len)
            return err_set(e, ERR_INVALID, "must be a list of names");
    }
    return 0;
}

static int
check_required(struct schema_check *c, const struct json *schema,
               const struct json *arg, const struct json *v,
               const struct schema_path *at)
{
    (void)schema;
    if (json_type(v) != JSON_OBJECT)
        return 0;
    for (const struct json *n = json_first(arg); n; n = json_next(n)) {
        CLEANUP_BUF struct buf name = buf_of(REASON_MAX);

        if (json_get(v, json_str(n, NULL)))
            continue;
        json_describe(&name, n);
        return schema_error(c, at, "missing %s", name.p);
    }
    return 0;
}

static bool
counts_as_absent(const struct schema_check *c, const struct json *schema,
                 const struct json *member)
{
    return (c->flags & JSON_SCHEMA_NULL_ABSENT) &&
           json_type(member) == JSON_NULL &&
           !json_schema_requires(schema, json_name(member, NULL));
}

static int
check_properties(struct schema_check *c, const struct json *schema,
                 const struct json *arg, const struct json *v,
                 const struct schema_path *at)
{
    if (json_type(v) != JSON_OBJECT)
        return 0;
    for (const struct json *p = json_first(arg); p; p = json_next(p)) {
        const struct json *member = json_member_like(v, p);
        struct schema_path here = {.up = at, .member = member};

        if (!member || counts_as_absent(c, schema, member))
            continue;
        if (schema_apply(c, p, member, &here) < 0)
            return -1;
    }
    return 0;
}

static int
fault_unknown(struct schema_check *c, const struct json *member,
              const struct schema_path *at)
{
    CLEANUP_BUF struct buf name = buf_of(REASON_MAX);
    size_t len;
    const char *s = json_name(member, &len);

    json_describe_string(&name, s, len);
    return schema_error(c, at, "has an unknown member %s", name.p);
}

static int
check_additional(struct schema_check *c, const struct json *schema,
                 const struct json *arg, const struct json *v,
                 const struct schema_path *at)
{
    const struct json *known = json_get(schema, "properties");
    bool allowed = true;

    if (json_type(v) != JSON_OBJECT || (json_bool(arg, &allowed) && allowed))
        return 0;
    for (const struct json *m = json_first(v); m; m = json_next(m)) {
        struct schema_path here = {.up = at, .member = m};

        if (json_member_like(known, m))
            continue;
        if (!allowed)
            return fault_unknown(c, m, at);
        if (schema_apply(c, arg, m, &here) < 0)
            return -1;
    }
    return 0;
}

static int
check_items(struct schema_check *c, const struct json *schema,
            const struct json *arg, const struct json *v,
            const struct schema_path *at)
{
    struct schema_path here = {.up = at};

    (void)schema;
    if (json_type(v) != JSON_ARRAY)
        return 0;
    for (const struct json *i = json_first(v); i; i = json_next(i)) {
        if (schema_apply(c, arg, i, &here) < 0)
            return -1;
        here.index++;
    }
    return 0;
}

static int
check_min_items(struct schema_check *c, const struct json *schema,
                const struct json *arg, const struct json *v,
                const struct schema_path *at)
{
    size_t least = 0;

    (void)schema;
    schema_is_size(arg, &least);
    if (json_type(v) != JSON_ARRAY || json_count(v) >= least)
        return 0;
    if (json_count(v) == 0)
        return schema_error(c, at, "must not be empty");
    return schema_error(c, at, "must have at least %zu items, not %zu", least,
                        json_count(v));
}

static int
check_max_items(struct schema_check *c, const struct json *schema,
                const struct json *arg, const struct json *v,
                const struct schema_path *at)
{
    size_t most = 0;

    (void)schema;
    schema_is_size(arg, &most);
    if (json_type(v) != JSON_ARRAY || json_count(v) <= most)
        return 0;
    return schema_error(c, at, "must have at most %zu items, not %zu", most,
                        json_count(v));
}

static const struct schema_rule *
container_rules(void)
{
    static const struct schema_rule rules[] = {
        {"required", load_required, check_required},
        {"properties", load_members, check_properties},
        {"additionalProperties", schema_load, check_additional},
        {"minItems", schema_load_size, check_min_items},
        {"maxItems", schema_load_size, check_max_items},
        {"items", schema_load, check_items},
        {NULL, NULL, NULL},
    };

    return rules;
}

static const struct schema_rule *(*const groups[])(void) = {
    combining_rules, value_rules, schema_scalar_rules, container_rules};

#define N_GROUPS ARRAY_SIZE(groups)

static bool
is_annotation(const char *keyword)
{
    static const char *const words[] = {"title",    "description", "default",
                                        "examples", "$id",         "$schema",
                                        "$comment"};

    return STR_IN(keyword, words);
}

static const struct schema_rule *
find_rule(const char *keyword)
{
    for (size_t g = 0; g < N_GROUPS; g++) {
        for (const struct schema_rule *r = groups[g](); r->keyword; r++) {
            if (strcmp(r->keyword, keyword) == 0)
                return r;
        }
    }
    return NULL;
}

static int
load_member(struct json_schema *s, const struct json *member, struct err *e)
{
    const char *keyword = json_name(member, NULL);
    const struct schema_rule *r = find_rule(keyword);

    if (r && r->load(s, member, e) < 0)
        return err_wrap(e, "%s", keyword);
    if (r || is_annotation(keyword))
        return 0;
    return err_set(e, ERR_INVALID, "unknown keyword \"%s\"", keyword);
}

static int
schema_load(struct json_schema *s, const struct json *schema, struct err *e)
{
    if (json_type(schema) == JSON_BOOL)
        return 0;
    if (json_type(schema) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "a schema must be an object");
    for (const struct json *c = json_first(schema); c; c = json_next(c)) {
        if (load_member(s, c, e) < 0)
            return -1;
    }
    return 0;
}

struct json_schema *
json_schema_new(const struct json *root, struct err *e)
{
    CLEANUP(json_schema_free_p)
    struct json_schema *s = calloc(1, sizeof(*s));

    if (!s) {
        err_sys(e, "schema");
        return NULL;
    }
    s->root = root;
    if (schema_load(s, root, e) < 0) {
        err_wrap(e, "schema");
        return NULL;
    }
    return TAKE_PTR(s);
}

void
json_schema_free(struct json_schema *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n_patterns; i++)
        regfree(&s->patterns[i].compiled);
    free(s->patterns);
    free(s);
}

static int
check_schema_rules(struct schema_check *c, const struct json *schema,
                   const struct json *v, const struct schema_path *at)
{
    for (size_t g = 0; g < N_GROUPS; g++) {
        for (const struct schema_rule *r = groups[g](); r->keyword; r++) {
            const struct json *arg = json_get(schema, r->keyword);

            if (arg && r->check && r->check(c, schema, arg, v, at) < 0)
                return -1;
        }
    }
    return 0;
}

static int
schema_apply(struct schema_check *c, const struct json *schema,
             const struct json *v, const struct schema_path *at)
{
    bool anything;
    int rc;

    if (json_bool(schema, &anything))
        return anything ? 0 : schema_error(c, at, "is not allowed here");
    if (c->steps++ == STEPS_MAX || c->depth == DEPTH_MAX) {
        c->gave_up = true;
        return schema_error(c, at, "the schema refers to itself");
    }
    c->depth++;
    rc = check_schema_rules(c, schema, v, at);
    c->depth--;
    return rc;
}

int
json_schema_check(const struct json_schema *s, const struct json *value,
                  unsigned flags, struct err *e)
{
    struct err ignored = {0};
    struct schema_check c = {
        .schema = s, .flags = flags, .e = e ? e : &ignored};

    return schema_apply(&c, s->root, value, NULL);
}

bool
json_schema_requires(const struct json *schema, const char *member)
{
    const struct json *r = json_first(json_get(schema, "required"));

    for (; r; r = json_next(r)) {
        const char *name = json_str(r, NULL);

        if (name && strcmp(name, member) == 0)
            return true;
    }
    return false;
}
