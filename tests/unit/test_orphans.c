/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_orphans.c - whose launchers are waited for. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/orphans.h"

#define SOMEBODY 12345

/* Starts a process that is called as a launcher is, and whose parent has ended;
 * as another user, unless uid is 0. Returns its number. */
static pid_t
start_orphan(uid_t uid)
{
    pid_t pid = 0, parent;
    int fds[2];

    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    parent = fork();
    if (parent == 0) {
        pid = fork();
        if (pid > 0)
            _exit(0);
        if (pid < 0 || prctl(PR_SET_NAME, "agentsh-launch") < 0 ||
            (uid && setresuid(uid, uid, uid) < 0))
            _exit(1);
        pid = getpid();
        if (write(fds[1], &pid, sizeof(pid)) != sizeof(pid))
            _exit(1);
        for (;;)
            pause();
    }
    close(fds[1]);
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    assert_int_equal(read(fds[0], &pid, sizeof(pid)), sizeof(pid));
    close(fds[0]);
    return pid;
}

/* Whether any is waited for while that one is there. */
static bool
is_waited_for(uid_t uid, int timeout_ms)
{
    pid_t pid = start_orphan(uid);
    bool over = orphans_wait(timeout_ms);

    kill(pid, SIGKILL);
    return !over;
}

static void
a_launcher_of_ours_is_waited_for(void **state)
{
    (void)state;
    assert_true(is_waited_for(0, 30));
    assert_true(orphans_wait(10000));
}

/* Another user may call any program so, and would hold us up. */
static void
one_of_another_user_is_not(void **state)
{
    (void)state;
    if (geteuid() == 0)
        assert_false(is_waited_for(SOMEBODY, 10000));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_launcher_of_ours_is_waited_for),
        cmocka_unit_test(one_of_another_user_is_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
