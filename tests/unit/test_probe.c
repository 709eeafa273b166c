/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_probe.c - each layer of the sandbox is tried and described. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/confine.h"
#include "sandbox/probe.h"

static void
every_layer_has_a_name_and_a_sentence(void **state)
{
    struct probe_finding found[PROBE_N] = {0};
    struct err e = {0};

    (void)state;
    if (probe_all(found, &e) < 0)
        fail_msg("%s", e.text);
    for (enum probe_layer i = 0; i < PROBE_N; i++) {
        assert_true(probe_name(i)[0]);
        assert_true(found[i].text[0]);
        assert_true(strlen(found[i].text) < sizeof(found[i].text) - 1);
    }
    assert_true(found[PROBE_SECCOMP].good);
    assert_true(found[PROBE_LANDLOCK].good || confine_landlock_abi() < 3);
}

static void
what_is_tried_changes_nothing_here(void **state)
{
    struct probe_finding found[PROBE_N] = {0};
    char before[64] = "", after[64] = "";

    (void)state;
    assert_true(readlink("/proc/self/ns/mnt", before, sizeof(before) - 1) > 0);
    assert_int_equal(probe_all(found, NULL), 0);
    assert_true(readlink("/proc/self/ns/mnt", after, sizeof(after) - 1) > 0);
    assert_string_equal(before, after);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* nobody is left */
}

/* In a user namespace of its own that allows no other in it: 77 when that
 * cannot be had, else the bits of what went wrong. */
static int
without_user_namespaces(void)
{
    static const char *const files[][2] = {
        {"/proc/self/setgroups", "deny"},
        {"/proc/self/uid_map", "0 0 1"},
        {"/proc/self/gid_map", "0 0 1"},
        {"/proc/sys/user/max_user_namespaces", "0"},
    };
    struct probe_finding found[PROBE_N] = {0};

    if (geteuid() != 0 || unshare(CLONE_NEWUSER) < 0)
        return 77;
    for (size_t i = 0; i < N_OF(files); i++) {
        int fd = open(files[i][0], O_WRONLY | O_CLOEXEC);

        if (fd < 0 || write(fd, files[i][1], strlen(files[i][1])) < 0)
            return 77;
        close(fd);
    }
    if (probe_all(found, NULL) < 0)
        return 1;
    return !strstr(found[PROBE_USER].text, strerror(ENOSPC)) << 1 |
           !strstr(found[PROBE_MOUNT].text, "not tried") << 2 |
           found[PROBE_USER].good << 3 | found[PROBE_MOUNT].good << 4 |
           !strstr(found[PROBE_USER].text, "user.max_user_namespaces=") << 5 |
           !found[PROBE_SECCOMP].good << 6 |
           (probe_machine(false) == PROBE_WHOLE) << 7;
}

static void
what_is_missing_comes_with_its_cure(void **state)
{
    pid_t pid;
    int st;

    (void)state;
    pid = fork();
    if (pid == 0)
        _exit(without_user_namespaces());
    assert_int_equal(waitpid(pid, &st, 0), pid);
    assert_true(WIFEXITED(st));
    if (WEXITSTATUS(st) != 77)
        assert_int_equal(WEXITSTATUS(st), 0);
}

/* As the front is, so that nobody reads a key in it. The bits of what went
 * wrong. */
static int
try_hidden(void)
{
    static const enum probe_layer layers[] = {PROBE_USER, PROBE_MOUNT,
                                              PROBE_PROC};
    struct probe_finding seen[PROBE_N] = {0}, hidden[PROBE_N] = {0};
    int differs = 0;

    if (geteuid() == 0 && (setresgid(12345, 12345, 12345) < 0 ||
                           setresuid(12345, 12345, 12345) < 0))
        return 1;
    if (prctl(PR_SET_DUMPABLE, 1) < 0 || probe_all(seen, NULL) < 0 ||
        prctl(PR_SET_DUMPABLE, 0) < 0 || probe_all(hidden, NULL) < 0)
        return 2;
    for (size_t i = 0; i < N_OF(layers); i++) {
        if (strcmp(seen[layers[i]].text, hidden[layers[i]].text) != 0)
            differs |= 4 << i;
    }
    return differs;
}

static void
a_process_nobody_looks_into_gives_a_user_the_same(void **state)
{
    pid_t pid = fork();
    int st;

    (void)state;
    if (pid == 0)
        _exit(try_hidden());
    assert_int_equal(waitpid(pid, &st, 0), pid);
    assert_true(WIFEXITED(st));
    assert_int_equal(WEXITSTATUS(st), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layer_has_a_name_and_a_sentence),
        cmocka_unit_test(what_is_tried_changes_nothing_here),
        cmocka_unit_test(a_process_nobody_looks_into_gives_a_user_the_same),
        cmocka_unit_test(what_is_missing_comes_with_its_cure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
