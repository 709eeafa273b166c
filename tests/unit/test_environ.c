/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_environ.c - which variables a confined command gets. */
#include "unit_seat.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/environ.h"

static const struct sandbox_spec inside = {
    .profile = PROFILE_WORKSPACE_WRITE,
    .workspace = "/home/u/proj",
    .home = "/home/u",
    .readable = {"/home/u/.gitconfig"},
};

static bool
has(char **env, const char *variable)
{
    for (; *env; env++) {
        if (strcmp(*env, variable) == 0)
            return true;
    }
    return false;
}

/* The environment of a command when the seat has these variables alone. */
static char **
made(const char *const *variables, const struct sandbox_spec *spec,
     const struct config *c)
{
    CLEANUP(seat_free_p) struct seat *s = unit_seat_with(variables);
    const struct environ_params p = {.seat = s, .spec = spec, .config = c};
    struct err e = {0};
    char **env = environ_for(&p, &e);

    if (!env)
        fail_msg("%s", e.text);
    return env;
}

static void
what_is_not_on_the_list_stays_outside(void **state)
{
    static const char *const passing[] = {"PATH=/bin",
                                          "HOME=/home/u",
                                          "LC_TIME=C",
                                          "CFLAGS=-O2",
                                          "TERM=xterm",
                                          "CARGO_TERM_COLOR=never",
                                          "PYTHONPATH=lib",
                                          "NODE_ENV=x",
                                          "GOPROXY=https://proxy.example/x@v",
                                          "npm_config_yes=1",
                                          NULL};
    static const char *const staying[] = {
        "SSH_AUTH_SOCK=/run/x",
        "DISPLAY=:0",
        "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/b",
        "XDG_RUNTIME_DIR=/run/user/1",
        "LD_PRELOAD=/x.so",
        "BASH_ENV=/x",
        "TMPDIR=/somewhere",
        "ANYTHING=1",
        "PATHS=1",
        "LC=1",
        "CARGO_REGISTRY_TOKEN=abc",
        "npm_config__auth_token=abc",
        "GOFLAGS=-x=https://u:p@h/",
        "HTTPS_PROXY=http://proxy:3128",
        "AGENTSH=0",
        NULL};
    const char *all[N_OF(passing) + N_OF(staying)] = {0};
    CLEANUP(environ_free_p) char **env = NULL;

    (void)state;
    memcpy(all, passing, sizeof(passing));
    memcpy(all + N_OF(passing) - 1, staying, sizeof(staying));
    env = made(all, &inside, NULL);
    for (size_t i = 0; passing[i]; i++) {
        if (!has(env, passing[i]))
            fail_msg("%s is missing", passing[i]);
    }
    for (size_t i = 0; staying[i]; i++) {
        if (has(env, staying[i]))
            fail_msg("%s is there", staying[i]);
    }
    assert_true(has(env, "AGENTSH=1"));
}

static void
a_tool_is_told_its_places(void **state)
{
    static const char *const none[] = {"AGENTSH_PLUGIN_STATE=/x", NULL};
    struct sandbox_spec spec = inside;
    CLEANUP(environ_free_p) char **command = NULL, **bare = NULL, **told = NULL;

    (void)state;
    spec.state = "/s";
    spec.workspace = "/w";
    command = made(none, &spec, NULL);
    assert_false(has(command, "AGENTSH_PLUGIN_STATE=/s"));
    assert_false(has(command, "AGENTSH_WORKSPACE=/w"));
    spec.profile = PROFILE_PLUGIN;
    told = made(none, &spec, NULL);
    assert_true(has(told, "AGENTSH_PLUGIN_STATE=/s"));
    assert_true(has(told, "AGENTSH_WORKSPACE=/w"));
    spec.state = spec.workspace = NULL;
    bare = made(none, &spec, NULL);
    assert_false(has(bare, "AGENTSH_PLUGIN_STATE=/x"));
}

static void
with_the_network_come_proxies_without_passwords(void **state)
{
    static const char *const all[] = {"https_proxy=http://proxy:3128",
                                      "HTTP_PROXY=http://u:p@proxy:3128",
                                      "no_proxy=localhost", NULL};
    struct sandbox_spec spec = inside;
    CLEANUP(environ_free_p) char **env = NULL;

    (void)state;
    spec.net = true;
    env = made(all, &spec, NULL);
    assert_true(has(env, all[0]));
    assert_false(has(env, all[1]));
    assert_true(has(env, all[2]));
}

static void
caches_that_are_hidden_go_elsewhere(void **state)
{
    static const char *const all[] = {"XDG_CACHE_HOME=/home/u/.c",
                                      "GOPATH=/srv/go", NULL};
    struct sandbox_spec spec = inside;
    CLEANUP(environ_free_p) char **env = NULL;

    (void)state;
    spec.cache[0] = "/home/u/.npm";
    env = made(all, &spec, NULL);
    assert_true(has(env, "XDG_CACHE_HOME=/tmp/.cache"));
    assert_false(has(env, all[0]));
    assert_true(has(env, "CARGO_HOME=/tmp/.cargo"));
    assert_true(has(env, "GOPATH=/srv/go"));
    assert_false(has(env, "npm_config_cache=/tmp/.npm"));
    environ_free(env);
    spec.profile = PROFILE_REDUCED;
    env = made(all, &spec, NULL);
    assert_true(has(env, "XDG_CACHE_HOME=/tmp/.cache"));
    environ_free(env);
    spec.profile = PROFILE_OBSERVE; /* where it is seen as it is */
    env = made(all, &spec, NULL);
    assert_true(has(env, all[0]));
}

static void
settings_name_more(void **state)
{
    static const char *const all[] = {"DISPLAY=:0", "MARK=1", "OTHER=1", NULL};
    static const char text[] = "[sandbox]\npass_env = MARK : DISPLAY\n";
    char path[] = "/tmp/test_environ.XXXXXX";
    CLEANUP(config_free_p) struct config *c = NULL;
    CLEANUP(environ_free_p) char **env = NULL;
    CLEANUP(fd_close_p) int fd = mkstemp(path);

    (void)state;
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    c = config_load_files(NULL, path, NULL);
    unlink(path);
    assert_non_null(c);
    env = made(all, &inside, c);
    assert_true(has(env, all[0]));
    assert_true(has(env, all[1]));
    assert_false(has(env, all[2]));
}

static void
without_walls_all_but_secrets_pass(void **state)
{
    static const char *const all[] = {"DISPLAY=:0", "MARK=1", "GITHUB_TOKEN=1",
                                      "BASH_ENV=/x", NULL};
    static const struct sandbox_spec full = {.profile = PROFILE_FULL};
    CLEANUP(environ_free_p) char **env = made(all, &full, NULL);

    (void)state;
    assert_true(has(env, all[0]));
    assert_true(has(env, all[1]));
    assert_false(has(env, all[2]));
    assert_false(has(env, all[3]));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_on_the_list_stays_outside),
        cmocka_unit_test(a_tool_is_told_its_places),
        cmocka_unit_test(with_the_network_come_proxies_without_passwords),
        cmocka_unit_test(caches_that_are_hidden_go_elsewhere),
        cmocka_unit_test(settings_name_more),
        cmocka_unit_test(without_walls_all_but_secrets_pass),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
