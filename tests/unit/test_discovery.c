/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_discovery.c - which servers of this machine are used, and what is stored
 * about them between runs. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "model/discovery.h"
#include "model/discovery_cache.h"
#include "model/provider/provider.h"
#include "model/provider/provider_table.h"
#include "tests/unit/own_dir.h"
#include "tests/unit/unit_seat.h"

#define LLAMA  "http://127.0.0.1:8080/v1"
#define STUDIO "http://127.0.0.1:1234/v1"

/* Those of the test, once set_up has set them. */
static const struct model_dirs *
dirs(void)
{
    static struct model_dirs own;

    if (!own.state)
        model_dirs_init(&own, unit_seat());
    return &own;
}

static void
consent_to_a_server_is_stored(void **state)
{
    (void)state;
    unlink(in_dir("agentsh/servers"));
    assert_int_equal(server_consent_load(dirs(), LLAMA, 7),
                     SERVER_CONSENT_NOT_ASKED);
    assert_int_equal(server_consent_store(dirs(), LLAMA, 7, true, NULL), 0);
    assert_int_equal(server_consent_store(
                         dirs(), STUDIO, TCP_LISTENER_UID_UNKNOWN, false, NULL),
                     0);
    assert_int_equal(server_consent_load(dirs(), LLAMA, 7), SERVER_CONSENT_YES);
    assert_int_equal(server_consent_load(dirs(), STUDIO, 7), SERVER_CONSENT_NO);
    assert_int_equal(server_consent_load(dirs(), "http://127.0.0.1:8080", 7),
                     SERVER_CONSENT_NOT_ASKED);
    assert_int_equal(server_consent_load(dirs(), LLAMA "/", 7),
                     SERVER_CONSENT_NOT_ASKED);
    assert_int_equal(server_consent_store(dirs(), LLAMA, 7, false, NULL), 0);
    assert_int_equal(server_consent_load(dirs(), LLAMA, 7), SERVER_CONSENT_NO);
    assert_int_equal(server_consent_load(dirs(), STUDIO, 8), SERVER_CONSENT_NO);
}

static void
a_yes_is_for_the_user_whose_server_it_was(void **state)
{
    (void)state;
    unlink(in_dir("agentsh/servers"));
    assert_int_equal(server_consent_store(dirs(), LLAMA, 7, true, NULL), 0);
    assert_int_equal(server_consent_load(dirs(), LLAMA, 8),
                     SERVER_CONSENT_NOT_ASKED);
    assert_int_equal(
        server_consent_load(dirs(), LLAMA, TCP_LISTENER_UID_UNKNOWN),
        SERVER_CONSENT_YES);
    assert_int_equal(server_consent_store(dirs(), LLAMA,
                                          TCP_LISTENER_UID_UNKNOWN, true, NULL),
                     0);
    assert_int_equal(server_consent_load(dirs(), LLAMA, 8), SERVER_CONSENT_YES);
    put_file("agentsh/servers", LLAMA "\nmaybe " STUDIO " -\nyes\n\n", 0600);
    assert_int_equal(server_consent_load(dirs(), LLAMA, 8), SERVER_CONSENT_YES);
    assert_int_equal(server_consent_load(dirs(), STUDIO, 8),
                     SERVER_CONSENT_NOT_ASKED);
}

/* A note of the person's own is longer than any address. */
static void
what_a_person_wrote_is_kept_whole(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(4096);
    char note[800] = "# ";

    (void)state;
    memset(note + 2, 'x', sizeof(note) - 4);
    note[sizeof(note) - 2] = '\n';
    put_file("agentsh/servers", note, 0600);
    assert_int_equal(server_consent_store(dirs(), LLAMA, 7, true, NULL), 0);
    assert_int_equal(file_read(in_dir("agentsh/servers"), &b, NULL), 0);
    assert_non_null(strstr(b.p, note));
    assert_non_null(strstr(b.p, "yes " LLAMA " 7\n"));
}

#define TIMES 20

static bool
say_many(int first)
{
    char url[64];
    bool ok = true;

    for (int i = first; i < first + TIMES; i++) {
        snprintf(url, sizeof(url), "http://127.0.0.1:%d/v1", i);
        ok = server_consent_store(dirs(), url, 7, true, NULL) == 0 && ok;
    }
    return ok;
}

static void
what_two_programs_store_at_once_is_all_kept(void **state)
{
    char url[64];
    int status;
    pid_t pid;

    (void)state;
    unlink(in_dir("agentsh/servers"));
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(say_many(2000) ? 0 : 1);
    assert_true(say_many(1000));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    for (int i = 0; i < 2 * TIMES; i++) {
        snprintf(url, sizeof(url), "http://127.0.0.1:%d/v1",
                 i < TIMES ? 1000 + i : 2000 + i - TIMES);
        assert_int_equal(server_consent_load(dirs(), url, 7),
                         SERVER_CONSENT_YES);
    }
}

/* Two servers as a search finds them; those of the same sockets are asked no
 * more for a while. */
static void
list_two(struct discovery *d)
{
    *d = (struct discovery){.n = 2};
    d->v[0].provider = d->v[1].provider = provider_openai();
    snprintf(d->v[0].url, sizeof(d->v[0].url), LLAMA);
    snprintf(d->v[1].url, sizeof(d->v[1].url), STUDIO);
}

static void
a_discovery_is_cached_while_the_same_sockets_listen(void **state)
{
    struct discovery d, g;

    (void)state;
    list_two(&d);
    d.v[0].answered = d.v[1].answered = true;
    snprintf(d.v[0].model, sizeof(d.v[0].model), "a:7b");
    snprintf(d.v[0].reason, sizeof(d.v[0].reason), "7B, loaded");
    snprintf(d.v[1].model, sizeof(d.v[1].model), "b");
    discovery_cache_store(dirs(), "8080:1 1234:2 ", NULL, &d);
    list_two(&g);
    assert_int_equal(discovery_cache_load(dirs(), "8080:3 1234:2 ", NULL, &g),
                     -1);
    assert_int_equal(discovery_cache_load(dirs(), "8080:1 1234:2 ", "b", &g),
                     -1);
    assert_string_equal(g.v[0].model, "");
    assert_int_equal(discovery_cache_load(dirs(), "8080:1 1234:2 ", NULL, &g),
                     0);
    assert_string_equal(g.v[0].model, "a:7b");
    assert_string_equal(g.v[0].reason, "7B, loaded");
    assert_string_equal(g.v[1].model, "b");
    assert_string_equal(g.v[1].reason, "");
    discovery_cache_drop(dirs());
    assert_int_equal(discovery_cache_load(dirs(), "8080:1 1234:2 ", NULL, &g),
                     -1);
}

static void
the_order_for_a_named_model_is_cached(void **state)
{
    struct discovery d, g;

    (void)state;
    list_two(&d);
    d.v[0].answered = d.v[1].answered = true;
    snprintf(d.v[0].url, sizeof(d.v[0].url), STUDIO);
    snprintf(d.v[1].url, sizeof(d.v[1].url), LLAMA);
    snprintf(d.v[0].model, sizeof(d.v[0].model), "b");
    snprintf(d.v[1].model, sizeof(d.v[1].model), "a");
    discovery_cache_store(dirs(), "s", "b", &d);
    list_two(&g);
    assert_int_equal(discovery_cache_load(dirs(), "s", "b", &g), 0);
    assert_string_equal(g.v[0].url, STUDIO);
    assert_string_equal(g.v[1].model, "a");
    discovery_cache_drop(dirs());
}

static void
the_cache_expires_sooner_without_a_model(void **state)
{
    static const struct {
        int age;
        const char *servers;
        int rc;
    } rows[] = {
        {60, LLAMA "\ta\t\n" STUDIO "\tb\t\n", 0},
        {60, LLAMA "\ta\t\n" STUDIO "\t-\t\n", 0},
        {60, STUDIO "\tb\t\n", 0},
        {60, LLAMA "\t-\t\n", -1},
        {60, "", -1},
        {5, "", 0},
        {3600, STUDIO "\tb\t\n", -1},
        {-60, STUDIO "\tb\t\n", -1},
        {5, "x\n\t\t\n\tb\n", 0},
        {60, LLAMA "\ta", -1},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct discovery g;
        char text[512];

        list_two(&g);
        snprintf(text, sizeof(text), "%lld\ts\t-\n%s",
                 (long long)time(NULL) - rows[i].age, rows[i].servers);
        put_file("agentsh/found", text, 0600);
        assert_int_equal(discovery_cache_load(dirs(), "s", NULL, &g),
                         rows[i].rc);
    }
    put_file("agentsh/found", "x", 0600);
    discovery_cache_drop(dirs());
}

static void
an_agreed_server_comes_first_and_a_refused_one_never(void **state)
{
    struct discovery d;

    (void)state;
    list_two(&d);
    assert_null(discovery_best(&d));
    snprintf(d.v[0].model, sizeof(d.v[0].model), "a");
    snprintf(d.v[1].model, sizeof(d.v[1].model), "b");
    assert_ptr_equal(discovery_best(&d), &d.v[0]);
    d.v[1].consent = SERVER_CONSENT_YES;
    assert_ptr_equal(discovery_best(&d), &d.v[1]);
    d.v[1].consent = SERVER_CONSENT_NO;
    assert_ptr_equal(discovery_best(&d), &d.v[0]);
    d.v[0].consent = SERVER_CONSENT_NO;
    assert_null(discovery_best(&d));
}

static void
only_numbers_and_localhost_are_this_machine(void **state)
{
    static const char *const here[] = {
        "http://127.0.0.1:11434", "http://127.1:1", "http://localhost:8080/v1",
        "http://localhost",       "http://[::1]:1", "http://[::1]",
    };
    static const char *const elsewhere[] = {
        "http://localhost.evil.example:1",
        "http://127.evil.example",
        "http://h:11434",
        "http://[::1].h",
        "http://10.0.0.1",
        "localhost",
        "http://1270.0.0.1",
        "",
    };

    (void)state;
    for (size_t i = 0; i < N_OF(here); i++)
        assert_true(discovery_is_local(here[i]));
    for (size_t i = 0; i < N_OF(elsewhere); i++)
        assert_false(discovery_is_local(elsewhere[i]));
}

static int
set_up(void **state)
{
    (void)state;
    return setenv("XDG_STATE_HOME", in_dir(""), 1);
}

static int
tear_down(void **state)
{
    static const char *const names[] = {"agentsh/servers", "agentsh/found"};

    (void)state;
    return remove_dir(names, N_OF(names));
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_numbers_and_localhost_are_this_machine),
        cmocka_unit_test(consent_to_a_server_is_stored),
        cmocka_unit_test(a_yes_is_for_the_user_whose_server_it_was),
        cmocka_unit_test(what_a_person_wrote_is_kept_whole),
        cmocka_unit_test(what_two_programs_store_at_once_is_all_kept),
        cmocka_unit_test(a_discovery_is_cached_while_the_same_sockets_listen),
        cmocka_unit_test(the_order_for_a_named_model_is_cached),
        cmocka_unit_test(the_cache_expires_sooner_without_a_model),
        cmocka_unit_test(an_agreed_server_comes_first_and_a_refused_one_never),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
