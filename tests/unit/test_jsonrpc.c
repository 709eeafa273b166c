/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_jsonrpc.c - which lines are messages, and what is written. */
#include "unit.h"

#include <string.h>

#include "wire/jsonrpc.h"

#define HEAD "{\"jsonrpc\":\"2.0\","

static int
parse(const char *text, struct jsonrpc *m, struct err *e)
{
    return jsonrpc_parse(text, strlen(text), m, e);
}

static const struct {
    const char *text;
    enum jsonrpc_kind kind;
    const char *id, *method;
} good[] = {
    {HEAD "\"id\":1,\"method\":\"a\"}", JSONRPC_REQUEST, "1", "a"},
    {HEAD "\"id\":18446744073709551615,\"method\":\"a\"}", JSONRPC_REQUEST,
     "18446744073709551615", "a"},
    {HEAD "\"id\":-3,\"method\":\"a\",\"params\":[]}", JSONRPC_REQUEST, "-3",
     "a"},
    {HEAD "\"id\":\"a\\u0000\\/b\",\"method\":\"a\"}", JSONRPC_REQUEST,
     "\"a\\u0000\\/b\"", "a"},
    {" {\"x\":{\"id\":9} , \"\\u0069d\" : \t\"q\" ,\"method\":\"a\","
     "\"jsonrpc\":\"2.0\"} ",
     JSONRPC_REQUEST, "\"q\"", "a"},
    {HEAD "\"method\":\"n\",\"params\":{\"id\":4}}", JSONRPC_NOTIFICATION, NULL,
     "n"},
    {HEAD "\"id\":2,\"result\":null}", JSONRPC_RESULT, "2", NULL},
    {HEAD "\"id\":2,\"error\":{\"code\":-1,\"message\":\"m\",\"data\":[]}}",
     JSONRPC_ERROR, "2", NULL},
    {HEAD "\"id\":null,\"error\":{\"code\":-1,\"message\":\"m\"}}",
     JSONRPC_ERROR, NULL, NULL},
};

static void
every_kind_is_told_and_the_id_is_kept_as_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
        CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
        struct err e = {0};

        if (parse(good[i].text, &m, &e) < 0)
            fail_msg("%s: %s", good[i].text, e.text);
        assert_int_equal(m.kind, good[i].kind);
        if (good[i].id)
            assert_string_equal(m.id, good[i].id);
        else
            assert_null(m.id);
        if (good[i].method)
            assert_string_equal(m.method, good[i].method);
    }
}

static const struct {
    const char *text;
    int fault;
    const char *id;
} bad[] = {
    {"", JSONRPC_PARSE, NULL},
    {"{", JSONRPC_PARSE, NULL},
    {"{\"a\":\"\xff\"}", JSONRPC_PARSE, NULL},
    {"[]", JSONRPC_INVALID_REQUEST, NULL},
    {"[" HEAD "\"id\":1,\"method\":\"a\"}]", JSONRPC_INVALID_REQUEST, NULL},
    {"1", JSONRPC_INVALID_REQUEST, NULL},
    {"{}", JSONRPC_INVALID_REQUEST, NULL},
    {HEAD "\"id\":1,\"id\":1,\"method\":\"a\"}", JSONRPC_INVALID_REQUEST, NULL},
    {"{\"id\":1,\"method\":\"a\"}", JSONRPC_INVALID_REQUEST, "1"},
    {"{\"jsonrpc\":2.0,\"id\":1,\"method\":\"a\"}", JSONRPC_INVALID_REQUEST,
     "1"},
    {"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"a\"}", JSONRPC_INVALID_REQUEST,
     "1"},
    {HEAD "\"id\":null,\"method\":\"a\"}", JSONRPC_INVALID_REQUEST, NULL},
    {HEAD "\"id\":1.0,\"method\":\"a\"}", JSONRPC_INVALID_REQUEST, NULL},
    {HEAD "\"id\":1e3,\"method\":\"a\"}", JSONRPC_INVALID_REQUEST, NULL},
    {HEAD "\"id\":{},\"method\":\"a\"}", JSONRPC_INVALID_REQUEST, NULL},
    {HEAD "\"id\":true,\"method\":\"a\"}", JSONRPC_INVALID_REQUEST, NULL},
    {HEAD "\"id\":1,\"Method\":\"a\"}", JSONRPC_INVALID_REQUEST, "1"},
    {HEAD "\"id\":1,\"method\":4}", JSONRPC_INVALID_REQUEST, "1"},
    {HEAD "\"id\":1,\"method\":\"a\\u0000\"}", JSONRPC_INVALID_REQUEST, "1"},
    {HEAD "\"id\":1,\"method\":\"a\",\"result\":1}", JSONRPC_INVALID_REQUEST,
     "1"},
    {HEAD "\"id\":\"x\",\"method\":\"a\",\"params\":null}",
     JSONRPC_INVALID_PARAMS, "\"x\""},
    {HEAD "\"id\":1,\"method\":\"a\",\"params\":3}", JSONRPC_INVALID_PARAMS,
     "1"},
    {HEAD "\"id\":1}", JSONRPC_INVALID_REQUEST, "1"},
    {HEAD "\"result\":1}", JSONRPC_INVALID_REQUEST, NULL},
    {HEAD "\"id\":null,\"result\":1}", JSONRPC_INVALID_REQUEST, NULL},
    {HEAD "\"id\":1,\"result\":1,\"error\":{\"code\":1,\"message\":\"\"}}",
     JSONRPC_INVALID_REQUEST, "1"},
    {HEAD "\"id\":1,\"error\":\"no\"}", JSONRPC_INVALID_REQUEST, "1"},
    {HEAD "\"id\":1,\"error\":{\"code\":1.5,\"message\":\"\"}}",
     JSONRPC_INVALID_REQUEST, "1"},
    {HEAD "\"id\":1,\"error\":{\"code\":1}}", JSONRPC_INVALID_REQUEST, "1"},
};

static void
what_is_no_message_has_a_code_and_its_id_where_it_has_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
        struct err e = {0};

        if (parse(bad[i].text, &m, &e) == 0)
            fail_msg("%s is taken", bad[i].text);
        if (m.fault != bad[i].fault)
            fail_msg("%s: %d (%s)", bad[i].text, m.fault, e.text);
        if (!m.id != !bad[i].id || (m.id && strcmp(m.id, bad[i].id) != 0))
            fail_msg("%s: id %s", bad[i].text, m.id ? m.id : "none");
    }
}

static void
an_id_that_is_too_long_is_called_so(void **state)
{
    CLEANUP_BUF struct buf line = buf_of(8192);
    CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
    struct err e = {0};

    (void)state;
    buf_printf(&line, HEAD "\"id\":\"%0*d\",\"method\":\"a\"}",
               JSONRPC_ID_MAX - 2, 1);
    assert_int_equal(parse(line.p, &m, &e), 0);
    jsonrpc_done(&m);
    buf_clear(&line);
    buf_printf(&line, HEAD "\"id\":\"%0*d\",\"method\":\"a\"}",
               JSONRPC_ID_MAX - 1, 1);
    assert_int_equal(parse(line.p, &m, &e), -1);
    assert_int_equal(m.fault, JSONRPC_INVALID_REQUEST);
    assert_null(m.id);
    assert_string_equal(e.text, "id: has more than 4096 bytes");
}

static void
an_id_is_compared_as_a_number_is_written(void **state)
{
    CLEANUP(jsonrpc_done) struct jsonrpc m = {0};

    (void)state;
    assert_int_equal(parse(HEAD "\"id\":12,\"result\":{}}", &m, NULL), 0);
    assert_true(jsonrpc_has_id(&m, 12));
    assert_false(jsonrpc_has_id(&m, 1));
    jsonrpc_done(&m);
    assert_int_equal(parse(HEAD "\"id\":\"12\",\"result\":{}}", &m, NULL), 0);
    assert_false(jsonrpc_has_id(&m, 12));
}

static void
what_is_written_is_one_line_each(void **state)
{
    CLEANUP_BUF struct buf out = buf_of(4096);
    struct json_writer w;

    (void)state;
    jsonrpc_begin_request(&w, &out, 5, "tools/list");
    jsonrpc_end(&w);
    assert_string_equal(out.p, HEAD "\"id\":5,\"method\":\"tools/list\"}");
    buf_clear(&out);
    jsonrpc_begin_notification(&w, &out, "n\n");
    jsonrpc_params(&w);
    json_put_raw(&w, "{}", 2);
    jsonrpc_end(&w);
    assert_string_equal(out.p, HEAD "\"method\":\"n\\n\",\"params\":{}}");
    buf_clear(&out);
    jsonrpc_begin_result(&out, "\"a\\/b\"");
    buf_str(&out, "{}}");
    assert_string_equal(out.p, HEAD "\"id\":\"a\\/b\",\"result\":{}}");
    buf_clear(&out);
    jsonrpc_put_error(&out, NULL, JSONRPC_PARSE, "no", NULL);
    assert_string_equal(
        out.p,
        HEAD "\"id\":null,\"error\":{\"code\":-32700,\"message\":\"no\"}}");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_told_and_the_id_is_kept_as_written),
        cmocka_unit_test(
            what_is_no_message_has_a_code_and_its_id_where_it_has_one),
        cmocka_unit_test(an_id_that_is_too_long_is_called_so),
        cmocka_unit_test(an_id_is_compared_as_a_number_is_written),
        cmocka_unit_test(what_is_written_is_one_line_each),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
