/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_model_rank.c - which of a server's models is chosen.
 *
 * The lists have the members that the servers' documentation names. They were
 * written by hand, not recorded from a server. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/buf.h"
#include "model/model_rank.h"

#define GIB (INT64_C(1) << 30)

/* /api/tags of Ollama */
#define OLLAMA(name, size, billions)                                           \
    "{\"name\":\"" name "\",\"model\":\"" name                                 \
    "\",\"modified_at\":\"2026-01-02T03:04:05.6Z\",\"size\":" size             \
    ",\"digest\":\"ab12\",\"details\":{\"parent_model\":\"\",\"format\":"      \
    "\"gguf\",\"family\":\"f\",\"families\":[\"f\"],\"parameter_size\":"       \
    "\"" billions "\",\"quantization_level\":\"Q4_K_M\"}}"
/* /api/v0/models of LM Studio */
#define STUDIO(name, type, state)                                              \
    "{\"id\":\"" name "\",\"object\":\"model\",\"type\":\"" type               \
    "\",\"publisher\":\"p\",\"arch\":\"a\",\"compatibility_type\":\"gguf\","   \
    "\"quantization\":\"Q4_K_M\",\"state\":\"" state                           \
    "\",\"max_context_length\":32768}"

struct row {
    const char *list;
    const char *running; /* /api/ps; NULL */
    int64_t memory;
    bool alone;
    const char *best; /* NULL: none will do */
    const char *why;  /* NULL: whatever it is */
};

static void
check_row(const struct row *r)
{
    CLEANUP(model_list_done) struct model_list l = {0};
    CLEANUP(json_free_p)
    struct json *list = json_parse(r->list, strlen(r->list), 0, NULL);
    CLEANUP(json_free_p) struct json *running = NULL;
    char why[MODEL_RANK_REASON_SIZE];
    const struct model_info *m;

    assert_non_null(list);
    assert_int_equal(model_list_read(list, r->alone, &l, NULL), 0);
    if (r->running)
        running = json_parse(r->running, strlen(r->running), 0, NULL);
    model_list_mark_loaded(running, &l);
    m = model_rank_best(&l, r->memory);
    if (!r->best) {
        assert_null(m);
        return;
    }
    assert_non_null(m);
    assert_string_equal(m->name, r->best);
    model_rank_reason(m, r->memory, why);
    if (r->why)
        assert_string_equal(why, r->why);
}

static void
check_rows(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        check_row(&rows[i]);
}

static void
the_largest_that_fits_is_chosen_from_ollama(void **state)
{
    static const struct row rows[] = {
        {.list = "{\"models\":[" OLLAMA(
             "llama3.2:3b", "2019393189",
             "3.2B") "," OLLAMA("llama3.1:8b", "4920753328",
                                "8.0B") "," OLLAMA("llama3.3:70b",
                                                   "42520413916", "70.6B") "]}",
         .memory = 16 * GIB,
         .best = "llama3.1:8b",
         .why = "8B"},
        {.list = "{\"models\":[" OLLAMA(
             "llama3.3:70b", "42520413916",
             "70.6B") "," OLLAMA("qwen3:32b", "20201253588", "32.8B") "]}",
         .memory = 8 * GIB,
         .best = "qwen3:32b",
         .why = "32.8B, too large for this machine's memory"},
        {.list = "{\"models\":[" OLLAMA("llama3.3:70b", "42520413916",
                                        "70.6B") "]}",
         .best = "llama3.3:70b"},
        /* loaded: it fits, whatever is thought of it, and answers at once */
        {.list = "{\"models\":[" OLLAMA("a:7b", "4700000000",
                                        "7.6B") "," OLLAMA("b:7b", "4700000000",
                                                           "7.6B") "]}",
         .running = "{\"models\":[{\"name\":\"b:7b\",\"model\":\"b:7b\"}]}",
         .memory = 16 * GIB,
         .best = "b:7b",
         .why = "7.6B, loaded"},
        {.list = "{\"models\":[" OLLAMA(
             "a:1b", "1300000000", "1.2B") "," OLLAMA("b:14b", "9000000000",
                                                      "14.8B") "]}",
         .running = "{\"models\":[{\"name\":\"a:1b\"}]}",
         .memory = 32 * GIB,
         .best = "b:14b"},
        /* the same in all: by name */
        {.list = "{\"models\":[" OLLAMA("b:7b", "4700000000", "7B") "," OLLAMA(
             "a:7b", "4700000000", "7B") "]}",
         .best = "a:7b"},
        {.list = "{\"models\":[]}"},
        {.list = "{\"error\":\"no\"}"},
        {.list = "[1,{\"models\":3}]"},
        {.list = "{\"models\":[3,{},{\"name\":\"\"},{\"name\":\"a b\"}]}"},
    };

    (void)state;
    check_rows(rows, N_OF(rows));
}

static void
the_name_tells_what_a_model_is_for(void **state)
{
    static const struct row rows[] = {
        {.list = "{\"models\":[" OLLAMA(
             "qwen2.5:7b", "4683087332",
             "7.6B") "," OLLAMA("qwen2.5-coder:7b", "4683087332", "7.6B") "]}",
         .best = "qwen2.5-coder:7b",
         .why = "7.6B, for code"},
        {.list = "{\"models\":[" OLLAMA(
             "qwen2.5-coder:0.5b", "397821319",
             "494.03M") "," OLLAMA("llama3.1:8b", "4920753328", "8.0B") "]}",
         .best = "llama3.1:8b"},
        {.list = "{\"models\":[" OLLAMA(
             "qwen2.5-coder:14b-base", "8988124069",
             "14.8B") "," OLLAMA("qwen2.5:3b", "1929912432", "3.1B") "]}",
         .best = "qwen2.5:3b"},
        {.list = "{\"models\":[" OLLAMA(
             "starcoder2:15b", "9100000000",
             "16B") "," OLLAMA("starcoder2:15b-instruct", "9100000000",
                               "16B") "]}",
         .best = "starcoder2:15b-instruct"},
        {.list = "{\"models\":[" OLLAMA(
             "deepseek-r1:8b", "5200000000",
             "8.2B") "," OLLAMA("llama3.1:8b", "4920753328", "8.0B") "]}",
         .best = "llama3.1:8b"},
        {.list = "{\"models\":[" OLLAMA(
             "llava:13b", "8000000000",
             "13B") "," OLLAMA("mistral:7b", "4100000000", "7.2B") "]}",
         .best = "mistral:7b"},
        {.list = "{\"models\":[" OLLAMA("qwen2.5-coder:0.5b", "397821319",
                                        "494.03M") "]}",
         .best = "qwen2.5-coder:0.5b",
         .why = "494M, for code"},
        {.list = "{\"models\":[" OLLAMA("llama3:8b-text", "4700000000",
                                        "8B") "]}",
         .best = "llama3:8b-text",
         .why = "8B, not tuned for chat"},
    };

    (void)state;
    check_rows(rows, N_OF(rows));
}

static void
what_does_not_chat_is_never_chosen(void **state)
{
    static const char *const names[] = {
        "nomic-embed-text:latest",
        "mxbai-embed-large:latest",
        "bge-m3:latest",
        "all-minilm:22m",
        "llama-guard3:8b",
        "whisper-large-v3",
        "bge-reranker-v2-m3",
        "text-embedding-nomic-embed-text-v1.5",
        "qwen3-coder:480b-cloud",
        "gpt-oss:120b-cloud",
        "moondream:1.8b",
        "dots-ocr",
        "kokoro-tts",
        "intfloat/e5-mistral-7b",
    };
    static const struct row rows[] = {
        {.list =
             "{\"models\":[{\"name\":\"glm:latest\",\"remote_model\":\"glm\""
             ",\"remote_host\":\"https://h\",\"size\":384}]}"},
        {.list = "{\"models\":[{\"name\":\"x\",\"capabilities\":"
                 "[\"embedding\"]}]}"},
        {.list = "{\"models\":[{\"name\":\"x\",\"capabilities\":"
                 "[\"completion\",\"tools\"]}]}",
         .best = "x"},
        {.list = "{\"data\":[" STUDIO("x", "embeddings", "loaded") "]}"},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(names); i++) {
        struct model_info m = {0};

        strncpy(m.name, names[i], sizeof(m.name) - 1);
        if (!model_rank_exclusion(&m))
            print_error("# %s\n", names[i]);
        assert_non_null(model_rank_exclusion(&m));
    }
    check_rows(rows, N_OF(rows));
}

static void
lists_of_the_other_servers_are_read(void **state)
{
    static const struct row rows[] = {
        /* LM Studio: no sizes, but kinds and states */
        {.list = "{\"object\":\"list\",\"data\":[" STUDIO(
             "qwen2-vl-7b-instruct", "vlm",
             "not-loaded") "," STUDIO("meta-llama-3.1-8b-instruct", "llm",
                                      "not-loaded") "," STUDIO("text-embedding-"
                                                               "nomic",
                                                               "embeddings",
                                                               "loaded") "]}",
         .best = "meta-llama-3.1-8b-instruct",
         .why = "8B"},
        {.list = "{\"data\":[" STUDIO("a-7b", "llm", "not-loaded") "," STUDIO(
             "b-4b", "llm", "loaded") "," STUDIO("c-4b", "llm",
                                                 "not-loaded") "]}",
         .best = "a-7b"},
        {.list = "{\"data\":[" STUDIO(
             "llama-70b", "llm", "not-loaded") "," STUDIO("b-4b", "llm",
                                                          "not-loaded") "]}",
         .memory = 16 * GIB,
         .best = "b-4b"},
        /* llama-server: two lists, each with a part */
        {.list =
             "{\"models\":[{\"name\":\"/m/q.gguf\",\"model\":\"/m/q.gguf\","
             "\"capabilities\":[\"completion\"],\"details\":"
             "{\"parameter_size\":\"\"}}],\"object\":\"list\",\"data\":[{"
             "\"id\":\"/m/q.gguf\",\"object\":\"model\",\"owned_by\":"
             "\"llamacpp\",\"meta\":{\"vocab_type\":2,\"n_ctx_train\":32768,"
             "\"n_params\":7615616512,\"size\":4677120000}}]}",
         .alone = true,
         .memory = 4 * GIB,
         .best = "/m/q.gguf",
         .why = "7.62B, loaded"},
        /* vLLM */
        {.list = "{\"object\":\"list\",\"data\":[{\"id\":"
                 "\"Qwen/Qwen2.5-Coder-32B-Instruct\",\"object\":\"model\","
                 "\"owned_by\":\"vllm\",\"root\":\"r\",\"parent\":null,"
                 "\"max_model_len\":32768,\"permission\":[]}]}",
         .alone = true,
         .best = "Qwen/Qwen2.5-Coder-32B-Instruct",
         .why = "32B, for code, loaded"},
    };

    (void)state;
    check_rows(rows, N_OF(rows));
}

static void
names_tell_sizes(void **state)
{
    static const struct {
        const char *name;
        int millions;
    } rows[] = {
        {"qwen2.5-coder:7b", 7000},
        {"llama3.1-8b-instruct", 8000},
        {"smollm2:135m", 135},
        {"494.03M", 494},
        {"qwen2.5:0.5b-instruct", 500},
        {"mixtral:8x7b", 56000},
        {"Qwen3-30B-A3B", 30000},
        {"phi-4", 0},
        {"model-4bit", 0},
        {"gemma3:latest", 0},
        {"7bees", 0},
        {"a7b", 0},
        {"99999999999999999999b", 0},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(model_list_done) struct model_list l = {0};
        CLEANUP(json_free_p) struct json *list = NULL;
        char text[128];

        snprintf(text, sizeof(text), "{\"data\":[{\"id\":\"%s\"}]}",
                 rows[i].name);
        list = json_parse(text, strlen(text), 0, NULL);
        assert_int_equal(model_list_read(list, false, &l, NULL), 0);
        assert_int_equal((int)(1000 * l.v[0].billions), rows[i].millions);
    }
}

static void
no_more_than_a_limit_is_read(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(1 << 20);
    CLEANUP(model_list_done) struct model_list l = {0};
    CLEANUP(json_free_p) struct json *list = NULL;

    (void)state;
    buf_str(&b, "{\"data\":[");
    for (int i = 0; i < 2 * MODEL_LIST_MAX; i++)
        buf_printf(&b, "{\"id\":\"m%d\"},", i);
    buf_str(&b, "{\"id\":\"m1\"}]}");
    list = json_parse(b.p, b.len, 0, NULL);
    assert_int_equal(model_list_read(list, false, &l, NULL), 0);
    assert_int_equal(l.n, MODEL_LIST_MAX);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_that_fits_is_chosen_from_ollama),
        cmocka_unit_test(the_name_tells_what_a_model_is_for),
        cmocka_unit_test(what_does_not_chat_is_never_chosen),
        cmocka_unit_test(lists_of_the_other_servers_are_read),
        cmocka_unit_test(names_tell_sizes),
        cmocka_unit_test(no_more_than_a_limit_is_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
