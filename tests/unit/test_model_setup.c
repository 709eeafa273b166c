/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_model_setup.c - a choice of a model keeps what is about it, and nothing
 * that would send one provider's key to another. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/array.h"
#include "config/config_edit.h"
#include "model/provider/provider_table.h"
#include "tests/unit/own_dir.h"
#include "tests/unit/unit_seat.h"
#include "ui/model_setup.h"

#define FILE_NAME "agentsh/config"
#define URL       "http://127.0.0.1:8080/v1"

struct row {
    const char *name;
    const char *before; /* what stands in [model] */
    const char *provider, *url, *model, *key;
    const char *after;
};

static const struct row rows[] = {
    {.name = "a server on this machine gets no key of its protocol's provider",
     .before = "provider = openai\napi_key_file = ~/k\n",
     .provider = "openai",
     .url = URL,
     .model = "m",
     .after = "provider = openai\nmodel = m\nbase_url = " URL "\n"
              "# api_key_file = ~/k\n"},
    {.name = "another provider gets neither address nor headers of the last",
     .before = "provider = openai\nbase_url = " URL "\nheaders = a: b\n"
               "ca_file = /ca\n",
     .provider = "gemini",
     .after = "provider = gemini\n# base_url = " URL "\n# headers = a: b\n"
              "ca_file = /ca\n"},
    {.name = "settings without a provider are those of openai",
     .before = "api_key_command = pass\n",
     .provider = "anthropic",
     .after = "provider = anthropic\n# api_key_command = pass\n"},
    {.name = "and stay for it",
     .before = "api_key_command = pass\nbase_url = " URL "\n",
     .provider = "openai",
     .after = "api_key_command = pass\nbase_url = " URL
              "\nprovider = openai\n"},
    {.name = "a key that was typed takes the place of a command",
     .before = "provider = gemini\napi_key_command = pass\n",
     .provider = "gemini",
     .key = "k",
     .after = "provider = gemini\napi_key_file = ~/agentsh/gemini.key\n"
              "# api_key_command = pass\n"},
    {.name = "the usual address of a server is not written",
     .before = "provider = ollama\nbase_url = http://h:1\n",
     .provider = "ollama",
     .url = "http://127.0.0.1:11434",
     .model = "m",
     .after = "provider = ollama\nmodel = m\n# base_url = http://h:1\n"},
    {.name = "prices stay with their model",
     .before = "provider = gemini\nmodel = a\nprice_in = 1\n",
     .provider = "gemini",
     .model = "a",
     .after = "provider = gemini\nmodel = a\nprice_in = 1\n"},
    {.name = "and go with it",
     .before = "provider = gemini\nmodel = a\nprice_in = 1\n",
     .provider = "gemini",
     .after = "provider = gemini\n# model = a\n# price_in = 1\n"},
    {.name = "offline keeps all the rest",
     .before = "provider = openai\nmodel = a\nbase_url = " URL "\n",
     .after = "provider = offline\nmodel = a\nbase_url = " URL "\n"},
};

static void
check_after(const struct row *r)
{
    CLEANUP_BUF struct buf text = config_edit_buf();

    assert_int_equal(file_read(in_dir(FILE_NAME), &text, NULL), 0);
    if (strcmp(text.p + strlen("[model]\n"), r->after) != 0)
        fail_msg("%s: \"%s\"", r->name, text.p);
}

static void
check_row(struct app *a, const struct row *r)
{
    const struct model_choice choice = {
        .provider = r->provider ? provider_find(r->provider) : NULL,
        .url = r->url,
        .model = r->model,
        .key = r->key};
    CLEANUP(model_setup_free_p) struct model_setup *s = NULL;
    CLEANUP(config_free_p) struct config *trial = NULL;
    char text[512];
    struct err e = {0};

    snprintf(text, sizeof(text), "[model]\n%s", r->before);
    put_file(FILE_NAME, text, 0600);
    s = model_setup_open(a, &e);
    trial = s ? model_setup_try(s, &choice, &e) : NULL;
    if (!trial || model_setup_write(s, &choice, &e) < 0)
        fail_msg("%s: %s", r->name, e.text);
    assert_string_equal(config_text(trial, CONFIG_MODEL_PROVIDER),
                        r->provider ? r->provider : "offline");
    check_after(r);
}

static void
what_is_about_the_choice_stays(void **state)
{
    static const char *const names[] = {FILE_NAME, "agentsh/gemini.key"};
    char home[128], config_home[128];
    const char *const variables[] = {home, config_home, NULL};
    struct app a = {0};

    (void)state;
    snprintf(home, sizeof(home), "HOME=%s", in_dir(""));
    snprintf(config_home, sizeof(config_home), "XDG_CONFIG_HOME=%s",
             in_dir(""));
    assert_int_equal(mkdir(in_dir("agentsh"), 0700), 0);
    a.seat = unit_seat_with(variables);
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        check_row(&a, &rows[i]);
    seat_free(a.seat);
    assert_int_equal(remove_dir(names, ARRAY_SIZE(names)), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_about_the_choice_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
