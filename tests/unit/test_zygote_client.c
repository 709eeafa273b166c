/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_zygote_client.c - launches through a zygote. */
#include "unit_seat.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "sandbox/launch/zygote_client.h"
#include "sandbox/probe.h"
#include "sandbox/spec.h"

#define WAIT_MS 10000

static int
make(void **state)
{
    CLEANUP(free_p) char *program = realpath("plugins/cmd.run/cmd.run", NULL);

    *state = program ? zygote_client_new(program, NULL) : NULL;
    return *state ? 0 : -1;
}

static int
drop(void **state)
{
    zygote_client_free(*state);
    return 0;
}

static bool
has_namespaces(void)
{
    return probe_machine(false) == PROBE_WHOLE;
}

/* Without namespaces the profile does without. */
static struct proc *
start(struct zygote_client *s, enum profile profile, const char *command)
{
    const char *const argv[] = {"/bin/sh", "-c", command, NULL};
    static const char *const variables[] = {"PATH=/usr/bin:/bin", "WORD=one",
                                            NULL};
    struct sandbox_spec spec = {.profile = profile,
                                .reduced = profile != PROFILE_FULL &&
                                           !has_namespaces()};
    CLEANUP_BUF struct buf words = buf_of(4096);
    size_t n;

    assert_int_equal(spec_write(&spec, argv, &words, &n, NULL), 0);
    return zygote_client_start(s, &words, n, variables, seat_fd(unit_seat()),
                               STDERR_FILENO, NULL);
}

/* Its exit status; what it wrote in out. */
static int
run(struct zygote_client *s, enum profile profile, const char *command,
    struct buf *out)
{
    CLEANUP(proc_free_p) struct proc *p = start(s, profile, command);
    int status = -1;

    assert_non_null(p);
    proc_close_fd(p, 0);
    assert_int_equal(file_read_fd(proc_fd(p, 1), out, NULL), 0);
    assert_int_equal(proc_wait(p, WAIT_MS, &status, NULL), 0);
    return status;
}

static const struct {
    enum profile profile;
    const char *command, *out;
    int status;
} rows[] = {
    {PROFILE_FULL, "echo $WORD $HOME; exit 3", "one\n", 3},
    {PROFILE_READ_ONLY, "echo $WORD; mkdir /etc/agentsh-no 2>&- || exit 4",
     "one\n", 4},
    {PROFILE_READ_ONLY, "kill -9 $$", "", 128 + SIGKILL},
    {PROFILE_READ_ONLY, "cat", "", 0},
};

static void
what_it_launches_is_as_the_launcher_would(void **state)
{
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf out = buf_of(4096);
        int status = run(*state, rows[i].profile, rows[i].command, &out);

        assert_string_equal(out.p, rows[i].out);
        if (status != rows[i].status)
            fail_msg("%s: %d", rows[i].command, status);
    }
}

static void
what_it_launches_works_where_we_do(void **state)
{
    CLEANUP_BUF struct buf out = buf_of(4096);
    char here[4096];

    assert_non_null(getcwd(here, sizeof(here) - 1));
    memcpy(here + strlen(here), "\n", 2);
    assert_int_equal(run(*state, PROFILE_FULL, "pwd -P", &out), 0);
    assert_string_equal(out.p, here);
}

/* One for all, with nobody in it; what inspects the machine is in ours, and so
 * is all where there are no namespaces: then the filter keeps it off. */
static void
the_network_is_another_where_there_is_none(void **state)
{
    static const char command[] = "readlink /proc/self/ns/net";
    CLEANUP_BUF struct buf one = buf_of(4096), two = buf_of(4096);
    CLEANUP_BUF struct buf looks = buf_of(4096);
    char ours[64] = "";

    assert_true(readlink("/proc/self/ns/net", ours, sizeof(ours) - 2) > 0);
    memcpy(ours + strlen(ours), "\n", 2);
    assert_int_equal(run(*state, PROFILE_WORKSPACE_WRITE, command, &one), 0);
    assert_int_equal(run(*state, PROFILE_READ_ONLY, command, &two), 0);
    assert_int_equal(run(*state, PROFILE_OBSERVE, command, &looks), 0);
    assert_string_equal(looks.p, ours);
    assert_int_equal(strcmp(one.p, ours) == 0, !has_namespaces());
    assert_string_equal(one.p, two.p);
}

static void
many_run_side_by_side(void **state)
{
    struct proc *p[8];
    int status;

    for (size_t i = 0; i < N_OF(p); i++)
        assert_non_null(p[i] = start(*state, PROFILE_READ_ONLY, "read x"));
    for (size_t i = 0; i < N_OF(p); i++) {
        assert_int_equal(proc_wait(p[i], 0, &status, NULL), 1);
        proc_close_fd(p[i], 0);
        assert_int_equal(proc_wait(p[i], WAIT_MS, &status, NULL), 0);
        assert_int_equal(status, 1);
        proc_free(p[i]);
    }
}

static void
what_it_launched_outlives_it_and_is_ended_by_us(void **state)
{
    CLEANUP(proc_free_p)
    struct proc *p = start(*state, PROFILE_READ_ONLY, "read x");
    int status;

    assert_non_null(p);
    zygote_client_free(*state);
    *state = NULL;
    assert_int_equal(proc_wait(p, 0, &status, NULL), 1);
    proc_signal(p, SIGTERM);
    assert_int_equal(proc_wait(p, WAIT_MS, &status, NULL), 0);
    assert_int_equal(status, 128 + SIGTERM);
}

/* A child waits in a copy of the mounts of before. Ours are a copy too, so that
 * nothing is mounted for anybody else. */
static void
what_is_mounted_meanwhile_is_seen(void **state)
{
    CLEANUP(zygote_client_free_p) struct zygote_client *s = NULL;
    CLEANUP(free_p) char *program = realpath("plugins/cmd.run/cmd.run", NULL);
    char here[] = "zygote-mount.XXXXXX", command[64];

    (void)state;
    if (geteuid() != 0 || unshare(CLONE_NEWNS) < 0)
        return; /* who may not mount has no such trouble */
    assert_int_equal(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
    assert_non_null(program);
    assert_non_null(s = zygote_client_new(program, NULL));
    assert_non_null(mkdtemp(here));
    snprintf(command, sizeof(command), "stat -f -c %%T %s", here);
    for (int i = 0; i < 6; i++) {
        CLEANUP_BUF struct buf out = buf_of(64);

        if (i % 2)
            assert_int_equal(mount("none", here, "ramfs", 0, NULL), 0);
        assert_int_equal(run(s, PROFILE_READ_ONLY, command, &out), 0);
        assert_int_equal(strcmp(out.p, "ramfs\n") == 0, i % 2);
        if (i % 2)
            assert_int_equal(umount(here), 0);
    }
    assert_int_equal(rmdir(here), 0);
}

static void
one_that_is_no_launcher_is_an_error(void **state)
{
    CLEANUP(zygote_client_free_p)
    struct zygote_client *s = zygote_client_new("/bin/true", NULL);

    (void)state;
    assert_non_null(s);
    assert_null(start(s, PROFILE_READ_ONLY, "true"));
    assert_null(zygote_client_new("/nowhere", NULL));
}

/* Waited for once: what it may answer later is no answer to what comes then. */
static void
one_that_does_not_answer_is_not_asked_again(void **state)
{
    static const char script[] = "#!/bin/sh\nexec sleep 60\n";
    char path[] = "/tmp/agentsh-zygote.XXXXXX";
    CLEANUP(zygote_client_free_p) struct zygote_client *s = NULL;
    int fd = mkstemp(path);
    int64_t began;

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, script, strlen(script)), strlen(script));
    assert_int_equal(fchmod(fd, 0700), 0);
    close(fd);
    assert_non_null(s = zygote_client_new(path, NULL));
    assert_null(start(s, PROFILE_READ_ONLY, "true"));
    began = clock_ms();
    assert_null(start(s, PROFILE_READ_ONLY, "true"));
    assert_true(clock_ms() - began < 1000);
    assert_int_equal(unlink(path), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            what_it_launches_is_as_the_launcher_would, make, drop),
        cmocka_unit_test_setup_teardown(what_it_launches_works_where_we_do,
                                        make, drop),
        cmocka_unit_test_setup_teardown(
            the_network_is_another_where_there_is_none, make, drop),
        cmocka_unit_test_setup_teardown(many_run_side_by_side, make, drop),
        cmocka_unit_test_setup_teardown(
            what_it_launched_outlives_it_and_is_ended_by_us, make, drop),
        cmocka_unit_test(what_is_mounted_meanwhile_is_seen),
        cmocka_unit_test(one_that_is_no_launcher_is_an_error),
        cmocka_unit_test(one_that_does_not_answer_is_not_asked_again),
    };

    const char *built = getenv("top_builddir");

    if (built && strncmp(built, "/tmp/", 5) == 0) {
        /* steps have a /tmp of their own: what was built is not in it */
        puts("1..0 # SKIP needs a build tree that is not below /tmp");
        return 0;
    }
    return cmocka_run_group_tests_name("zygote_client", tests, NULL, NULL);
}
