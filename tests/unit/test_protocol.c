/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_protocol.c - a plugin's lines are checked; secrets are not in its
 * environment. */
#include "tests/unit/unit_seat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/environ.h"
#include "tool/protocol.h"

#define ANSWER(more) "{\"ok\":true,\"stdout\":\"x\",\"stderr\":\"\"," more "}"

static const struct line_row {
    const char *line;
    enum err_code code;
    enum protocol_kind kind;
} lines[] = {
    {ANSWER("\"meta\":{}"), ERR_NONE, PROTOCOL_RESPONSE},
    {ANSWER("\"id\":7,\"meta\":{\"duration_ms\":3}"), ERR_NONE,
     PROTOCOL_RESPONSE},
    {"{\"ok\":false,\"stdout\":\"\",\"stderr\":\"no\","
     "\"meta\":{\"error_code\":\"TIMEOUT\",\"exit_code\":137}}",
     ERR_NONE, PROTOCOL_RESPONSE},
    {"{\"event\":\"output\",\"step_id\":\"1\",\"stream\":\"stderr\","
     "\"data\":\"x\"}",
     ERR_NONE, PROTOCOL_OUTPUT},
    {"{\"event\":\"need\",\"argv\":[\"/bin/true\",\"x\"],"
     "\"privileged\":true}",
     ERR_NONE, PROTOCOL_ELEVATE},
    {"{\"ok\":true,\"stdout\":\"x\",\"stderr\":\"\"}", ERR_PEER, 0},
    {"{\"ok\":1,\"stdout\":\"x\",\"stderr\":\"\",\"meta\":{}}", ERR_PEER, 0},
    {"{\"ok\":true,\"ok\":true,\"stdout\":\"\",\"stderr\":\"\","
     "\"meta\":{}}",
     ERR_PEER, 0},
    {"{\"ok\":true,\"stdout\":\"x\",\"meta\":{}}", ERR_PEER, 0},
    {ANSWER("\"meta\":[]"), ERR_PEER, 0},
    {ANSWER("\"meta\":{\"exit_code\":\"0\"}"), ERR_PEER, 0},
    {ANSWER("\"meta\":{\"exit_code\":99999999999}"), ERR_PEER, 0},
    {ANSWER("\"meta\":{\"duration_ms\":-1}"), ERR_PEER, 0},
    {ANSWER("\"meta\":{\"truncated\":1}"), ERR_PEER, 0},
    {ANSWER("\"meta\":{\"error_code\":\"SURPRISE\"}"), ERR_PEER, 0},
    {ANSWER("\"meta\":{\"error_code\":7}"), ERR_PEER, 0},
    {ANSWER("\"id\":\"7\",\"meta\":{}"), ERR_PEER, 0},
    {"{\"ok\":false,\"stdout\":\"\",\"stderr\":\"no\",\"meta\":{}}", ERR_PEER,
     0},
    {"{\"event\":\"output\",\"stream\":\"stdin\",\"data\":\"x\"}", ERR_PEER, 0},
    {"{\"event\":\"surprise\"}", ERR_PEER, 0},
    {"{\"event\":\"need\",\"privileged\":true}", ERR_PEER, 0},
    {"{\"event\":\"need\",\"argv\":[],\"privileged\":true}", ERR_PEER, 0},
    {"{\"event\":\"need\",\"argv\":[1],\"privileged\":true}", ERR_PEER, 0},
    {"{\"event\":\"need\",\"argv\":[\"a\\u0000b\"],\"privileged\":true}",
     ERR_PEER, 0},
    {"{\"event\":\"need\",\"argv\":[\"/bin/true\"],\"privileged\":false}",
     ERR_PEER, 0},
    {"[]", ERR_PEER, 0},
    {"garbage", ERR_PARSE, 0},
    {"", ERR_PARSE, 0},
};

static void
responses_and_events_are_told_apart_and_checked(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(lines); i++) {
        CLEANUP(protocol_message_done) struct protocol_message r;
        struct err e = {0};
        int rc = protocol_parse(lines[i].line, strlen(lines[i].line), &r, &e);

        assert_int_equal(e.code, lines[i].code);
        assert_int_equal(rc, e.code ? -1 : 0);
        if (rc == 0)
            assert_int_equal(r.kind, lines[i].kind);
    }
}

static void
texts_are_bounded(void **state)
{
    static const size_t sizes[] = {PROTOCOL_TEXT_MAX, PROTOCOL_TEXT_MAX + 1};

    (void)state;
    for (size_t i = 0; i < N_OF(sizes); i++) {
        CLEANUP_BUF struct buf line = buf_of(2 * sizes[1]);
        CLEANUP(protocol_message_done) struct protocol_message r;
        CLEANUP(free_p) char *text = calloc(sizes[i] + 1, 1);

        assert_non_null(text);
        memset(text, 'a', sizes[i]);
        buf_printf(&line,
                   "{\"ok\":true,\"stdout\":\"\",\"stderr\":\"%s\","
                   "\"meta\":{}}",
                   text);
        assert_int_equal(protocol_parse(line.p, line.len, &r, NULL),
                         i == 0 ? 0 : -1);
    }
}

static bool
has(char **env, const char *variable)
{
    for (; *env; env++) {
        if (strcmp(*env, variable) == 0)
            return true;
    }
    return false;
}

/* Whether a variable of this name reaches a command in the profile full. */
static bool
is_passed(const char *name)
{
    CLEANUP(environ_free_p) char **env = NULL;
    char variable[64];
    const char *const variables[] = {variable, NULL};
    CLEANUP(seat_free_p) struct seat *s = NULL;

    snprintf(variable, sizeof(variable), "%s=1", name);
    s = unit_seat_with(variables);
    env = environ_for(&(struct environ_params){.seat = s}, NULL);
    assert_non_null(env);
    return has(env, variable);
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
        assert_false(is_passed(kept[i]));
    for (size_t i = 0; i < N_OF(passed); i++)
        assert_true(is_passed(passed[i]));
}

static void
commands_can_see_that_they_are_ours(void **state)
{
    CLEANUP(environ_free_p) char **env = NULL;

    (void)state;
    setenv("OPENAI_API_KEY", "sk-1", 1);
    setenv("AGENTSH", "0", 1);
    setenv("MARK", "x", 1);
    env = environ_for(&(struct environ_params){.seat = unit_seat()}, NULL);
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
    env = environ_for(&(struct environ_params){.seat = unit_seat()}, NULL);
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
        cmocka_unit_test(texts_are_bounded),
        cmocka_unit_test(variables_that_name_a_secret_are_kept_back),
        cmocka_unit_test(commands_can_see_that_they_are_ours),
        cmocka_unit_test(what_runs_is_what_was_shown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
