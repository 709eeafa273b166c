/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_tool_declarations.c - tools, calls and results in request bodies. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/cleanup.h"
#include "model/ipc.h"
#include "model/provider/provider_table.h"
#include "model/provider/tool_declarations.h"

#define TEXT_MAX (1u << 20)

static const char schema_text[] =
    "{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":\"string\"}},"
    "\"required\":[\"kind\"]}";
static const char args_text[] =
    "{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\","
    "\"maxLength\":9}},\"required\":[\"path\"]}";

static const struct model_tool_call calls[] = {
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
     .tool_calls = calls,
     .n_tool_calls = N_OF(calls)},
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

/* The first request, one with results of calls, and the last one. */
enum stage { FIRST, WITH_RESULTS, LAST };

/* A request and the schemas that it borrows. */
struct request_fixture {
    struct provider_request request;
    struct json *schema, *args, *none;
    struct provider_tool tools[2];
};

static void
fixture_done(struct request_fixture *a)
{
    json_free(a->schema);
    json_free(a->args);
    json_free(a->none);
}

static void
fixture_init(struct request_fixture *a, const char *provider, const char *url,
             unsigned quirks, enum stage stage)
{
    *a = (struct request_fixture){
        .schema = json_parse(schema_text, strlen(schema_text), 0, NULL),
        .args = json_parse(args_text, strlen(args_text), 0, NULL),
        .none = json_parse("{\"type\":\"object\"}", 17, 0, NULL),
    };
    a->tools[0] = (struct provider_tool){"fs_list", "Lists.", a->args};
    a->tools[1] = (struct provider_tool){"df", "Disks.", a->none};
    a->request = (struct provider_request){
        .provider = provider_find(provider),
        .model = "m",
        .quirks = quirks | QUIRK_NO_RESPONSES, /* test_responses has those */
        .system = "rules",
        .turns = turns,
        .n_turns = stage == FIRST ? 1 : N_OF(turns) - (stage == WITH_RESULTS),
        .schema = a->schema,
        .tools = a->tools,
        .n_tools = stage == LAST ? 0 : 2,
    };
    a->request.url = url ? url : a->request.provider->url;
}

struct row {
    const char *provider, *url;
    unsigned quirks;
    enum stage stage;
    const char *with[4], *without[3]; /* parts of the body */
};

#define OWN "http://h/v1"

static const struct row declarations[] = {
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
    {"openai",
     OWN,
     0,
     FIRST,
     {"\"schema\":{\"anyOf\":[{\"type\":\"object\",\"properties\":{\"tool\":{"
      "\"type\":\"string\",\"const\":\"fs_list\"},\"args\":{\"type\":"
      "\"object\","
      "\"properties\":{\"path\":{\"type\":\"string\"}},"
      "\"additionalProperties\":false,\"required\":[\"path\"]}},"
      "\"additionalProperties\":false,\"required\":[\"tool\",\"args\"]}",
      "\"const\":\"df\"}", "- fs_list {path}: Lists.\\n- df {}: Disks."},
     {"\"tools\""}},
    {"openai",
     OWN,
     QUIRK_OBJECT_ROOT,
     FIRST,
     {"\"tools\":[", "\"response_format\""},
     {"anyOf", "- df"}},
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
    {"anthropic",
     OWN,
     0,
     FIRST,
     {"\"output_config\"", "\"const\":\"df\"", "- df {}: Disks."},
     {"\"tools\""}},
    {"anthropic",
     OWN,
     QUIRK_OBJECT_ROOT,
     FIRST,
     {"\"output_config\"", "\"tools\""},
     {"\"const\":\"df\"", "tool_choice"}},
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
     {"\"responseJsonSchema\":{\"anyOf\":[", "\"enum\":[\"fs_list\"]",
      "- df {}: Disks."},
     {"functionDecl", "\"const\""}},
    {"gemini",
     NULL,
     QUIRK_NO_SCHEMA,
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
     {"\"format\":{\"anyOf\":[", "\"const\":\"df\"", "- df {}: Disks."},
     {"\"tools\""}},
    {"ollama",
     NULL,
     QUIRK_NO_SCHEMA,
     FIRST,
     {"\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"fs_list\""},
     {"\"format\""}},
    {"ollama", NULL, 0, LAST, {"\"format\":{"}, {"\"tools\""}},
};

static const struct row histories[] = {
    {"openai",
     NULL,
     0,
     WITH_RESULTS,
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
     WITH_RESULTS,
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
     QUIRK_NO_SCHEMA,
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
     QUIRK_NO_SCHEMA,
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
static const struct row fallbacks[] = {
    {"openai",
     OWN,
     QUIRK_NO_TOOLS,
     FIRST,
     {"\"content\":\"rules\\n", "{\\\"tool\\\": \\\"NAME\\\"",
      "- fs_list {path}: Lists.", "\"response_format\""},
     {"\"tools\"", "tool_choice"}},
    {"openai",
     OWN,
     QUIRK_NO_TOOLS | QUIRK_NO_SCHEMA,
     FIRST,
     {"- df {}: Disks.", "{\\\"kind\\\":\\\"answer_only\\\""},
     {"\"tools\"", "\"answer\"", "response_format"}},
    {"openai",
     OWN,
     QUIRK_NO_TOOLS,
     WITH_RESULTS,
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
     WITH_RESULTS,
     {"- df {}: Disks."},
     {"tool_use", "\"tools\""}},
    {"gemini",
     NULL,
     QUIRK_NO_TOOLS | QUIRK_NO_SYSTEM,
     WITH_RESULTS,
     {"\"parts\":[{\"text\":\"rules\\n", "- df {}: Disks."},
     {"function", "systemInstruction"}},
    {"ollama",
     NULL,
     QUIRK_NO_TOOLS,
     WITH_RESULTS,
     {"- df {}: Disks."},
     {"\"tools\"", "tool_name"}},
};

static void
check(const struct row *r)
{
    CLEANUP(fixture_done) struct request_fixture a;
    CLEANUP_BUF struct buf b = buf_of(TEXT_MAX);
    CLEANUP(json_free_p) struct json *back = NULL;

    fixture_init(&a, r->provider, r->url, r->quirks, r->stage);
    assert_int_equal(provider_request_body(&a.request, &b, NULL), 0);
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
    for (size_t i = 0; i < N_OF(declarations); i++)
        check(&declarations[i]);
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
    for (size_t i = 0; i < N_OF(fallbacks); i++)
        check(&fallbacks[i]);
}

static void
a_query_passes_the_pipe_unchanged(void **state)
{
    static const char *const names[] = {"openai", "anthropic", "gemini",
                                        "ollama"};

    (void)state;
    for (size_t i = 0; i < N_OF(names); i++) {
        CLEANUP(fixture_done) struct request_fixture a;
        CLEANUP(ipc_parsed_query_free_p) struct ipc_parsed_query *q = NULL;
        CLEANUP_BUF struct buf line = buf_of(TEXT_MAX);
        CLEANUP_BUF struct buf one = buf_of(TEXT_MAX);
        CLEANUP_BUF struct buf other = buf_of(TEXT_MAX);
        struct ipc_query query = {.id = 1};

        fixture_init(&a, names[i], NULL, 0, WITH_RESULTS);
        query.request = a.request;
        assert_int_equal(ipc_query_write(&query, &line, NULL), 0);
        q = ipc_parsed_query_new(
            json_parse(line.p, line.len, JSON_UNIQUE, NULL), NULL);
        assert_non_null(q);
        provider_request_body(&a.request, &one, NULL);
        provider_request_body(&q->query.request, &other, NULL);
        assert_string_equal(one.p, other.p);
        assert_int_equal(q->query.request.turns[1].tool_calls[0].args_len, 13);
        assert_int_equal(tool_declarations_last_own_id(&q->query.request), 1);
    }
}

#define THINKING(text, sign)                                                   \
    "{\"type\":\"thinking\",\"thinking\":\"" text "\",\"signature\":\"" sign   \
    "\"}"
#define REDACTED "{\"type\":\"redacted_thinking\",\"data\":\"ZW5j\"}"
#define TOOL_USE(id)                                                           \
    "{\"type\":\"tool_use\",\"id\":\"" id "\",\"name\":\"df\",\"input\":{}}"

/* Reasoning stands before its call, block by block, and texts between them. */
static void
reasoning_goes_back_raw_and_in_order(void **state)
{
    static const struct model_tool_call kept[] = {
        {.id = "c1",
         .name = "df",
         .args = "",
         .extra = "{\"blocks\":[" THINKING("a", "s1") "," THINKING(
             "", "s2") ",{\"type\":\"text\",\"text\":\"I look.\"},{\"type\":"
                       "\"text\",\"text\":\" \"}]}"},
        {.id = "c2",
         .name = "df",
         .args = "",
         .extra = "{\"blocks\":[" REDACTED "],\"reasoning_details\":[{\"type\":"
                  "\"reasoning.text\",\"index\":0,\"text\":\"a\"}]}"},
    };
    static const struct model_turn asked[] = {
        {.role = MODEL_USER, .text = "wish"},
        {.role = MODEL_ASSISTANT,
         .text = "I look.",
         .tool_calls = kept,
         .n_tool_calls = 2},
        {.role = MODEL_RESULT, .text = "a", .call_id = "c1", .call_name = "df"},
        {.role = MODEL_RESULT, .text = "b", .call_id = "c2", .call_name = "df"},
    };
    static const struct model_turn details[] = {
        {.role = MODEL_USER, .text = "wish"},
        {.role = MODEL_ASSISTANT, .tool_calls = &kept[1], .n_tool_calls = 1},
        {.role = MODEL_RESULT, .text = "b", .call_id = "c2", .call_name = "df"},
    };
    static const struct {
        const char *provider;
        const struct model_turn *turns;
        size_t n;
        const char *with;
    } rows[] = {
        {"anthropic", asked, N_OF(asked),
         "\"content\":[" THINKING("a", "s1") "," THINKING(
             "", "s2") ",{\"type\":\"text\",\"text\":\"I "
                       "look.\"}," TOOL_USE("c1") "," REDACTED
                                                  "," TOOL_USE("c2") "]"},
        {"openai", details, N_OF(details),
         "\"reasoning_details\":[{\"type\":\"reasoning.text\",\"index\":0,"
         "\"text\":\"a\"}],\"tool_calls\""},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(fixture_done) struct request_fixture a;
        CLEANUP_BUF struct buf b = buf_of(TEXT_MAX);

        fixture_init(&a, rows[i].provider, NULL, 0, FIRST);
        a.request.turns = rows[i].turns;
        a.request.n_turns = rows[i].n;
        assert_int_equal(provider_request_body(&a.request, &b, NULL), 0);
        if (!strstr(b.p, rows[i].with))
            fail_msg("%s\nnot in %s", rows[i].with, b.p);
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(tools_and_the_schema_go_together_only_where_both_work),
        cmocka_unit_test(calls_and_results_go_back_in_the_providers_form),
        cmocka_unit_test(reasoning_goes_back_raw_and_in_order),
        cmocka_unit_test(a_server_without_tools_reads_of_them),
        cmocka_unit_test(a_query_passes_the_pipe_unchanged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
