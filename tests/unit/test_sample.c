/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sample.c - arguments are made from schemas, and changed. */
#include "unit.h"

#include <string.h>

#include "tool/check/sample.h"

#define TEXT_MAX 8192

static const struct row {
    const char *schema, *more; /* members of args, and of the action */
    const char *args;          /* NULL: none can be made up */
} rows[] = {
    {"", "", "{}"},
    {"\"required\":[\"a\"]", "", "{\"a\":\"a\"}"},
    {"\"properties\":{\"a\":{\"type\":\"string\"}}", "", "{}"},
    {"\"required\":[\"p\"],\"properties\":{\"p\":{\"type\":\"string\"}}",
     "\"reads\":[\"p\"],", "{\"p\":\"/x/y\"}"},
    {"\"required\":[\"p\"],\"properties\":{\"p\":{\"type\":\"array\","
     "\"items\":{\"type\":\"string\"}}}",
     "\"reads\":[\"p\"],", "{\"p\":[\"/x/y\"]}"},
    {"\"required\":[\"s\"],\"properties\":{\"s\":{\"minLength\":3}}", "",
     "{\"s\":\"aaa\"}"},
    {"\"required\":[\"n\"],\"properties\":{\"n\":{\"type\":\"integer\","
     "\"minimum\":7}}",
     "", "{\"n\":7}"},
    {"\"required\":[\"n\"],\"properties\":{\"n\":{\"type\":\"integer\","
     "\"maximum\":-7}}",
     "", "{\"n\":-7}"},
    {"\"required\":[\"b\"],\"properties\":{\"b\":{\"type\":[\"null\","
     "\"boolean\"]}}",
     "", "{\"b\":false}"},
    {"\"required\":[\"e\"],\"properties\":{\"e\":{\"enum\":[\"x\",\"y\"]}}", "",
     "{\"e\":\"x\"}"},
    {"\"required\":[\"l\"],\"properties\":{\"l\":{\"type\":\"array\","
     "\"minItems\":2,\"items\":{\"const\":1}}}",
     "", "{\"l\":[1,1]}"},
    {"\"required\":[\"o\"],\"properties\":{\"o\":{\"anyOf\":[{\"type\":"
     "\"boolean\"},{\"type\":\"string\"}]}}",
     "", "{\"o\":false}"},
    {"\"required\":[\"r\"],\"definitions\":{\"d\":{\"const\":5}},"
     "\"properties\":{\"r\":{\"$ref\":\"#/definitions/d\"}}",
     "", "{\"r\":5}"},
    {"\"required\":[\"s\"],\"properties\":{\"s\":{\"pattern\":\"^[0-9]+$\"}}",
     "", NULL},
    {"\"required\":[\"s\"],\"properties\":{\"s\":{\"pattern\":\"^[0-9]+$\","
     "\"examples\":[\"12\"]}}",
     "", "{\"s\":\"12\"}"},
    {"\"examples\":[{\"z\":1},{}]", "", "{\"z\":1}"},
};

static struct manifest *
manifest_of(const struct row *r)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);
    struct err e = {0};
    struct manifest *m;

    buf_printf(&text,
               "{\"name\":\"t\",\"version\":\"1\",\"summary\":\"s\","
               "\"executable\":\"t\",\"actions\":{\"go\":{%s\"summary\":\"s\","
               "\"read_only\":true,\"args\":{\"type\":\"object\"%s%s}}}}",
               r->more, r->schema[0] ? "," : "", r->schema);
    m = manifest_parse(text.p, text.len, "m", &e);
    if (!m)
        fail_msg("%s: %s", text.p, e.text);
    return m;
}

static void
arguments_are_made_up_from_a_schema(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        const struct row *r = &rows[i];
        CLEANUP(manifest_free_p) struct manifest *m = manifest_of(r);
        CLEANUP_BUF struct buf args = buf_of(TEXT_MAX);
        struct err e = {0};
        int rc = sample_args(&m->actions[0], "/x/y", &args, &e);

        if ((rc < 0) != (r->args == NULL) ||
            (r->args && strcmp(args.p, r->args) != 0))
            fail_msg("%s: %s %s", r->schema, args.p, e.text);
        assert_true(rc == 0 || e.code == ERR_INVALID);
    }
}

static void
one_of_them_is_changed_or_left_out(void **state)
{
    static const struct {
        const char *args, *name, *value, *wanted;
    } changes[] = {
        {"{\"a\":1,\"b\":2}", "a", NULL, "{\"b\":2}"},
        {"{\"a\":1,\"b\":2}", "a", "[{}]", "{\"b\":2,\"a\":[{}]}"},
        {"{}", "a", "\"x\"", "{\"a\":\"x\"}"},
        {"{\"b\":2}", "a", NULL, "{\"b\":2}"},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(changes); i++) {
        CLEANUP_BUF struct buf out = buf_of(TEXT_MAX);

        assert_int_equal(sample_change(changes[i].args, changes[i].name,
                                       changes[i].value, &out, NULL),
                         0);
        assert_string_equal(out.p, changes[i].wanted);
    }
}

static void
what_a_schema_refuses_is_known(void **state)
{
    const struct row r = {"\"additionalProperties\":false", "", NULL};
    CLEANUP(manifest_free_p) struct manifest *m = manifest_of(&r);

    (void)state;
    assert_true(sample_fits(&m->actions[0], "{}", NULL));
    assert_false(sample_fits(&m->actions[0], "{\"a\":1}", NULL));
    assert_false(sample_fits(&m->actions[0], "{", NULL));
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_are_made_up_from_a_schema),
        cmocka_unit_test(one_of_them_is_changed_or_left_out),
        cmocka_unit_test(what_a_schema_refuses_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
