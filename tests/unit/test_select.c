/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_select.c - which provider is selected, with which key, and which quirks
 * are cached. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "model/api_key.h"
#include "model/quirk_cache.h"
#include "model/selection.h"
#include "tests/unit/own_dir.h"
#include "tests/unit/unit_select.h"

struct row {
    const char *env[4]; /* "NAME=value" */
    const char *config; /* what stands in [model] */
    const char *named;  /* --provider */
    const char *model;  /* -m */
    const char *key;    /* that was typed */
    enum err_code code; /* ERR_NONE: succeeds */
    const char *is;     /* "provider url model key", or words of the error;
                           NULL: offline */
};

static void
set_environment(const struct row *r, bool on)
{
    for (size_t i = 0; i < N_OF(r->env) && r->env[i]; i++) {
        char text[256], *equals;

        snprintf(text, sizeof(text), "%s", r->env[i]);
        equals = strchr(text, '=');
        *equals = '\0';
        if (on)
            setenv(text, equals + 1, 1);
        else
            unsetenv(text);
    }
}

static int
choose(const struct row *r, struct model_selection **m, struct err *e)
{
    const struct model_select_params w = {
        .provider = r->named, .model = r->model, .key = r->key};
    CLEANUP(config_free_p) struct config *c = NULL;
    char text[512], absent[128];

    snprintf(absent, sizeof(absent), "%s", in_dir("absent"));
    snprintf(text, sizeof(text), "[model]\n%s\n", r->config ? r->config : "");
    put_file("config", text, 0600);
    c = config_load_files(absent, in_dir("config"), e);
    if (!c)
        fail_msg("%s", e->text);
    return unit_select(c, &w, m, e);
}

static void
check_row(const struct row *r)
{
    CLEANUP(model_selection_free_p) struct model_selection *m = NULL;
    char text[512] = "offline";
    struct err e = {0};
    int rc;

    set_environment(r, true);
    rc = choose(r, &m, &e);
    set_environment(r, false);
    if (m)
        snprintf(text, sizeof(text), "%s %s %s %s", m->provider->name, m->url,
                 m->model, m->key ? m->key : "-");
    if (rc < 0)
        snprintf(text, sizeof(text), "%s", e.text);
    if (e.code != r->code || (r->is && !strstr(text, r->is)))
        print_error("# %s\n", text);
    assert_int_equal(rc < 0 ? e.code : ERR_NONE, r->code);
    assert_non_null(strstr(text, r->is ? r->is : "offline"));
}

#define OPENAI    "openai https://api.openai.com/v1 "
#define ANTHROPIC "anthropic https://api.anthropic.com "
#define GEMINI    "gemini https://generativelanguage.googleapis.com "

static const struct row manual_rows[] = {
    {.env = {"OPENAI_API_KEY=a", "ANTHROPIC_API_KEY=b"},
     .is = OPENAI "gpt-6.1-terra a"},
    {.env = {"OPENAI_API_KEY=", "ANTHROPIC_API_KEY=b", "GEMINI_API_KEY=c"},
     .is = ANTHROPIC "claude-haiku-5-5 b"},
    {.env = {"GOOGLE_API_KEY=c"}, .is = GEMINI "gemini-flash-latest c"},
    {.env = {"GOOGLE_API_KEY=c", "GEMINI_API_KEY=d"}, .is = "latest d"},
    {.env = {"OPENAI_API_KEY=a", "GEMINI_API_KEY=c"},
     .named = "gemini",
     .model = "m",
     .is = GEMINI "m c"},
    {.env = {"OPENAI_API_KEY=a", "AGENTSH_PROVIDER=ollama", "AGENTSH_MODEL=n"},
     .is = "ollama http://127.0.0.1:11434 n -"},
    {.env = {"AGENTSH_PROVIDER=ollama", "OPENAI_API_KEY=a"},
     .named = "openai",
     .is = OPENAI},
    {.env = {"OPENAI_API_KEY=a"}, .config = "provider = offline"},
    {.env = {"OPENAI_API_KEY=a"}, .named = "offline"},
    {.env = {"OLLAMA_HOST=h:1"}, .named = "ollama", .is = "ollama http://h:1 "},
    {.named = "openai", .code = ERR_MODEL, .is = "OPENAI_API_KEY"},
    {.named = "anthropic", .code = ERR_MODEL, .is = "--offline"},
    {.env = {"ANTHROPIC_BASE_URL=http://h"},
     .named = "anthropic",
     .code = ERR_MODEL,
     .is = "needs a key"},
    {.env = {"OPENAI_BASE_URL=http://h/v1"},
     .named = "openai",
     .is = "openai http://h/v1 gpt-6.1-terra -"},
    {.env = {"OPENAI_API_KEY=a"},
     .config = "api_key_file = /nowhere",
     .named = "openai",
     .key = " b ",
     .is = " b"},
    {.named = "gemini",
     .key = "b c",
     .code = ERR_CONFIG,
     .is = "the key that you typed contains characters"},
    {.named = "gemini", .key = "", .code = ERR_CONFIG, .is = "no key"},
    {.named = "ollama", .key = "b", .model = "m", .is = "m -"},
    {.named = "opnai", .code = ERR_USAGE, .is = "providers are openai"},
    {.named = "ollama", .model = "", .code = ERR_USAGE, .is = "model"},
    {.env = {"OPENAI_API_KEY=a\nb"}, .is = " a"},
    {.env = {"OPENAI_API_KEY=a b"},
     .code = ERR_CONFIG,
     .is = "invalid in a key"},
    {.env = {"GOOGLE_API_KEY=c d"},
     .code = ERR_CONFIG,
     .is = "GOOGLE_API_KEY contains"},
    {.env = {"GOOGLE_API_KEY=c", "GEMINI_API_KEY=d e"},
     .code = ERR_CONFIG,
     .is = "GEMINI_API_KEY contains"},
    {.env = {"OPENAI_API_KEY=a", "OPENAI_BASE_URL=h"},
     .code = ERR_CONFIG,
     .is = "OPENAI_BASE_URL"},
    /* an address alone names its provider, with what that needs */
    {.env = {"OPENAI_BASE_URL=http://h/v1"}, .is = "openai http://h/v1 gpt-"},
    {.env = {"OPENAI_BASE_URL=http://127.0.0.1:9/v1"},
     .is = "openai http://127.0.0.1:9/v1 "},
    {.env = {"ANTHROPIC_BASE_URL=http://h"},
     .code = ERR_MODEL,
     .is = "Anthropic needs a key"},
    {.env = {"GEMINI_BASE_URL=http://h"},
     .code = ERR_MODEL,
     .is = "Gemini needs a key"},
    {.env = {"OLLAMA_HOST=h:1"}, .is = "ollama http://h:1 "},
    {.env = {"OPENAI_BASE_URL=h"}, .code = ERR_CONFIG, .is = "OPENAI"},
    {.env = {"OPENAI_BASE_URL=http://h/v1", "GEMINI_API_KEY=c"}, .is = GEMINI},
    {.env = {"OPENAI_BASE_URL=http://h/v1"}, .named = "offline"},
    {.env = {"OPENAI_BASE_URL=http://h/v1"},
     .config = "provider = "
               "offline"},
    /* this machine's is asked about, when it is there */
    {.env = {"OLLAMA_HOST=0.0.0.0:9"}},
    {.env = {"OLLAMA_HOST=localhost:9"}},
};

static void
the_manual_says_which_provider_answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(manual_rows); i++)
        check_row(&manual_rows[i]);
}

static void
the_configuration_is_for_its_own_provider(void **state)
{
    static const struct row rows[] = {
        {.config = "provider = openai\nbase_url = http://h/v1\nmodel = q",
         .is = "openai http://h/v1 q -"},
        {.config = "base_url = http://h/v1", .is = "openai http://h/v1 "},
        {.env = {"OPENAI_BASE_URL=http://e/v1"},
         .config = "base_url = http://h/v1",
         .is = "openai http://e/v1 "},
        {.env = {"ANTHROPIC_API_KEY=b"},
         .config = "provider = openai\nbase_url = http://h/v1\nmodel = q\n"
                   "api_key_command = echo secret",
         .named = "anthropic",
         .is = ANTHROPIC "claude-haiku-5-5 b"},
        {.config = "provider = openai\napi_key_command = echo k1; echo k2",
         .is = "gpt-6.1-terra k1"},
        {.config = "api_key_command = echo k1", .is = OPENAI},
        {.env = {"OPENAI_API_KEY=a"},
         .config = "provider = openai\napi_key_command = exit 3",
         .is = "gpt-6.1-terra a"},
        {.config = "provider = openai\napi_key_command = exit 3",
         .code = ERR_MODEL,
         .is = "status 3"},
        {.config = "provider = openai\napi_key_command = true",
         .code = ERR_CONFIG,
         .is = "contains no key"},
        {.config = "provider = anthropic\napi_key_command = echo k1",
         .named = "openai",
         .code = ERR_MODEL,
         .is = "OPENAI_API_KEY"},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++)
        check_row(&rows[i]);
}

static void
a_key_file_must_be_private(void **state)
{
    static const struct {
        mode_t mode;
        enum err_code code;
    } rows[] = {
        {0600, ERR_NONE},   {0400, ERR_NONE},   {0644, ERR_CONFIG},
        {0640, ERR_CONFIG}, {0604, ERR_CONFIG}, {0700, ERR_CONFIG},
    };
    char config[160];
    struct row r = {.config = config};

    (void)state;
    snprintf(config, sizeof(config), "provider = gemini\napi_key_file = %s/key",
             in_dir(""));
    for (size_t i = 0; i < N_OF(rows); i++) {
        put_file("key", "filekey\n", rows[i].mode);
        r.code = rows[i].code;
        r.is = r.code ? "chmod 600" : "filekey";
        check_row(&r);
    }
    put_file("key", " filekey\n \n", 0600);
    r.code = ERR_NONE;
    r.is = "filekey";
    check_row(&r);
    put_file("key", "filekey\nanother\n", 0600);
    r.code = ERR_CONFIG;
    r.is = "contains more than a key";
    check_row(&r);
    unlink(in_dir("key"));
    r.is = "No such file";
    check_row(&r);
    snprintf(config, sizeof(config), "provider = gemini\napi_key_file = %s",
             in_dir(""));
    r.is = "is not a regular file";
    check_row(&r);
}

static void
quirks_are_cached_for_each_server_and_model(void **state)
{
    CLEANUP(model_dirs_done) struct model_dirs dirs;
    char model[16], line[80];

    (void)state;
    model_dirs_init(&dirs, unit_seat());
    quirk_cache_store(&dirs, "http://h/v1", "m",
                      QUIRK_NO_SCHEMA | QUIRK_NO_USAGE);
    quirk_cache_store(&dirs, "http://h/v1", "n", QUIRK_NO_STREAM);
    assert_int_equal(quirk_cache_load(&dirs, "http://h/v1", "m"),
                     QUIRK_NO_SCHEMA | QUIRK_NO_USAGE);
    assert_int_equal(quirk_cache_load(&dirs, "http://h/v1", "n"),
                     QUIRK_NO_STREAM);
    assert_int_equal(quirk_cache_load(&dirs, "http://h/v1", "x"), 0);
    assert_int_equal(quirk_cache_load(&dirs, "http://i/v1", "m"), 0);
    quirk_cache_store(&dirs, "http://h/v1", "m", QUIRK_NO_LIMIT);
    assert_int_equal(quirk_cache_load(&dirs, "http://h/v1", "m"),
                     QUIRK_NO_LIMIT);
    for (int i = 0; i < 100; i++) { /* it does not grow for ever */
        snprintf(model, sizeof(model), "m%d", i);
        quirk_cache_store(&dirs, "http://h/v1", model, QUIRK_NO_TOOL);
    }
    assert_int_equal(quirk_cache_load(&dirs, "http://h/v1", "m99"),
                     QUIRK_NO_TOOL);
    assert_int_equal(quirk_cache_load(&dirs, "http://h/v1", "m"), 0);
    put_file("agentsh/quirks", "1\thttp://h/v1\told\tno_tool\nx\ty\n\t\t\t\n",
             0600);
    assert_int_equal(quirk_cache_load(&dirs, "http://h/v1", "old"),
                     0); /* too old */
    assert_int_equal(quirk_cache_load(&dirs, "y", ""), 0);
    /* the name that the file once had is another file's */
    snprintf(line, sizeof(line), "%lld\thttp://h/v1\tnamed\tno_tool\n",
             (long long)time(NULL));
    put_file("agentsh/servers", line, 0600);
    assert_int_equal(quirk_cache_load(&dirs, "http://h/v1", "named"), 0);
}

static int
set_up(void **state)
{
    (void)state;
    return setenv("XDG_CACHE_HOME", in_dir(""), 1) |
           setenv("XDG_STATE_HOME", in_dir(""), 1);
}

static int
tear_down(void **state)
{
    static const char *const names[] = {"config", "key", "agentsh/quirks",
                                        "agentsh/servers"};

    (void)state;
    return remove_dir(names, N_OF(names));
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_manual_says_which_provider_answers),
        cmocka_unit_test(the_configuration_is_for_its_own_provider),
        cmocka_unit_test(a_key_file_must_be_private),
        cmocka_unit_test(quirks_are_cached_for_each_server_and_model),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
