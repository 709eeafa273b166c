/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_agent_permissions.c - questions of an agent, and their answers. */
#include "unit.h"

#include <string.h>

#include "server/gateway/agent_permissions.h"

#define PARAMS                                                                 \
    "{\"toolCall\":{\"title\":\"Do\"},\"options\":[{\"optionId\":\"y\"},"      \
    "{\"optionId\":\"n\"}]}"

static struct agent_permission *
add_text(struct agent_permissions *p, const char *id, const char *text,
         struct err *e)
{
    struct json *params = json_parse(text, strlen(text), 0, NULL);
    struct agent_permission *one = agent_permissions_add(p, "i", id, params, e);

    json_free(params);
    return one;
}

static void
a_question_is_told_and_answered(void **state)
{
    struct agent_permissions p = {0};
    CLEANUP_BUF struct buf out = buf_of(1024);
    struct agent_permission *one = add_text(&p, "\"a\"", PARAMS, NULL);

    (void)state;
    assert_non_null(one);
    assert_ptr_equal(agent_permissions_find(&p, "i-1"), one);
    assert_ptr_equal(agent_permissions_find_id(&p, "\"a\""), one);
    assert_null(agent_permissions_find_id(&p, "a"));
    agent_permission_put(one, &out);
    assert_string_equal(out.p,
                        "{\"request_id\":\"i-1\",\"title\":\"Do\",\"options\":"
                        "[{\"optionId\":\"y\"},{\"optionId\":\"n\"}],"
                        "\"toolCall\":{\"title\":\"Do\"}}");
    buf_clear(&out);
    agent_permission_put_answer(one, "n", &out);
    assert_string_equal(out.p,
                        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{"
                        "\"outcome\":{\"outcome\":\"selected\",\"optionId\":"
                        "\"n\"}}}");
    for (int i = 0; i < 2; i++) {
        buf_clear(&out);
        agent_permission_put_answer(one, i == 0 ? NULL : "other", &out);
        assert_string_equal(out.p, "{\"jsonrpc\":\"2.0\",\"id\":\"a\","
                                   "\"result\":{\"outcome\":{\"outcome\":"
                                   "\"cancelled\"}}}");
    }
    agent_permissions_remove(&p, one);
    assert_null(p.first);
    one = add_text(&p, "5", PARAMS, NULL);
    assert_string_equal(one->request_id, "i-2"); /* no id comes twice */
    agent_permissions_done(&p);
}

static void
there_is_a_most(void **state)
{
    struct agent_permissions p = {0};
    struct err e = {0};

    (void)state;
    for (int i = 0; i < AGENT_PERMISSIONS_MAX; i++)
        assert_non_null(add_text(&p, "1", PARAMS, NULL));
    assert_null(add_text(&p, "1", PARAMS, &e));
    assert_int_equal(e.code, ERR_NOMEM);
    agent_permissions_done(&p);
}

static void
a_question_has_options(void **state)
{
    static const char *const bad[] = {"{}", "[]", "{\"options\":[]}",
                                      "{\"options\":{}}", "{\"options\":1}"};
    struct agent_permissions p = {0};

    (void)state;
    for (size_t i = 0; i < N_OF(bad); i++) {
        struct err e = {0};

        assert_null(add_text(&p, "1", bad[i], &e));
        assert_int_equal(e.code, ERR_INVALID);
    }
    assert_int_equal(p.n, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_question_is_told_and_answered),
        cmocka_unit_test(there_is_a_most),
        cmocka_unit_test(a_question_has_options),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
