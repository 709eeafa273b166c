/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_response.c - a response while it arrives. */
#include "tests/unit/unit.h"

#include "tests/unit/streams.h"

static void
text_is_handed_out_once(void **state)
{
    struct model_response r;
    size_t n;

    (void)state;
    model_response_init(&r, false, NULL);
    assert_int_equal(stream_add_text(&r, "\" <thi\""), 0);
    assert_null(model_response_new_text(&r, &n)); /* may be reasoning */
    assert_int_equal(stream_add_text(&r, "\"nk>{no}</think> {\""), 0);
    assert_memory_equal(model_response_new_text(&r, &n), "{", 1);
    assert_int_equal(n, 1);
    assert_null(model_response_new_text(&r, &n));
    assert_int_equal(stream_add_text(&r, "\"} done\""), 0);
    assert_memory_equal(model_response_new_text(&r, &n), "}", 1);
    assert_int_equal(n, 1);
    assert_null(model_response_new_text(&r, &n)); /* may yet be reasoning */
    r.finish = FINISH_STOP;
    assert_int_equal(model_response_check(&r, 0, NULL), 0);
    assert_false(r.replaced);
    assert_string_equal(r.text.p, "{} done");
    assert_string_equal(model_response_new_text(&r, &n), " done");
    assert_null(model_response_new_text(&r, &n));
    model_response_done(&r);
}

static void
what_was_shown_is_void_when_it_was_reasoning(void **state)
{
    static const struct {
        const char *first, *then, *text;
    } rows[] = {
        {"\"{} hm\"", "\"</think>{ }\"", "{ }"},
        {"\"{\\\"a\\\": no\"", "\"<think>x</think>\"", "{\"a\": no"},
        {"\"{\\\"a\\\":1\"", "\"}</think>ok\"", "ok"},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct model_response r;
        size_t n = 0;

        model_response_init(&r, false, NULL);
        assert_int_equal(stream_add_text(&r, rows[i].first), 0);
        assert_memory_equal(model_response_new_text(&r, &n), "{", 1);
        assert_int_equal(stream_add_text(&r, rows[i].then), 0);
        r.finish = FINISH_STOP;
        assert_int_equal(model_response_check(&r, 0, NULL), 0);
        assert_string_equal(r.text.p, rows[i].text);
        assert_int_equal(r.replaced, i != 1);
        if (r.replaced)
            assert_string_equal(model_response_new_text(&r, &n), r.text.p);
        model_response_done(&r);
    }
}

/* A text beside the forced tool may be reasoning; its arguments are not. */
static void
reasoning_ends_before_the_forced_tool(void **state)
{
    static const struct stream_row row = {
        "openai",
        OA("<think>Perhaps {}") "data: "
                                "{\"choices\":[{\"delta\":{\"tool_calls\":"
                                "[{\"function\":{\"name\":\"answer\","
                                "\"arguments\":\"{\\\"a\\\":1}\"}}]},"
                                "\"finish_reason\":\"tool_calls\"}]}\n\n",
        "{\"a\":1}", 0, 0};
    struct model_response r;

    (void)state;
    model_response_init(&r, true, NULL);
    assert_int_equal(stream_run(&row, 3, &r, NULL), 0);
    assert_string_equal(r.text.p, row.text);
    model_response_done(&r);
}

static void
a_refusal_has_the_models_words(void **state)
{
    static const struct stream_row rows[] = {
        {"openai",
         "data: {\"choices\":[{\"delta\":{\"refusal\":\"I will \"}}"
         "]}\n\ndata: {\"choices\":[{\"delta\":{\"refusal\":\"not."
         "\"},\"finish_reason\":\"stop\"}]}\n\n",
         NULL, ERR_MODEL, "refused: I will not."},
        {"openai", OA_END("content_filter"), NULL, ERR_MODEL, "content_filter"},
        {"openai",
         "data: {\"choices\":[{\"delta\":{},\"finish_reason\":"
         "\"content_filter\",\"content_filter_results\":{\"hate\":{"
         "\"filtered\":false},\"violence\":{\"filtered\":true,\"severity\":"
         "\"high\"}}}]}\n\n",
         NULL, ERR_MODEL, "refused (content_filter): violence"},
        {"openai",
         OA("a") "data: {\"choices\":[{\"delta\":{\"content\":\"\"},"
                 "\"error\":{\"code\":502,\"message\":\"Provider returned "
                 "error\",\"metadata\":{\"provider_name\":\"Dee\",\"raw\":"
                 "\"out of room\"}},\"finish_reason\":\"error\"}]}\n\n",
         NULL, ERR_ANSWER, "middle of the answer: Dee: out of room"},
        {"anthropic",
         AN("I ") "data: {\"type\":\"message_delta\",\"delta\":{"
                  "\"stop_reason\":\"refusal\",\"stop_details\":{\"type\":"
                  "\"refusal\",\"category\":\"cyber\",\"explanation\":\"It "
                  "could harm.\"}}}\n\n",
         NULL, ERR_MODEL, "refused (refusal): cyber: It could harm."},
        {"gemini",
         "data: {\"candidates\":[{\"finishReason\":\"SAFETY\","
         "\"finishMessage\":\"it may hurt\"}]}\n\n",
         NULL, ERR_MODEL, "refused (SAFETY): it may hurt"},
        {"gemini",
         "data: {\"candidates\":[{\"finishReason\":"
         "\"MALFORMED_FUNCTION_CALL\",\"finishMessage\":\"no \\u001b[1mcall"
         "\"}]}\n\n",
         NULL, ERR_ANSWER, "\"MALFORMED_FUNCTION_CALL\": no [1mcall"},
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
    stream_check(rows, N_OF(rows));
}

static void
a_forced_tools_arguments_are_the_text(void **state)
{
    static const struct stream_row rows[] = {
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
        struct model_response r;
        struct err e = {0};

        model_response_init(&r, true, NULL);
        assert_int_equal(stream_run(&rows[i], 5, &r, &e), 0);
        assert_string_equal(r.text.p, rows[i].text);
        model_response_done(&r);
    }
}

static void
names_and_counts_are_kept(void **state)
{
    static const struct stream_row row = {
        "openai",
        OA("a") OA_END(
            "stop") "data: {\"choices\":[],\"usage\":{"
                    "\"prompt_tokens\":11,\"completion_tokens\":22}}\n\n",
        "a", 0, 0};
    struct model_response r;

    (void)state;
    model_response_init(&r, false, NULL);
    assert_int_equal(stream_run(&row, 3, &r, NULL), 0);
    assert_string_equal(r.model, "m-1");
    assert_int_equal(r.tokens_in, 11);
    assert_int_equal(r.tokens_out, 22);
    model_response_done(&r);
}

/* What a body's counts are read as: in, cached, cache-written, out and
 * reasoning. */
struct usage_case {
    const char *provider, *body;
    int64_t in, cached, written, out, reasoning;
};

#define OA_USAGE(usage)                                                        \
    OA("a") OA_END("stop") "data: {\"choices\":[],\"usage\":{" usage "}}\n\n"
#define AN_START(usage)                                                        \
    "data: {\"type\":\"message_start\",\"message\":{\"content\":[],"           \
    "\"usage\":{" usage "}}}\n\n"
#define AN_LAST(usage)                                                         \
    "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":"            \
    "\"end_turn\"},\"usage\":{" usage "}}\n\n"                                 \
    "data: {\"type\":\"message_stop\"}\n\n"
#define GE_USAGE(usage)                                                        \
    GE("a", GE_STOP) "data: {\"usageMetadata\":{" usage "}}\n\n"

static void
check_usage(const struct usage_case *c)
{
    const struct stream_row row = {c->provider, c->body, "a", 0, 0};
    struct model_response r;
    struct err e = {0};

    model_response_init(&r, false, NULL);
    if (stream_run(&row, 5, &r, &e) < 0)
        fail_msg("%s: %s", c->body, e.text);
    if (r.tokens_in != c->in || r.tokens_cached != c->cached ||
        r.tokens_cache_written != c->written || r.tokens_out != c->out ||
        r.tokens_reasoning != c->reasoning)
        fail_msg("%s: %lld %lld %lld %lld %lld", c->body,
                 (long long)r.tokens_in, (long long)r.tokens_cached,
                 (long long)r.tokens_cache_written, (long long)r.tokens_out,
                 (long long)r.tokens_reasoning);
    model_response_done(&r);
}

static const struct usage_case usage_cases[] = {
    {"openai", OA("a") OA_END("stop"), -1, -1, -1, -1, -1},
    {"openai", OA_USAGE("\"prompt_tokens\":11,\"completion_tokens\":22"), 11,
     -1, -1, 22, -1},
    {"openai",
     OA_USAGE("\"prompt_tokens\":1100,\"completion_tokens\":22,"
              "\"total_tokens\":1122,\"prompt_tokens_details\":{"
              "\"cached_tokens\":1024,\"cache_write_tokens\":64},"
              "\"completion_tokens_details\":{\"reasoning_tokens\":20}"),
     1100, 1024, 64, 22, 20},
    /* counted beside the completion, as the total says */
    {"openai",
     OA_USAGE("\"prompt_tokens\":10,\"completion_tokens\":2,"
              "\"total_tokens\":42,\"completion_tokens_details\":{"
              "\"reasoning_tokens\":30}"),
     10, -1, -1, 32, 30},
    {"openai",
     OA_USAGE("\"prompt_tokens\":10,\"completion_tokens\":2,"
              "\"prompt_cache_hit_tokens\":8"),
     10, 8, -1, 2, -1},
    {"openai",
     OA_USAGE("\"prompt_tokens\":-1,\"completion_tokens\":\"2\","
              "\"prompt_tokens_details\":null"),
     -1, -1, -1, -1, -1},
    {"openai",
     OA_USAGE("\"prompt_tokens\":9223372036854775807,"
              "\"completion_tokens\":1.5"),
     -1, -1, -1, -1, -1},
    /* the start has the cache, the end repeats nothing of it */
    {"anthropic",
     AN_START("\"input_tokens\":7,\"cache_read_input_tokens\":1000,"
              "\"cache_creation_input_tokens\":30,\"output_tokens\":1") AN("a")
         AN_LAST("\"output_tokens\":5"),
     1037, 1000, 30, 5, -1},
    /* the end repeats all of it */
    {"anthropic",
     AN_START("\"input_tokens\":7,\"cache_read_input_tokens\":1000,"
              "\"output_tokens\":1") AN("a")
         AN_LAST("\"input_tokens\":8,\"output_tokens\":5,"
                 "\"cache_read_input_tokens\":1000,"
                 "\"cache_creation_input_tokens\":0"),
     1008, 1000, 0, 5, -1},
    {"anthropic", AN("a") AN_LAST("\"output_tokens\":5"), -1, -1, -1, 5, -1},
    {"gemini",
     GE_USAGE("\"promptTokenCount\":50,\"candidatesTokenCount\":4,"
              "\"cachedContentTokenCount\":40,\"thoughtsTokenCount\":6"),
     50, 40, -1, 10, 6},
    {"gemini", GE_USAGE("\"promptTokenCount\":50,\"thoughtsTokenCount\":6"), 50,
     -1, -1, 6, 6},
    {"gemini", GE_USAGE("\"promptTokenCount\":50"), 50, -1, -1, -1, -1},
    {"ollama",
     OL("a") "{\"model\":\"q\",\"done\":true,\"done_reason\":\"stop\","
             "\"prompt_eval_count\":9,\"eval_count\":3}\n",
     9, -1, -1, 3, -1},
};

/* Input is all that was read; output has the reasoning in it. */
static void
counts_mean_the_same_for_every_provider(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(usage_cases); i++)
        check_usage(&usage_cases[i]);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_handed_out_once),
        cmocka_unit_test(what_was_shown_is_void_when_it_was_reasoning),
        cmocka_unit_test(reasoning_ends_before_the_forced_tool),
        cmocka_unit_test(a_refusal_has_the_models_words),
        cmocka_unit_test(a_forced_tools_arguments_are_the_text),
        cmocka_unit_test(names_and_counts_are_kept),
        cmocka_unit_test(counts_mean_the_same_for_every_provider),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
