/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_tool_calls.c - tool calls as the four providers send them, split
 * anywhere. */
#include "tests/unit/unit.h"

#include "tests/unit/tool_calls.h"

static const struct calls_row openai_rows[] = {
    {"openai",
     OA_CALLS(OA_CALL("\"index\":0,\"id\":\"c1\",", "ls", ""))
         OA_CALLS(OA_PIECE("\"index\":0,", "{\\\"p\\\""))
             OA_CALLS(OA_PIECE("\"index\":0,", ":\\\"\xc3\xbc\\\"}")) OA_TOOLS,
     "c1 ls {\"p\":\"\xc3\xbc\"}\n", ""},
    /* two at once, their pieces mixed */
    {"openai",
     OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "{"))
         OA_CALLS(OA_CALL("\"index\":1,\"id\":\"b\",", "cat", "{\\\"x\\\""))
             OA_CALLS(OA_PIECE("\"index\":0,", "}") "," OA_PIECE(
                 "\"index\":1,", ":1}")) OA_TOOLS,
     "a ls {}\nb cat {\"x\":1}\n", ""},
    /* the id once more in every piece, and another in every piece */
    {"openai",
     OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "{"))
         OA_CALLS(OA_PIECE("\"index\":0,\"id\":\"a\",", "}")) OA_TOOLS,
     "a ls {}\n", ""},
    {"openai",
     OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "{"))
         OA_CALLS(OA_PIECE("\"index\":0,\"id\":\"b\",", "}")) OA_TOOLS,
     "a ls {}\n", ""},
    /* the name in every piece */
    {"openai",
     OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "{"))
         OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "}")) OA_TOOLS,
     "a ls {}\n", ""},
    /* place 0 of all */
    {"openai",
     OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "{}"))
         OA_CALLS(OA_CALL("\"index\":0,\"id\":\"b\",", "ls", "{}")) OA_TOOLS,
     "a ls {}\nb ls {}\n", ""},
    /* no place, no id */
    {"openai",
     OA_CALLS(OA_CALL("", "ls", "{") "," OA_PIECE("", "}"))
         OA_CALLS(OA_CALL("", "cat", "{}")) OA_TOOLS,
     "call00008 ls {}\ncall00009 cat {}\n", ""},
    /* one id for two, and an empty one */
    {"openai",
     OA_CALLS(OA_CALL("\"id\":\"a\",", "ls", "{}") "," OA_CALL(
         "\"id\":\"a\",", "cat", "{}") "," OA_CALL("\"id\":\"\",", "df", "{}"))
         OA_TOOLS,
     "a ls {}\ncall00008 cat {}\ncall00009 df {}\n", ""},
    /* a word that says stop, and text beside */
    {"openai",
     OA("I look.") OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "{}"))
         OA_END("stop") DONE,
     "a ls {}\n", "I look."},
    /* as they came: no arguments, no JSON, no tool of ours */
    {"openai",
     OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "rm -rf", "")) OA_TOOLS,
     "a rm -rf \n", ""},
    {"openai",
     OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "{path: 1")) OA_TOOLS,
     "a ls {path: 1\n", ""},
    {"openai",
     OA_CALLS("{\"id\":\"a\",\"function\":{\"name\":\"ls\",\"arguments\":"
              "{\"a\":1e2}},\"extra_content\":{\"g\":{\"s\":\"x\"}}}") OA_TOOLS,
     "a ls {\"a\":1e2} {\"extra_content\":{\"g\":{\"s\":\"x\"}}}\n", ""},
    /* reasoning stands with the first call */
    {"openai",
     "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"I \"}}]}\n\n"
     "data: "
     "{\"choices\":[{\"delta\":{\"reasoning_content\":\"see\"}}]}\n\n" OA_CALLS(
         OA_CALL("\"id\":\"a\",", "ls", "{}") "," OA_CALL("\"id\":\"b\",", "ls",
                                                          "{}")) OA_TOOLS,
     "a ls {} {\"reasoning_content\":\"I see\"}\nb ls {}\n", ""},
    {"openai",
     "{\"choices\":[{\"message\":{\"content\":null,\"tool_calls\":[{\"id\":"
     "\"a\",\"type\":\"function\",\"function\":{\"name\":\"ls\",\"arguments\":"
     "\"{}\"}}]},\"finish_reason\":\"tool_calls\"}]}",
     "a ls {}\n", ""},
};

static const struct calls_row other_rows[] = {
    {"anthropic",
     AN("Let me look.") AN_TOOL("1", "toolu_1", "ls") AN_ARGS("1", "")
         AN_ARGS("1", "{\\\"p\\\":") AN_ARGS("1", " \\\"/\\\"}")
             AN_TOOL("2", "toolu_2", "df") AN_TOOLS,
     "toolu_1 ls {\"p\": \"/\"}\ntoolu_2 df \n", "Let me look."},
    {"anthropic",
     "{\"type\":\"message\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t\","
     "\"name\":\"ls\",\"input\":{\"a\":1}},{\"type\":\"tool_use\",\"id\":\"u\","
     "\"name\":\"df\",\"input\":{}}],\"stop_reason\":\"tool_use\"}",
     "t ls {\"a\":1}\nu df \n", ""},
    {"gemini",
     GE_PARTS("{\"functionCall\":{\"name\":\"ls\",\"args\":{\"a\":1}},"
              "\"thoughtSignature\":\"c2ln\"}," GE_CALL("{}"),
              GE_STOP),
     "call00008 ls {\"a\":1} {\"thoughtSignature\":\"c2ln\"}\ncall00009 ls "
     "{}\n",
     ""},
    {"gemini",
     GE_PARTS("{\"text\":\"hm\",\"thought\":true},{\"text\":\"I look.\"}", "")
         GE_PARTS("{\"functionCall\":{\"id\":\"g1\",\"name\":\"ls\"}}", "")
             GE_PARTS("{\"text\":\"\"}", GE_STOP),
     "g1 ls \n", "I look."},
    {"anthropic",
     "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":"
     "\"thinking_delta\",\"thinking\":\"hm\"}}\n\n"
     "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":"
     "\"signature_delta\",\"signature\":\"c2ln\"}}\n\n" AN_TOOL("1", "t", "ls")
         AN_TOOLS,
     "t ls  {\"blocks\":[{\"type\":\"thinking\",\"thinking\":\"hm\","
     "\"signature\":\"c2ln\"}]}\n",
     ""},
    {"gemini", GE_PARTS(GE_CALL("{}"), ",\"finishReason\":\"FUNCTION_CALL\""),
     "call00008 ls {}\n", ""},
    {"ollama", OL_CALLS(OL_CALL("{\"a\":1}") "," OL_CALL("{}")) OL_END("stop"),
     "call00008 ls {\"a\":1}\ncall00009 ls {}\n", ""},
    {"ollama", OL_CALLS(OL_CALL("{}")) OL_CALLS(OL_CALL("{}")) OL_END("stop"),
     "call00008 ls {}\ncall00009 ls {}\n", ""},
    {"ollama",
     "{\"message\":{\"tool_calls\":[{\"id\":\"call_x\",\"function\":{\"index\":"
     "0,\"name\":\"ls\",\"arguments\":\"no object\"}}]},\"done\":true}",
     "call_x ls no object\n", ""},
};

static const struct calls_row broken_rows[] = {
    {"openai",
     OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "{\\\"p\\\":")), NULL,
     "ended early"},
    {"openai",
     OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "{}"))
         OA_END("length"),
     NULL, "cut at its token limit"},
    {"openai", OA_TOOLS, NULL, "but sent none"},
    {"anthropic", AN_TOOL("0", "t", "ls") AN_ARGS("0", "{"), NULL,
     "ended early"},
    {"gemini", GE_PARTS(GE_CALL("{}"), ""), NULL, "ended early"},
    {"gemini", GE_PARTS(GE_CALL("{}"), ",\"finishReason\":\"MAX_TOKENS\""),
     NULL, "cut at its token limit"},
    {"ollama", OL_CALLS(OL_CALL("{}")), NULL, "ended early"},
};

#define AN_START(index, block)                                                 \
    "data: {\"type\":\"content_block_start\",\"index\":" index                 \
    ",\"content_block\":" block "}\n\n"
#define AN_DELTA(index, delta)                                                 \
    "data: {\"type\":\"content_block_delta\",\"index\":" index                 \
    ",\"delta\":" delta "}\n\n"
#define AN_THINKING(index, text, sign)                                         \
    AN_START(index, "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":"  \
                    "\"\"}")                                                   \
    AN_DELTA(index, "{\"type\":\"thinking_delta\",\"thinking\":\"" text "\"}") \
    AN_DELTA(index, "{\"type\":\"signature_delta\",\"signature\":\"" sign "\"" \
                    "}")
#define OA_DETAILS(list)                                                       \
    "data: {\"choices\":[{\"delta\":{\"reasoning_details\":[" list "]}}]}\n\n"

/* Reasoning that must go back raw, with the call that it stood before. */
static const struct calls_row block_rows[] = {
    /* several are kept apart */
    {"anthropic",
     AN_THINKING("0", "one", "c2ln") AN_THINKING("1", "two", "bmF0")
         AN_TOOL("2", "t", "ls") AN_TOOLS,
     "t ls  {\"blocks\":[{\"type\":\"thinking\",\"thinking\":\"one\","
     "\"signature\":\"c2ln\"},{\"type\":\"thinking\",\"thinking\":\"two\","
     "\"signature\":\"bmF0\"}]}\n",
     ""},
    /* empty ones, and what is encrypted */
    {"anthropic",
     AN_START("0", "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":"
                   "\"\"}")
         AN_DELTA("0", "{\"type\":\"signature_delta\",\"signature\":\"c2ln\"}")
             AN_START("1", "{\"type\":\"redacted_thinking\",\"data\":"
                           "\"ZW5j\"}") AN_TOOL("2", "t", "ls") AN_TOOLS,
     "t ls  {\"blocks\":[{\"type\":\"thinking\",\"thinking\":\"\","
     "\"signature\":\"c2ln\"},{\"type\":\"redacted_thinking\",\"data\":"
     "\"ZW5j\"}]}\n",
     ""},
    /* between calls and texts, with a member that is new */
    {"anthropic",
     AN_THINKING("0", "a", "s0") AN_START("1",
                                          "{\"type\":\"text\",\"text\":\"\"}")
         AN_DELTA("1", "{\"type\":\"text_delta\",\"text\":\"I look.\"}")
             AN_TOOL("2", "t", "ls")
                 AN_START("3", "{\"type\":\"thinking\",\"new\":{\"x\":1.50},"
                               "\"thinking\":\"b\",\"signature\":\"s1\"}")
                     AN_TOOL("4", "u", "df") AN_TOOLS,
     "t ls  {\"blocks\":[{\"type\":\"thinking\",\"thinking\":\"a\","
     "\"signature\":\"s0\"},{\"type\":\"text\",\"text\":\"I look.\"}]}\n"
     "u df  {\"blocks\":[{\"type\":\"thinking\",\"new\":{\"x\":1.50},"
     "\"thinking\":\"b\",\"signature\":\"s1\"}]}\n",
     "I look."},
    /* not streamed */
    {"anthropic",
     "{\"type\":\"message\",\"content\":[{\"type\":\"redacted_thinking\","
     "\"data\":\"ZW5j\"},{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"ls\","
     "\"input\":{}}],\"stop_reason\":\"tool_use\"}",
     "t ls  {\"blocks\":[{\"type\":\"redacted_thinking\",\"data\":\"ZW5j\"}]}"
     "\n",
     ""},
    /* blocks of the server's own tools, and new ones, are no calls */
    {"anthropic",
     AN_START("0", "{\"type\":\"server_tool_use\",\"id\":\"s\",\"name\":"
                   "\"web_search\",\"input\":{}}") AN_ARGS("0", "{}")
         AN_START("1", "{\"type\":\"web_search_tool_result\",\"content\":[]}")
             AN_START("2", "{\"type\":\"mcp_tool_use\",\"id\":\"m\",\"name\":"
                           "\"x\",\"input\":{\"a\":1}}") AN_ARGS("2", "{}")
                 AN_START("3", "{\"type\":\"container_upload\"}")
                     AN_TOOL("4", "t", "ls") AN_ARGS("4", "{}")
                         AN_ARGS("0", "x") AN_TOOLS,
     "t ls {}\n", ""},
    /* OpenRouter's, in pieces */
    {"openai",
     OA_DETAILS("{\"type\":\"reasoning.text\",\"text\":\"I \",\"format\":"
                "\"f\",\"index\":0,\"id\":null}")
         OA_DETAILS("{\"type\":\"reasoning.text\",\"text\":\"see\",\"format\":"
                    "\"f\",\"index\":0}")
             OA_DETAILS("{\"type\":\"reasoning.text\",\"signature\":\"c2ln\","
                        "\"index\":0},{\"type\":\"reasoning.encrypted\","
                        "\"data\":\"ZW5j\",\"id\":\"a\",\"index\":1}")
                 OA_DETAILS("{\"type\":\"reasoning.encrypted\",\"data\":\"eA\","
                            "\"id\":\"b\",\"index\":1}")
                     OA_CALLS(OA_CALL("\"id\":\"a\",", "ls", "{}")) OA_TOOLS,
     "a ls {} {\"reasoning_details\":[{\"type\":\"reasoning.text\",\"format\":"
     "\"f\",\"index\":0,\"text\":\"I see\",\"signature\":\"c2ln\"},{\"type\":"
     "\"reasoning.encrypted\",\"id\":\"a\",\"index\":1,\"data\":\"ZW5j\"},"
     "{\"type\":\"reasoning.encrypted\",\"id\":\"b\",\"index\":1,\"data\":"
     "\"eA\"}]}\n",
     ""},
    {"openai",
     OA_DETAILS("{\"type\":\"reasoning.summary\",\"summary\":\"a\"}")
         OA_DETAILS("{\"type\":\"reasoning.summary\",\"summary\":\"b\"},7,"
                    "{\"type\":\"reasoning.encrypted\",\"data\":\"x\"}")
             OA_DETAILS("{\"type\":\"reasoning.encrypted\",\"data\":\"y\"}")
                 OA_CALLS(OA_CALL("\"id\":\"a\",", "ls", "{}")) OA_TOOLS,
     "a ls {} {\"reasoning_details\":[{\"type\":\"reasoning.summary\","
     "\"summary\":\"ab\"},{\"type\":\"reasoning.encrypted\",\"data\":\"x\"},"
     "{\"type\":\"reasoning.encrypted\",\"data\":\"y\"}]}\n",
     ""},
    {"openai",
     "{\"choices\":[{\"message\":{\"reasoning\":\"ab\",\"reasoning_details\":["
     "{\"type\":\"reasoning.text\",\"text\":\"a\",\"index\":0},{\"type\":"
     "\"reasoning.text\",\"text\":\"b\",\"index\":0}],\"tool_calls\":[" OA_CALL(
         "\"id\":\"a\",", "ls", "{}") "]},\"finish_reason\":\"tool_calls\"}]}",
     "a ls {} {\"reasoning\":\"ab\",\"reasoning_details\":[{\"type\":"
     "\"reasoning.text\",\"index\":0,\"text\":\"a\"},{\"type\":"
     "\"reasoning.text\",\"index\":0,\"text\":\"b\"}]}\n",
     ""},
};

static void
reasoning_is_kept_raw_with_the_call_behind_it(void **state)
{
    (void)state;
    calls_check(block_rows, N_OF(block_rows), TOOL_DECLARATIONS_NATIVE);
}

/* An answer with n thinking blocks of size bytes before its call. Returns how
 * many bytes go back with the call, or -1. */
static int
many_blocks(size_t n, size_t size, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(8u << 20);
    struct stream_row s = {.provider = "anthropic"};
    struct model_response r;
    int rc;

    for (size_t i = 0; i < n; i++) {
        buf_printf(&b,
                   "data: {\"type\":\"content_block_start\",\"index\":%zu,"
                   "\"content_block\":{\"type\":\"thinking\",\"thinking\":"
                   "\"%*s\"}}\n\n",
                   i, (int)size, "x");
    }
    buf_str(&b, AN_TOOL("1000", "t", "ls") AN_TOOLS);
    s.body = b.p;
    model_response_init(&r, false, NULL);
    model_response_expect_calls(&r, TOOL_DECLARATIONS_NATIVE, 0);
    rc = stream_run(&s, 4096, &r, e);
    if (rc == 0)
        rc = (int)r.tool_calls.rows[0].extra.len;
    model_response_done(&r);
    return rc;
}

/* All reasoning of an answer goes back, or none. */
static void
blocks_have_bounds(void **state)
{
    struct err e = {0};

    (void)state;
    assert_true(many_blocks(2, 75u << 10, &e) > 150 << 10);
    assert_int_equal(many_blocks(2, 90u << 10, &e), 0);
    assert_int_equal(many_blocks(1, 300u << 10, &e), 0);
    assert_true(many_blocks(CONTENT_BLOCKS_MAX - 1, 1, &e) > 0);
    assert_int_equal(many_blocks(CONTENT_BLOCKS_MAX, 1, &e), -1);
    assert_int_equal(e.code, ERR_ANSWER);
    assert_non_null(strstr(e.text, "more than 256 blocks"));
}

static void
pieces_of_openais_calls_find_each_other(void **state)
{
    (void)state;
    calls_check(openai_rows, N_OF(openai_rows), TOOL_DECLARATIONS_NATIVE);
}

static void
calls_of_the_other_providers_are_gathered(void **state)
{
    (void)state;
    calls_check(other_rows, N_OF(other_rows), TOOL_DECLARATIONS_NATIVE);
}

static void
a_call_that_is_not_whole_is_an_error(void **state)
{
    (void)state;
    calls_check(broken_rows, N_OF(broken_rows), TOOL_DECLARATIONS_NATIVE);
}

static void
without_declared_tools_nothing_is_a_call(void **state)
{
    static const struct calls_row rows[] = {
        {"openai", OA("a") OA_CALLS(OA_CALL("", "ls", "{}")) OA_END("stop"), "",
         "a"},
        {"openai",
         SAID("<tool_call>{\\\"name\\\":\\\"ls\\\",\\\"arguments\\\":{}}"
              "</tool_call>"),
         "", "<tool_call>{\"name\":\"ls\",\"arguments\":{}}</tool_call>"},
        {"openai", SAID("{\\\"tool\\\":\\\"ls\\\",\\\"args\\\":{}}"), "",
         "{\"tool\":\"ls\",\"args\":{}}"},
        {"anthropic", AN_TOOL("0", "t", "ls") AN_TOOLS, NULL, "not offered"},
    };

    (void)state;
    calls_check(rows, N_OF(rows), TOOL_DECLARATIONS_NONE);
}

/* The forced tool may stand among those that the model looks with. */
static void
the_forced_tool_is_told_from_the_others(void **state)
{
    static const struct {
        const char *body, *calls, *text;
    } rows[] = {
        {OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "answer", "{\\\"a\\\""))
             OA_CALLS(OA_PIECE("\"index\":0,", ":1}")) OA_TOOLS,
         "", "{\"a\":1}"},
        {OA_CALLS(OA_PIECE("\"index\":0,", "{\\\"a\\\""))
             OA_CALLS(OA_CALL("\"index\":0,", "answer", ":1}")) OA_TOOLS,
         "", "{\"a\":1}"},
        {OA_CALLS(OA_CALL("\"index\":0,\"id\":\"a\",", "ls", "{}")) OA_TOOLS,
         "a ls {}\n", ""},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf got = buf_of(1 << 20);
        const struct stream_row s = {.provider = "openai",
                                     .body = rows[i].body};
        struct model_response r;

        model_response_init(&r, true, NULL);
        model_response_expect_calls(&r, TOOL_DECLARATIONS_NATIVE, 0);
        assert_int_equal(stream_run(&s, 5, &r, NULL), 0);
        calls_put(&r, &got);
        assert_string_equal(got.p, rows[i].calls);
        assert_string_equal(r.text.p, rows[i].text);
        model_response_done(&r);
    }
}

/* n calls with arguments of size bytes. */
static int
many_calls(size_t n, size_t size, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(8u << 20);
    struct stream_row s = {.provider = "openai"};
    struct model_response r;
    int rc;

    for (size_t i = 0; i < n; i++) {
        buf_printf(&b,
                   "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{"
                   "\"index\":%zu,\"function\":{\"name\":\"ls\","
                   "\"arguments\":\"",
                   i);
        for (size_t k = 0; k < size; k++)
            buf_ch(&b, 'x');
        buf_str(&b, "\"}}]}}]}\n\n");
    }
    buf_str(&b, OA_TOOLS);
    s.body = b.p;
    model_response_init(&r, false, NULL);
    model_response_expect_calls(&r, TOOL_DECLARATIONS_NATIVE, 0);
    rc = stream_run(&s, 4096, &r, e);
    if (rc == 0)
        assert_int_equal(r.tool_calls.n, n);
    model_response_done(&r);
    return rc;
}

static void
calls_have_bounds(void **state)
{
    static const struct {
        size_t n, size;
        const char *words; /* NULL: they are taken */
    } rows[] = {
        {MODEL_TOOL_CALLS_MAX, 1, NULL},
        {MODEL_TOOL_CALLS_MAX + 1, 1, "more than 16 tools"},
        {MODEL_TOOL_CALLS_MAX + 4, 1, "more than 16 tools"},
        {1, MODEL_ARGS_MAX, NULL},
        {1, MODEL_ARGS_MAX + 1, "more than 64 KiB"},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct err e = {0};
        int rc = many_calls(rows[i].n, rows[i].size, &e);

        assert_int_equal(rc, rows[i].words ? -1 : 0);
        if (rows[i].words) {
            assert_int_equal(e.code, ERR_ANSWER);
            assert_non_null(strstr(e.text, rows[i].words));
        }
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_of_openais_calls_find_each_other),
        cmocka_unit_test(calls_of_the_other_providers_are_gathered),
        cmocka_unit_test(reasoning_is_kept_raw_with_the_call_behind_it),
        cmocka_unit_test(blocks_have_bounds),
        cmocka_unit_test(a_call_that_is_not_whole_is_an_error),
        cmocka_unit_test(without_declared_tools_nothing_is_a_call),
        cmocka_unit_test(the_forced_tool_is_told_from_the_others),
        cmocka_unit_test(calls_have_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
