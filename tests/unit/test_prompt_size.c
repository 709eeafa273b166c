/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_prompt_size.c - a prompt that a server cut is found, and none that it
 * read; and which servers are known. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/cleanup.h"
#include "model/provider/host_features.h"
#include "model/provider/prompt_size.h"
#include "model/provider/provider_table.h"

#define WORDS 5000

/* Whether a server that read so many tokens of n words has cut them. */
static bool
is_cut(const char *provider, const char *url, const char *word, int64_t tokens)
{
    CLEANUP_BUF struct buf text = buf_of(1u << 20);
    struct model_turn turn = {.role = MODEL_USER};
    struct provider_request r = {.provider = provider_find(provider),
                                 .url = url,
                                 .system = "the rules",
                                 .turns = &turn,
                                 .n_turns = 1};
    struct err e = {0};

    for (int i = 0; i < WORDS; i++)
        buf_printf(&text, "%s ", word);
    turn.text = text.p;
    if (prompt_size_check(tokens, &r, "h", &e) == 0)
        return false;
    assert_int_equal(e.code, ERR_ANSWER);
    assert_non_null(strstr(e.text, "2048 tokens were read of at least 5002"));
    assert_non_null(strstr(e.text, "To do: "));
    assert_non_null(strstr(e.text, "num_ctx"));
    return true;
}

static void
a_prompt_that_was_cut_is_an_error(void **state)
{
    (void)state;
    assert_true(is_cut("ollama", "http://h", "word", 2048));
    assert_true(is_cut("openai", "http://h/v1", "word", 2048));
}

static void
a_prompt_that_was_read_is_none(void **state)
{
    (void)state;
    assert_false(is_cut("openai", "http://h/v1", "word", WORDS));
    assert_false(is_cut("openai", "http://h/v1", "word", -1));
    /* what was in its cache is not counted by some */
    assert_false(is_cut("openai", "http://h/v1", "word", 12));
    /* few tokens hold many bytes of these */
    assert_false(is_cut("openai", "http://h/v1", "==============", 2048));
}

static void
a_service_that_refuses_long_prompts_is_not_judged(void **state)
{
    (void)state;
    assert_false(is_cut("openai", "https://api.openai.com/v1", "word", 2048));
    assert_false(is_cut("anthropic", "http://h", "word", 2048));
    assert_false(is_cut("gemini", "http://h", "word", 2048));
}

static void
a_server_is_known_by_its_whole_address(void **state)
{
    static const struct {
        const char *provider, *url;
        bool known;
    } rows[] = {
        {"openai", "https://api.openai.com/v1", true},
        {"openai", "https://API.OpenAI.com/v1", true},
        {"openai", "http://api.openai.com/v1", false},
        {"openai", "https://api.openai.com.evil.example/v1", false},
        {"openai", "https://api.openai.com:8443/v1", false},
        {"openai", "https://me.openai.azure.com/openai/v1", true},
        {"openai", "https://me.services.ai.azure.com/openai/v1", true},
        {"openai", "https://me.openai.azure.com/openai/deployments/x", false},
        {"openai", "https://openai.azure.com/openai/v1", false},
        {"openai", "https://openrouter.ai/api/v1", false},
        {"openai", "https://api.anthropic.com", false},
        {"anthropic", "https://api.anthropic.com", true},
        {"anthropic", "http://127.0.0.1:4000", false},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        if (!!host_features(rows[i].provider, rows[i].url) != rows[i].known)
            fail_msg("%s", rows[i].url);
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prompt_that_was_cut_is_an_error),
        cmocka_unit_test(a_prompt_that_was_read_is_none),
        cmocka_unit_test(a_service_that_refuses_long_prompts_is_not_judged),
        cmocka_unit_test(a_server_is_known_by_its_whole_address),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
