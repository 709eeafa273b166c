/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_agent_type.c - the rows of the files `agents`, and which of them are
 * installed. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "server/gateway/agent_discovery.h"
#include "json/json.h"

static char dir[64], folder[80];

static int
make_dir(void **state)
{
    (void)state;
    snprintf(dir, sizeof(dir), "/tmp/agentsh-types-XXXXXX");
    if (!mkdtemp(dir))
        return -1;
    snprintf(folder, sizeof(folder), "%s/agentsh", dir);
    return mkdir(folder, 0700);
}

static int
remove_dir(void **state)
{
    (void)state;
    (void)rmdir(folder);
    return rmdir(dir);
}

/* The types of a person's file with this text. */
static struct agent_types *
read_text(const char *text, struct err *e)
{
    char path[96], config[96];
    const char *const variables[] = {config, NULL};
    const struct seat_params p = {.dir = dir, .variables = variables};
    struct agent_types *t;
    struct seat *seat;

    snprintf(config, sizeof(config), "XDG_CONFIG_HOME=%s", dir);
    snprintf(path, sizeof(path), "%s/agents", folder);
    assert_int_equal(file_write_cache(path, text, strlen(text), 0600, NULL), 0);
    seat = seat_new(&p, NULL);
    assert_non_null(seat);
    t = agent_types_load(seat, e);
    seat_free(seat);
    (void)unlink(path);
    return t;
}

static void
every_key_is_read(void **state)
{
    struct agent_types *t = read_text(
        "[a.b-c_1]\nname = A\ndescription = It is\nimage = x/y:z\n"
        "command = a --acp\ndirectory = /w\ncapabilities = c:d\n"
        "readable = ~/.a:/b\nwritable = /w\nfound_linux = ~/x:$Y/z\n"
        "found_macos = /m\nfound_windows = $U\\w\nmemory_mb = 64\n"
        "cores = 1.5\nlimit_s = 60\ntranscript_mb = 5\nprofile = full\nenabled "
        "= no\n"
        "secret_file.KEY = ~/k\nsecret_command.TOKEN = pass x\n",
        NULL);
    const struct agent_type *a = t ? agent_types_find(t, "a.b-c_1") : NULL;

    (void)state;
    assert_non_null(a);
    assert_string_equal(a->name, "A");
    assert_string_equal(a->description, "It is");
    assert_string_equal(a->image, "x/y:z");
    assert_string_equal(a->command, "a --acp");
    assert_string_equal(a->directory, "/w");
    assert_string_equal(a->capabilities, "c:d");
    assert_string_equal(a->readable, "~/.a:/b");
    assert_string_equal(a->writable, "/w");
    assert_string_equal(a->found_linux, "~/x:$Y/z");
    assert_string_equal(a->found_macos, "/m");
    assert_string_equal(a->found_windows, "$U\\w");
    assert_int_equal(a->memory_mb, 64);
    assert_float_equal(a->cores, 1.5, 1e-9);
    assert_int_equal(a->limit_s, 60);
    assert_int_equal(a->transcript_mb, 5);
    assert_int_equal(a->profile, PROFILE_FULL);
    assert_false(a->enabled);
    assert_int_equal(a->n_secrets, 2);
    assert_string_equal(a->secrets[0].variable, "KEY");
    assert_string_equal(a->secrets[0].file, "~/k");
    assert_null(a->secrets[0].command);
    assert_string_equal(a->secrets[1].variable, "TOKEN");
    assert_string_equal(a->secrets[1].command, "pass x");
    agent_types_free(t);
}

static void
a_later_section_replaces_an_earlier_one(void **state)
{
    struct agent_types *t = read_text("[goose]\nname = New\n[b]\n[agentsh]\n",
                                      NULL);
    size_t n = 0;

    (void)state;
    assert_non_null(t);
    while (agent_types_at(t, n))
        n++;
    assert_string_equal(agent_types_at(t, 0)->id, AGENT_TYPE_USUAL);
    assert_string_equal(agent_types_at(t, n - 1)->id, "b");
    assert_non_null(agent_types_find(t, "codex")->command); /* as installed */
    assert_string_equal(agent_types_find(t, "goose")->name, "New");
    assert_null(agent_types_find(t, "goose")->command);
    assert_null(agent_types_find(t, "goose")->found_linux);
    assert_true(agent_types_find(t, "b")->enabled);
    assert_int_equal(agent_types_find(t, "b")->transcript_mb, 256);
    assert_int_equal(agent_types_find(t, "b")->profile,
                     PROFILE_WORKSPACE_WRITE);
    assert_null(agent_types_find(t, "c"));
    agent_types_free(t);
}

static void
a_fault_names_file_and_line(void **state)
{
    static const struct {
        const char *text, *wanted;
    } rows[] = {
        {"[a]\nnmae = x\n", "agents:2: unknown key \"nmae\" in [a]; did you "
                            "mean \"name\"?"},
        {"[a]\nzzz = x\n", "agents:2: unknown key \"zzz\" in [a]"},
        {"[a]\n[a]\n", "agents:2: [a] is there already"},
        {"[a]\nname = x\n\nname = y\n",
         "agents:4: name is set already, on line "
         "2"},
        {"name = x\n", "agents:1: \"name\" comes before the first [ID]"},
        {"[a b]\n", "agents:1: [ID] has letters"},
        {"[]\n", "agents:1: [ID] has letters"},
        {"[a]\nlimit_s = -1\n", "agents:2: limit_s"},
        {"[a]\nlimit_s = x\n", "agents:2: limit_s"},
        {"[a]\nprofile = none\n", "agents:2: profile"},
        {"[a]\nenabled = maybe\n", "agents:2: enabled"},
        {"[a]\nreadable = x\n", "agents:2: readable"},
        {"[a]\nsecret_file.PATH = /x\n", "agents:2: \"PATH\" is no variable"},
        {"[a]\nsecret_file.LD_PRELOAD = /x\n",
         "agents:2: \"LD_PRELOAD\" is no"},
        {"[a]\nsecret_file.AGENTCTL_PORT = /x\n", "is no variable"},
        {"[a]\nsecret_file.1A = /x\n", "is no variable"},
        {"[a]\nsecret_file. = /x\n", "is no variable"},
        {"[a]\nsecret_file.A = /x\nsecret_command.A = y\n",
         "agents:3: the secret A is set already"},
        {"[a]\nwords\n", "agents:2: expected"},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct err e = {0};

        assert_null(read_text(rows[i].text, &e));
        assert_int_equal(e.code, ERR_CONFIG);
        if (!strstr(e.text, rows[i].wanted))
            fail_msg("%s: %s", rows[i].text, e.text);
    }
}

static void
paths_tell_what_is_installed(void **state)
{
    char home[96], text[1024];
    const char *variables[] = {home, "EMPTY=", "D=/", NULL};
    const struct seat_params p = {.dir = dir, .variables = variables};
    struct seat *seat;
    struct agent_types *t;
    static const char *const ids[] = {"home",  "braces", "none",
                                      "unset", "empty",  "relative"};
    CLEANUP_BUF struct buf out = buf_of(65536);
    CLEANUP(json_free_p) struct json *all = NULL;

    (void)state;
    snprintf(home, sizeof(home), "HOME=%s", dir);
    seat = seat_new(&p, NULL);
    snprintf(text, sizeof(text),
             "[home]\ncommand = no\nfound_linux = /no/such:~\n"
             "[braces]\ncommand = no\nfound_linux = ${D}dev/null\n"
             "[none]\ncommand = no\nfound_linux = /no/such\n[unset]\ncommand = "
             "no\nfound_linux = $NO/\n"
             "[empty]\ncommand = no\nfound_linux = "
             "$EMPTY/\n[relative]\ncommand = no\nfound_linux = .\n"
             "secret_file.KEY = /secret/place\n");
    t = read_text(text, NULL);
    assert_non_null(seat);
    assert_non_null(t);
    agent_discovery_put(t, seat, &out);
    all = json_parse(out.p, out.len, 0, NULL);
    for (size_t i = 0; i < N_OF(ids); i++) {
        const struct json *row = json_first(all);
        const char *path;
        bool available = false;

        while (row && strcmp(json_get_str(row, "id"), ids[i]) != 0)
            row = json_next(row);
        path = json_get_str(row, "path");
        assert_true(json_bool(json_get(row, "available"), &available));
        assert_int_equal(available, i < 2);
        if (i < 2)
            assert_string_equal(path, i == 0 ? dir : "/dev/null");
        else
            assert_null(path);
    }
    assert_non_null(strstr(out.p, "{\"id\":\"agentsh\","));
    assert_null(strstr(out.p, "secret"));
    agent_types_free(t);
    seat_free(seat);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(a_later_section_replaces_an_earlier_one),
        cmocka_unit_test(a_fault_names_file_and_line),
        cmocka_unit_test(paths_tell_what_is_installed),
    };

    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
