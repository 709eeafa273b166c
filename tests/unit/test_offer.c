/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_offer.c - tools, calls and results in the bodies of requests. */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "model/ask.h"
#include "model/offer.h"

#define TEXT_MAX (1u << 20)

static const char schema_text[] =
    "{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":\"string\"}},"
    "\"required\":[\"kind\"]}";
static const char args_text[] =
    "{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\","
    "\"maxLength\":9}},\"required\":[\"path\"]}";

static const struct model_wanted calls[] = {
    {.id = "c1",
     .name = "fs_list",
     .args = "{\"path\": \"/\"}",
     .args_len = 13,
     .extra = "{\"thoughtSignature\":\"c2ln\",\"extra_content\":{\"x\":1},"
              "\"reasoning\":\"hm\"}"},
    {.id = "call00001", .name = "no such!", .args = "{oops", .args_len = 5},
    {.id = "c3", .name = "df", .args = ""},
};

static const struct model_turn turns[] = {
    {.role = MODEL_USER, .text = "wish"},
    {.role = MODEL_ASSISTANT,
     .text = "",
     .wanted = calls,
     .n_wanted = N_OF(calls)},
    {.role = MODEL_RESULT,
     .text = "bin etc",
     .call_id = "c1",
     .call_name = "fs_list"},
    {.role = MODEL_RESULT,
     .text = "unknown",
     .call_id = "call00001",
     .call_name = "no such!",
     .failed = true},
    {.role = MODEL_RESULT, .text = "", .call_id = "c3", .call_name = "df"},
    {.role = MODEL_USER, .text = "answer now"},
};

/* The question at its three stages. */
enum stage { FIRST, LOOKED, LAST };

/* A call that owns its schemas. */
struct asking {
    struct call call;
    struct json *schema, *args, *none;
    struct call_tool tools[2];
};

static void
asking_done(struct asking *a)
{
    json_free(a->schema);
    json_free(a->args);
    json_free(a->none);
}

static void
asking_init(struct asking *a, const char *provider, const char *url,
            unsigned quirks, enum stage stage)
{
    *a = (struct asking){
        .schema = json_parse(schema_text, strlen(schema_text), 0, NULL),
        .args = json_parse(args_text, strlen(args_text), 0, NULL),
        .none = json_parse("{\"type\":\"object\"}", 17, 0, NULL),
    };
    a->tools[0] = (struct call_tool){"fs_list", "Lists.", a->args};
    a->tools[1] = (struct call_tool){"df", "Disks.", a->none};
    a->call = (struct call){
        .provider = provider_find(provider),
        .model = "m",
        .quirks = quirks,
        .system = "rules",
        .turns = turns,
        .n_turns = stage == FIRST ? 1 : N_OF(turns) - (stage == LOOKED),
        .schema = a->schema,
        .tools = a->tools,
        .n_tools = stage == LAST ? 0 : 2,
    };
    a->call.url = url ? url : a->call.provider->url;
}

struct row {
    const char *provider, *url;
    unsigned quirks;
    enum stage stage;
    const char *with[4], *without[3]; /* parts of the body */
};

#define OWN "http://h/v1"

static const struct row offers[] = {
    {"openai",
     NULL,
     0,
     FIRST,
     {"\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"fs_list\","
      "\"description\":\"Lists.\",\"parameters\":{\"type\":\"object\","
      "\"properties\":{\"path\":{\"type\":\"string\"}},\"required\":[\"path\"]"
      "}}}",
      "\"name\":\"df\",\"description\":\"Disks.\",\"parameters\":{\"type\":"
      "\"object\",\"properties\":{}}",
      "\"response_format\""},
     {"tool_choice"}},
    {"openai", OWN, 0, FIRST, {"\"tools\":["}, {"response_format"}},
    {"openai", OWN, 0, LAST, {"\"response_format\""}, {"\"tools\""}},
    {"openai",
     OWN,
     QUIRK_NO_SCHEMA,
     FIRST,
     {"\"name\":\"fs_list\"", "\"name\":\"answer\"",
      "\"tool_choice\":\"required\""},
     {"response_format"}},
    {"openai",
     OWN,
     QUIRK_NO_SCHEMA,
     LAST,
     {"\"name\":\"answer\"", "\"tool_choice\":{\"type\":\"function\""},
     {"\"name\":\"df\",\"description\""}},
    {"openai",
     OWN,
     QUIRK_NO_SCHEMA | QUIRK_NO_TOOL,
     FIRST,
     {"\"name\":\"fs_list\""},
     {"\"name\":\"answer\"", "tool_choice"}},
    {"anthropic",
     NULL,
     0,
     FIRST,
     {"\"tools\":[{\"name\":\"fs_list\",\"description\":\"Lists.\","
      "\"input_schema\":{\"type\":\"object\"",
      "\"output_config\""},
     {"tool_choice"}},
    {"anthropic", OWN, 0, FIRST, {"\"tools\""}, {"output_config"}},
    {"anthropic",
     NULL,
     QUIRK_NO_SCHEMA,
     FIRST,
     {"\"name\":\"fs_list\"", "\"name\":\"answer\"",
      "\"tool_choice\":{\"type\":\"any\"}"},
     {"output_config"}},
    /* without its tools a conversation that holds calls is refused */
    {"anthropic",
     NULL,
     0,
     LAST,
     {"\"tools\":[{\"name\":\"fs_list\",\"input_schema\":{\"type\":\"object\","
      "\"properties\":{}}},{\"name\":\"no_such_\"",
      "\"tool_choice\":{\"type\":\"none\"}", "\"output_config\""},
     {"Lists."}},
    {"anthropic",
     NULL,
     QUIRK_NO_SCHEMA,
     LAST,
     {"\"tool_choice\":{\"type\":\"tool\",\"name\":\"answer\"}"},
     {"\"none\""}},
    {"gemini",
     NULL,
     0,
     FIRST,
     {"\"tools\":[{\"functionDeclarations\":[{\"name\":\"fs_list\","
      "\"description\":\"Lists.\",\"parametersJsonSchema\":{\"type\":"
      "\"object\""},
     {"responseJsonSchema", "responseMimeType"}},
    {"gemini", NULL, 0, LAST, {"responseJsonSchema"}, {"functionDecl"}},
    {"ollama",
     NULL,
     0,
     FIRST,
     {"\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"fs_list\""},
     {"\"format\""}},
    {"ollama", NULL, 0, LAST, {"\"format\":{"}, {"\"tools\""}},
};

static const struct row histories[] = {
    {"openai",
     NULL,
     0,
     LOOKED,
     {"{\"role\":\"assistant\",\"content\":\"\",\"reasoning\":\"hm\","
      "\"tool_calls\":[{\"id\":\"c1\","
      "\"type\":\"function\",\"function\":{\"name\":\"fs_list\",\"arguments\":"
      "\"{\\\"path\\\":\\\"/\\\"}\"},\"extra_content\":{\"x\":1}}",
      "{\"id\":\"call00001\",\"type\":\"function\",\"function\":{\"name\":"
      "\"no_such_\",\"arguments\":\"{\\\"not_an_object\\\":\\\"{oops\\\"}\"}}",
      "\"name\":\"df\",\"arguments\":\"{}\"",
      "{\"role\":\"tool\",\"content\":\"bin etc\",\"tool_call_id\":\"c1\"}"},
     {"c2ln", "tool_name"}},
    {"anthropic",
     NULL,
     0,
     LOOKED,
     {"{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":"
      "\"c1\",\"name\":\"fs_list\",\"input\":{\"path\":\"/\"}}",
      "\"input\":{\"not_an_object\":\"{oops\"}}",
      "{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\","
      "\"tool_use_id\":\"c1\",\"content\":\"bin etc\"},{\"type\":"
      "\"tool_result\",\"tool_use_id\":\"call00001\",\"content\":\"unknown\","
      "\"is_error\":true},{\"type\":\"tool_result\",\"tool_use_id\":\"c3\","
      "\"content\":\"\"}]}"},
     {"{\"type\":\"text\",\"text\":\"\"}"}},
    {"anthropic",
     NULL,
     0,
     LAST,
     {"\"tool_use_id\":\"c3\",\"content\":\"\"},{\"type\":\"text\",\"text\":"
      "\"answer now\"}]}"},
     {NULL}},
    {"gemini",
     NULL,
     0,
     LAST,
     {"{\"role\":\"model\",\"parts\":[{\"functionCall\":{\"id\":\"c1\","
      "\"name\":\"fs_list\",\"args\":{\"path\":\"/\"}},\"thoughtSignature\":"
      "\"c2ln\"},{\"functionCall\":{\"name\":\"no_such_\"",
      "{\"role\":\"user\",\"parts\":[{\"functionResponse\":{\"id\":\"c1\","
      "\"name\":\"fs_list\",\"response\":{\"output\":\"bin etc\"}}},",
      "{\"functionResponse\":{\"name\":\"no_such_\",\"response\":{\"error\":"
      "\"unknown\"}}},",
      "{\"role\":\"user\",\"parts\":[{\"text\":\"answer now\"}]}"},
     {"call00001"}},
    {"ollama",
     NULL,
     0,
     LAST,
     {"\"tool_calls\":[{\"id\":\"c1\",\"function\":{\"name\":\"fs_list\","
      "\"arguments\":{\"path\":\"/\"}}}",
      "{\"role\":\"tool\",\"content\":\"bin etc\",\"tool_call_id\":\"c1\","
      "\"tool_name\":\"fs_list\"}",
      "{\"role\":\"tool\",\"content\":\"unknown\",\"tool_name\":"
      "\"no_such_\"}"},
     {"call00001"}},
};

/* A server that takes no tools: the prompt tells of them. */
static const struct row plain[] = {
    {"openai",
     OWN,
     QUIRK_NO_TOOLS,
     FIRST,
     {"\"content\":\"rules\\n", "{\\\"tool\\\": \\\"NAME\\\"",
      "- fs_list: Lists. Arguments: {\\\"type\\\"", "- df: Disks."},
     {"\"tools\"", "response_format", "tool_choice"}},
    {"openai",
     OWN,
     QUIRK_NO_TOOLS | QUIRK_NO_SCHEMA,
     FIRST,
     {"- df: Disks."},
     {"\"tools\"", "\"answer\""}},
    {"openai",
     OWN,
     QUIRK_NO_TOOLS,
     LOOKED,
     {"{\"role\":\"assistant\",\"content\":\"{\\\"tool\\\":\\\"fs_list\\\","
      "\\\"args\\\":{\\\"path\\\":\\\"/\\\"}}\\n{\\\"tool\\\"",
      "{\"role\":\"user\",\"content\":\"\\n\\\"fs_list\\\" answered:\\n<data-",
      "\\\"no_such_\\\" failed:\\n<data-"},
     {"tool_calls", "\"role\":\"tool\"", "call00001"}},
    {"openai",
     OWN,
     QUIRK_NO_TOOLS,
     LAST,
     {"\"content\":\"rules\"", "answer now\"}", "response_format"},
     {"tool_calls", "\"tool\"", "NAME"}},
    {"anthropic",
     NULL,
     QUIRK_NO_TOOLS,
     LOOKED,
     {"- df: Disks."},
     {"tool_use", "\"tools\""}},
    {"gemini",
     NULL,
     QUIRK_NO_TOOLS | QUIRK_NO_SYSTEM,
     LOOKED,
     {"\"parts\":[{\"text\":\"rules\\n", "- df: Disks."},
     {"function", "systemInstruction"}},
    {"ollama",
     NULL,
     QUIRK_NO_TOOLS,
     LOOKED,
     {"- df: Disks."},
     {"\"tools\"", "tool_name", "\"format\""}},
};

static void
check(const struct row *r)
{
    CLEANUP(asking_done) struct asking a;
    CLEANUP_BUF struct buf b = buf_of(TEXT_MAX);
    CLEANUP(json_free_p) struct json *back = NULL;

    asking_init(&a, r->provider, r->url, r->quirks, r->stage);
    assert_int_equal(call_body(&a.call, &b, NULL), 0);
    back = json_parse(b.p, b.len, JSON_UNIQUE, NULL);
    assert_non_null(back);
    for (size_t i = 0; i < N_OF(r->with) && r->with[i]; i++) {
        if (!strstr(b.p, r->with[i]))
            print_error("# no %s\n# in %s\n", r->with[i], b.p);
        assert_non_null(strstr(b.p, r->with[i]));
    }
    for (size_t i = 0; i < N_OF(r->without) && r->without[i]; i++) {
        if (strstr(b.p, r->without[i]))
            print_error("# yet %s\n# in %s\n", r->without[i], b.p);
        assert_null(strstr(b.p, r->without[i]));
    }
}

static void
tools_and_the_schema_go_together_only_where_both_work(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(offers); i++)
        check(&offers[i]);
}

static void
calls_and_results_go_back_in_the_providers_form(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(histories); i++)
        check(&histories[i]);
}

static void
a_server_without_tools_reads_of_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(plain); i++)
        check(&plain[i]);
}

static void
a_question_comes_through_the_pipe_as_it_was(void **state)
{
    static const char *const names[] = {"openai", "anthropic", "gemini",
                                        "ollama"};

    (void)state;
    for (size_t i = 0; i < N_OF(names); i++) {
        CLEANUP(asking_done) struct asking a;
        CLEANUP(asked_free_p) struct asked *q = NULL;
        CLEANUP_BUF struct buf line = buf_of(TEXT_MAX);
        CLEANUP_BUF struct buf one = buf_of(TEXT_MAX);
        CLEANUP_BUF struct buf other = buf_of(TEXT_MAX);
        struct ask ask = {.id = 1};

        asking_init(&a, names[i], NULL, 0, LOOKED);
        ask.call = a.call;
        assert_int_equal(ask_write(&ask, &line, NULL), 0);
        q = asked_new(json_parse(line.p, line.len, JSON_UNIQUE, NULL), NULL);
        assert_non_null(q);
        call_body(&a.call, &one, NULL);
        call_body(&q->a.call, &other, NULL);
        assert_string_equal(one.p, other.p);
        assert_int_equal(q->a.call.turns[1].wanted[0].args_len, 13);
        assert_int_equal(call_last_made(&q->a.call), 1);
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(tools_and_the_schema_go_together_only_where_both_work),
        cmocka_unit_test(calls_and_results_go_back_in_the_providers_form),
        cmocka_unit_test(a_server_without_tools_reads_of_them),
        cmocka_unit_test(a_question_comes_through_the_pipe_as_it_was),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
