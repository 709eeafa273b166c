/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rules_scalar.c - keywords for strings and numbers. */
#include "json/rule.h"

bool
json_is_size(const struct json *v, size_t *out)
{
    int64_t n;

    if (!json_int(v, &n) || n < 0)
        return false;
    *out = (size_t)n;
    return true;
}

int
json_load_size(struct json_schema *s, const struct json *arg, struct err *e)
{
    size_t n;

    (void)s;
    if (json_is_size(arg, &n))
        return 0;
    return err_set(e, ERR_INVALID, "must be a whole number, 0 or more");
}

static size_t
code_points(const char *s, size_t len)
{
    size_t n = 0;

    for (size_t i = 0; i < len; i++)
        n += ((unsigned char)s[i] & 0xC0) != 0x80;
    return n;
}

static int
check_min_length(struct json_check *c, const struct json *schema,
                 const struct json *arg, const struct json *v,
                 const struct json_place *at)
{
    size_t len, least = 0;
    const char *s = json_str(v, &len);

    (void)schema;
    json_is_size(arg, &least);
    if (!s || code_points(s, len) >= least)
        return 0;
    if (len == 0)
        return json_fault(c, at, "must not be empty");
    return json_fault(c, at, "must have at least %zu characters, not %zu",
                      least, code_points(s, len));
}

static int
check_max_length(struct json_check *c, const struct json *schema,
                 const struct json *arg, const struct json *v,
                 const struct json_place *at)
{
    size_t len, most = 0;
    const char *s = json_str(v, &len);

    (void)schema;
    json_is_size(arg, &most);
    if (!s || code_points(s, len) <= most)
        return 0;
    return json_fault(c, at, "must have at most %zu characters, not %zu", most,
                      code_points(s, len));
}

static int
load_number(struct json_schema *s, const struct json *arg, struct err *e)
{
    double d;

    (void)s;
    if (json_num(arg, &d))
        return 0;
    return err_set(e, ERR_INVALID, "must be a number");
}

/* -1, 0, 1 as a is less than, equal to or more than b; exact for integers. */
static int
compare_numbers(const struct json *a, const struct json *b)
{
    double x = 0, y = 0;
    int64_t i, j;

    if (json_int(a, &i) && json_int(b, &j))
        return i < j ? -1 : i > j;
    if (!json_num(a, &x)) /* beyond a double */
        return json_digits(a, NULL)[0] == '-' ? -1 : 1;
    json_num(b, &y);
    return x < y ? -1 : x > y;
}

static int
check_minimum(struct json_check *c, const struct json *schema,
              const struct json *arg, const struct json *v,
              const struct json_place *at)
{
    (void)schema;
    if (json_type(v) != JSON_NUMBER || compare_numbers(v, arg) >= 0)
        return 0;
    return json_fault(c, at, "must be at least %s, not %.40s",
                      json_digits(arg, NULL), json_digits(v, NULL));
}

static int
check_maximum(struct json_check *c, const struct json *schema,
              const struct json *arg, const struct json *v,
              const struct json_place *at)
{
    (void)schema;
    if (json_type(v) != JSON_NUMBER || compare_numbers(v, arg) <= 0)
        return 0;
    return json_fault(c, at, "must be at most %s, not %.40s",
                      json_digits(arg, NULL), json_digits(v, NULL));
}

const struct json_rule *
json_rules_scalar(void)
{
    static const struct json_rule rules[] = {
        {"minLength", json_load_size, check_min_length},
        {"maxLength", json_load_size, check_max_length},
        {"pattern", json_load_pattern, json_check_pattern},
        {"minimum", load_number, check_minimum},
        {"maximum", load_number, check_maximum},
        {NULL, NULL, NULL},
    };

    return rules;
}
