/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_stream.c - bodies as servers send them, split at every byte. */
#include "tests/unit/unit.h"

#include "tests/unit/streams.h"

#define CUT   "cut at its token limit"
#define BROKE "ended early"
#define NONE  "no answer"

static const struct stream_row whole_answers[] = {
    {"openai", OA("a") OA("b") OA_END("stop") DONE, "ab", 0, 0},
    {"openai", OA("a") OA_END("stop"), "a", 0, 0},
    {"openai",
     ": ping\n\n: OPENROUTER PROCESSING\n\n" OA(
         "a") "data:\n\n"
              "data: : keepalive\n\n" OA_END("stop") DONE,
     "a", 0, 0},
    {"openai", "data: " OA("a") "data:data: " OA_END("stop"), "a", 0, 0},
    {"openai", OA("gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80") OA_END("stop"),
     "gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80", 0, 0},
    {"openai", "\xef\xbb\xbf" OA("a") OA_END("stop"), "a", 0, 0},
    {"ollama", "\xef\xbb\xbf" OL("a") OL_END("stop"), "a", 0, 0},
    {"openai", "event: x\nid: 1\nretry: 5\nwhat\n" OA("a") OA_END("stop"), "a",
     0, 0},
    {"openai",
     "data: {\"choices\":[]}\n\n" OA("a")
         OA_END("stop") "data: "
                        "{\"choices\":[],\"usage\":{\"completion_tokens\":1}}"
                        "\n\n" DONE,
     "a", 0, 0},
    {"openai",
     "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n"
     "data: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\n",
     "a", 0, 0},
    {"openai",
     "data: {\"choices\":\ndata: [{\"delta\":{\"content\":\"a\"}"
     ",\"finish_reason\":\"stop\"}]}\n\n",
     "a", 0, 0},
    {"openai",
     "{\"model\":\"m\",\"choices\":[{\"message\":{\"content\":"
     "\"a\"},\n\"finish_reason\":\"stop\"}]}\n",
     "a", 0, 0},
    {"openai",
     OA("a") "data: {\"choices\":[{\"delta\":{},"
             "\"finish_reason\":\"stop\"}]}",
     "a", 0, 0},
    {"openai", OA("a") OA_END("stop") "data: {broken\n\n", "a", 0, 0},
    {"anthropic",
     "event: message_start\ndata: {\"type\":\"message_start\",\"message\":"
     "{\"model\":\"c\",\"content\":[],\"stop_reason\":null,\"usage\":"
     "{\"input_tokens\":7,\"output_tokens\":1}}}\n\n"
     "event: ping\ndata: {\"type\": \"ping\"}\n\n"
     "event: content_block_start\ndata: {\"type\":\"content_block_start\","
     "\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n" AN("a") AN("b")
         AN_END("end_turn"),
     "ab", 0, 0},
    {"anthropic",
     "{\"type\":\"message\",\"content\":[{\"type\":\"thinking"
     "\",\"thinking\":\"hm\"},{\"type\":\"text\",\"text\":"
     "\"a\"}],\"stop_reason\":\"end_turn\"}",
     "a", 0, 0},
    {"gemini", GE("a", "") GE("b", GE_STOP), "ab", 0, 0},
    {"gemini", GE("a", GE_STOP) GE("b", GE_STOP), "ab", 0, 0},
    {"gemini",
     "[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\""
     "}]}}]},\n{\"candidates\":[{\"content\":{\"parts\":[{"
     "\"text\":\"b\"}]}" GE_STOP "}]}]",
     "ab", 0, 0},
    {"ollama", OL("a") OL("b") OL_END("stop"), "ab", 0, 0},
    {"ollama", OL("a") "{\"done\":true}", "a", 0, 0},
    {"ollama", "\r\n" OL("a") "\n" OL_END("stop"), "a", 0, 0},
};

static void
complete_answers_arrive_in_every_format(void **state)
{
    (void)state;
    stream_check(whole_answers, N_OF(whole_answers));
}

static void
reasoning_is_no_part_of_the_text(void **state)
{
    static const struct stream_row rows[] = {
        {"openai",
         "data: {\"choices\":[{\"delta\":{\"reasoning_content\":"
         "\"hm\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"reasoning"
         "\":\"hm\"}}]}\n\n" OA("a") OA_END("stop"),
         "a", 0, 0},
        {"openai", OA("<think>rm -rf /</think>a") OA_END("stop"), "a", 0, 0},
        {"openai", OA("\\n<th") OA("ink>x</thi") OA("nk>a") OA_END("stop"), "a",
         0, 0},
        {"openai", OA("<think>x</think> <think>y</think>a") OA_END("stop"), "a",
         0, 0},
        {"openai",
         OA("<think>x</think> ") OA("<think>y") OA("</think>a") OA_END("stop"),
         "a", 0, 0},
        {"openai", OA("<thing>a") OA_END("stop"), "<thing>a", 0, 0},
        {"openai", OA("<th") OA_END("stop"), "<th", 0, 0},
        {"anthropic",
         "data: {\"type\":\"content_block_delta\",\"delta\":{"
         "\"type\":\"thinking_delta\",\"thinking\":\"hm\"}}\n\n" AN("a")
             AN_END("end_turn"),
         "a", 0, 0},
        {"gemini",
         "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":"
         "\"hm\",\"thought\":true},{\"text\":\"a\"}]}" GE_STOP "}]}\n\n",
         "a", 0, 0},
        {"ollama",
         "{\"message\":{\"thinking\":\"hm\",\"content\":\"\"}}\n" OL("a")
             OL_END("stop"),
         "a", 0, 0},
        {"openai", OA("<think>only") OA_END("stop"), NULL, ERR_ANSWER,
         "only reasoning"},
        {"openai", OA("{no}</th") OA("ink>{a}") OA_END("stop"), "{a}", 0, 0},
        {"ollama", OL("{a}<th") OL("ink>no") OL_END("stop"), "{a}", 0, 0},
        {"gemini", GE("a[THI", "") GE("NK]no[/think]b", GE_STOP), "ab", 0, 0},
        {"anthropic",
         AN("no <|chan") AN("nel|>final<|message|>a") AN_END("end_turn"), "a",
         0, 0},
        {"gemini",
         "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":"
         "\"hm\",\"thought\":\"yes\"},{\"text\":\"a\",\"thought\":false}]"
         "}" GE_STOP "}]}\n\n",
         "a", 0, 0},
        /* another answer, where one was asked for */
        {"openai",
         OA("a") "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":"
                 "\"no\"},\"finish_reason\":\"stop\"}]}\n\n" OA_END("stop"),
         "a", 0, 0},
    };

    (void)state;
    stream_check(rows, N_OF(rows));
}

static void
an_incomplete_answer_is_an_error(void **state)
{
    static const struct stream_row rows[] = {
        {"openai", OA("{}"), NULL, ERR_ANSWER, BROKE},
        {"openai", OA("{}") DONE, NULL, ERR_ANSWER, BROKE},
        {"openai", OA("{}") "data: {\"choices\":[{\"finish_rea", NULL,
         ERR_ANSWER, "not valid JSON"},
        {"openai", OA("{}") "data: {broken\n\n" OA_END("stop"), NULL,
         ERR_ANSWER, "not valid JSON"},
        {"openai", OA("{}") OA_END("length") DONE, NULL, ERR_ANSWER, CUT},
        {"openai",
         OA("{}") OA_END("stop") "data: {\"choices\":[],\"usage\":{"
                                 "\"completion_tokens\":8192}}\n\n" DONE,
         NULL, ERR_ANSWER, CUT},
        {"openai", OA("{}") OA_END("insufficient_system_resource"), NULL,
         ERR_ANSWER, "insufficient_system_resource"},
        {"openai", OA("") OA_END("stop"), NULL, ERR_ANSWER, "empty"},
        {"openai", OA(" \\n") OA_END("stop"), NULL, ERR_ANSWER, "empty"},
        {"openai", "data: {\"choices\":[]}\n\n" DONE, NULL, ERR_ANSWER, NONE},
        {"openai", "", NULL, ERR_ANSWER, NONE},
        {"openai", "{\"choices\":[]}", NULL, ERR_ANSWER, NONE},
        {"openai",
         "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{"
         "\"function\":{\"name\":\"x\",\"arguments\":\"{}\"}}]},"
         "\"finish_reason\":\"tool_calls\"}]}\n\n",
         NULL, ERR_ANSWER, "tool that it was not offered"},
        {"openai",
         OA("{}") "data: {\"error\":{\"message\":\"boom\",\"code\":"
                  "500}}\n\n",
         NULL, ERR_ANSWER, "boom"},
        {"openai", "event: error\ndata: {\"message\":\"boom\"}\n\n", NULL,
         ERR_ANSWER, "boom"},
        {"openai", "<html><body>Login</body></html>", NULL, ERR_MODEL,
         "web page"},
        {"anthropic", AN("{}"), NULL, ERR_ANSWER, BROKE},
        {"anthropic",
         AN("{}") "event: error\ndata: {\"type\":\"error\","
                  "\"error\":{\"type\":\"overloaded_error\",\"message\":"
                  "\"Overloaded\"}}\n\n",
         NULL, ERR_ANSWER, "Overloaded"},
        {"anthropic", AN("{}") AN_END("max_tokens"), NULL, ERR_ANSWER, CUT},
        {"anthropic", AN("{}") AN_END("pause_turn"), NULL, ERR_ANSWER,
         "pause_turn"},
        {"gemini", GE("{}", ""), NULL, ERR_ANSWER, BROKE},
        {"gemini", GE("{}", ",\"finishReason\":\"MAX_TOKENS\""), NULL,
         ERR_ANSWER, CUT},
        {"gemini",
         "data: {\"candidates\":[{\"finishReason\":"
         "\"MALFORMED_FUNCTION_CALL\"}]}\n\n",
         NULL, ERR_ANSWER, "MALFORMED"},
        {"ollama", OL("{}"), NULL, ERR_ANSWER, BROKE},
        {"ollama", OL("{}") OL_END("length"), NULL, ERR_ANSWER, CUT},
        {"ollama", OL("{}") "{\"error\":\"boom\"}\n", NULL, ERR_ANSWER, "boom"},
        {"ollama", OL("{}") "{\"model\":", NULL, ERR_ANSWER, "not valid JSON"},
    };

    (void)state;
    stream_check(rows, N_OF(rows));
}

static void
bounds_hold(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(8u << 20);
    const char *const names[] = {"openai", "ollama"};

    (void)state;
    buf_str(&b, "data: {\"a\":\"");
    while (b.len < 4u << 20)
        buf_str(&b, "0123456789abcdef");
    for (size_t i = 0; i < N_OF(names); i++) {
        CLEANUP(stream_free_p) struct stream *s = NULL;
        struct model_response r;
        struct err e = {0};
        size_t fed = 0;
        int rc = 0;

        model_response_init(&r, false, NULL);
        s = stream_new(provider_find(names[i]), &r, NULL);
        for (; rc == 0 && fed < b.len; fed += 4096)
            rc = stream_add(s, b.p + fed, 4096, &e);
        assert_int_equal(rc, -1);
        assert_int_equal(e.code, ERR_ANSWER);
        assert_true(fed <= 2 * STREAM_LINE_MAX);
        assert_non_null(strstr(e.text, "longer than"));
        model_response_done(&r);
    }
}

/* What is new, and what the servers' own tools did, is no answer. */
static void
unknown_blocks_and_events_do_no_harm(void **state)
{
#define START(index, block)                                                    \
    "data: {\"type\":\"content_block_start\",\"index\":" index                 \
    ",\"content_block\":" block "}\n\n"
#define DELTA(index, delta)                                                    \
    "data: {\"type\":\"content_block_delta\",\"index\":" index                 \
    ",\"delta\":" delta "}\n\n"
    static const struct stream_row rows[] = {
        {"anthropic",
         START("0", "{\"type\":\"advice\",\"text\":\"no\"}")
             DELTA("0", "{\"type\":\"text_delta\",\"text\":\"no\"}")
                 DELTA("0", "{\"type\":\"advice_delta\",\"text\":\"no\"}")
                     START("1", "{\"type\":\"text\",\"text\":\"a\"}")
                         DELTA("1", "{\"type\":\"text_delta\",\"text\":\"b\"}")
                             DELTA("1", "{\"type\":\"other\",\"text\":\"no\"}")
                                 AN_END("end_turn"),
         "ab", 0, 0},
        {"anthropic",
         "{\"type\":\"message\",\"content\":[{\"type\":\"server_tool_use\","
         "\"name\":\"web_search\",\"id\":\"s\",\"input\":{\"q\":1}},"
         "{\"type\":\"web_search_tool_result\",\"content\":[{\"type\":\"text\","
         "\"text\":\"no\"}],\"text\":\"no\"},{\"type\":\"container_upload\","
         "\"file_id\":\"f\"},{\"type\":\"text\",\"text\":\"a\"}],"
         "\"stop_reason\":\"end_turn\"}",
         "a", 0, 0},
        {"anthropic",
         "event: content_block_refreshed\ndata: {\"type\":"
         "\"content_block_refreshed\",\"delta\":{\"text\":\"no\"},\"error\":"
         "null}\n\ndata: {\"type\":7}\n\ndata: 3\n\ndata: [null]\n\n" AN("a")
             AN_END("end_turn"),
         "a", 0, 0},
        {"openai",
         "data: {\"type\":\"notice\",\"text\":\"no\"}\n\ndata: 1\n\n" OA("a")
             OA_END("stop"),
         "a", 0, 0},
        {"gemini",
         "data: {\"candidates\":[{\"content\":{\"parts\":[{\"executableCode\":"
         "{\"code\":\"no\"}},{\"codeExecutionResult\":{\"output\":\"no\"}},"
         "{\"new\":{\"text\":\"no\"}}]}}]}\n\n" GE("a", GE_STOP),
         "a", 0, 0},
        {"ollama", "{\"status\":\"loading\"}\n" OL("a") OL_END("stop"), "a", 0,
         0},
    };

    (void)state;
    stream_check(rows, N_OF(rows));
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(complete_answers_arrive_in_every_format),
        cmocka_unit_test(reasoning_is_no_part_of_the_text),
        cmocka_unit_test(an_incomplete_answer_is_an_error),
        cmocka_unit_test(unknown_blocks_and_events_do_no_harm),
        cmocka_unit_test(bounds_hold),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
