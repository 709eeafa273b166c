/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_json_schema_load.c - schemas that are refused. */
#include "unit.h"

#include <string.h>

#include "json/schema.h"

struct row {
    const char *schema, *fault;
};

#define REFUSED(pattern)                                                       \
    "schema: pattern: \"" pattern "\" is too complex (too many repeats, or "   \
    "a back-reference)"

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
a_wrong_schema_says_what_is_wrong_in_it(void **state)
{
    static const struct row rows[] = {
        {"[]", "schema: a schema must be an object"},
        {"{\"typ\":\"string\"}", "schema: unknown keyword \"typ\""},
        {"{\"properties\":{\"a\":{\"items\":{\"format\":\"uri\"}}}}",
         "schema: properties: a: items: unknown keyword \"format\""},
        {"{\"type\":\"text\"}",
         "schema: type: must be a type or a list of types"},
        {"{\"type\":[\"string\",\"text\"]}",
         "schema: type: names an unknown type"},
        {"{\"type\":[]}", "schema: type: must be a type or a list of types"},
        {"{\"enum\":[]}", "schema: enum: must be a list of values"},
        {"{\"required\":[1]}", "schema: required: must be a list of names"},
        {"{\"properties\":[]}", "schema: properties: must be an object"},
        {"{\"minItems\":-1}",
         "schema: minItems: must be a whole number, 0 or more"},
        {"{\"minimum\":\"0\"}", "schema: minimum: must be a number"},
        {"{\"pattern\":\"(\"}",
         "schema: pattern: \"(\" is not a valid regular expression"},
        {"{\"pattern\":\"^z++++++++++++++++++++$\"}",
         REFUSED("^z++++++++++++++++++++$")},
        {"{\"pattern\":\"((a{255}){255}){255}\"}",
         REFUSED("((a{255}){255}){255}")},
        {"{\"pattern\":\"a{9}{9}{9}{9}\"}", REFUSED("a{9}{9}{9}{9}")},
        {"{\"pattern\":\"(a*b*)*\"}", REFUSED("(a*b*)*")},
        {"{\"pattern\":\"(a|b*)+\"}", REFUSED("(a|b*)+")},
        {"{\"pattern\":\"(^a?$)*\"}", REFUSED("(^a?$)*")},
        {"{\"pattern\":\"((a{0,2})){3}\"}", REFUSED("((a{0,2})){3}")},
        {"{\"pattern\":\"(a*)\\\\1\"}", REFUSED("(a*)\\1")},
        {"{\"pattern\":\"*a\"}", REFUSED("*a")},
        {"{\"$ref\":\"#/definitions/x\"}",
         "schema: $ref: names nothing in \"definitions\""},
        {"{\"$ref\":\"other.json\"}",
         "schema: $ref: names nothing in \"definitions\""},
        {"{\"anyOf\":[]}", "schema: anyOf: must be a list of schemas"},
        {"{\"items\":7}", "schema: items: a schema must be an object"},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(json_free_p) struct json *root = read_json(rows[i].schema);
        struct err e = {0};

        assert_null(json_schema_new(root, &e));
        assert_string_equal(e.text, rows[i].fault);
        assert_int_equal(e.code, ERR_INVALID);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_schema_says_what_is_wrong_in_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
