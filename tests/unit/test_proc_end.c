/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_proc_end.c - processes that end while a loop goes on. */
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/proc_end.h"

static struct proc *
start(const char *script)
{
    const char *const argv[] = {"/bin/sh", "-c", script, NULL};
    const struct proc_spec spec = {.argv = argv,
                                   .fds = {PROC_PIPE, PROC_PIPE, PROC_INHERIT},
                                   .pass_fd = -1};
    struct err e = {0};
    struct proc *p = proc_start(&spec, &e);
    char ready = 0;

    if (!p)
        fail_msg("%s", e.text);
    assert_int_equal(read(proc_fd(p, 1), &ready, 1), 1);
    return p;
}

/* Whether this process has no child left. */
static bool
is_alone(void)
{
    return waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD;
}

static void
turn_until_alone(struct loop *l)
{
    int64_t until = clock_ms() + 10000;
    siginfo_t si;

    while (clock_ms() < until) {
        si = (siginfo_t){0};
        if (waitid(P_ALL, 0, &si, WEXITED | WNOHANG | WNOWAIT) < 0)
            return;
        assert_true(loop_turn(l, 100, NULL) >= 0);
    }
}

static const struct {
    const char *what, *script;
    int64_t leave_ms, term_ms;
} rows[] = {
    {"it ends by itself", "echo .; exit 0", 5000, 5000},
    {"it ends by SIGTERM", "echo .; exec sleep 1000", 0, 5000},
    {"it ends by SIGTERM, later", "echo .; exec sleep 1000", 20, 5000},
    {"it ignores SIGTERM", "trap '' TERM; echo .; while :; do sleep 1000; done",
     0, 50},
    {"it is stopped", "echo .; kill -STOP $$; exec sleep 1000", 0, 5000},
};

static void
the_loop_ends_them(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);

    (void)state;
    assert_non_null(l);
    for (size_t i = 0; i < N_OF(rows); i++) {
        assert_int_equal(proc_end_later(l, start(rows[i].script),
                                        rows[i].leave_ms, rows[i].term_ms,
                                        NULL),
                         0);
        turn_until_alone(l);
        if (!is_alone())
            fail_msg("%s", rows[i].what);
    }
}

static void
all_end_with_the_loop(void **state)
{
    struct loop *l = loop_new(NULL);

    (void)state;
    assert_non_null(l);
    for (size_t i = 0; i < N_OF(rows); i++)
        assert_int_equal(proc_end_later(l, start(rows[i].script),
                                        rows[i].leave_ms ? 20 : 0, 50, NULL),
                         0);
    loop_free(l);
    assert_true(is_alone());
}

static void
freed(void *arg)
{
    ++*(int *)arg;
}

static void
what_is_left_to_a_loop_is_called_once(void **state)
{
    struct loop *l = loop_new(NULL);
    struct loop_exit *second;
    int first = 0, other = 0;

    (void)state;
    assert_non_null(loop_at_free(l, freed, &first, NULL));
    second = loop_at_free(l, freed, &other, NULL);
    assert_non_null(loop_at_free(l, freed, &first, NULL));
    loop_exit_free(second);
    loop_exit_free(NULL);
    loop_free(l);
    assert_int_equal(first, 2);
    assert_int_equal(other, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loop_ends_them),
        cmocka_unit_test(all_end_with_the_loop),
        cmocka_unit_test(what_is_left_to_a_loop_is_called_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
