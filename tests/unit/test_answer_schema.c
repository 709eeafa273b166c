/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_answer_schema.c - what the schema of each verb takes and what it
 * refuses, in the dialect of each provider. */
#include "tests/unit/unit.h"

#include <string.h>

#include "action/answer_schema.h"
#include "base/cleanup.h"
#include "model/provider/schema_dialect.h"
#include "json/schema.h"

#define TEXT_MAX (1u << 20)

#define STEP "{\"id\":\"1\",\"description\":\"d\",\"shell_command\":\"ls\"}"
#define FLAGS                                                                  \
    "{\"id\":\"1\",\"description\":\"d\",\"shell_command\":\"ls\","            \
    "\"is_destructive\":true,\"requires_sudo\":true,"                          \
    "\"needs_confirmation\":true,\"working_directory\":\"/\"}"
#define ANSWER(words) "{\"kind\":\"answer_only\",\"summary\":\"" words "\"}"
#define STEPS(kind, step)                                                      \
    "{\"kind\":\"" kind "\",\"summary\":\"s\",\"steps\":[" step "]}"

static char *
schema_of(enum aiaction_mode mode, unsigned flags)
{
    CLEANUP_BUF struct buf plain = buf_of(TEXT_MAX);
    CLEANUP_BUF struct buf out = buf_of(TEXT_MAX);
    CLEANUP(json_free_p) struct json *root = NULL;
    struct json_writer w;

    assert_int_equal(answer_schema_write(mode, NULL, &plain, NULL), 0);
    root = json_parse(plain.p, plain.len, JSON_UNIQUE, NULL);
    assert_non_null(root);
    json_write_init(&w, &out);
    schema_dialect_write(&w, root, flags);
    return buf_take(&out);
}

/* A schema that is given as text, in a dialect. */
static char *
dialect_of(const char *text, unsigned flags)
{
    CLEANUP(json_free_p)
    struct json *root = json_parse(text, strlen(text), JSON_UNIQUE, NULL);
    CLEANUP_BUF struct buf out = buf_of(TEXT_MAX);
    struct json_writer w;

    assert_non_null(root);
    json_write_init(&w, &out);
    schema_dialect_write(&w, root, flags);
    assert_false(out.bad);
    return buf_take(&out);
}

static bool
takes(const char *schema, const char *answer)
{
    CLEANUP(json_free_p)
    struct json *root = json_parse(schema, strlen(schema), JSON_UNIQUE, NULL);
    CLEANUP(json_free_p)
    struct json *value = json_parse(answer, strlen(answer), JSON_UNIQUE, NULL);
    CLEANUP(json_schema_free_p) struct json_schema *s = NULL;
    struct err e = {0};

    assert_non_null(root);
    assert_non_null(value);
    s = json_schema_new(root, &e);
    if (!s)
        fail_msg("%s: %s", e.text, schema);
    return json_schema_check(s, value, 0, NULL) == 0;
}

struct row {
    enum aiaction_mode mode;
    const char *answer;
    bool taken;
};

static const struct row rows[] = {
    {AIACTION_EXPLAIN, ANSWER("x"), true},
    {AIACTION_EXPLAIN, ANSWER(""), false},
    {AIACTION_EXPLAIN, "{\"kind\":\"answer_only\"}", false},
    {AIACTION_EXPLAIN, STEPS("command_sequence", STEP), false},
    {AIACTION_RUN, ANSWER("x"), true},
    {AIACTION_RUN, STEPS("command_sequence", STEP), true},
    {AIACTION_RUN, STEPS("command_sequence", FLAGS), true},
    {AIACTION_RUN, STEPS("command_sequence", ""), false},
    {AIACTION_RUN, STEPS("plan_and_commands", STEP), false},
    {AIACTION_RUN, "{\"kind\":\"command_sequence\",\"summary\":\"s\"}", false},
    {AIACTION_RUN, "{\"kind\":\"command_sequence\",\"steps\":[" STEP "]}",
     false},
    {AIACTION_RUN,
     "{\"kind\":\"command_sequence\",\"summary\":\"s\",\"steps\":[" STEP
     "],\"wants_results\":true}",
     true},
    {AIACTION_RUN, STEPS("command_sequence", "{\"id\":\"1\"}"), false},
    {AIACTION_DO, ANSWER("x"), true},
    {AIACTION_DO, STEPS("plan_and_commands", STEP), true},
    {AIACTION_DO, STEPS("plan_and_commands", ""), false},
    {AIACTION_DO, STEPS("command_sequence", STEP), false},
    {AIACTION_DO, "{}", false},
};

/* What a decoder that holds to it can write, and no more. */
static void
a_verb_takes_an_answer_or_its_own_kind_with_steps(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(free_p)
        char *schema = schema_of(rows[i].mode,
                                 SCHEMA_DIALECT_CLOSED | SCHEMA_DIALECT_BOUNDS);

        if (takes(schema, rows[i].answer) != rows[i].taken)
            fail_msg("row %zu: %s", i, rows[i].answer);
    }
}

/* The flat forms cannot tell the kinds apart, but take all that is right. */
static void
the_flat_forms_take_what_is_right(void **state)
{
    static const unsigned forms[] = {
        SCHEMA_DIALECT_CLOSED | SCHEMA_DIALECT_FLAT | SCHEMA_DIALECT_FLAT_ROOT,
        SCHEMA_DIALECT_ENUM | SCHEMA_DIALECT_FLAT | SCHEMA_DIALECT_FLAT_ROOT,
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        for (size_t k = 0; rows[i].taken && k < N_OF(forms); k++) {
            CLEANUP(free_p) char *schema = schema_of(rows[i].mode, forms[k]);

            assert_null(strstr(schema, "anyOf"));
            if (!takes(schema, rows[i].answer))
                fail_msg("row %zu, form %zu: %s", i, k, schema);
        }
    }
}

/* OpenAI's strict mode: each object requires all its members, and nothing is
 * false or empty by force but the list of steps. */
static void
the_strict_form_is_what_openai_takes(void **state)
{
    CLEANUP(free_p)
    char *schema = schema_of(AIACTION_RUN, SCHEMA_DIALECT_STRICT |
                                               SCHEMA_DIALECT_FLAT |
                                               SCHEMA_DIALECT_FLAT_ROOT);

    (void)state;
    assert_string_equal(
        schema,
        "{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":\"string\","
        "\"enum\":[\"answer_only\",\"command_sequence\"]},\"summary\":{"
        "\"type\":\"string\"},\"steps\":{\"type\":\"array\",\"items\":{"
        "\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"string\"},"
        "\"description\":{\"type\":\"string\"},\"shell_command\":{\"type\":"
        "\"string\"},\"is_destructive\":{\"type\":[\"boolean\",\"null\"]},"
        "\"requires_sudo\":{\"type\":[\"boolean\",\"null\"]},"
        "\"needs_confirmation\":{\"type\":[\"boolean\",\"null\"]},"
        "\"working_directory\":{\"type\":[\"string\",\"null\"]}},"
        "\"required\":[\"id\",\"description\",\"shell_command\","
        "\"is_destructive\",\"requires_sudo\",\"needs_confirmation\","
        "\"working_directory\"],\"additionalProperties\":false}},"
        "\"wants_results\":{\"type\":[\"boolean\",\"null\"]}},\"required\":["
        "\"kind\",\"summary\",\"steps\",\"wants_results\"],"
        "\"additionalProperties\":false}");
}

/* Objects that differ become text, constants an enum, the rest stays. */
static void
objects_that_become_one_keep_what_they_agree_on(void **state)
{
    static const char text[] =
        "{\"type\":\"array\",\"items\":{\"anyOf\":["
        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},"
        "\"required\":[\"a\"]},"
        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},"
        "\"tool\":{\"enum\":[\"x\"]},\"args\":{\"type\":\"object\","
        "\"properties\":{\"p\":{}}}},\"required\":[\"a\",\"tool\"]},"
        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},"
        "\"tool\":{\"const\":\"y\"},\"args\":{\"type\":\"object\","
        "\"properties\":{\"q\":{}}}},\"required\":[\"a\",\"tool\"]}]}}";
    CLEANUP(free_p) char *out = dialect_of(text, SCHEMA_DIALECT_FLAT);

    (void)state;
    assert_string_equal(
        out, "{\"type\":\"array\",\"items\":{\"type\":\"object\","
             "\"properties\":{\"a\":{\"type\":\"string\"},\"tool\":{\"type\":"
             "\"string\"},\"args\":{\"type\":"
             "\"string\"}},\"required\":[\"a\"]}}");
}

/* Two references to itself in each level would double it with each. */
static void
a_schema_in_itself_is_written_once(void **state)
{
    static const char text[] =
        "{\"$defs\":{\"tree\":{\"type\":\"object\",\"properties\":{"
        "\"left\":{\"$ref\":\"#/$defs/tree\"},"
        "\"right\":{\"$ref\":\"#/$defs/tree\"}}}},"
        "\"type\":\"object\",\"properties\":{"
        "\"a\":{\"$ref\":\"#/$defs/tree\"}}}";
    static const char tree[] = "\"a\":{\"type\":\"object\",\"properties\":{"
                               "\"left\":{},\"right\":{}}}";
    CLEANUP(free_p) char *out = dialect_of(text, 0);

    (void)state;
    assert_non_null(strstr(out, tree));
}

static void
bounds_are_kept_for_grammars_alone(void **state)
{
    static const char text[] =
        "{\"type\":\"object\",\"properties\":{\"a\":{\"minLength\":1,"
        "\"maxLength\":9,\"pattern\":\"^[a-z]+$\"},\"b\":{\"minLength\":2,"
        "\"pattern\":\"^(?i)x\"},\"c\":{\"minItems\":1,\"maxItems\":4}}}";
    CLEANUP(free_p) char *out = dialect_of(text, SCHEMA_DIALECT_BOUNDS);
    CLEANUP(free_p) char *other = dialect_of(text, 0);

    (void)state;
    assert_string_equal(
        out, "{\"type\":\"object\",\"properties\":{\"a\":{\"minLength\":1,"
             "\"pattern\":\"^[a-z]+$\"},\"b\":{},\"c\":{\"minItems\":1,"
             "\"maxItems\":4}}}");
    assert_string_equal(other, "{\"type\":\"object\",\"properties\":{\"a\":{},"
                               "\"b\":{},\"c\":{\"minItems\":1}}}");
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_verb_takes_an_answer_or_its_own_kind_with_steps),
        cmocka_unit_test(the_flat_forms_take_what_is_right),
        cmocka_unit_test(the_strict_form_is_what_openai_takes),
        cmocka_unit_test(objects_that_become_one_keep_what_they_agree_on),
        cmocka_unit_test(a_schema_in_itself_is_written_once),
        cmocka_unit_test(bounds_are_kept_for_grammars_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
