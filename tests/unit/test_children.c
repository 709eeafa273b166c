/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_children.c - orphans are told from what we started. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>

#include "base/proc.h"

/* What it leaves behind, in a session of its own, is told on descriptor 3. */
static const char *const leaves[] = {
    "/bin/sh", "-c", "setsid sleep 1000 3>&- & echo $! >&3", NULL};
static const char *const waits[] = {"/bin/sleep", "1000", NULL};

static struct proc *
start(const char *const *argv, int fd)
{
    const struct proc_spec s = {.argv = argv,
                                .fds = {PROC_NULL, PROC_NULL, PROC_INHERIT},
                                .pass_fd = fd,
                                .adopt = fd >= 0};

    return proc_start(&s, NULL);
}

static void
the_end_of_one_is_the_end_of_its_orphans_alone(void **state)
{
    CLEANUP(proc_free_p) struct proc *before = NULL, *one = NULL, *after = NULL;
    char left[32] = "";
    int fds[2];

    (void)state;
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    before = start(waits, -1);
    one = start(leaves, fds[1]);
    after = start(waits, -1);
    assert_non_null(before);
    assert_non_null(one);
    assert_non_null(after);
    assert_true(read(fds[0], left, sizeof(left) - 1) > 0);
    assert_int_equal(proc_wait(one, 5000, &(int){0}, NULL), 0);
    assert_int_equal(kill((pid_t)strtol(left, NULL, 10), 0), -1);
    assert_int_equal(errno, ESRCH);
    assert_int_equal(proc_wait(before, 0, &(int){0}, NULL), 1);
    assert_int_equal(proc_wait(after, 0, &(int){0}, NULL), 1);
    close(fds[0]);
    close(fds[1]);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_of_one_is_the_end_of_its_orphans_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
