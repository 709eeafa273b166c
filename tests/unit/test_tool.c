/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_tool.c - a plugin's lines are checked; secrets stay out of its sight. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/environ.h"
#include "tool/response.h"

static void
responses_and_events_are_told_apart_and_checked(void **state)
{
    static const struct {
        const char *line;
        int rc;
        bool event;
    } rows[] = {
        {"{\"ok\":true,\"stdout\":\"x\",\"stderr\":\"\",\"meta\":{}}", 0,
         false},
        {"{\"ok\":false,\"stdout\":\"\",\"stderr\":\"no\","
         "\"meta\":{\"error_code\":\"TIMEOUT\",\"exit_code\":137}}",
         0, false},
        {"{\"event\":\"output\",\"step_id\":\"1\",\"stream\":\"stderr\","
         "\"data\":\"x\"}",
         0, true},
        {"{\"ok\":true,\"stdout\":\"x\",\"stderr\":\"\"}", -1, false},
        {"{\"ok\":1,\"stdout\":\"x\",\"stderr\":\"\",\"meta\":{}}", -1, false},
        {"{\"ok\":true,\"ok\":true,\"stdout\":\"\",\"stderr\":\"\","
         "\"meta\":{}}",
         -1, false},
        {"{\"ok\":true,\"stdout\":\"x\",\"meta\":{}}", -1, false},
        {"{\"ok\":true,\"stdout\":\"\",\"stderr\":\"\","
         "\"meta\":{\"exit_code\":\"0\"}}",
         -1, false},
        {"{\"event\":\"output\",\"stream\":\"stdin\",\"data\":\"x\"}", -1,
         false},
        {"{\"event\":\"surprise\"}", -1, false},
        {"[]", -1, false},
        {"garbage", -1, false},
        {"", -1, false},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(response_done) struct response r;
        struct err e = {0};
        int rc = response_parse(rows[i].line, strlen(rows[i].line), &r, &e);

        assert_int_equal(rc, rows[i].rc);
        assert_int_equal(e.code, rc ? ERR_PEER : ERR_NONE);
        assert_int_equal(r.is_event && rc == 0, rows[i].event);
    }
}

static void
variables_that_name_a_secret_are_kept_back(void **state)
{
    static const char *const kept[] = {
        "OPENAI_API_KEY", "GITHUB_TOKEN",      "AWS_SECRET_ACCESS_KEY",
        "PASSWORD",       "db_password",       "TOKEN",
        "PGPASSWORD",     "MYSQL_PWD",         "SSHPASS",
        "DB_PASS",        "OPENAI_KEY",        "AZURE_STORAGE_KEY",
        "REDISCLI_AUTH",  "SECRET_KEY_BASE",   "NPM_TOKEN2",
        "GITHUB_PAT",     "SSH_KEY_PASSPHRASE"};
    static const char *const passed[] = {
        "PATH",          "HOME",        "KEYBOARD",    "COMPAT",
        "LANG",          "PWD",         "OLDPWD",      "TOKENIZERS_PARALLELISM",
        "SSH_AUTH_SOCK", "SSH_ASKPASS", "GIT_ASKPASS", "XAUTHORITY",
        "LESSKEY",       "COMPASS",     "AWS_PROFILE"};

    (void)state;
    for (size_t i = 0; i < N_OF(kept); i++)
        assert_true(environ_is_secret(kept[i], strlen(kept[i])));
    for (size_t i = 0; i < N_OF(passed); i++)
        assert_false(environ_is_secret(passed[i], strlen(passed[i])));
}

static const struct environ_wish as_for_full = {0};

static bool
has(char **env, const char *variable)
{
    for (; *env; env++) {
        if (strcmp(*env, variable) == 0)
            return true;
    }
    return false;
}

static void
commands_can_see_that_they_are_ours(void **state)
{
    CLEANUP(environ_free_p) char **env = NULL;

    (void)state;
    setenv("OPENAI_API_KEY", "sk-1", 1);
    setenv("AGENTSH", "0", 1);
    setenv("MARK", "x", 1);
    env = environ_for(&as_for_full, NULL);
    assert_true(has(env, "AGENTSH=1"));
    assert_false(has(env, "AGENTSH=0"));
    assert_true(has(env, "MARK=x"));
    assert_false(has(env, "OPENAI_API_KEY=sk-1"));
    assert_false(has(env, "FORCE_COLOR=1"));
}

static void
what_runs_is_what_was_shown(void **state)
{
    static const char *const steering[] = {
        "BASH_ENV", "ENV", "BASH_FUNC_ls%%", "BASH_FUNC_ls()", "SHELLOPTS",
        "BASHOPTS", "PS4", "PROMPT_COMMAND"};
    static const char *const plain[] = {"BASH_ENVIRONMENT", "ENVIRONMENT",
                                        "LD_PRELOAD"};
    CLEANUP(environ_free_p) char **env = NULL;
    char variable[64];

    (void)state;
    for (size_t i = 0; i < N_OF(steering); i++)
        setenv(steering[i], "() { :; }", 1);
    for (size_t i = 0; i < N_OF(plain); i++)
        setenv(plain[i], "() { :; }", 1);
    env = environ_for(&as_for_full, NULL);
    for (size_t i = 0; i < N_OF(steering); i++) {
        snprintf(variable, sizeof(variable), "%s=() { :; }", steering[i]);
        assert_false(has(env, variable));
    }
    for (size_t i = 0; i < N_OF(plain); i++) {
        snprintf(variable, sizeof(variable), "%s=() { :; }", plain[i]);
        assert_true(has(env, variable));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(responses_and_events_are_told_apart_and_checked),
        cmocka_unit_test(variables_that_name_a_secret_are_kept_back),
        cmocka_unit_test(commands_can_see_that_they_are_ours),
        cmocka_unit_test(what_runs_is_what_was_shown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
