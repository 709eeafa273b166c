/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_config.c - what configuration files may say, and what is answered. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "config/config.h"
#include "config/config_table.h"

struct places {
    char dir[64];
    char *system, *user;
};

static int
setup(void **state)
{
    struct places *p = calloc(1, sizeof(*p));

    snprintf(p->dir, sizeof(p->dir), "/tmp/test_config.XXXXXX");
    assert_non_null(mkdtemp(p->dir));
    p->system = path_join(p->dir, "system");
    p->user = path_join(p->dir, "user");
    *state = p;
    return 0;
}

static int
teardown(void **state)
{
    struct places *p = *state;

    unlink(p->system);
    unlink(p->user);
    rmdir(p->dir);
    free(p->system);
    free(p->user);
    free(p);
    return 0;
}

static void
put_bytes(const char *path, const char *text, size_t n, mode_t mode)
{
    struct err e = {0};

    if (file_write(path, text, n, mode, &e) < 0)
        fail_msg("%s", e.text);
    assert_int_equal(chmod(path, mode), 0); /* whatever the umask */
}

static struct config *
load_user(struct places *p, const char *text, struct err *e)
{
    put_bytes(p->user, text, strlen(text), 0644);
    return config_load_files(NULL, p->user, e);
}

static struct config *
must_load(struct places *p, const char *text)
{
    struct err e = {0};
    struct config *c = load_user(p, text, &e);

    if (!c)
        fail_msg("%s: %s", text, e.text);
    return c;
}

static void
without_files_the_defaults_hold(void **state)
{
    struct places *p = *state;
    CLEANUP(config_free_p)
    struct config *c = config_load_files(p->system, p->user, NULL);

    assert_non_null(c);
    assert_null(config_text(c, CONFIG_MODEL_PROVIDER));
    assert_null(config_text(c, CONFIG_MODEL_API_KEY_COMMAND));
    assert_int_equal(config_int(c, CONFIG_MODEL_CONNECT_TIMEOUT_S), 10);
    assert_int_equal(config_int(c, CONFIG_MODEL_FIRST_BYTE_TIMEOUT_S), 60);
    assert_int_equal(config_int(c, CONFIG_MODEL_IDLE_TIMEOUT_S), 60);
    assert_int_equal(config_int(c, CONFIG_MODEL_TOTAL_TIMEOUT_S), 300);
    assert_int_equal(config_int(c, CONFIG_MODEL_MAX_RETRIES), 3);
    assert_true(config_number(c, CONFIG_MODEL_PRICE_IN) == 0);
    assert_false(config_bool(c, CONFIG_SHELL_LOGIN_FILES));
    assert_false(config_bool(c, CONFIG_ACP_DRAFT));
    for (int i = 0; i < CONFIG_N; i++)
        assert_false(config_is_set(c, (enum config_key)i));
}

static void
a_conversation_can_be_bounded(void **state)
{
    CLEANUP(config_free_p)
    struct config *c = must_load(*state, "[record]\nconversation = no\n"
                                         "conversation_hours = 2\n"
                                         "conversation_tokens = 0\n"
                                         "conversations = 5\n");

    assert_false(config_bool(c, CONFIG_RECORD_CONVERSATION));
    assert_int_equal(config_int(c, CONFIG_RECORD_CONVERSATION_HOURS), 2);
    assert_int_equal(config_int(c, CONFIG_RECORD_CONVERSATION_TOKENS), 0);
    assert_int_equal(config_int(c, CONFIG_RECORD_CONVERSATIONS), 5);
}

static void
check_shell_settings(const struct config *c)
{
    assert_true(config_bool(c, CONFIG_SHELL_LOGIN_FILES));
    assert_string_equal(config_text(c, CONFIG_SHELL_FIX_RERUN), "ask");
    assert_true(config_bool(c, CONFIG_SHELL_NOT_FOUND));
    assert_string_equal(config_text(c, CONFIG_SHELL_PROMPT_SIGN),
                        "{model}, {branch}: {status}");
    assert_false(config_bool(c, CONFIG_SHELL_TRANSCRIPT));
    assert_int_equal(config_int(c, CONFIG_SHELL_TRANSCRIPT_KB), 16);
    assert_string_equal(config_text(c, CONFIG_SHELL_LINE_KEY), "Ctrl-X a");
    assert_string_equal(config_text(c, CONFIG_SHELL_EXPLAIN_KEY), "none");
}

static void
every_key_can_be_set(void **state)
{
    CLEANUP(config_free_p)
    struct config *c = must_load(
        *state, "# mine\n"
                "[model]\n"
                "provider = anthropic\n"
                "model=gpt-4o\n"
                "base_url: http://127.0.0.1:8080/v1\n"
                "api_key_file = ~/my key\n"
                "api_key_command = pass show x ; true # all of it\n"
                "ca_file = ~/ca.pem\n"
                "headers = X-Org: a, b; c:d | api-key: k\n"
                "discovery_timeout_ms = 2000\n"
                "connect_timeout_s = 1\n"
                "first_byte_timeout_s = 86400\n"
                "idle_timeout_s = 7\n"
                "total_timeout_s = 8\n"
                "max_retries = 0\n"
                "look = no\n"
                "images = yes\n"
                "price_in = 0.15\nprice_out = 10\n"
                "; and of the shell\n[shell]\nlogin_files = Yes\nplain = 1\n"
                "fix_rerun = ask\ntranscript = off\ntranscript_kb = 16\n"
                "prompt_sign = {model}, {branch}: {status}\n"
                "line_key = Ctrl-X a\nexplain_key = none\nnot_found = on\n"
                "[sandbox]\n"
                "readable = ~/.rc\ncache = ~/.cargo\nsecret = /srv/keys\n"
                "pass_env = DISPLAY\nmemory_mb = 64\nfile_mb = 1\n"
                "processes = 16\nlimit_s = 5\nallow_reduced = yes\n"
                "[record]\njournal = no\nkeep_days = 1\nkeep_mb = 2\n"
                "undo_mb = 3\nconversation = no\nconversation_hours = 2\n"
                "conversation_tokens = 0\nconversations = 5\n"
                "[acp]\ndraft = on\n[hosts]\ntimeout_s = 9\n"
                "[gateway]\ncontainer = podman\ncontainer_options = --x\n");

    assert_int_equal(config_int(c, CONFIG_HOSTS_TIMEOUT_S), 9);
    assert_true(config_bool(c, CONFIG_ACP_DRAFT));
    assert_string_equal(config_text(c, CONFIG_MODEL_PROVIDER), "anthropic");
    assert_string_equal(config_text(c, CONFIG_MODEL_MODEL), "gpt-4o");
    assert_string_equal(config_text(c, CONFIG_MODEL_BASE_URL),
                        "http://127.0.0.1:8080/v1");
    assert_string_equal(config_text(c, CONFIG_MODEL_API_KEY_FILE), "~/my key");
    assert_string_equal(config_text(c, CONFIG_MODEL_API_KEY_COMMAND),
                        "pass show x ; true # all of it");
    assert_string_equal(config_text(c, CONFIG_MODEL_CA_FILE), "~/ca.pem");
    assert_string_equal(config_text(c, CONFIG_MODEL_HEADERS),
                        "X-Org: a, b; c:d | api-key: k");
    assert_int_equal(config_int(c, CONFIG_MODEL_DISCOVERY_TIMEOUT_MS), 2000);
    assert_int_equal(config_int(c, CONFIG_MODEL_CONNECT_TIMEOUT_S), 1);
    assert_int_equal(config_int(c, CONFIG_MODEL_FIRST_BYTE_TIMEOUT_S), 86400);
    assert_int_equal(config_int(c, CONFIG_MODEL_IDLE_TIMEOUT_S), 7);
    assert_int_equal(config_int(c, CONFIG_MODEL_TOTAL_TIMEOUT_S), 8);
    assert_int_equal(config_int(c, CONFIG_MODEL_MAX_RETRIES), 0);
    assert_float_equal(config_number(c, CONFIG_MODEL_PRICE_IN), 0.15, 1e-6);
    assert_float_equal(config_number(c, CONFIG_MODEL_PRICE_OUT), 10, 1e-6);
    check_shell_settings(c);
    for (int i = 0; i < CONFIG_N; i++)
        assert_true(config_is_set(c, (enum config_key)i));
}

static void
files_may_be_written_in_many_ways(void **state)
{
    static const char *const rows[] = {
        "[model]\nmodel = x",
        "\xEF\xBB\xBF[model]\nmodel=x\n",
        "[model]\r\n  max_retries = 1\r\n\r\n\tmodel\t=\tx\t\r\n",
        "  [model]  \n\n# [modle]\n;nothing\n   model =x\n[shell]\n[model]\n",
        "[shell]\nlogin_files=on\n[model]\nmodel:x",
    };

    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(config_free_p) struct config *c = must_load(*state, rows[i]);

        assert_string_equal(config_text(c, CONFIG_MODEL_MODEL), "x");
    }
}

static const struct {
    const char *text, *error; /* behind the file's name */
} faults[] = {
    {"[model]\nmodle = x\n",
     ":2: unknown key \"modle\" in [model]; did you mean \"model\"?"},
    {"[model]\nprovider = openai\n\n  api_key_comand = x\n",
     ":4: unknown key \"api_key_comand\" in [model]; did you mean "
     "\"api_key_command\"?"},
    {"[model]\napi_key_file = key\n",
     ":2: api_key_file must be a path that begins with / or ~/, not \"key\""},
    {"[model]\n\nca_file = ../ca.pem\n",
     ":3: ca_file must be a path that begins with / or ~/, not "
     "\"../ca.pem\""},
    {"[model]\nheaders = X-Org\n",
     ":2: headers must be \"Name: value\", with | between two, or none"},
    {"[model]\nheaders = X Org: secret\n",
     ":2: headers must be \"Name: value\", with | between two, or none"},
    {"[model]\nheaders = X-A: b | AUTHORIZATION: Bearer secret\n",
     ":2: headers cannot have AUTHORIZATION: api_key_file or api_key_command "
     "sets it"},
    {"[model]\nheaders = Host: b\n",
     ":2: headers cannot have Host: base_url sets it"},
    {"[model]\nheaders = X-A: b\xc3\xa9\n",
     ":2: headers: the value of X-A must have 1 to 4096 printable ASCII "
     "characters"},
    {"[model]\nheaders = X-A:\n",
     ":2: headers: the value of X-A must have 1 to 4096 printable ASCII "
     "characters"},
    {"[model]\nheaders = X-A: b | x-a: c\n", ":2: headers has x-a twice"},
    {"[model]\ncolour = red\n", ":2: unknown key \"colour\" in [model]"},
    {"[model]\nlogin_files = no\n", ":2: login_files belongs in [shell]"},
    {"model = x\n", ":1: model belongs in [model]"},
    {"x = y\n", ":1: \"x\" comes before the first [section]"},
    {"[modle]\n", ":1: unknown section [modle]; did you mean [model]?"},
    {"\n[net]\n", ":2: unknown section [net]"},
    {"[model\n", ":1: a section is [name] on a line of "
                 "its own"},
    {"[model] # x\n", ":1: a section is [name] on a line of "
                      "its own"},
    {"[\n", ":1: a section is [name] on a line of its "
            "own"},
    {"[]\n", ":1: unknown section []"},
    {"[model]\nmodel = x\n# c\nmodel = x\n",
     ":4: model is set already, on line 2"},
    {"[model]\nmodel\n", ":2: expected \"name = value\", a [section] or a "
                         "comment"},
    {"[model]\nmodel =\n",
     ":2: model has no value; leave the line out for the default"},
    {"[model]\nmodel = a b\n",
     ":2: model must be one word without quotes; put a comment on its "
     "own line, not \"a b\""},
    {"[model]\nmodel = \"a\"\n",
     ":2: model must be one word without quotes; put a comment on its "
     "own line, not \"\"a\"\""},
    {"[model]\nprovider = opnai\n",
     ":2: provider must be one of openai|anthropic|gemini|ollama|offline, "
     "not \"opnai\"; did you mean \"openai\"?"},
    {"[model]\nprovider = sometimes\n",
     ":2: provider must be one of openai|anthropic|gemini|ollama|offline, "
     "not \"sometimes\""},
    {"[shell]\nline_key = F1\n",
     ":2: line_key: keys are named as in \"Ctrl-X Ctrl-A\", \"Alt-A\" or "
     "\"none\", not \"F1\""},
    {"[shell]\nlogin_files = maybe\n",
     ":2: login_files must be yes or no, not \"maybe\""},
    {"[model]\nmax_retries = 8\n",
     ":2: max_retries must be a whole number from 0 to 7, not \"8\""},
    {"[model]\nmax_retries = 1.0\n",
     ":2: max_retries must be a whole number from 0 to 7, not \"1.0\""},
    {"[model]\nmax_retries = +1\n",
     ":2: max_retries must be a whole number from 0 to 7, not \"+1\""},
    {"[model]\nidle_timeout_s = 0\n",
     ":2: idle_timeout_s must be a whole number from 1 to 86400, not "
     "\"0\""},
    {"[model]\ntotal_timeout_s = 99999999999999999999\n",
     ":2: total_timeout_s must be a whole number from 1 to 86400, not "
     "\"99999999999999999999\""},
    {"[model]\nprice_in = -1\n",
     ":2: price_in must be a number from 0 to 1000000, not \"-1\""},
    {"[model]\nprice_in = 1e3\n",
     ":2: price_in must be a number from 0 to 1000000, not \"1e3\""},
    {"[model]\nprice_out = 1.\n",
     ":2: price_out must be a number from 0 to 1000000, not \"1.\""},
    {"[model]\nprice_out = 0,15\n",
     ":2: price_out must be a number from 0 to 1000000, not \"0,15\""},
    {"[model]\nmodel = \x1b[31m\n", ":2: control character 0x1B"},
    {"[model]\nmodel = a\rb\n", ":2: control character 0x0D"},
    {"[model]\nmodel = \xe9\n", ":2: the line is not valid UTF-8"},
};

static void
a_fault_names_file_line_and_what_was_meant(void **state)
{
    struct places *p = *state;

    for (size_t i = 0; i < N_OF(faults); i++) {
        struct err e = {0};
        struct config *c = load_user(p, faults[i].text, &e);

        if (c)
            fail_msg("accepted: %s", faults[i].text);
        assert_int_equal(e.code, ERR_CONFIG);
        assert_memory_equal(e.text, p->user, strlen(p->user));
        assert_string_equal(e.text + strlen(p->user), faults[i].error);
    }
}

static void
a_nul_in_the_file_is_no_end_of_line(void **state)
{
    static const char text[] = "[model]\nmodel = x\0; rm\n";
    struct places *p = *state;
    struct err e = {0};

    put_bytes(p->user, text, sizeof(text) - 1, 0644);
    assert_null(config_load_files(NULL, p->user, &e));
    assert_non_null(strstr(e.text, ":2: control character 0x00"));
}

static void
a_long_line_is_whole_or_refused(void **state)
{
    struct places *p = *state;
    char text[8192] = "[model]\napi_key_command = ";
    size_t head = strlen(text);
    CLEANUP(config_free_p) struct config *c = NULL;
    struct err e = {0};

    memset(text + head, 'x', 3000);
    c = must_load(p, text);
    assert_int_equal(strlen(config_text(c, CONFIG_MODEL_API_KEY_COMMAND)),
                     3000);
    memset(text + head, 'x', 5000);
    assert_null(load_user(p, text, &e));
    assert_non_null(strstr(e.text, ":2: the line is longer than 4094 bytes"));
}

static void
a_file_without_end_is_refused(void **state)
{
    struct places *p = *state;
    char *text = malloc(100000);
    struct err e = {0};

    memset(text, '\n', 100000);
    put_bytes(p->user, text, 100000, 0644);
    free(text);
    assert_null(config_load_files(NULL, p->user, &e));
    assert_int_equal(e.code, ERR_CONFIG);
}

static void
what_is_no_file_is_refused_and_does_not_block(void **state)
{
    struct places *p = *state;
    struct err e = {0};

    assert_null(config_load_files(NULL, p->dir, &e));
    assert_int_equal(e.code, ERR_CONFIG);
    assert_int_equal(mkfifo(p->user, 0600), 0);
    assert_null(config_load_files(NULL, p->user, &e));
    assert_non_null(strstr(e.text, "is not a regular file"));
}

static void
the_persons_file_wins_over_the_systems(void **state)
{
    struct places *p = *state;
    static const char system[] = "[model]\nmodel = s\nmax_retries = 1\n";
    static const char user[] = "[model]\nmodel = u\n";
    struct err e = {0};
    CLEANUP(config_free_p) struct config *c = NULL;

    put_bytes(p->system, system, strlen(system), 0644);
    put_bytes(p->user, user, strlen(user), 0644);
    c = config_load_files(p->system, p->user, &e);
    if (geteuid() != 0) { /* then the file above is not root's */
        assert_null(c);
        assert_non_null(strstr(e.text, "must be owned by root"));
        return;
    }
    assert_non_null(c);
    assert_string_equal(config_text(c, CONFIG_MODEL_MODEL), "u");
    assert_int_equal(config_int(c, CONFIG_MODEL_MAX_RETRIES), 1);
}

static void
the_persons_file_is_found_below_xdg_config_home(void **state)
{
    struct places *p = *state;
    CLEANUP(free_p) char *dir = path_join(p->dir, "agentsh");
    CLEANUP(free_p) char *path = path_join(dir, "config");
    struct err e = {0};
    CLEANUP(config_free_p) struct config *c = NULL;

    assert_int_equal(mkdir(dir, 0700), 0);
    put_bytes(path, "[model]\nmodel = mine\n", 21, 0600);
    setenv("XDG_CONFIG_HOME", p->dir, 1);
    c = config_load(&e);
    unsetenv("XDG_CONFIG_HOME");
    unlink(path);
    rmdir(dir);
    if (!c)
        fail_msg("%s", e.text);
    assert_string_equal(config_text(c, CONFIG_MODEL_MODEL), "mine");
}

static void
a_system_file_that_others_may_write_stops_everything(void **state)
{
    static const mode_t modes[] = {0664, 0646, 0666};
    struct places *p = *state;

    for (size_t i = 0; i < N_OF(modes); i++) {
        struct err e = {0};

        put_bytes(p->system, "", 0, modes[i]);
        assert_null(config_load_files(p->system, p->user, &e));
        assert_int_equal(e.code, ERR_CONFIG);
        assert_non_null(strstr(e.text, "writable only by root"));
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(without_files_the_defaults_hold),
        TEST(every_key_can_be_set),
        TEST(a_conversation_can_be_bounded),
        TEST(files_may_be_written_in_many_ways),
        TEST(a_fault_names_file_line_and_what_was_meant),
        TEST(a_nul_in_the_file_is_no_end_of_line),
        TEST(a_long_line_is_whole_or_refused),
        TEST(a_file_without_end_is_refused),
        TEST(what_is_no_file_is_refused_and_does_not_block),
        TEST(the_persons_file_wins_over_the_systems),
        TEST(the_persons_file_is_found_below_xdg_config_home),
        TEST(a_system_file_that_others_may_write_stops_everything),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
