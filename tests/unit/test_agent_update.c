/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_agent_update.c - what agents tell, as events, and without secrets. */
#include "unit.h"

#include <string.h>

#include "server/gateway/agent_text.h"
#include "server/gateway/agent_update.h"

#define PUBLIC(members) "{\"update\":{\"sessionUpdate\":" members "}}"
#define CHUNK           "\"agent_message_chunk\",\"content\":"

/* Params, the kind of the event, and its data, or its text. */
static const struct {
    const char *params, *kind, *data, *text;
} rows[] = {
    {PUBLIC(CHUNK "{\"type\":\"text\",\"text\":\"hi\"}"), "content", "", "hi"},
    {PUBLIC(CHUNK "{\"type\":\"image\"}"), "content",
     "{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":"
     "\"image\"}}",
     NULL},
    {PUBLIC("\"tool_call\",\"title\":\"x\""), "toolCall",
     "{\"sessionUpdate\":\"tool_call\",\"title\":\"x\"}", NULL},
    {PUBLIC("\"tool_call_update\""), "toolCall",
     "{\"sessionUpdate\":\"tool_call_update\"}", NULL},
    {PUBLIC("\"plan\",\"n\":1e400"), "update",
     "{\"sessionUpdate\":\"plan\",\"n\":1e400}", NULL},
    {PUBLIC("7"), NULL, "", NULL},
    {"{\"update\":[]}", NULL, "", NULL},
    {"{}", NULL, "", NULL},
    {"{\"type\":\"content\",\"data\":{\"text\":\"hi\"}}", "content", "", "hi"},
    {"{\"type\":\"content\",\"data\":{\"text\":\"hi\",\"x\":1}}", "content",
     "{\"text\":\"hi\",\"x\":1}", NULL},
    {"{\"type\":\"toolCall\",\"data\":{\"toolName\":\"t\"}}", "toolCall",
     "{\"toolName\":\"t\"}", NULL},
    {"{\"type\":\"error\",\"data\":{\"message\":\"m\"}}", "error",
     "{\"message\":\"m\"}", NULL},
    {"{\"type\":\"complete\",\"data\":{\"success\":true}}", "result",
     "{\"success\":true}", NULL},
    {"{\"type\":\"complete\"}", "result", "{}", NULL},
    {"{\"type\":\"other\",\"data\":1}", "update", "1", NULL},
};

static void
updates_are_events(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct json *params = json_parse(rows[i].params, strlen(rows[i].params),
                                         0, NULL);
        struct agent_update u;

        assert_non_null(params);
        agent_update_read(params, &u);
        if (rows[i].kind)
            assert_string_equal(u.kind, rows[i].kind);
        else
            assert_null(u.kind);
        assert_string_equal(u.data.p, rows[i].data);
        if (rows[i].text)
            assert_string_equal(u.text, rows[i].text);
        else
            assert_null(u.text);
        assert_int_equal(u.ends_turn, strstr(rows[i].params, "complete") != 0);
        buf_done(&u.data);
        json_free(params);
    }
}

static void
numbers_that_are_none_are_not_believed(void **state)
{
    static const struct {
        const char *params;
        int64_t used;
        double cost;
    } numbers[] = {
        {PUBLIC("\"usage_update\",\"used\":5,\"cost\":{\"amount\":0.5}"), 5,
         0.5},
        {PUBLIC("\"usage_update\",\"used\":-5,\"cost\":{\"amount\":-1}"), -1,
         -1},
        {PUBLIC("\"usage_update\",\"used\":\"5\",\"cost\":7"), -1, -1},
        {PUBLIC("\"usage_update\",\"used\":1e99"), -1, -1},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(numbers); i++) {
        struct json *params = json_parse(numbers[i].params,
                                         strlen(numbers[i].params), 0, NULL);
        struct agent_update u;

        agent_update_read(params, &u);
        assert_int_equal(u.used, numbers[i].used);
        assert_float_equal(u.cost, numbers[i].cost, 1e-9);
        buf_done(&u.data);
        json_free(params);
    }
}

static void
lines_of_the_older_format_are_events(void **state)
{
    static const struct {
        const char *line, *kind;
        bool ends, success;
    } lines[] = {
        {"{\"type\":\"progress\",\"data\":{\"progress\":5}}", "progress", false,
         false},
        {"{\"type\":\"heartbeat\"}", "heartbeat", false, false},
        {"{\"type\":\"result\",\"data\":{\"status\":\"completed\"}}", "result",
         true, true},
        {"{\"type\":\"result\",\"data\":{\"status\":\"failed\"}}", "result",
         true, false},
        {"{\"type\":\"result\",\"data\":{\"success\":true}}", "result", true,
         true},
        {"{\"type\":\"unknown\"}", NULL, false, false},
        {"{\"type\":\"log\",\"jsonrpc\":\"2.0\"}", NULL, false, false},
        {"[\"type\"]", NULL, false, false},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(lines); i++) {
        struct json *line = json_parse(lines[i].line, strlen(lines[i].line), 0,
                                       NULL);
        struct agent_update u;

        agent_update_read_old(line, &u);
        if (lines[i].kind)
            assert_string_equal(u.kind, lines[i].kind);
        else
            assert_null(u.kind);
        assert_int_equal(u.ends_turn, lines[i].ends);
        assert_int_equal(u.success, lines[i].success);
        buf_done(&u.data);
        json_free(line);
    }
}

/* Each byte a piece of its own, and all of them at once: no secret comes
 * through, and nothing else is lost. */
static void
secrets_in_pieces_are_removed(void **state)
{
    static const char said[] = "a s3cret! b s3cre s3cret!s3cret! so\"q\"x s3";
    /* what is shorter than four bytes is no secret that could be told */
    const char *const variables[] = {"A=s3cret!", "B=\"q\"", "C=xy", NULL};
    const char *const quoted[] = {"A=s3cret!", "B=\"q\"\"q\"", NULL};
    struct loop *l = loop_new(NULL);
    struct agent_secrets_setup set = {.loop = l, .variables = variables};
    struct agent_secrets *s = agent_secrets_find(&set, NULL);

    (void)state;
    for (size_t piece = 1; piece <= sizeof(said); piece++) {
        struct agent_text t;
        CLEANUP_BUF struct buf out = buf_of(1024);

        agent_text_init(&t);
        for (size_t at = 0; at < sizeof(said) - 1; at += piece) {
            char text[64] = {0};
            size_t n;

            memcpy(text, said + at,
                   sizeof(said) - 1 - at < piece ? sizeof(said) - 1 - at
                                                 : piece);
            n = agent_text_add(&t, s, text);
            buf_add(&out, t.held.p, n);
            buf_drop(&t.held, n);
        }
        buf_add(&out, t.held.p, t.held.len);
        assert_string_equal(out.p, "a [secret] b s3cre [secret][secret] "
                                   "so\"q\"x s3");
        agent_text_done(&t);
    }
    agent_secrets_free(s);
    set.variables = quoted;
    s = agent_secrets_find(&set, NULL);
    {
        CLEANUP_BUF struct buf json = buf_of(1024);

        buf_str(&json, "{\"a\":\"\\\"q\\\"\\\"q\\\" s3cret!\"}");
        agent_secrets_clean(s, &json);
        assert_string_equal(json.p, "{\"a\":\"[secret] [secret]\"}");
    }
    agent_secrets_free(s);
    loop_free(l);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(updates_are_events),
        cmocka_unit_test(numbers_that_are_none_are_not_believed),
        cmocka_unit_test(lines_of_the_older_format_are_events),
        cmocka_unit_test(secrets_in_pieces_are_removed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
