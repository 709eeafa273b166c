/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_provider.c - requests: their bodies, URLs and headers. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/cleanup.h"
#include "config/provider_names.h"
#include "model/provider/provider.h"
#include "model/provider/provider_table.h"
#include "model/provider/schema_dialect.h"

#define TEXT_MAX (1u << 20)

static const char schema_text[] =
    "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"type\":"
    "\"object\",\"properties\":{\"kind\":{\"type\":\"string\",\"enum\":[\"a\"]"
    "},\"note\":{\"type\":\"string\",\"maxLength\":9},\"steps\":{\"type\":"
    "\"array\",\"items\":{\"$ref\":\"#/definitions/Step\"}}},\"required\":["
    "\"kind\"],\"definitions\":{\"Step\":{\"type\":\"object\",\"properties\":{"
    "\"id\":{\"type\":\"string\",\"pattern\":\"x\"},\"risky\":{\"type\":"
    "\"boolean\",\"default\":false}},\"required\":[\"id\"]}}}";

static const struct model_turn turns[] = {
    {.role = MODEL_USER, .text = "wish"},
    {.role = MODEL_ASSISTANT, .text = "{}"},
    {.role = MODEL_USER, .text = "again"},
};

static void
variant_is(unsigned flags, const char *want)
{
    CLEANUP_BUF struct buf b = buf_of(TEXT_MAX);
    CLEANUP(json_free_p) struct json *s = NULL;
    struct json_writer w;

    s = json_parse(schema_text, strlen(schema_text), JSON_UNIQUE, NULL);
    assert_non_null(s);
    json_write_init(&w, &b);
    schema_dialect_write(&w, s, flags);
    assert_string_equal(b.p, want);
}

static void
a_schema_is_written_without_what_decoders_do_not_know(void **state)
{
    (void)state;
    variant_is(0, "{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":"
                  "\"string\",\"enum\":[\"a\"]},\"note\":{\"type\":\"string\"}"
                  ",\"steps\":{\"type\":\"array\",\"items\":{\"type\":"
                  "\"object\",\"properties\":{\"id\":{\"type\":\"string\"},"
                  "\"risky\":{\"type\":\"boolean\"}},\"required\":[\"id\"]}}},"
                  "\"required\":[\"kind\"]}");
}

static void
a_strict_schema_requires_everything(void **state)
{
    (void)state;
    variant_is(SCHEMA_DIALECT_STRICT,
               "{\"type\":\"object\",\"properties\":{\"kind\":{\"type\":"
               "\"string\",\"enum\":[\"a\"]},\"note\":{\"type\":[\"string\","
               "\"null\"]},\"steps\":{\"type\":\"array\",\"items\":{\"type\":"
               "\"object\",\"properties\":{\"id\":{\"type\":\"string\"},"
               "\"risky\":{\"type\":\"boolean\"}},\"required\":[\"id\","
               "\"risky\"],\"additionalProperties\":false}}},\"required\":["
               "\"kind\",\"note\",\"steps\"],\"additionalProperties\":false}");
}

static void
a_type_that_may_be_null_is_written_as_one(void **state)
{
    static const char text[] =
        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":[\"string\","
        "\"null\"]},\"b\":{\"type\":[\"null\",\"integer\"]},\"c\":{\"type\":["
        "\"string\",\"integer\"]},\"d\":{\"type\":[\"object\",\"null\"]}}}";
    static const char want[] =
        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},"
        "\"b\":{\"type\":\"integer\"},\"c\":{\"type\":[\"string\","
        "\"integer\"]},\"d\":{\"type\":\"object\"}}}";
    CLEANUP_BUF struct buf b = buf_of(TEXT_MAX);
    CLEANUP(json_free_p) struct json *s = NULL;
    struct json_writer w;

    (void)state;
    s = json_parse(text, strlen(text), 0, NULL);
    json_write_init(&w, &b);
    schema_dialect_write(&w, s, SCHEMA_DIALECT_ONE_TYPE);
    assert_string_equal(b.p, want);
}

static void
ranges_of_numbers_are_kept_where_they_are_small(void **state)
{
    static const char text[] =
        "{\"type\":\"object\",\"properties\":{\"port\":{\"type\":"
        "\"integer\",\"minimum\":1,\"maximum\":65535},\"line\":{\"type\":"
        "\"integer\",\"minimum\":1,\"maximum\":9223372036854775807}}}";
    static const char want[] =
        "{\"type\":\"object\",\"properties\":{\"port\":{\"type\":"
        "\"integer\",\"minimum\":1,\"maximum\":65535},\"line\":{\"type\":"
        "\"integer\",\"minimum\":1}}}";
    CLEANUP(json_free_p) struct json *s = NULL;

    (void)state;
    s = json_parse(text, strlen(text), 0, NULL);
    for (unsigned kept = 0; kept < 2; kept++) {
        CLEANUP_BUF struct buf b = buf_of(TEXT_MAX);
        struct json_writer w;

        json_write_init(&w, &b);
        schema_dialect_write(&w, s, kept ? SCHEMA_DIALECT_RANGES : 0);
        if (kept)
            assert_string_equal(b.p, want);
        else
            assert_null(strstr(b.p, "imum"));
    }
}

static void
a_schema_that_refers_to_itself_ends(void **state)
{
    static const char text[] =
        "{\"$ref\":\"#/definitions/A\",\"definitions\":{\"A\":{\"type\":"
        "\"object\",\"properties\":{\"a\":{\"$ref\":\"#/definitions/A\"}}}}}";
    CLEANUP_BUF struct buf b = buf_of(TEXT_MAX);
    CLEANUP(json_free_p) struct json *s = NULL;
    struct json_writer w;

    (void)state;
    s = json_parse(text, strlen(text), 0, NULL);
    json_write_init(&w, &b);
    schema_dialect_write(&w, s, 0);
    assert_false(b.bad);
    assert_non_null(strstr(b.p, "{\"a\":{}}"));
}

/* A call's body, with some of the parameters left out. */
static char *
body_of(const char *provider, const char *url, unsigned quirks)
{
    CLEANUP_BUF struct buf b = buf_of(TEXT_MAX);
    CLEANUP(json_free_p) struct json *s = NULL, *back = NULL;
    struct provider_request c = {.provider = provider_find(provider),
                                 .model = "m",
                                 .quirks = quirks,
                                 .system = "rules",
                                 .turns = turns,
                                 .n_turns = N_OF(turns)};

    s = json_parse(schema_text, strlen(schema_text), JSON_UNIQUE, NULL);
    c.url = url ? url : c.provider->url;
    c.schema = s;
    assert_int_equal(provider_request_body(&c, &b, NULL), 0);
    back = json_parse(b.p, b.len, JSON_UNIQUE, NULL);
    assert_non_null(back);
    return buf_take(&b);
}

struct body_row {
    const char *provider, *url;
    unsigned quirks;
    const char *with, *without; /* parts of the body */
};

static const struct body_row body_rows[] = {
    {"openai", NULL, QUIRK_NO_RESPONSES, "\"max_completion_tokens\":16384",
     "temperature"},
    {"openai", NULL, QUIRK_NO_RESPONSES | QUIRK_OTHER_LIMIT,
     "\"max_tokens\":16384", "max_comp"},
    {"openai", "http://h/v1", 0, "\"temperature\":0", "max_completion"},
    {"openai", "http://h/v1", QUIRK_OTHER_LIMIT, "max_completion_tokens",
     "\"max_tokens\""},
    {"openai", "http://h/v1", QUIRK_NO_LIMIT, "\"model\":\"m\"", "max_"},
    {"openai", "http://h/v1", QUIRK_NO_TEMPERATURE, "max_tokens",
     "temperature"},
    {"openai", NULL, QUIRK_NO_RESPONSES, "\"strict\":true", "maxLength"},
    {"openai", NULL, QUIRK_NO_RESPONSES | QUIRK_NO_SCHEMA, "\"tool_choice\"",
     "response_format"},
    {"openai", NULL, QUIRK_NO_RESPONSES | QUIRK_NO_SCHEMA | QUIRK_NO_TOOL,
     "\"stream\":true", "tool"},
    {"openai", NULL, QUIRK_NO_RESPONSES | QUIRK_NO_USAGE, "\"stream\":true",
     "include_usage"},
    {"openai", NULL, QUIRK_NO_RESPONSES | QUIRK_NO_STREAM, "\"stream\":false",
     "include_usage"},
    {"openai", NULL, QUIRK_NO_RESPONSES | QUIRK_NO_SYSTEM,
     "\"content\":\"rules\\nwish\"", "\"system\""},
    {"openai", "http://h/v1", QUIRK_JSON_OBJECT,
     "\"response_format\":{\"type\":\"json_object\"}", "json_schema"},
    {"anthropic", NULL, 0, "\"output_config\"", "temperature"},
    {"anthropic", NULL, 0,
     "\"system\":[{\"type\":\"text\",\"text\":\"rules\","
     "\"cache_control\":{\"type\":\"ephemeral\"}}]",
     "\"role\":\"system\""},
    {"openai", NULL, 0, "\"prompt_cache_key\":\"agentsh\"", "cache_control"},
    {"openai", NULL, QUIRK_NO_CACHE_KEY, "\"stream\"", "cache_key"},
    {"openai", "http://h/v1", 0, "\"stream\"", "cache_key"},
    {"openai", "http://h/v1", 0, "\"strict\":true", "null"},
    {"openai", "http://h/v1", QUIRK_OBJECT_ROOT, "\"null\"", "\"const\""},
    {"openai", "http://h/v1", QUIRK_NO_SCHEMA | QUIRK_NO_TOOL, "fuser -k",
     "response_format"},
    {"openai", "http://h/v1", 0, "response_format", "fuser -k"},
    {"anthropic", NULL, QUIRK_OTHER_LIMIT, "\"max_tokens\":4096", "8192"},
    {"anthropic", NULL, QUIRK_NO_SCHEMA, "\"input_schema\"", "output_config"},
    {"gemini", NULL, 0, "\"responseJsonSchema\"", "\"assistant\""},
    {"gemini", NULL, 0, "\"role\":\"model\"", "\"system\""},
    {"gemini", NULL, QUIRK_NO_SCHEMA, "maxOutputTokens", "responseMime"},
    {"gemini", NULL, QUIRK_NO_SYSTEM, "{\"text\":\"rules\"}",
     "systemInstruction"},
    {"ollama", NULL, 0, "\"format\":{", "response_format"},
    {"ollama", NULL, 0, "\"num_ctx\":16384", "max_tokens"},
    {"ollama", NULL, 0, "\"num_predict\":8192", "max_tokens"},
    {"ollama", NULL, 0, "\"keep_alive\":\"30m\"", "\"think\""},
    {"ollama", NULL, QUIRK_NO_SCHEMA, "\"options\"", "\"format\""},
};

static void
each_quirk_leaves_out_its_parameter(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(body_rows); i++) {
        CLEANUP(free_p) char *body = NULL;

        body = body_of(body_rows[i].provider, body_rows[i].url,
                       body_rows[i].quirks);
        if (!strstr(body, body_rows[i].with) ||
            strstr(body, body_rows[i].without))
            print_error("# row %zu: %s\n", i, body);
        assert_non_null(strstr(body, body_rows[i].with));
        assert_null(strstr(body, body_rows[i].without));
    }
}

static void
every_quirk_has_a_name_and_comes_back(void **state)
{
    (void)state;
    for (unsigned bit = 1; bit < QUIRKS_END; bit <<= 1) {
        if (quirk_name(bit))
            assert_int_equal(quirk_bit(quirk_name(bit)), bit);
    }
    assert_null(quirk_name(QUIRKS_END));
    assert_non_null(quirk_name(QUIRKS_END >> 1));
    assert_int_equal(quirk_bit("no_such"), 0);
}

/* What is sent to a model that is asked with tools, or without. */
struct effort_case {
    const char *provider, *url, *model;
    unsigned quirks;
    bool tools;
    const char *effort; /* NULL: none */
};

static void
the_least_effort_is_asked_for_where_it_is_known(void **state)
{
    static const struct effort_case rows[] = {
        {"openai", NULL, "gpt-5-mini", 0, true, "minimal"},
        {"openai", NULL, "gpt-5", 0, false, "minimal"},
        {"openai", NULL, "gpt-5.6-terra", 0, true, "low"},
        {"openai", NULL, "gpt-6.1-terra", 0, true, "low"},
        {"openai", NULL, "gpt-6.1-terra", QUIRK_NO_EFFORT, true, NULL},
        {"openai", NULL, "gpt-6.1-terra", QUIRK_NO_RESPONSES, false, "low"},
        {"openai", NULL, "gpt-6.1-terra", QUIRK_NO_RESPONSES, true, NULL},
        {"openai", NULL, "gpt-5.5", QUIRK_NO_RESPONSES | QUIRK_EFFORT_NONE,
         true, "none"},
        {"openai", NULL, "gpt-5.3-chat-latest", 0, true, NULL},
        {"openai", NULL, "gpt-5.2-pro", 0, true, NULL},
        {"openai", NULL, "gpt-4.1", 0, true, NULL},
        {"openai", "http://h/v1", "gpt-5.6-terra", 0, true, NULL},
        {"openai", "http://h/v1", "gpt-5.6-terra", QUIRK_EFFORT_NONE, true,
         "none"},
        {"openai", "http://h/v1", "gpt-5.6-terra", QUIRK_EFFORT_NONE, false,
         NULL},
        {"openai", "https://api.deepseek.com", "deepseek-chat", 0, true, "low"},
        {"anthropic", NULL, "claude-haiku-5-5", 0, true, "low"},
        {"anthropic", NULL, "claude-opus-4-5", 0, true, "low"},
        {"anthropic", NULL, "claude-haiku-4-5", 0, true, NULL},
        {"anthropic", NULL, "claude-sonnet-4-5", 0, true, NULL},
        {"anthropic", NULL, "claude-haiku-5-5", QUIRK_NO_EFFORT, true, NULL},
        {"gemini", NULL, "models/gemini-3.8-flash", 0, true, "low"},
        {"gemini", NULL, "gemini-2.5-flash", 0, true, NULL},
        {"ollama", NULL, "qwen3:4b", 0, true, NULL},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(json_free_p) struct json *s = json_parse("{}", 2, 0, NULL);
        const struct provider_tool tool = {"t", "d", s};
        struct provider_request c = {
            .provider = provider_find(rows[i].provider),
            .model = rows[i].model,
            .quirks = rows[i].quirks,
            .turns = turns,
            .n_turns = 1,
            .tools = &tool,
            .n_tools = rows[i].tools};
        CLEANUP_BUF struct buf b = buf_of(TEXT_MAX);
        CLEANUP_BUF struct buf want = buf_of(64);

        c.url = rows[i].url ? rows[i].url : c.provider->url;
        assert_int_equal(provider_request_body(&c, &b, NULL), 0);
        buf_printf(&want, "\":\"%s\"", rows[i].effort ? rows[i].effort : "");
        if (rows[i].effort)
            assert_non_null(strstr(b.p, want.p));
        if (!!strstr(b.p, "effort\"") + !!strstr(b.p, "thinkingLevel\"") !=
            (rows[i].effort != NULL))
            fail_msg("row %zu: %s", i, b.p);
    }
}

static void
the_table_of_names_is_that_of_providers(void **state)
{
    CLEANUP_BUF struct buf names = buf_of(256);
    const struct provider *p;

    (void)state;
    for (size_t i = 0; (p = provider_at(i)) != NULL; i++)
        buf_printf(&names, "%s|", p->name);
    buf_str(&names, "offline");
    assert_string_equal(names.p, PROVIDER_CHOICES);
}

struct base_row {
    const char *provider, *text, *url; /* url NULL: refused */
};

static void
addresses_are_taken_as_people_write_them(void **state)
{
    static const struct base_row rows[] = {
        {"openai", "http://h:1/v1", "http://h:1/v1"},
        {"openai", "http://h:1/v1//", "http://h:1/v1"},
        {"openai", "https://h/v1/chat/completions", "https://h/v1"},
        {"openai", "http://[::1]:8080/v1", "http://[::1]:8080/v1"},
        {"openai", "h:1/v1", NULL},
        {"openai", "ftp://h/", NULL},
        {"openai", "http://", NULL},
        {"openai", "http://u:p@h/v1", NULL},
        {"openai", "http://h/v1/?x=1/", "http://h/v1?x=1/"},
        {"openai", "http://h/v1?", "http://h/v1"},
        {"openai", "https://h/d/chat/completions?api-version=2",
         "https://h/d?api-version=2"},
        {"openai", "http://?x", NULL},
        {"openai", "http://h/v1?x#y", NULL},
        {"openai", "http://h/ v1", NULL},
        {"openai", "http://h\r\nX: y", NULL},
        {"anthropic", "https://h", "https://h"},
        {"anthropic", "https://h/v1/", "https://h"},
        {"anthropic", "https://h/v1/messages", "https://h"},
        {"gemini", "http://h:1/v1beta", "http://h:1"},
        {"ollama", "http://h:1", "http://h:1"},
        {"ollama", "h", "http://h:11434"},
        {"ollama", "h/a/", "http://h:11434/a"},
        {"ollama", "h:1/a", "http://h:1/a"},
        {"ollama", "[::1]/a", "http://[::1]:11434/a"},
        {"ollama", "h:1", "http://h:1"},
        {"ollama", ":1", "http://127.0.0.1:1"},
        {"ollama", "0.0.0.0", "http://127.0.0.1:11434"},
        {"ollama", "0.0.0.0:1", "http://127.0.0.1:1"},
        {"ollama", "[::1]", "http://[::1]:11434"},
        {"ollama", "ftp://h", NULL},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct err e = {0};
        CLEANUP(free_p) char *url = NULL;

        url = provider_base_url(provider_find(rows[i].provider), "X",
                                rows[i].text, &e);
        if (!url != !rows[i].url || (url && strcmp(url, rows[i].url) != 0))
            print_error("# %s -> %s\n", rows[i].text, url ? url : e.text);
        if (rows[i].url)
            assert_string_equal(url, rows[i].url);
        else
            assert_int_equal(e.code, ERR_CONFIG);
    }
}

static void
paths_and_headers_are_the_providers_own(void **state)
{
    static const struct {
        const char *provider, *model, *url, *header;
    } rows[] = {
        {"openai", "m", "https://api.openai.com/v1/responses",
         "Authorization: Bearer k\n"},
        {"anthropic", "m", "https://api.anthropic.com/v1/messages",
         "x-api-key: k\n"},
        {"gemini", "models/m 1",
         "https://generativelanguage.googleapis.com/v1beta/models/m%201:"
         "streamGenerateContent?alt=sse",
         "x-goog-api-key: k\n"},
        {"ollama", "m", "http://127.0.0.1:11434/api/chat", "application/json"},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf url = buf_of(TEXT_MAX);
        CLEANUP_BUF struct buf head = buf_of(TEXT_MAX);
        struct provider_request c = {
            .provider = provider_find(rows[i].provider),
            .model = rows[i].model};

        c.url = c.provider->url;
        assert_int_equal(provider_request_url(&c, &url, NULL), 0);
        assert_string_equal(url.p, rows[i].url);
        assert_int_equal(provider_request_headers(&c, "k", &head, NULL), 0);
        assert_non_null(strstr(head.p, rows[i].header));
        buf_clear(&head);
        provider_request_headers(&c, NULL, &head, NULL);
        assert_null(strstr(head.p, "k\n"));
    }
}

static void
a_query_and_more_headers_are_part_of_every_request(void **state)
{
    static const struct {
        const char *provider, *base, *url;
    } rows[] = {
        {"openai", "https://h/v1?api-version=2",
         "https://h/v1/chat/completions?api-version=2"},
        {"gemini", "https://h?a=b",
         "https://h/v1beta/models/m:streamGenerateContent?alt=sse&a=b"},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf url = buf_of(TEXT_MAX);
        CLEANUP_BUF struct buf head = buf_of(TEXT_MAX);
        const struct provider_request c = {
            .provider = provider_find(rows[i].provider),
            .url = rows[i].base,
            .model = "m",
            .more_headers = "X-A: b\nX-C: d\n"};

        assert_int_equal(provider_request_url(&c, &url, NULL), 0);
        assert_string_equal(url.p, rows[i].url);
        assert_int_equal(provider_request_headers(&c, "k", &head, NULL), 0);
        assert_non_null(strstr(head.p, "k\nX-A: b\nX-C: d\n"));
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_schema_is_written_without_what_decoders_do_not_know),
        cmocka_unit_test(a_strict_schema_requires_everything),
        cmocka_unit_test(a_type_that_may_be_null_is_written_as_one),
        cmocka_unit_test(ranges_of_numbers_are_kept_where_they_are_small),
        cmocka_unit_test(a_schema_that_refers_to_itself_ends),
        cmocka_unit_test(each_quirk_leaves_out_its_parameter),
        cmocka_unit_test(the_table_of_names_is_that_of_providers),
        cmocka_unit_test(every_quirk_has_a_name_and_comes_back),
        cmocka_unit_test(a_query_and_more_headers_are_part_of_every_request),
        cmocka_unit_test(the_least_effort_is_asked_for_where_it_is_known),
        cmocka_unit_test(addresses_are_taken_as_people_write_them),
        cmocka_unit_test(paths_and_headers_are_the_providers_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
