/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_proc_job.c - a program as the job of a session with a terminal. */
#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/proc.h"

#define LIMIT_MS 10000

struct terminal {
    int master, slave;
};

static int
setup(void **state)
{
    struct terminal *t = calloc(1, sizeof(*t));
    char name[64];

    t->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(t->master >= 0);
    assert_int_equal(grantpt(t->master), 0);
    assert_int_equal(unlockpt(t->master), 0);
    assert_int_equal(ptsname_r(t->master, name, sizeof(name)), 0);
    t->slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(t->slave >= 0);
    *state = t;
    return 0;
}

static int
teardown(void **state)
{
    struct terminal *t = *state;

    close(t->master);
    close(t->slave);
    free(t);
    return 0;
}

/* The only child of this process; 0: there is none. */
static pid_t
only_child(void)
{
    CLEANUP(file_close_p) FILE *file = NULL;
    char path[64];
    int pid = 0;

    snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
    assert_non_null(file = fopen(path, "re"));
    return fscanf(file, "%d", &pid) == 1 ? pid : 0;
}

/* fds[i] is the terminal where on_terminal has a bit for it. */
static struct proc *
start(const struct terminal *t, unsigned on_terminal, const char *program,
      struct err *e)
{
    const char *const argv[] = {"/bin/sh", "-c", program, NULL};
    struct proc_spec spec = {
        .argv = argv, .pass_fd = -1, .session = true, .job = true};

    for (int i = 0; i < 3; i++)
        spec.fds[i] = on_terminal & 1u << i ? t->slave : PROC_NULL;
    return proc_start(&spec, e);
}

static struct proc *
must_start(const struct terminal *t, unsigned on_terminal, const char *program)
{
    struct err e = {0};
    struct proc *p = start(t, on_terminal, program, &e);

    if (!p)
        fail_msg("%s", e.text);
    return p;
}

static int
status_of(struct proc *p)
{
    int status = -1;

    assert_int_equal(proc_wait(p, LIMIT_MS, &status, NULL), 0);
    return status;
}

static void
await_stop(struct proc *p)
{
    int64_t until = clock_ms() + LIMIT_MS;

    while (!proc_was_stopped(p))
        assert_true(clock_ms() < until);
}

static void
its_status_is_the_jobs(void **state)
{
    static const struct {
        const char *program;
        int status;
    } rows[] = {
        {"exit 0", 0},
        {"exit 7", 7},
        {"kill -TERM $$", 128 + SIGTERM},
        {"kill -KILL $$", 128 + SIGKILL},
    };

    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(proc_free_p)
        struct proc *p = must_start(*state, 7, rows[i].program);

        assert_int_equal(status_of(p), rows[i].status);
    }
}

static void
what_stops_the_job_is_seen_and_it_goes_on(void **state)
{
    CLEANUP(proc_free_p)
    struct proc *p = must_start(*state, 7,
                                "kill -TSTP $$; kill -TSTP $$; exit 5");

    for (int i = 0; i < 2; i++) {
        await_stop(p);
        assert_false(proc_was_stopped(p));
        proc_signal(p, SIGCONT);
    }
    assert_int_equal(status_of(p), 5);
}

static void
keys_are_signals_for_the_job(void **state)
{
    struct terminal *t = *state;
    CLEANUP(proc_free_p)
    struct proc *p = must_start(t, 7, "echo ready; read x; exit 1");
    char bytes[64];

    assert_true(read(t->master, bytes, sizeof(bytes)) > 0);
    assert_int_equal(write(t->master, "\032", 1), 1); /* Ctrl-Z */
    await_stop(p);
    proc_signal(p, SIGCONT);
    assert_int_equal(write(t->master, "\003", 1), 1); /* Ctrl-C */
    assert_int_equal(status_of(p), 128 + SIGINT);
}

static void
any_of_the_three_may_be_the_terminal(void **state)
{
    for (int i = 0; i < 3; i++) {
        CLEANUP(proc_free_p)
        struct proc *p = must_start(*state, 1u << i,
                                    ": </dev/tty && exit 3; exit 4");

        assert_int_equal(status_of(p), 3);
    }
}

static void
without_a_terminal_it_does_not_start(void **state)
{
    struct err e = {0};

    assert_null(start(*state, 0, "exit 0", &e));
    assert_true(e.text[0]);
}

static void
it_ends_with_its_handle(void **state)
{
    CLEANUP(proc_free_p) struct proc *p = must_start(*state, 7, "read x");
    pid_t leader = only_child();

    assert_true(leader > 0);
    proc_free(TAKE_PTR(p));
    assert_int_equal(kill(leader, 0), -1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(its_status_is_the_jobs),
        TEST(what_stops_the_job_is_seen_and_it_goes_on),
        TEST(keys_are_signals_for_the_job),
        TEST(any_of_the_three_may_be_the_terminal),
        TEST(without_a_terminal_it_does_not_start),
        TEST(it_ends_with_its_handle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
