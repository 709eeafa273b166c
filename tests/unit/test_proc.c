/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_proc.c - children start, end, and leave nothing behind. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/proc.h"

static const struct proc_spec quiet = {
    .fds = {PROC_NULL, PROC_NULL, PROC_INHERIT}, .pass_fd = -1};

static struct proc_spec
sh(const char *const *argv)
{
    struct proc_spec s = quiet;

    s.argv = argv;
    return s;
}

static void
output_and_status_come_back(void **state)
{
    static const char *const argv[] = {"/bin/sh", "-c", "echo hi; exit 3",
                                       NULL};
    struct proc_spec s = sh(argv);
    CLEANUP_BUF struct buf out = buf_of(100);
    int status = -1;

    (void)state;
    assert_int_equal(proc_output(&s, 5000, &out, &status, NULL), 0);
    assert_string_equal(out.p, "hi\n");
    assert_int_equal(status, 3);
}

static void
a_missing_program_is_an_error_at_once(void **state)
{
    static const char *const argv[] = {"/nonexistent/program", NULL};
    struct proc_spec s = sh(argv);
    struct err e = {0};

    (void)state;
    assert_null(proc_start(&s, &e));
    assert_int_equal(e.code, ERR_NOT_FOUND);
    assert_int_equal(e.sys, ENOENT);
}

static void
a_signal_ends_it_as_a_shell_counts(void **state)
{
    static const char *const argv[] = {"/bin/sh", "-c", "kill -9 $$", NULL};
    struct proc_spec s = sh(argv);
    CLEANUP(proc_free_p) struct proc *p = proc_start(&s, NULL);
    int status = -1;

    (void)state;
    assert_int_equal(proc_wait(p, 5000, &status, NULL), 0);
    assert_int_equal(status, 137);
    assert_int_equal(proc_killed_by(p), SIGKILL);
}

static void
a_stop_is_seen_once(void **state)
{
    static const char *const argv[] = {"/bin/sh", "-c", "kill -STOP $$", NULL};
    struct proc_spec s = sh(argv);
    CLEANUP(proc_free_p) struct proc *p = proc_start(&s, NULL);
    int64_t until = clock_ms() + 5000;
    int status = -1;

    (void)state;
    while (!proc_was_stopped(p) && clock_ms() < until)
        ;
    assert_true(clock_ms() < until);
    assert_false(proc_was_stopped(p));
    proc_signal(p, SIGCONT);
    assert_int_equal(proc_wait(p, 5000, &status, NULL), 0);
    assert_int_equal(status, 0);
}

/* Whether a process lives (a zombie does not). */
static bool
lives(long pid)
{
    char path[64], state = 'X';
    FILE *f;

    snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
    f = fopen(path, "re");
    if (!f)
        return false;
    if (fscanf(f, "%*d %*s %c", &state) != 1)
        state = 'X';
    fclose(f);
    return state != 'Z' && state != 'X';
}

static void
freeing_kills_what_it_started(void **state)
{
    static const char *const argv[] = {"/bin/sh", "-c",
                                       "sleep 100 & echo $!; wait", NULL};
    struct proc_spec s = sh(argv);
    struct proc *p;
    char line[32] = "";
    int64_t until = clock_ms() + 5000;
    long pid;

    (void)state;
    s.fds[1] = PROC_PIPE;
    p = proc_start(&s, NULL);
    assert_true(read(proc_fd(p, 1), line, sizeof(line) - 1) > 0);
    pid = strtol(line, NULL, 10);
    assert_true(lives(pid));
    assert_int_equal(proc_wait(p, 0, &(int){0}, NULL), 1);
    proc_free(p);
    while (lives(pid) && clock_ms() < until)
        ;
    assert_false(lives(pid));
}

/* A child that was never started has no group: kill(0, ...) would be ours. */
static void
a_start_without_descriptors_fails_and_hurts_nobody(void **state)
{
    static const char *const argv[] = {"/bin/true", NULL};
    struct proc_spec s = sh(argv);
    struct rlimit old, none;
    struct err e = {0};
    struct proc *p;

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    p = proc_start(&s, &e);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
    assert_null(p);
    assert_int_equal(e.sys, EMFILE);
    assert_true(fcntl(0, F_GETFD) >= 0);
}

static void
a_time_limit_ends_it(void **state)
{
    static const char *const argv[] = {"/bin/sh", "-c", "echo a; sleep 100",
                                       NULL};
    struct proc_spec s = sh(argv);
    CLEANUP_BUF struct buf out = buf_of(100);
    struct err e = {0};

    (void)state;
    assert_int_equal(proc_output(&s, 100, &out, &(int){0}, &e), -1);
    assert_int_equal(e.code, ERR_TIMEOUT);
}

static void
on_alarm(int signo)
{
    (void)signo;
}

/* The handler has no SA_RESTART, so that the wait is interrupted, once. */
static void
a_signal_does_not_lift_its_time_limit(void **state)
{
    static const char *const argv[] = {"/bin/sh", "-c", "exec sleep 5", NULL};
    const struct sigaction sa = {.sa_handler = on_alarm};
    const struct itimerval soon = {.it_value = {.tv_usec = 50000}};
    struct proc_spec s = sh(argv);
    CLEANUP_BUF struct buf out = buf_of(100);
    int64_t from = clock_ms();
    struct sigaction old;
    struct err e = {0};

    (void)state;
    assert_int_equal(sigaction(SIGALRM, &sa, &old), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
    assert_int_equal(proc_output(&s, 300, &out, &(int){0}, &e), -1);
    assert_int_equal(sigaction(SIGALRM, &old, NULL), 0);
    assert_int_equal(e.code, ERR_TIMEOUT);
    assert_true(clock_ms() - from < 3000);
}

static void
assert_ends(long pid)
{
    int64_t until = clock_ms() + 5000;

    while (lives(pid) && clock_ms() < until)
        ;
    assert_false(lives(pid));
}

/* A shell in the foreground that tells on descriptor 3 what it started. */
static const char *const with_child[] = {
    "/bin/sh", "-c", "sleep 77 >/dev/null & echo $! >&3; wait; echo x", NULL};
static const char *const with_daemon[] = {
    "/bin/sh", "-c", "sleep 77 >/dev/null 3>&- & echo $! >&3; echo x", NULL};

static struct proc_spec
telling(const char *const *argv, int fd)
{
    struct proc_spec s = sh(argv);

    s.pass_fd = fd;
    s.foreground = s.adopt = true;
    return s;
}

static long
told(int fd)
{
    char line[32] = "";

    assert_true(read(fd, line, sizeof(line) - 1) > 0);
    return strtol(line, NULL, 10);
}

static void
a_time_limit_ends_what_it_started(void **state)
{
    CLEANUP_BUF struct buf out = buf_of(100);
    struct proc_spec s;
    struct err e = {0};
    int fds[2];

    (void)state;
    assert_int_equal(pipe(fds), 0);
    s = telling(with_child, fds[1]);
    assert_int_equal(proc_output(&s, 500, &out, &(int){0}, &e), -1);
    assert_int_equal(e.code, ERR_TIMEOUT);
    assert_ends(told(fds[0]));
    close(fds[0]);
    close(fds[1]);
}

static void
our_end_by_a_signal_ends_what_it_started(void **state)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};

    (void)state;
    for (size_t i = 0; i < N_OF(signals); i++) {
        CLEANUP_BUF struct buf out = buf_of(100);
        struct proc_spec s;
        int fds[2], st = 0;
        long started;
        pid_t pid;

        assert_int_equal(pipe(fds), 0);
        s = telling(with_child, fds[1]);
        pid = fork();
        if (pid == 0) {
            (void)proc_output(&s, 60000, &out, &(int){0}, NULL);
            _exit(0); /* not reached: the signal takes its course */
        }
        started = told(fds[0]);
        assert_true(lives(started));
        kill(pid, signals[i]);
        assert_int_equal(waitpid(pid, &st, 0), pid);
        assert_true(WIFSIGNALED(st) && WTERMSIG(st) == signals[i]);
        assert_ends(started);
        close(fds[0]);
        close(fds[1]);
    }
}

/* gpg-agent, started by the program that asks for a key. */
static void
a_daemon_that_it_started_stays(void **state)
{
    CLEANUP_BUF struct buf out = buf_of(100);
    struct proc_spec s;
    int fds[2], status = -1;
    long started;

    (void)state;
    assert_int_equal(pipe(fds), 0);
    s = telling(with_daemon, fds[1]);
    assert_int_equal(proc_output(&s, 5000, &out, &status, NULL), 0);
    assert_int_equal(status, 0);
    assert_string_equal(out.p, "x\n");
    started = told(fds[0]);
    assert_true(lives(started));
    kill((pid_t)started, SIGKILL);
    assert_ends(started);
    close(fds[0]);
    close(fds[1]);
}

static void
descriptors_of_ours_do_not_reach_it(void **state)
{
    static const char *const argv[] = {"/bin/sh", "-c",
                                       "ls /proc/self/fd | tr '\\n' ' '", NULL};
    struct proc_spec s = sh(argv);
    CLEANUP_BUF struct buf out = buf_of(100);
    int leak = dup(0); /* without CLOEXEC */

    (void)state;
    assert_true(leak >= 3);
    assert_int_equal(proc_output(&s, 5000, &out, &(int){0}, NULL), 0);
    assert_string_equal(out.p, "0 1 2 3 "); /* 3 is ls's own */
    close(leak);
}

static void
a_descriptor_can_be_passed_as_three(void **state)
{
    static const char *const argv[] = {"/bin/sh", "-c", "cat <&3", NULL};
    struct proc_spec s = sh(argv);
    CLEANUP_BUF struct buf out = buf_of(100);
    int fds[2];

    (void)state;
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(write(fds[1], "three", 5), 5);
    close(fds[1]);
    s.pass_fd = fds[0];
    assert_int_equal(proc_output(&s, 5000, &out, &(int){0}, NULL), 0);
    assert_string_equal(out.p, "three");
    close(fds[0]);
}

/* Only a process whose controlling terminal it is can open it as /dev/tty. */
static void
a_session_of_its_own_has_the_terminal_given(void **state)
{
    static const char *const argv[] = {"/bin/sh", "-c", "echo mine >/dev/tty",
                                       NULL};
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    struct proc_spec s = sh(argv);
    CLEANUP(proc_free_p) struct proc *p = NULL;
    char reply[16] = "";
    int slave, status = -1;

    (void)state;
    assert_int_equal(grantpt(master) | unlockpt(master), 0);
    slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    s.session = true;
    s.fds[0] = slave;
    p = proc_start(&s, NULL);
    assert_non_null(p);
    assert_int_equal(proc_wait(p, 5000, &status, NULL), 0);
    assert_int_equal(status, 0);
    assert_true(read(master, reply, sizeof(reply) - 1) > 0);
    assert_string_equal(reply, "mine\r\n");
    close(slave);
    close(master);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_and_status_come_back),
        cmocka_unit_test(a_missing_program_is_an_error_at_once),
        cmocka_unit_test(a_signal_ends_it_as_a_shell_counts),
        cmocka_unit_test(a_stop_is_seen_once),
        cmocka_unit_test(freeing_kills_what_it_started),
        cmocka_unit_test(a_start_without_descriptors_fails_and_hurts_nobody),
        cmocka_unit_test(a_time_limit_ends_it),
        cmocka_unit_test(a_signal_does_not_lift_its_time_limit),
        cmocka_unit_test(a_time_limit_ends_what_it_started),
        cmocka_unit_test(our_end_by_a_signal_ends_what_it_started),
        cmocka_unit_test(a_daemon_that_it_started_stays),
        cmocka_unit_test(descriptors_of_ours_do_not_reach_it),
        cmocka_unit_test(a_descriptor_can_be_passed_as_three),
        cmocka_unit_test(a_session_of_its_own_has_the_terminal_given),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
