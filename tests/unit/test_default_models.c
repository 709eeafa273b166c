/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_default_models.c - which model is asked in place of one that is gone. */
#include "tests/unit/unit.h"

#include <string.h>

#include "model/provider/default_models.h"
#include "model/provider/provider_table.h"

static void
every_provider_has_a_default(void **state)
{
    const struct provider *p;

    (void)state;
    for (size_t i = 0; (p = provider_at(i)) != NULL; i++) {
        assert_non_null(default_models_at(p, 0));
        assert_null(default_models_at(p, 99));
        assert_int_equal(p->models[0], '/');
    }
}

static void
a_default_then_its_family_then_the_best_is_chosen(void **state)
{
    static const struct {
        const char *provider, *list, *without, *want;
    } rows[] = {
        {"openai",
         "{\"data\":[{\"id\":\"a\"},{\"id\":\"gpt-5.4-mini\"},{\"id\":"
         "\"gpt-5.6-terra\"}]}",
         "gpt-6.1-terra", "gpt-5.6-terra"},
        {"openai", "{\"data\":[{\"id\":\"gpt-6.1-terra\"}]}", "gpt-6.1-terra",
         NULL},
        {"openai",
         "{\"data\":[{\"id\":\"gpt-7-terra\"},{\"id\":\"gpt-10-terra\"},"
         "{\"id\":\"gpt-10-sol\"}]}",
         "gpt-6.1-terra", "gpt-10-terra"},
        {"anthropic",
         "{\"data\":[{\"id\":\"claude-opus-9\"},{\"id\":\"claude-haiku-9\"}],"
         "\"has_more\":false}",
         "claude-haiku-5-5", "claude-haiku-9"},
        {"gemini",
         "{\"models\":[{\"name\":\"models/gemini-3.8-flash\"},{\"name\":"
         "\"models/gemini-flash-latest\"}]}",
         "gemini-flash-latest", "gemini-3.8-flash"},
        {"ollama",
         "{\"models\":[{\"name\":\"nomic-embed-text\"},{\"name\":"
         "\"qwen2.5-coder:7b\"}]}",
         "qwen3:4b", "qwen2.5-coder:7b"},
        {"openai", "{\"data\":[{\"id\":\"text-embedding-3-small\"}]}",
         "gpt-6.1-terra", NULL},
        {"openai", "{}", "gpt-6.1-terra", NULL},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(model_list_done) struct model_list l = {0};
        CLEANUP(json_free_p) struct json *v = NULL;
        const char *name;

        v = json_parse(rows[i].list, strlen(rows[i].list), 0, NULL);
        assert_int_equal(model_list_read(v, false, &l, NULL), 0);
        name = default_models_choose(provider_find(rows[i].provider), &l,
                                     rows[i].without);
        if (!name != !rows[i].want || (name && strcmp(name, rows[i].want) != 0))
            fail_msg("row %zu: %s", i, name ? name : "none");
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_provider_has_a_default),
        cmocka_unit_test(a_default_then_its_family_then_the_best_is_chosen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
