/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_json_schema.c - what a schema lets through, and what it says. */
#include "unit.h"

#include <string.h>

#include "base/buf.h"
#include "json/schema.h"

struct row {
    const char *schema, *value, *fault; /* fault NULL: the value is right */
};

static struct json *
read_json(const char *text)
{
    struct err e = {0};
    struct json *v = json_parse(text, strlen(text), 0, &e);

    if (!v)
        fail_msg("%s: %s", text, e.text);
    return v;
}

static void
check_row(const struct row *r, unsigned flags)
{
    CLEANUP(json_free_p) struct json *root = read_json(r->schema);
    CLEANUP(json_free_p) struct json *v = read_json(r->value);
    struct err e = {0};
    CLEANUP(json_schema_free_p)
    struct json_schema *s = json_schema_new(root, &e);

    if (!s)
        fail_msg("%s: %s", r->schema, e.text);
    if (json_schema_check(s, v, flags, &e) == 0) {
        if (r->fault)
            fail_msg("%s lets %s through", r->schema, r->value);
        return;
    }
    if (!r->fault)
        fail_msg("%s refuses %s: %s", r->schema, r->value, e.text);
    assert_string_equal(e.text, r->fault);
    assert_int_equal(e.code, ERR_INVALID);
}

static void
check_rows(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        check_row(&rows[i], 0);
}

#define PLAN                                                                   \
    "{\"$schema\":\"x\",\"type\":\"object\",\"properties\":{"                  \
    "\"kind\":{\"type\":\"string\",\"enum\":[\"answer\",\"plan\"],"            \
    "\"description\":\"d\"},"                                                  \
    "\"steps\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":3,"             \
    "\"items\":{\"$ref\":\"#/definitions/Step\"}}},"                           \
    "\"required\":[\"kind\"],"                                                 \
    "\"definitions\":{\"Step\":{\"type\":\"object\",\"properties\":{"          \
    "\"id\":{\"type\":\"string\",\"minLength\":1},"                            \
    "\"shell_command\":{\"type\":\"string\"},"                                 \
    "\"sure\":{\"type\":\"boolean\",\"default\":false}},"                      \
    "\"required\":[\"id\",\"shell_command\"]}}}"

static void
a_fault_says_where_and_what(void **state)
{
    static const struct row rows[] = {
        {PLAN, "{\"kind\":\"answer\"}", NULL},
        {PLAN,
         "{\"kind\":\"plan\",\"more\":1,\"steps\":[{\"id\":\"1\","
         "\"shell_command\":\"ls\",\"sure\":true,\"x\":[]}]}",
         NULL},
        {PLAN, "[]", "must be an object, not an array"},
        {PLAN, "{}", "missing \"kind\""},
        {PLAN, "{\"Kind\":\"plan\"}", "missing \"kind\""},
        {PLAN, "{\"kind\":\"Plan\"}",
         "kind: must be \"answer\" or \"plan\", not \"Plan\""},
        {PLAN, "{\"kind\":null}", "kind: must be a string, not null"},
        {PLAN, "{\"kind\":\"plan\",\"steps\":{}}",
         "steps: must be an array, not an object"},
        {PLAN, "{\"kind\":\"plan\",\"steps\":[]}", "steps: must not be empty"},
        {PLAN, "{\"kind\":\"plan\",\"steps\":[0,1,2,3]}",
         "steps: must have at most 3 items, not 4"},
        {PLAN, "{\"kind\":\"plan\",\"steps\":[{\"shell_command\":\"\"}]}",
         "steps[0]: missing \"id\""},
        {PLAN,
         "{\"kind\":\"plan\",\"steps\":[{\"id\":\"1\",\"shell_command\":"
         "\"\"},{\"id\":\"2\",\"shell_command\":7}]}",
         "steps[1].shell_command: must be a string, not a number"},
        {PLAN,
         "{\"kind\":\"plan\",\"steps\":[{\"id\":\"\",\"shell_command\":"
         "\"\"}]}",
         "steps[0].id: must not be empty"},
        {PLAN,
         "{\"kind\":\"plan\",\"steps\":[{\"id\":\"1\",\"shell_command\":"
         "\"\",\"sure\":\"yes\"}]}",
         "steps[0].sure: must be true or false, not a string"},
    };

    (void)state;
    check_rows(rows, N_OF(rows));
}

static void
types_are_those_of_json(void **state)
{
    static const struct row rows[] = {
        {"{\"type\":\"integer\"}", "7", NULL},
        {"{\"type\":\"integer\"}", "18446744073709551616", NULL},
        {"{\"type\":\"integer\"}", "1.5", "must be an integer, not 1.5"},
        {"{\"type\":\"integer\"}", "1.0", "must be an integer, not 1.0"},
        {"{\"type\":\"integer\"}", "\"1\"", "must be an integer, not a string"},
        {"{\"type\":\"number\"}", "1.5", NULL},
        {"{\"type\":\"number\"}", "true", "must be a number, not true"},
        {"{\"type\":\"boolean\"}", "false", NULL},
        {"{\"type\":\"null\"}", "null", NULL},
        {"{\"type\":\"null\"}", "0", "must be null, not a number"},
        {"{\"type\":[\"string\",\"null\"]}", "null", NULL},
        {"{\"type\":[\"string\",\"null\"]}", "\"x\"", NULL},
        {"{\"type\":[\"string\",\"null\"]}", "[]",
         "must be a string or null, not an array"},
        {"{}", "[1,{\"a\":2}]", NULL},
        {"true", "1", NULL},
        {"false", "1", "is not allowed here"},
    };

    (void)state;
    check_rows(rows, N_OF(rows));
}

static void
one_of_the_values_allowed_is_needed(void **state)
{
    static const struct row rows[] = {
        {"{\"enum\":[1,\"a\",null,[1,{\"b\":2,\"c\":3}]]}", "1.0", NULL},
        {"{\"enum\":[1,\"a\",null,[1,{\"b\":2,\"c\":3}]]}",
         "[1.0,{\"c\":3,\"b\":2e0}]", NULL},
        {"{\"enum\":[1,\"a\",null]}", "null", NULL},
        {"{\"enum\":[1,\"a\",null]}", "false",
         "must be 1, \"a\" or null, not false"},
        {"{\"enum\":[[1],{}]}", "[1,2]",
         "must be an array or an object, not an array"},
        {"{\"enum\":[{\"a\":1}]}", "{\"b\":1}",
         "must be an object, not an object"},
        {"{\"const\":\"2.0\"}", "\"2.0\"", NULL},
        {"{\"const\":\"2.0\"}", "2.0", "must be \"2.0\", not 2.0"},
        {"{\"const\":9007199254740993}", "9007199254740992",
         "must be 9007199254740993, not 9007199254740992"},
        {"{\"const\":\"a\"}", "\"éééééééééééééééééééééééééééééé\"",
         "must be \"a\", not \"éééééééééééééééééééééééé\"…"},
    };

    (void)state;
    check_rows(rows, N_OF(rows));
}

static void
strings_and_numbers_have_bounds(void **state)
{
    static const struct row rows[] = {
        {"{\"minLength\":2}", "\"éé\"", NULL},
        {"{\"minLength\":2}", "\"é\"",
         "must have at least 2 characters, not 1"},
        {"{\"maxLength\":2}", "\"é😀\"", NULL},
        {"{\"maxLength\":2}", "\"a\\u0000b\"",
         "must have at most 2 characters, not 3"},
        {"{\"maxLength\":2}", "[1,2,3]", NULL},
        {"{\"minItems\":2}", "[1]", "must have at least 2 items, not 1"},
        {"{\"minimum\":0}", "-1", "must be at least 0, not -1"},
        {"{\"minimum\":0}", "-0", NULL},
        {"{\"minimum\":0.5}", "0.5", NULL},
        {"{\"maximum\":9007199254740992}", "9007199254740993",
         "must be at most 9007199254740992, not 9007199254740993"},
        {"{\"maximum\":10}", "1e999", "must be at most 10, not 1e999"},
        {"{\"minimum\":10}", "-1e999", "must be at least 10, not -1e999"},
        {"{\"maximum\":10}", "\"11\"", NULL},
        {"{\"pattern\":\"^[a-z]+$\"}", "\"abc\"", NULL},
        {"{\"pattern\":\"^[a-z]+$\"}", "\"aBc\"",
         "must match ^[a-z]+$, not be \"aBc\""},
        {"{\"pattern\":\"^[a-z]+$\"}", "\"abc\\u0000;rm\"",
         "must match ^[a-z]+$, not be \"abc\\u0000;rm\""},
        {"{\"pattern\":\"b\"}", "\"abc\"", NULL},
        {"{\"pattern\":\"^([]a[:digit:]-]{1,40}|(x+y?)*)\\\\.$\"}", "\"]-7a.\"",
         NULL},
    };

    (void)state;
    check_rows(rows, N_OF(rows));
}

static void
members_that_nobody_declared_are_judged(void **state)
{
    static const struct row rows[] = {
        {"{\"properties\":{\"a\":{}},\"additionalProperties\":false}",
         "{\"a\":1}", NULL},
        {"{\"properties\":{\"a\":{}},\"additionalProperties\":false}",
         "{\"a\":1,\"A\\n\":2}", "has an unknown member \"A\\n\""},
        {"{\"properties\":{\"a\":{\"type\":\"object\","
         "\"additionalProperties\":false}}}",
         "{\"a\":{\"b\":1}}", "a: has an unknown member \"b\""},
        {"{\"additionalProperties\":{\"type\":\"string\"}}", "{\"a\":\"b\"}",
         NULL},
        {"{\"additionalProperties\":{\"type\":\"string\"}}",
         "{\"my key\":{},\"b\":\"\"}",
         "[\"my key\"]: must be a string, not an object"},
        {"{\"additionalProperties\":true}", "{\"a\":1}", NULL},
        {"{\"properties\":{\"a\":false}}", "{\"a\":1}",
         "a: is not allowed here"},
    };

    (void)state;
    check_rows(rows, N_OF(rows));
}

#define SHAPES                                                                 \
    "{\"anyOf\":[{\"type\":\"null\"},"                                         \
    "{\"type\":\"object\",\"properties\":{\"t\":{\"const\":\"circle\"},"       \
    "\"r\":{\"type\":\"number\"}},\"required\":[\"t\",\"r\"]},"                \
    "{\"type\":\"object\",\"properties\":{\"t\":{\"const\":\"box\"},"          \
    "\"sides\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}}},"         \
    "\"required\":[\"t\",\"sides\"]}]}"

static void
of_several_forms_the_nearest_one_explains(void **state)
{
    static const struct row rows[] = {
        {SHAPES, "null", NULL},
        {SHAPES, "{\"t\":\"circle\",\"r\":1}", NULL},
        {SHAPES, "{\"t\":\"box\",\"sides\":[1,2]}", NULL},
        {SHAPES, "{\"t\":\"box\",\"sides\":[1,\"2\"]}",
         "sides[1]: must be a number, not a string"},
        {SHAPES, "7", "must be null, not a number"},
        {"{\"oneOf\":[{\"type\":\"number\"},{\"minimum\":5}]}", "3", NULL},
        {"{\"oneOf\":[{\"type\":\"number\"},{\"minimum\":5}]}", "7",
         "matches more than one of the allowed forms"},
        {"{\"oneOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}", "1",
         "must be a string, not a number"},
        {"{\"oneOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}", "null",
         NULL},
    };

    (void)state;
    check_rows(rows, N_OF(rows));
}

static void
null_is_absence_only_where_asked_and_optional(void **state)
{
    static const struct row strict = {
        "{\"properties\":{\"a\":{\"type\":\"string\"}}}", "{\"a\":null}",
        "a: must be a string, not null"};
    static const struct row rows[] = {
        {"{\"properties\":{\"a\":{\"type\":\"string\"}}}", "{\"a\":null}",
         NULL},
        {"{\"properties\":{\"a\":{\"type\":\"string\"}},\"required\":[\"a\"]}",
         "{\"a\":null}", "a: must be a string, not null"},
        {"{\"items\":{\"properties\":{\"a\":{\"type\":\"string\"}}}}",
         "[{\"a\":null}]", NULL},
        {"{\"items\":{\"type\":\"string\"}}", "[null]",
         "[0]: must be a string, not null"},
    };

    (void)state;
    check_row(&strict, 0);
    for (size_t i = 0; i < N_OF(rows); i++)
        check_row(&rows[i], JSON_SCHEMA_NULL_ABSENT);
}

static void
a_schema_without_end_ends(void **state)
{
    static const struct row rows[] = {
        {"{\"definitions\":{\"a\":{\"$ref\":\"#/definitions/a\"}},"
         "\"$ref\":\"#/definitions/a\"}",
         "1", "the schema refers to itself"},
        {"{\"definitions\":{\"a\":{\"anyOf\":[{\"$ref\":\"#/definitions/a\"},"
         "{\"$ref\":\"#/definitions/a\"}]}},\"$ref\":\"#/definitions/a\"}",
         "1", "the schema refers to itself"},
        {"{\"definitions\":{\"a\":{\"items\":{\"$ref\":\"#/definitions/a\"},"
         "\"type\":\"array\"}},\"$ref\":\"#/definitions/a\"}",
         "[[],[[[[[]]]]]]", NULL},
    };

    (void)state;
    check_rows(rows, N_OF(rows));
}

static void
the_deepest_value_can_be_checked(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(4096);
    const char *schema = "{\"definitions\":{\"a\":{\"anyOf\":[{\"type\":"
                         "\"null\"},{\"type\":\"array\",\"items\":{\"$ref\":"
                         "\"#/definitions/a\"}}]}},\"$ref\":"
                         "\"#/definitions/a\"}";
    struct row row = {schema, NULL, NULL};

    (void)state;
    for (int i = 0; i < JSON_DEPTH_MAX; i++)
        buf_ch(&b, '[');
    for (int i = 0; i < JSON_DEPTH_MAX; i++)
        buf_ch(&b, ']');
    row.value = b.p;
    check_row(&row, 0);
}

static void
a_long_place_is_cut_to_fit(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(4096);
    CLEANUP(json_free_p) struct json *root = NULL;
    CLEANUP(json_free_p) struct json *v = NULL;
    CLEANUP(json_schema_free_p) struct json_schema *s = NULL;
    struct err e = {0};

    (void)state;
    root = read_json("{\"definitions\":{\"a\":{\"additionalProperties\":"
                     "{\"$ref\":\"#/definitions/a\"},\"type\":\"object\"}},"
                     "\"$ref\":\"#/definitions/a\"}");
    s = json_schema_new(root, &e);
    for (int i = 0; i < 100; i++)
        buf_str(&b, "{\"name\":");
    buf_str(&b, "1");
    for (int i = 0; i < 100; i++)
        buf_str(&b, "}");
    v = read_json(b.p);
    assert_int_equal(json_schema_check(s, v, 0, &e), -1);
    assert_memory_equal(e.text, "name.name.name.", 15);
    assert_non_null(strstr(e.text, "…: must be an object, not a number"));
}

static void
a_member_is_required_where_the_schema_lists_it(void **state)
{
    CLEANUP(json_free_p) struct json *root = NULL;
    CLEANUP(json_free_p) struct json *odd = NULL;

    (void)state;
    root = read_json("{\"required\":[\"a\",\"b\"]}");
    assert_true(json_schema_requires(root, "b"));
    assert_false(json_schema_requires(root, "c"));
    odd = read_json("{\"required\":[1,null,\"b\"]}");
    assert_true(json_schema_requires(odd, "b"));
    assert_false(json_schema_requires(NULL, "b"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_says_where_and_what),
        cmocka_unit_test(types_are_those_of_json),
        cmocka_unit_test(one_of_the_values_allowed_is_needed),
        cmocka_unit_test(strings_and_numbers_have_bounds),
        cmocka_unit_test(members_that_nobody_declared_are_judged),
        cmocka_unit_test(of_several_forms_the_nearest_one_explains),
        cmocka_unit_test(null_is_absence_only_where_asked_and_optional),
        cmocka_unit_test(a_schema_without_end_ends),
        cmocka_unit_test(the_deepest_value_can_be_checked),
        cmocka_unit_test(a_long_place_is_cut_to_fit),
        cmocka_unit_test(a_member_is_required_where_the_schema_lists_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
