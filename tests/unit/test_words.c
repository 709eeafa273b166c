/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_words.c - arguments become variables, or are refused. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "plugins/words/variables.h"
#include "tool/manifest.h"

static const struct row {
    const char *args, *name, *value; /* value NULL: not set */
} rows[] = {
    {"{\"path\":\"a b\"}", "AGENTSH_ARG_PATH", "a b"},
    {"{\"max-lines\":10}", "AGENTSH_ARG_MAX_LINES", "10"},
    {"{\"n\":1.50}", "AGENTSH_ARG_N", "1.50"},
    {"{\"all\":true}", "AGENTSH_ARG_ALL", "true"},
    {"{\"x\":null}", "AGENTSH_ARG_X", NULL},
    {"{\"x\":\"\"}", "AGENTSH_ARG_X", ""},
    {"{\"l\":[\"a b\",2,true]}", "AGENTSH_ARG_L", "a b\n2\ntrue\n"},
    {"{\"l\":[]}", "AGENTSH_ARG_L", ""},
    {"{\"l\":[[1],{}]}", "AGENTSH_ARG_L", "[[1],{}]"},
    {"{\"o\":{\"k\":\"v\"}}", "AGENTSH_ARG_O", "{\"k\":\"v\"}"},
    {"{\"t\":\"two\\nlines\"}", "AGENTSH_ARG_T", "two\nlines"},
};

static void
arguments_become_variables(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        const struct row *r = &rows[i];
        CLEANUP(json_free_p)
        struct json *args = json_parse(r->args, strlen(r->args), 0, NULL);
        const char *got;

        assert_int_equal(variables_set(args, NULL), 0);
        got = getenv(r->name);
        if ((got == NULL) != (r->value == NULL) ||
            (got && strcmp(got, r->value) != 0))
            fail_msg("%s: %s", r->args, got ? got : "not set");
        variables_clear(args);
        assert_null(getenv(r->name));
    }
}

static void
what_is_no_variable_is_refused(void **state)
{
    static const char *const refused[] = {"{\"a\":\"x\\u0000y\"}",
                                          "{\"a\":[\"x\\ny\"]}",
                                          "{\"a\":[\"x\\u0000y\"]}"};

    (void)state;
    for (size_t i = 0; i < N_OF(refused); i++) {
        CLEANUP(json_free_p)
        struct json *args = json_parse(refused[i], strlen(refused[i]), 0, NULL);
        struct err e = {0};

        assert_int_equal(variables_set(args, &e), -1);
        assert_int_equal(e.code, ERR_INVALID);
        assert_non_null(strstr(e.text, "args.a: "));
    }
}

static void
a_long_argument_is_refused(void **state)
{
    CLEANUP_BUF struct buf text = buf_of(1u << 18);
    CLEANUP(json_free_p) struct json *args = NULL;
    struct err e = {0};

    (void)state;
    buf_str(&text, "{\"a\":\"");
    for (int i = 0; i < 110000; i++)
        buf_ch(&text, 'x');
    buf_str(&text, "\"}");
    args = json_parse(text.p, text.len, 0, &e);
    assert_non_null(args);
    assert_int_equal(variables_set(args, &e), -1);
    assert_int_equal(e.code, ERR_INVALID);
}

#define MANIFEST(more, properties)                                             \
    "{\"name\":\"t\",\"version\":\"1\",\"summary\":\"s\",\"executable\":"      \
    "\"t\"," more "\"actions\":{\"go\":{\"summary\":\"s\",\"read_only\":true," \
    "\"args\":{\"type\":\"object\",\"properties\":{" properties "}}}}}"

static const struct manifest_row {
    const char *text, *says; /* says NULL: it is sound */
} manifests[] = {
    {MANIFEST("\"form\":\"words\",", "\"a-b\":{},\"c\":{}"), NULL},
    {MANIFEST("\"form\":\"json\",", "\"a b\":{}"), NULL},
    {MANIFEST("\"form\":\"lines\",", ""), "form: must be"},
    {MANIFEST("\"form\":\"words\",\"persistent\":true,", ""), "persistent"},
    {MANIFEST("\"form\":\"words\",\"confinement\":\"step\",", ""),
     "confinement"},
    {MANIFEST("\"form\":\"words\",\"needs\":{\"privileged\":[\"/bin/x\"]},",
              ""),
     "privileged"},
    {MANIFEST("\"form\":\"words\",", "\"a b\":{}"),
     "actions.go.args.a b: cannot be a variable"},
    {MANIFEST("\"form\":\"words\",", "\"a-b\":{},\"A_B\":{}"),
     "same variable as \"A_B\""},
};

static void
a_manifest_of_words_has_arguments_that_can_be_variables(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(manifests); i++) {
        const struct manifest_row *r = &manifests[i];
        struct err e = {0};
        CLEANUP(manifest_free_p)
        struct manifest *m = manifest_parse(r->text, strlen(r->text), "m", &e);

        if ((m == NULL) != (r->says != NULL) ||
            (r->says && !strstr(e.text, r->says)))
            fail_msg("row %zu: %s", i, e.text);
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_become_variables),
        cmocka_unit_test(what_is_no_variable_is_refused),
        cmocka_unit_test(a_long_argument_is_refused),
        cmocka_unit_test(
            a_manifest_of_words_has_arguments_that_can_be_variables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
