/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_api_error.c - error responses are read, and described in one line. */
#include "tests/unit/unit.h"

#include <string.h>

#include "model/provider/api_error_report.h"
#include "model/provider/provider.h"
#include "model/provider/provider_table.h"

struct row {
    int status;
    const char *body;
    int want; /* status */
    bool passing, spent;
    const char *message;
};

static const struct row error_bodies[] = {
    {429, "{\"error\":{\"message\":\"slow\",\"type\":\"x\"}}", 429, true, false,
     "slow"},
    {429, "{\"error\":{\"message\":\"m\",\"code\":\"insufficient_quota\"}}",
     429, false, true, "m"},
    {400,
     "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error"
     "\",\"message\":\"Your credit balance is too low\"}}",
     400, false, true, "Your credit balance is too low"},
    {402, "{}", 402, false, true, ""},
    {429,
     "{\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\","
     "\"message\":\"q\",\"details\":[{\"violations\":[{\"quotaId\":"
     "\"GenerateRequestsPerDayPerProject\",\"quotaValue\":\"20\"}]}]}"
     "}",
     429, false, true, "q"},
    {429,
     "{\"error\":{\"message\":\"q\",\"details\":[{\"violations\":[{"
     "\"quotaId\":\"RequestsPerMinute\",\"quotaValue\":\"0\"}]}]}}",
     429, false, true, "q"},
    {429,
     "{\"error\":{\"message\":\"q\",\"details\":[{\"violations\":[{"
     "\"quotaId\":\"RequestsPerMinute\",\"quotaValue\":\"9\"}]}]}}",
     429, true, false, "q"},
    {500, "{\"error\":\"flat words\"}", 500, true, false, "flat words"},
    {422, "{\"detail\":[{\"loc\":[\"body\",\"x\"],\"msg\":\"extra\"}]}", 422,
     false, false, "extra"},
    {422,
     "{\"object\":\"error\",\"message\":{\"detail\":[{\"type\":\"x\","
     "\"loc\":[\"body\",\"stream_options\"],\"msg\":\"extra\"}]},\"type\":"
     "\"invalid_request_error\",\"param\":null}",
     422, false, false, "extra"},
    {422, "{\"message\":{\"detail\":{\"loc\":[\"a\"],\"msg\":\"one\"}}}", 422,
     false, false, "one"},
    {422, "{\"message\":{\"detail\":\"plain\"}}", 422, false, false, "plain"},
    {400,
     "{\"error\":{\"code\":400,\"message\":\"Provider returned error\","
     "\"metadata\":{\"raw\":\"its words\",\"provider_name\":\"P\"}}}",
     400, false, false, "P: its words"},
    {400, "{\"object\":\"error\",\"message\":\"m\",\"code\":40001}", 400, false,
     false, "m"},
    {503, "[{\"error\":{\"message\":\"array\"}}]", 503, true, false, "array"},
    {502, "plain words\nof two lines", 502, true, false,
     "plain words of two lines"},
    {502, "\n <html><title>x</title></html>", 502, true, false, ""},
    {500, "", 500, true, false, ""},
    {200, "{\"error\":{\"type\":\"overloaded_error\",\"message\":\"o\"}}", 529,
     true, false, "o"},
    {200, "{\"error\":{\"code\":401,\"message\":\"o\"}}", 401, false, false,
     "o"},
    {200,
     "{\"error\":{\"code\":\"rate_limit_exceeded\",\"message\":\"o\"}"
     "}",
     429, true, false, "o"},
    {500, "{\"error\":null,\"message\":\"m\"}", 500, true, false, "m"},
    {400, "{\"error\":{\"message\":\"esc\\u001b[31m \\u0000x\"}}", 400, false,
     false, "esc [31m"},
};

static void
error_bodies_of_every_kind_are_understood(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(error_bodies); i++) {
        struct api_error f;

        api_error_init(&f, error_bodies[i].status, NULL);
        api_error_read(&f, error_bodies[i].body, strlen(error_bodies[i].body));
        if (f.status != error_bodies[i].want ||
            f.spent != error_bodies[i].spent ||
            strncmp(f.message, error_bodies[i].message, 8) != 0)
            print_error("# %s\n# -> %d %s\n", error_bodies[i].body, f.status,
                        f.message);
        assert_int_equal(f.status, error_bodies[i].want);
        assert_int_equal(f.spent, error_bodies[i].spent);
        assert_int_equal(api_error_is_transient(&f), error_bodies[i].passing);
        assert_memory_equal(f.message, error_bodies[i].message,
                            strlen(error_bodies[i].message));
    }
}

static void
retry_after_is_in_seconds_or_a_date(void **state)
{
    static const struct {
        const char *value;
        int64_t ms;
    } rows[] = {
        {"3", 3000},
        {"0.5", 500},
        {"0", 0},
        {"-4", 0},
        {"soon", -1},
        {"", -1},
        {"Thu, 01 Jan 1970 00:16:45 GMT", 5000},
        {"Thu, 01 Jan 1970 00:00:00 GMT", 0},
        {"999999999999", 604800000},
        {"inf", 604800000},
        {"nan", 604800000},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct api_error f;

        api_error_init(&f, 429, NULL);
        api_error_read_retry_after(&f, rows[i].value, 1000);
        assert_int_equal(f.retry_ms, rows[i].ms);
    }
}

static void
geminis_own_delay_counts(void **state)
{
    static const char body[] = "{\"error\":{\"details\":[{\"@type\":\"x/"
                               "RetryInfo\",\"retryDelay\":\"34.5s\"}]}}";
    struct api_error f;

    (void)state;
    api_error_init(&f, 429, NULL);
    api_error_read(&f, body, strlen(body));
    assert_int_equal(f.retry_ms, 34500);
}

struct quirk_row {
    const char *provider;
    int status;
    const char *message;
    unsigned have, want;
};

static const struct quirk_row refused_parameters[] = {
    {"openai", 400,
     "Unsupported parameter: 'max_tokens' is not supported "
     "with this model. Use 'max_completion_tokens'.",
     0, QUIRK_OTHER_LIMIT},
    {"openai", 400, "max_tokens is unknown", QUIRK_OTHER_LIMIT, QUIRK_NO_LIMIT},
    {"openai", 400, "'temperature' does not support 0", 0,
     QUIRK_NO_TEMPERATURE},
    {"openai", 400, "'response_format' of type 'json_schema'", 0,
     QUIRK_NO_SCHEMA},
    {"openai", 400, "Invalid schema for function 'answer'", QUIRK_NO_SCHEMA,
     QUIRK_NO_TOOL},
    {"openai", 500, "failed to parse grammar", 0, QUIRK_NO_SCHEMA},
    {"openai", 400,
     "Invalid schema for response_format 'answer': schema must be a JSON "
     "Schema of 'type: \"object\"', got 'type: \"None\"'.",
     0, QUIRK_OBJECT_ROOT},
    {"openai", 400,
     "Invalid schema for response_format 'answer': In context=(), "
     "'required' is required to be supplied",
     0, QUIRK_OBJECT_ROOT},
    {"openai", 400,
     "Invalid schema for response_format 'answer': In context=(), "
     "'required' is required to be supplied",
     QUIRK_OBJECT_ROOT, QUIRK_NO_SCHEMA},
    {"openai", 400, "stream_options is not permitted", 0, QUIRK_NO_USAGE},
    {"openai", 400, "System role not supported", 0, QUIRK_NO_SYSTEM},
    {"openai", 400, "streaming is not available", 0, QUIRK_NO_STREAM},
    {"anthropic", 400, "output_config: Extra inputs are not permitted", 0,
     QUIRK_NO_SCHEMA},
    {"anthropic", 400, "max_tokens: 8192 > 4096", 0, QUIRK_OTHER_LIMIT},
    {"anthropic", 400, "max_tokens: 8192 > 4096", QUIRK_OTHER_LIMIT, 0},
    {"gemini", 400, "Unknown name \"responseJsonSchema\"", 0, QUIRK_NO_SCHEMA},
    {"gemini", 400, "JSON mode is not enabled for this model", 0,
     QUIRK_NO_SCHEMA},
    {"openai", 400, "the model is not there", 0, 0},
    {"ollama", 400, "library/gemma does not support tools", 0, 0},
    {"openai", 429, "temperature", 0, 0},
    {"openai", 401, "temperature", 0, 0},
    {"openai", 400, "credit for max_tokens is used up", 0, 0},
};

static void
a_parameter_that_is_refused_is_found(void **state)
{
    static const struct model_turn turn = {.role = MODEL_USER, .text = "x"};
    CLEANUP(json_free_p) struct json *schema = json_parse("{}", 2, 0, NULL);

    (void)state;
    for (size_t i = 0; i < N_OF(refused_parameters); i++) {
        struct provider_request c = {
            .provider = provider_find(refused_parameters[i].provider),
            .url = "http://h",
            .model = "m",
            .quirks = refused_parameters[i].have,
            .system = "s",
            .turns = &turn,
            .n_turns = 1,
            .schema = schema};
        struct api_error f;

        api_error_init(&f, refused_parameters[i].status, NULL);
        api_error_read(&f, refused_parameters[i].message,
                       strlen(refused_parameters[i].message));
        assert_int_equal(api_error_quirk(&f, &c), refused_parameters[i].want);
    }
}

/* A question that offers a tool and, at its end, holds a call's result. */
static unsigned
quirk_of_offer(const struct quirk_row *r, bool looked)
{
    static const struct model_turn turns[] = {
        {.role = MODEL_USER, .text = "x"},
        {.role = MODEL_RESULT, .text = "", .call_id = "c", .call_name = "t"},
    };
    CLEANUP(json_free_p) struct json *schema = json_parse("{}", 2, 0, NULL);
    const struct provider_tool tool = {"t", "d", schema};
    const struct provider_request c = {.provider = provider_find(r->provider),
                                       .url = "http://h",
                                       .model = "m",
                                       .quirks = r->have,
                                       .system = "s",
                                       .turns = turns,
                                       .n_turns = looked ? 2 : 1,
                                       .schema = schema,
                                       .tools = &tool,
                                       .n_tools = 1};
    struct api_error f;

    api_error_init(&f, r->status, NULL);
    api_error_read(&f, r->message, strlen(r->message));
    return api_error_quirk(&f, &c);
}

/* What a body proves. */
struct body_quirk {
    const char *provider, *url, *model;
    int status;
    const char *body;
    unsigned have, want;
    bool tools, looked;
};

#define OWN "https://api.openai.com/v1"
#define EFFORT                                                                 \
    "{\"error\":{\"message\":\"Function tools with reasoning_effort are not "  \
    "supported for gpt-5.6 in /v1/chat/completions. To use function tools, "   \
    "use /v1/responses or set reasoning_effort to 'none'.\",\"type\":"         \
    "\"invalid_request_error\",\"param\":\"reasoning_effort\",\"code\":null}}"

static const struct body_quirk body_quirks[] = {
    {"openai", "http://h", "m", 400, EFFORT, QUIRK_OBJECT_ROOT,
     QUIRK_EFFORT_NONE, true, false},
    {"openai", OWN, "gpt-5.6", 400, EFFORT, QUIRK_NO_RESPONSES,
     QUIRK_EFFORT_NONE, true, false},
    {"openai", "http://h", "m", 400,
     "{\"error\":{\"message\":\"'reasoning_effort' does not support 'none' "
     "with this model\"}}",
     QUIRK_EFFORT_NONE | QUIRK_OBJECT_ROOT, QUIRK_NO_EFFORT, true, false},
    {"openai", OWN, "gpt-5", 400,
     "{\"error\":{\"message\":\"Unsupported value: 'minimal'\",\"param\":"
     "\"reasoning.effort\"}}",
     0, QUIRK_NO_EFFORT, true, false},
    {"openai", OWN, "gpt-5", 404, "{\"error\":{\"message\":\"no route\"}}", 0,
     QUIRK_NO_RESPONSES, true, false},
    {"openai", OWN, "gpt-5", 404, "<html>", 0, QUIRK_NO_RESPONSES, true, false},
    {"openai", OWN, "gpt-5", 404,
     "{\"error\":{\"message\":\"The model `gpt-5` does not exist\",\"code\":"
     "\"model_not_found\"}}",
     0, 0, true, false},
    {"openai", "http://h", "m", 400,
     "{\"error\":{\"message\":\"Your organization must be verified to stream "
     "this model.\",\"param\":\"stream\",\"code\":\"unsupported_value\"}}",
     0, QUIRK_NO_STREAM, true, false},
    {"openai", "http://h", "m", 422,
     "{\"object\":\"error\",\"message\":{\"detail\":[{\"type\":"
     "\"extra_forbidden\",\"loc\":[\"body\",\"stream_options\"],\"msg\":"
     "\"Extra inputs are not permitted\"}]}}",
     0, QUIRK_NO_USAGE, true, false},
    {"openai", "http://h", "m", 400,
     "{\"error\":{\"message\":\"Unsupported value: 'messages[0].role' does "
     "not support 'system' with this model.\",\"param\":\"messages[0].role\"}}",
     0, QUIRK_NO_SYSTEM, true, false},
    {"openai", "http://h", "m", 500,
     "{\"error\":{\"message\":\"Conversation roles must alternate\"}}", 0,
     QUIRK_NO_SYSTEM, true, false},
    {"openai", "http://h", "m", 500,
     "{\"error\":{\"message\":\"Conversation roles must alternate\"}}", 0,
     QUIRK_NO_SYSTEM, true, true},
    {"openai", "http://h", "m", 500,
     "{\"error\":{\"message\":\"Conversation roles must alternate\"}}",
     QUIRK_NO_SCHEMA, QUIRK_NO_TOOLS, true, true},
    {"openai", "https://api.deepseek.com", "deepseek-chat", 400,
     "{\"error\":{\"message\":\"This response_format type is unavailable "
     "now\"}}",
     0, QUIRK_JSON_OBJECT, false, false},
    {"openai", "https://api.deepseek.com", "deepseek-chat", 400,
     "{\"error\":{\"message\":\"This response_format type is unavailable "
     "now\"}}",
     QUIRK_JSON_OBJECT, QUIRK_NO_SCHEMA, false, false},
    {"openai", "https://api.deepseek.com", "deepseek-chat", 400,
     "{\"error\":{\"message\":\"Thinking mode does not support this "
     "tool_choice\"}}",
     QUIRK_NO_SCHEMA, QUIRK_NO_TOOL, false, false},
    {"anthropic", "http://h", "claude-haiku-5-5", 400,
     "{\"error\":{\"type\":\"invalid_request_error\",\"message\":\"This model "
     "does not support the effort parameter.\"}}",
     0, QUIRK_NO_EFFORT, true, false},
    {"anthropic", "http://h", "claude-haiku-5-5", 400,
     "{\"error\":{\"message\":\"output_config: Extra inputs are not "
     "permitted\"}}",
     0, QUIRK_NO_EFFORT, false, false},
    {"anthropic", "http://h", "claude-haiku-5-5", 400,
     "{\"error\":{\"message\":\"output_config: Extra inputs are not "
     "permitted\"}}",
     QUIRK_NO_EFFORT, QUIRK_NO_SCHEMA, false, false},
    {"gemini", "http://h", "gemini-3-x", 400,
     "{\"error\":{\"message\":\"Thinking level is not supported for this "
     "model.\"}}",
     0, QUIRK_NO_EFFORT, true, false},
    {"openai", "http://h", "m", 400,
     "{\"error\":{\"code\":\"content_filter\",\"message\":\"The prompt was "
     "filtered; for information see the policy\"}}",
     0, 0, false, false},
};

static void
each_quirk_is_found_by_the_answer_that_proves_it(void **state)
{
    static const struct model_turn turns[] = {
        {.role = MODEL_USER, .text = "x"},
        {.role = MODEL_RESULT, .text = "", .call_id = "c", .call_name = "t"},
    };
    CLEANUP(json_free_p) struct json *schema = json_parse("{}", 2, 0, NULL);
    const struct provider_tool tool = {"t", "d", schema};

    (void)state;
    for (size_t i = 0; i < N_OF(body_quirks); i++) {
        const struct body_quirk *r = &body_quirks[i];
        const struct provider_request c = {
            .provider = provider_find(r->provider),
            .url = r->url,
            .model = r->model,
            .quirks = r->have,
            .system = "s",
            .turns = turns,
            .n_turns = r->looked ? 2 : 1,
            .schema = schema,
            .tools = &tool,
            .n_tools = r->tools};
        struct api_error f;

        api_error_init(&f, r->status, NULL);
        api_error_read(&f, r->body, strlen(r->body));
        if (api_error_quirk(&f, &c) != r->want)
            print_error("# row %zu: %s\n", i, r->body);
        assert_int_equal(api_error_quirk(&f, &c), r->want);
    }
}

static void
a_content_filter_says_what_it_objects_to(void **state)
{
    static const char body[] =
        "{\"error\":{\"code\":\"content_filter\",\"status\":400,\"message\":"
        "\"The response was filtered.\",\"innererror\":{\"code\":"
        "\"ResponsibleAIPolicyViolation\",\"content_filter_result\":{"
        "\"hate\":{\"filtered\":false},\"jailbreak\":{\"filtered\":true,"
        "\"detected\":true},\"violence\":{\"filtered\":true}}}}}";
    struct provider_request c = {.provider = provider_openai(),
                                 .url = "http://h"};
    struct api_error f;
    struct err e = {0};

    (void)state;
    api_error_init(&f, 400, NULL);
    api_error_read(&f, body, strlen(body));
    api_error_report(&f, &c, "host", 0, &e);
    assert_non_null(strstr(e.text, "its content filter objects (400) to "
                                   "jailbreak, violence. To do: word it "
                                   "differently"));
}

static void
a_model_that_is_gone_is_told_from_other_errors(void **state)
{
    static const struct {
        int status;
        const char *body;
        bool missing;
    } rows[] = {
        {404, "{\"error\":{\"code\":\"model_not_found\"}}", true},
        {404,
         "{\"error\":{\"message\":\"model: claude-x\",\"type\":"
         "\"not_found_error\"}}",
         true},
        {400,
         "{\"error\":{\"message\":\"The model `m` has been "
         "decommissioned\"}}",
         true},
        {404,
         "{\"error\":{\"message\":\"models/g is not found for API "
         "version v1beta\"}}",
         true},
        {403,
         "{\"error\":{\"message\":\"Project does not have access to "
         "model m\",\"code\":\"model_not_found\"}}",
         true},
        {404, "{\"error\":{\"message\":\"no route\"}}", false},
        {401, "{\"error\":{\"code\":\"model_not_found\"}}", false},
        {500, "{\"error\":{\"message\":\"the model is not found\"}}", false},
        {400,
         "{\"error\":{\"message\":\"temperature is not known to this "
         "model\"}}",
         false},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct api_error f;

        api_error_init(&f, rows[i].status, NULL);
        api_error_read(&f, rows[i].body, strlen(rows[i].body));
        assert_int_equal(api_error_is_model_missing(&f), rows[i].missing);
    }
}

static void
a_server_that_takes_no_tools_is_found(void **state)
{
    static const struct quirk_row rows[] = {
        {"ollama", 400, "library/gemma does not support tools", QUIRK_NO_SCHEMA,
         QUIRK_NO_TOOLS},
        {"openai", 500, "tools param requires --jinja flag", QUIRK_NO_SCHEMA,
         QUIRK_NO_TOOLS},
        {"openai", 404, "No endpoints found that support tool use",
         QUIRK_NO_SCHEMA, QUIRK_NO_TOOLS},
        {"openai", 400, "\"auto\" tool choice requires --tool-call-parser",
         QUIRK_NO_SCHEMA, QUIRK_NO_TOOLS},
        {"gemini", 400, "Function calling is not enabled for models/gemma",
         QUIRK_NO_SCHEMA, QUIRK_NO_TOOLS},
        {"anthropic", 400, "tools.0.custom.input_schema: not valid",
         QUIRK_NO_SCHEMA, QUIRK_NO_TOOLS},
        {"openai", 400, "Invalid schema for function 't'", QUIRK_NO_SCHEMA,
         QUIRK_NO_TOOLS},
        {"openai", 400, "tool_choice: required is unknown", QUIRK_NO_SCHEMA,
         QUIRK_NO_TOOL},
        {"openai", 400, "tool_choice is unknown",
         QUIRK_NO_SCHEMA | QUIRK_NO_TOOL, QUIRK_NO_TOOLS},
        /* tools that are text are not to blame */
        {"openai", 400, "no tools here", 0, 0},
        {"openai", 400, "no tools here", QUIRK_NO_TOOLS, 0},
        {"openai", 400, "temperature", 0, QUIRK_NO_TEMPERATURE},
    };
    static const struct quirk_row conversations[] = {
        {"openai", 400, "Unexpected role 'tool'", QUIRK_NO_SCHEMA,
         QUIRK_NO_TOOLS},
        {"openai", 500, "Conversation roles must alternate user/assistant",
         QUIRK_NO_SCHEMA, QUIRK_NO_TOOLS},
        {"openai", 400, "tool_call_id c is not found", QUIRK_NO_SCHEMA, 0},
        {"anthropic", 400, "unexpected `tool_use_id` in `tool_result`",
         QUIRK_NO_SCHEMA, 0},
        {"gemini", 400, "Function call is missing a thought_signature",
         QUIRK_NO_SCHEMA, 0},
        {"openai", 400, "`reasoning_content` must be passed back",
         QUIRK_NO_SCHEMA, 0},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++)
        assert_int_equal(quirk_of_offer(&rows[i], false), rows[i].want);
    for (size_t i = 0; i < N_OF(conversations); i++)
        assert_int_equal(quirk_of_offer(&conversations[i], true),
                         conversations[i].want);
}

static void
a_line_never_holds_the_key(void **state)
{
    static const char key[] = "plainkey";
    char text[64], cut[16];

    (void)state;
    api_error_clean(text, sizeof(text), "bad plainkey,\n plainkeyplainkey",
                    key);
    assert_string_equal(text, "bad ***, ******");
    api_error_clean(text, sizeof(text), "sk-1: task-1, sk-12 (sk-1)", "sk-1");
    assert_string_equal(text, "***: task-1, sk-12 (***)");
    api_error_clean(text, sizeof(text), "the key is wrong", "key");
    assert_string_equal(text, "the key is wrong");
    api_error_clean(cut, sizeof(cut), "0123456789 plainkey", key);
    assert_null(strstr(cut, "plain"));
    api_error_clean(cut, sizeof(cut), "0123456789abc\xc3\xbc\xc3\xbc", NULL);
    assert_string_equal(cut, "0123456789abc\xc3\xbc");
}

static void
each_status_says_what_to_do(void **state)
{
    static const struct {
        int status;
        const char *words, *key_name, *url_name;
    } rows[] = {
        {400, "rejected the request", NULL, NULL},
        {401, "check OPENAI_API_KEY", "OPENAI_API_KEY", NULL},
        {401, "check api_key_file", "api_key_file", NULL},
        {401, "none was sent (401). To do: set OPENAI_API_KEY", NULL, NULL},
        {404, "OPENAI_BASE_URL", NULL, NULL},
        {404, "check base_url", NULL, "base_url"},
        {413, "send less text", NULL, NULL},
        {418, "rejected the request", NULL, NULL},
        {429, "try again later", NULL, NULL},
        {503, "failed (503", NULL, NULL},
        {529, "overloaded", NULL, NULL},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        const struct provider_request c = {.provider = provider_openai(),
                                           .url = "http://h",
                                           .url_name = rows[i].url_name,
                                           .key_name = rows[i].key_name};
        struct api_error f;
        struct err e = {0};

        api_error_init(&f, rows[i].status, NULL);
        assert_int_equal(api_error_report(&f, &c, "host", 0, &e), -1);
        assert_int_equal(e.code, ERR_MODEL);
        assert_non_null(strstr(e.text, rows[i].words));
        assert_non_null(strstr(e.text, "--offline"));
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_bodies_of_every_kind_are_understood),
        cmocka_unit_test(retry_after_is_in_seconds_or_a_date),
        cmocka_unit_test(geminis_own_delay_counts),
        cmocka_unit_test(a_parameter_that_is_refused_is_found),
        cmocka_unit_test(each_quirk_is_found_by_the_answer_that_proves_it),
        cmocka_unit_test(a_content_filter_says_what_it_objects_to),
        cmocka_unit_test(a_model_that_is_gone_is_told_from_other_errors),
        cmocka_unit_test(a_server_that_takes_no_tools_is_found),
        cmocka_unit_test(a_line_never_holds_the_key),
        cmocka_unit_test(each_status_says_what_to_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
