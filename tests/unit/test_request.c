/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_request.c - what a plugin takes for a request, and what it refuses. */
#include <string.h>

#include "plugins/lib/request.h"
#include "unit.h"

#define BEGIN "{\"tool\":\"t\",\"action\":\"a\""

static const struct {
    const char *line;
    enum err_code code;
    const char *says;
} refused[] = {
    {"", ERR_PARSE, "byte 1"},
    {"{", ERR_PARSE, "byte 2"},
    {"[]", ERR_INVALID, "a request must be an object"},
    {"{\"action\":\"a\"}", ERR_INVALID, "tool must be a string"},
    {"{\"tool\":\"t\",\"action\":1}", ERR_INVALID, "action must be a string"},
    {"{\"tool\":\"t\\u0000\",\"action\":\"a\"}", ERR_INVALID, "tool"},
    {BEGIN ",\"tool\":\"u\"}", ERR_INVALID, "tool"},
    {BEGIN ",\"args\":[]}", ERR_INVALID, "args must be an object"},
    {BEGIN ",\"id\":1.5}", ERR_INVALID, "id must be"},
    {BEGIN ",\"id\":{}}", ERR_INVALID, "id must be"},
    {BEGIN ",\"timeout_ms\":0}", ERR_INVALID, "timeout_ms"},
    {BEGIN ",\"timeout_ms\":\"1\"}", ERR_INVALID, "timeout_ms"},
    {BEGIN ",\"roots\":[]}", ERR_INVALID, "roots must be an object"},
    {BEGIN ",\"roots\":{\"read\":\"/\"}}", ERR_INVALID, "roots.read"},
    {BEGIN ",\"roots\":{\"write\":[\"x\"]}}", ERR_INVALID, "roots.write"},
    {BEGIN ",\"roots\":{\"read\":[\"/\\u0000\"]}}", ERR_INVALID, "roots.read"},
    {BEGIN ",\"roots\":{\"read\":[7]}}", ERR_INVALID, "roots.read"},
};

static void
what_is_no_request_is_refused_and_says_why(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(refused); i++) {
        CLEANUP(request_done) struct request r;
        struct err e = {0};
        const char *line = refused[i].line;

        assert_int_equal(request_parse(line, strlen(line), &r, &e), -1);
        assert_int_equal(e.code, refused[i].code);
        if (!strstr(e.text, refused[i].says))
            fail_msg("%s: %s", line, e.text);
    }
}

static void
a_whole_request_is_taken_apart(void **state)
{
    static const char line[] = BEGIN
        ",\"id\":18446744073709551615,\"args\":{\"path\":\"p\"},"
        "\"step_id\":\"s\",\"stream\":true,\"timeout_ms\":250,"
        "\"roots\":{\"read\":[\"/\"],\"write\":[\"/a\",\"/b\"]}}";
    CLEANUP(request_done) struct request r;
    struct err e = {0};

    (void)state;
    assert_int_equal(request_parse(line, strlen(line), &r, &e), 0);
    assert_string_equal(r.tool, "t");
    assert_string_equal(r.action, "a");
    assert_string_equal(json_digits(r.id, NULL), "18446744073709551615");
    assert_string_equal(json_get_str(r.args, "path"), "p");
    assert_string_equal(r.step_id, "s");
    assert_true(r.stream);
    assert_int_equal(r.timeout_ms, 250);
    assert_int_equal(json_count(r.read_roots), 1);
    assert_int_equal(json_count(r.write_roots), 2);
}

static void
null_is_as_if_it_were_absent(void **state)
{
    static const char line[] = BEGIN
        ",\"id\":null,\"args\":null,\"timeout_ms\":null,"
        "\"roots\":{\"read\":null}}";
    CLEANUP(request_done) struct request r;
    struct err e = {0};

    (void)state;
    assert_int_equal(request_parse(line, strlen(line), &r, &e), 0);
    assert_null(r.id);
    assert_null(r.args);
    assert_null(r.read_roots);
    assert_null(r.write_roots);
    assert_int_equal(r.timeout_ms, -1);
}

/* A time that a clock's reading can be added to. */
static void
a_time_without_end_is_a_long_one(void **state)
{
    static const char line[] = BEGIN ",\"timeout_ms\":9223372036854775807}";
    CLEANUP(request_done) struct request r;
    struct err e = {0};

    (void)state;
    assert_int_equal(request_parse(line, strlen(line), &r, &e), 0);
    assert_int_equal(r.timeout_ms, REQUEST_TIMEOUT_MAX_MS);
}

static void
a_refused_request_keeps_its_id_for_the_answer(void **state)
{
    static const char line[] = "{\"id\":\"x\",\"tool\":\"t\"}";
    CLEANUP(request_done) struct request r;
    struct err e = {0};

    (void)state;
    assert_int_equal(request_parse(line, strlen(line), &r, &e), -1);
    assert_string_equal(json_str(r.id, NULL), "x");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_request_is_refused_and_says_why),
        cmocka_unit_test(a_whole_request_is_taken_apart),
        cmocka_unit_test(null_is_as_if_it_were_absent),
        cmocka_unit_test(a_time_without_end_is_a_long_one),
        cmocka_unit_test(a_refused_request_keeps_its_id_for_the_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
