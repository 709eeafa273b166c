/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_stream.c - bodies as servers send them, cut anywhere. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "model/provider.h"
#include "model/stream.h"

#define LIMIT 8192

/* What comes of a body: the text, or the words of the failure. */
struct row {
    const char *provider, *body;
    const char *text; /* NULL: fails */
    enum err_code code;
    const char *words;
};

#define OA(content)                                                            \
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" content       \
    "\"},\"finish_reason\":null}]}\n\n"
#define OA_END(why)                                                            \
    "data: {\"model\":\"m-1\",\"choices\":[{\"delta\":{},"                     \
    "\"finish_reason\":\"" why "\"}]}\n\n"
#define DONE "data: [DONE]\n\n"
#define AN(text)                                                               \
    "event: content_block_delta\ndata: {\"type\":\"content_block_delta\","     \
    "\"delta\":{\"type\":\"text_delta\",\"text\":\"" text "\"}}\n\n"
#define AN_END(why)                                                            \
    "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":"       \
    "{\"stop_reason\":\"" why "\"},\"usage\":{\"output_tokens\":5}}\n\n"       \
    "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
#define GE(text, more)                                                         \
    "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"" text        \
    "\"}]}" more "}]}\r\n\r\n"
#define GE_STOP ",\"finishReason\":\"STOP\""
#define OL(text)                                                               \
    "{\"model\":\"q\",\"message\":{\"content\":\"" text "\"},\"done\":false}"  \
    "\n"
#define OL_END(why)                                                            \
    "{\"model\":\"q\",\"message\":{\"content\":\"\"},\"done\":true,"           \
    "\"done_reason\":\"" why "\",\"eval_count\":3}\n"

#define CUT   "cut at its token limit"
#define BROKE "broke off"
#define NONE  "no answer came"

static int
run(const struct row *row, size_t step, struct draft *r, struct err *e)
{
    CLEANUP(stream_free_p) struct stream *s = NULL;
    size_t n = strlen(row->body);

    s = stream_new(provider_find(row->provider), r, e);
    assert_non_null(s);
    for (size_t i = 0; i < n; i += step) {
        size_t part = n - i < step ? n - i : step;

        if (stream_add(s, row->body + i, part, e) < 0)
            return -1;
    }
    if (stream_end(s, e) < 0)
        return -1;
    return draft_check(r, LIMIT, e);
}

static void
check_row(const struct row *row, size_t step)
{
    struct draft r;
    struct err e = {0};
    int rc;

    draft_init(&r, false, NULL);
    rc = run(row, step, &r, &e);
    if ((rc == 0) != (row->text != NULL) ||
        (row->text && strcmp(r.text.p, row->text) != 0) ||
        (row->words && !strstr(e.text, row->words)))
        print_error("# by %zu: %s\n# -> %d %s | %s\n", step, row->body, rc,
                    e.text, r.text.p);
    assert_int_equal(rc, row->text ? 0 : -1);
    if (row->text) {
        assert_string_equal(r.text.p, row->text);
    } else {
        assert_int_equal(e.code, row->code);
        assert_non_null(strstr(e.text, row->words));
    }
    draft_done(&r);
}

static void
check_rows(const struct row *rows, size_t n)
{
    static const size_t steps[] = {1, 2, 7, 64, 1 << 20};

    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < N_OF(steps); k++)
            check_row(&rows[i], steps[k]);
    }
}

static void
whole_answers_arrive_in_every_frame(void **state)
{
    static const struct row rows[] = {
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
        {"openai", "event: x\nid: 1\nretry: 5\nwhat\n" OA("a") OA_END("stop"),
         "a", 0, 0},
        {"openai",
         "data: {\"choices\":[]}\n\n" OA("a") OA_END(
             "stop") "data: "
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
         "\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n" AN("a")
             AN("b") AN_END("end_turn"),
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

    (void)state;
    check_rows(rows, N_OF(rows));
}

static void
reasoning_is_no_part_of_the_text(void **state)
{
    static const struct row rows[] = {
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
         "only reasoning came"},
    };

    (void)state;
    check_rows(rows, N_OF(rows));
}

static void
an_answer_that_is_not_whole_is_none(void **state)
{
    static const struct row rows[] = {
        {"openai", OA("{}"), NULL, ERR_ANSWER, BROKE},
        {"openai", OA("{}") DONE, NULL, ERR_ANSWER, BROKE},
        {"openai", OA("{}") "data: {\"choices\":[{\"finish_rea", NULL,
         ERR_ANSWER, "no JSON"},
        {"openai", OA("{}") "data: {broken\n\n" OA_END("stop"), NULL,
         ERR_ANSWER, "no JSON"},
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
        {"ollama", OL("{}") "{\"model\":", NULL, ERR_ANSWER, "no JSON"},
    };

    (void)state;
    check_rows(rows, N_OF(rows));
}

static void
a_refusal_has_the_models_words(void **state)
{
    static const struct row rows[] = {
        {"openai",
         "data: {\"choices\":[{\"delta\":{\"refusal\":\"I will \"}}"
         "]}\n\ndata: {\"choices\":[{\"delta\":{\"refusal\":\"not."
         "\"},\"finish_reason\":\"stop\"}]}\n\n",
         NULL, ERR_MODEL, "refused: I will not."},
        {"openai", OA_END("content_filter"), NULL, ERR_MODEL, "content_filter"},
        {"anthropic", AN("I will not.") AN_END("refusal"), NULL, ERR_MODEL,
         "refused: I will not."},
        {"gemini", "data: {\"candidates\":[{\"finishReason\":\"SAFETY\"}]}\n\n",
         NULL, ERR_MODEL, "SAFETY"},
        {"gemini",
         "data: {\"promptFeedback\":{\"blockReason\":"
         "\"PROHIBITED_CONTENT\"}}\n\n",
         NULL, ERR_MODEL, "PROHIBITED_CONTENT"},
    };

    (void)state;
    check_rows(rows, N_OF(rows));
}

static void
a_forced_tools_arguments_are_the_text(void **state)
{
    static const struct row rows[] = {
        {"openai",
         "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{"
         "\"name\":\"answer\",\"arguments\":\"{\\\"a\\\"\"}}]}}]}\n\n"
         "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{"
         "\"arguments\":\":1}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n",
         "{\"a\":1}", 0, 0},
        {"anthropic",
         "data: {\"type\":\"content_block_start\",\"content_block\":{\"type\":"
         "\"tool_use\",\"name\":\"answer\",\"input\":{}}}\n\n"
         "data: {\"type\":\"content_block_delta\",\"delta\":{\"partial_json\":"
         "\"{\\\"a\\\":1}\"}}\n\n" AN_END("tool_use"),
         "{\"a\":1}", 0, 0},
        {"anthropic",
         "{\"type\":\"message\",\"content\":[{\"type\":\"tool_use"
         "\",\"input\":{\"a\":1}}],\"stop_reason\":\"tool_use\"}",
         "{\"a\":1}", 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct draft r;
        struct err e = {0};

        draft_init(&r, true, NULL);
        assert_int_equal(run(&rows[i], 5, &r, &e), 0);
        assert_string_equal(r.text.p, rows[i].text);
        draft_done(&r);
    }
}

static void
names_and_counts_are_kept(void **state)
{
    static const struct row row = {
        "openai",
        OA("a") OA_END(
            "stop") "data: {\"choices\":[],\"usage\":{"
                    "\"prompt_tokens\":11,\"completion_tokens\":22}}\n\n",
        "a", 0, 0};
    struct draft r;

    (void)state;
    draft_init(&r, false, NULL);
    assert_int_equal(run(&row, 3, &r, NULL), 0);
    assert_string_equal(r.model, "m-1");
    assert_int_equal(r.tokens_in, 11);
    assert_int_equal(r.tokens_out, 22);
    draft_done(&r);
}

static void
text_is_handed_out_once(void **state)
{
    struct draft r;
    size_t n;

    (void)state;
    draft_init(&r, false, NULL);
    assert_int_equal(draft_text(&r, "<thi", 4, NULL), 0);
    assert_null(draft_news(&r, &n)); /* may be reasoning */
    assert_int_equal(draft_text(&r, "s", 1, NULL), 0);
    assert_memory_equal(draft_news(&r, &n), "<this", 5);
    assert_int_equal(n, 5);
    assert_null(draft_news(&r, &n));
    draft_done(&r);
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
        struct draft r;
        struct err e = {0};
        size_t fed = 0;
        int rc = 0;

        draft_init(&r, false, NULL);
        s = stream_new(provider_find(names[i]), &r, NULL);
        for (; rc == 0 && fed < b.len; fed += 4096)
            rc = stream_add(s, b.p + fed, 4096, &e);
        assert_int_equal(rc, -1);
        assert_int_equal(e.code, ERR_ANSWER);
        assert_true(fed <= 2 * STREAM_LINE_MAX);
        assert_non_null(strstr(e.text, "longer than"));
        draft_done(&r);
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_answers_arrive_in_every_frame),
        cmocka_unit_test(reasoning_is_no_part_of_the_text),
        cmocka_unit_test(an_answer_that_is_not_whole_is_none),
        cmocka_unit_test(a_refusal_has_the_models_words),
        cmocka_unit_test(a_forced_tools_arguments_are_the_text),
        cmocka_unit_test(names_and_counts_are_kept),
        cmocka_unit_test(text_is_handed_out_once),
        cmocka_unit_test(bounds_hold),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
