/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rules_any.c - keywords for values of every type. */
#include <string.h>

#include "json/rule.h"

#define REASON_MAX 512 /* bytes of a part of a message, which may be cut */

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

#define N_TYPES (sizeof(types) / sizeof(types[0]))

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
has_type(const struct json *v, const struct type_row *t)
{
    const char *digits = json_digits(v, NULL);

    return json_type(v) == t->type &&
           !(t->whole && strpbrk(digits, ".eE") != NULL);
}

/* Whether v has one of the types; what would do is added to list. */
static bool
has_one_type(const struct json *v, const struct json *arg, struct buf *list)
{
    const struct json *c = json_type(arg) == JSON_ARRAY ? json_first(arg) : arg;

    for (; c; c = c == arg ? NULL : json_next(c)) {
        const struct type_row *t = find_type(c);

        if (has_type(v, t))
            return true;
        buf_str(list, list->len == 0 ? "" : " or ");
        buf_str(list, t->shown);
    }
    return false;
}

static int
check_type(struct json_check *c, const struct json *schema,
           const struct json *arg, const struct json *v,
           const struct json_place *at)
{
    CLEANUP_BUF struct buf list = buf_of(REASON_MAX);
    CLEANUP_BUF struct buf found = buf_of(REASON_MAX);

    (void)schema;
    if (has_one_type(v, arg, &list))
        return 0;
    if (json_type(v) == JSON_STRING)
        buf_str(&found, "a string");
    else if (json_type(v) == JSON_NUMBER && !strstr(list.p, "integer"))
        buf_str(&found, "a number");
    else
        json_describe(&found, v);
    return json_fault(c, at, "must be %s, not %s", list.p, found.p);
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
check_enum(struct json_check *c, const struct json *schema,
           const struct json *arg, const struct json *v,
           const struct json_place *at)
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
    return json_fault(c, at, "must be %s, not %s",
                      list.bad ? "one of the allowed values" : list.p, found.p);
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
check_const(struct json_check *c, const struct json *schema,
            const struct json *arg, const struct json *v,
            const struct json_place *at)
{
    CLEANUP_BUF struct buf wanted = buf_of(REASON_MAX);
    CLEANUP_BUF struct buf found = buf_of(REASON_MAX);

    (void)schema;
    if (json_equal(arg, v))
        return 0;
    json_describe(&wanted, arg);
    json_describe(&found, v);
    return json_fault(c, at, "must be %s, not %s", wanted.p, found.p);
}

const struct json_rule *
json_rules_any(void)
{
    static const struct json_rule rules[] = {
        {"type", load_type, check_type},
        {"enum", load_enum, check_enum},
        {"const", load_nothing, check_const},
        {NULL, NULL, NULL},
    };

    return rules;
}
