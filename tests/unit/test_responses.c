/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_responses.c - OpenAI's /responses: requests, streams, the tool loop. */
#include "tests/unit/unit.h"

#include "tests/unit/streams.h"

#define ITEM(when, index, item)                                                \
    "event: response.output_item." when                                        \
    "\ndata: {\"type\":\"response.output_item." when                           \
    "\",\"output_index\":" index ",\"item\":" item "}\n\n"
#define TEXT(index, text)                                                      \
    "event: response.output_text.delta\n"                                      \
    "data: {\"type\":\"response.output_text.delta\",\"output_index\":" index   \
    ",\"delta\":\"" text "\"}\n\n"
#define ARGS(index, text)                                                      \
    "data: {\"type\":\"response.function_call_arguments.delta\","              \
    "\"output_index\":" index ",\"delta\":\"" text "\"}\n\n"
#define END(type, rest)                                                        \
    "event: response." type "\ndata: {\"type\":\"response." type               \
    "\",\"response\":{\"model\":\"m-1\",\"status\":\"" type "\"" rest          \
    ",\"usage\":{\"input_tokens\":7,\"output_tokens\":5}}}\n\n"
#define REASONING                                                              \
    "{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[],"                  \
    "\"encrypted_content\":\"gAAA\",\"status\":null}"
#define MESSAGE(phase) "{\"type\":\"message\",\"phase\":\"" phase "\"}"
#define CALL(id, name)                                                         \
    "{\"type\":\"function_call\",\"id\":\"fc\",\"call_id\":\"" id              \
    "\",\"name\":\"" name "\",\"arguments\":\"\"}"

static void
streams_and_whole_answers_are_read(void **state)
{
    static const struct stream_row rows[] = {
        {"openai",
         "event: response.created\ndata: {\"type\":\"response.created\","
         "\"response\":{\"object\":\"response\",\"model\":\"m-1\",\"error\":"
         "null}}\n\n" ITEM("added", "0", "{\"type\":\"reasoning\"}")
             ITEM("added", "1", MESSAGE("final_answer")) TEXT("1", "a")
                 TEXT("1", "b") END("completed", ",\"error\":null"),
         "ab", 0, 0},
        {"openai",
         ITEM("added", "0", MESSAGE("commentary")) TEXT("0", "I look. ")
             ITEM("added", "1", MESSAGE("final_answer")) TEXT("1", "{}")
                 END("completed", ""),
         "{}", 0, 0},
        {"openai",
         "{\"object\":\"response\",\"model\":\"m-1\",\"status\":\"completed\","
         "\"error\":null,\"output\":[{\"type\":\"reasoning\",\"summary\":[]},"
         "{\"type\":\"message\",\"content\":[{\"type\":\"output_text\","
         "\"text\":\"a\"}]}]}",
         "a", 0, 0},
        {"openai", TEXT("0", "{}"), NULL, ERR_ANSWER, "ended early"},
        {"openai",
         TEXT("0", "{}") END("incomplete", ",\"incomplete_details\":{"
                                           "\"reason\":\"max_output_tokens\"}"),
         NULL, ERR_ANSWER, "cut at its token limit"},
        {"openai",
         END("incomplete",
             ",\"incomplete_details\":{\"reason\":\"content_filter\"}"),
         NULL, ERR_MODEL, "content_filter"},
        {"openai",
         "data: {\"type\":\"response.refusal.delta\",\"delta\":\"I will "
         "not.\"}\n\n" END("completed", ""),
         NULL, ERR_MODEL, "refused: I will not."},
        {"openai",
         END("failed", ",\"error\":{\"code\":\"server_error\",\"message\":"
                       "\"boom\"}"),
         NULL, ERR_ANSWER, "boom"},
        {"openai",
         "event: error\ndata: {\"type\":\"error\",\"code\":\"x\",\"message\":"
         "\"boom\",\"param\":null}\n\n",
         NULL, ERR_ANSWER, "boom"},
    };

    (void)state;
    stream_check(rows, N_OF(rows));
}

/* Reads an answer with calls. */
static void
read_calls(struct model_response *r, const char *body)
{
    const struct stream_row row = {"openai", body, "", 0, 0};
    struct err e = {0};

    model_response_init(r, false, NULL);
    model_response_expect_calls(r, TOOL_DECLARATIONS_NATIVE, 0);
    if (stream_run(&row, 7, r, &e) < 0)
        fail_msg("%s", e.text);
}

static void
thoughts_go_back_before_the_call_that_they_led_to(void **state)
{
    static const char body[] = ITEM("done", "0", REASONING)
        ITEM("added", "1", CALL("c1", "fs_list")) ARGS("1", "{\\\"a\\\":")
            ARGS("1", "1}") ITEM("done", "1", CALL("c1", "fs_list"))
                ITEM("added", "2", CALL("c2", "fs_read")) ARGS("2", "{}")
                    END("completed", "");
    static const char want[] =
        "{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[],"
        "\"encrypted_content\":\"gAAA\"},{\"type\":\"function_call\","
        "\"call_id\":\"c1\",\"name\":\"fs_list\",\"arguments\":"
        "\"{\\\"a\\\":1}\"},{\"type\":\"function_call\",\"call_id\":\"c2\","
        "\"name\":\"fs_read\",\"arguments\":\"{}\"},{\"type\":"
        "\"function_call_output\",\"call_id\":\"c1\",\"output\":\"x\"}";
    struct model_tool_call calls[2];
    CLEANUP_BUF struct buf b = buf_of(1u << 16);
    struct model_response r;

    (void)state;
    read_calls(&r, body);
    assert_int_equal(r.tool_calls.n, 2);
    for (size_t i = 0; i < 2; i++)
        calls[i] = tool_calls_view(&r.tool_calls.rows[i]);

    const struct model_turn turns[] = {
        {.role = MODEL_USER, .text = "u"},
        {.role = MODEL_ASSISTANT, .tool_calls = calls, .n_tool_calls = 2},
        {.role = MODEL_RESULT,
         .text = "x",
         .call_id = "c1",
         .call_name = "fs_list"},
    };
    const struct provider_request req = {.provider = provider_openai(),
                                         .url = provider_openai()->url,
                                         .model = "gpt-6.1-terra",
                                         .turns = turns,
                                         .n_turns = 3};

    assert_int_equal(provider_request_body(&req, &b, NULL), 0);
    if (!strstr(b.p, want))
        print_error("# %s\n", b.p);
    assert_non_null(strstr(b.p, want));
    model_response_done(&r);
}

static void
a_request_stores_nothing_and_keeps_schema_beside_tools(void **state)
{
    static const char schema_text[] =
        "{\"type\":\"object\",\"properties\":{\"k\":{\"type\":\"string\"}},"
        "\"required\":[\"k\"]}";
    static const char *const parts[] = {
        "\"instructions\":\"rules\"",
        "\"input\":[{\"role\":\"user\",\"content\":\"u\"}]",
        "\"store\":false",
        "\"include\":[\"reasoning.encrypted_content\"]",
        "\"reasoning\":{\"effort\":\"low\"}",
        "\"text\":{\"format\":{\"type\":\"json_schema\",\"name\":\"answer\","
        "\"strict\":true,\"schema\":",
        "\"tools\":[{\"type\":\"function\",\"name\":\"t\",\"description\":"
        "\"d\",\"strict\":false,\"parameters\":",
        "\"max_output_tokens\":16384",
    };
    static const struct model_turn turn = {.role = MODEL_USER, .text = "u"};
    CLEANUP(json_free_p) struct json *schema = NULL, *back = NULL;
    CLEANUP_BUF struct buf b = buf_of(1u << 16);
    CLEANUP_BUF struct buf url = buf_of(256);

    (void)state;
    schema = json_parse(schema_text, strlen(schema_text), 0, NULL);

    const struct provider_tool tool = {"t", "d", schema};
    struct provider_request req = {.provider = provider_openai(),
                                   .url = provider_openai()->url,
                                   .model = "gpt-6.1-terra",
                                   .system = "rules",
                                   .turns = &turn,
                                   .n_turns = 1,
                                   .schema = schema,
                                   .tools = &tool,
                                   .n_tools = 1};

    assert_int_equal(provider_request_body(&req, &b, NULL), 0);
    back = json_parse(b.p, b.len, JSON_UNIQUE, NULL);
    assert_non_null(back);
    for (size_t i = 0; i < N_OF(parts); i++)
        assert_non_null(strstr(b.p, parts[i]));
    assert_null(strstr(b.p, "messages"));
    assert_int_equal(provider_request_url(&req, &url, NULL), 0);
    assert_string_equal(url.p, "https://api.openai.com/v1/responses");
    buf_clear(&url);
    req.quirks = QUIRK_NO_RESPONSES;
    assert_int_equal(provider_request_url(&req, &url, NULL), 0);
    assert_string_equal(url.p, "https://api.openai.com/v1/chat/completions");
    req.quirks = 0;
    req.url = "https://h/v1";
    assert_false(provider_uses_responses(&req));
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_and_whole_answers_are_read),
        cmocka_unit_test(thoughts_go_back_before_the_call_that_they_led_to),
        cmocka_unit_test(
            a_request_stores_nothing_and_keeps_schema_beside_tools),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
