/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_loop.c - descriptors, timers, signals and children on one loop. */
#include "tests/unit/unit.h"

#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/loop.h"

struct seen {
    struct loop *loop;
    struct watch *self, *other;
    int calls;
    unsigned events;
};

static void
note(void *arg, unsigned events)
{
    struct seen *s = arg;

    s->calls++;
    s->events = events;
    loop_stop(s->loop);
}

static void
free_both(void *arg, unsigned events)
{
    struct seen *s = arg;

    note(arg, events);
    watch_free(s->self);
    watch_free(s->other);
}

static void
a_timer_fires_once_and_can_be_started_again(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct seen s = {.loop = l};
    int64_t from = clock_ms();
    struct watch *w = loop_timer(l, 20, note, &s, NULL);

    (void)state;
    assert_int_equal(loop_run(l, NULL), 0);
    assert_true(clock_ms() - from >= 19);
    assert_int_equal(loop_turn(l, 30, NULL), 0);
    watch_again(w, 0);
    assert_int_equal(loop_run(l, NULL), 0);
    assert_int_equal(s.calls, 2);
}

static void
a_pipe_says_readable_and_hung_up(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct seen s = {.loop = l};
    struct watch *w;
    char c;
    int fds[2];

    (void)state;
    assert_int_equal(pipe(fds), 0);
    w = loop_fd(l, fds[0], LOOP_READ, note, &s, NULL);
    assert_int_equal(loop_turn(l, 0, NULL), 0);
    assert_int_equal(write(fds[1], "x", 1), 1);
    assert_int_equal(loop_turn(l, 1000, NULL), 1);
    assert_int_equal(s.events, LOOP_READ);
    watch_events(w, 0);
    assert_int_equal(loop_turn(l, 0, NULL), 0);
    watch_events(w, LOOP_READ);
    assert_int_equal(read(fds[0], &c, 1), 1);
    close(fds[1]);
    assert_int_equal(loop_turn(l, 1000, NULL), 1);
    assert_true(s.events & LOOP_HUP);
    watch_free(w);
    close(fds[0]);
}

static void
a_paused_watch_hears_nothing_not_even_a_hang_up(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct seen s = {.loop = l};
    struct watch *w;
    int fds[2];

    (void)state;
    assert_int_equal(pipe(fds), 0);
    w = loop_fd(l, fds[0], LOOP_READ, note, &s, NULL);
    watch_events(w, 0);
    watch_events(w, 0);
    close(fds[1]);
    assert_int_equal(loop_turn(l, 20, NULL), 0);
    watch_events(w, LOOP_READ);
    assert_int_equal(loop_turn(l, 1000, NULL), 1);
    assert_true(s.events & LOOP_HUP);
    watch_events(w, 0);
    watch_free(w);
    close(fds[0]);
}

static void
a_signal_is_an_event_and_is_unblocked_after(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct seen s = {.loop = l};
    struct watch *w = loop_signal(l, SIGUSR1, note, &s, NULL);
    sigset_t now;

    (void)state;
    raise(SIGUSR1);
    assert_int_equal(loop_run(l, NULL), 0);
    assert_int_equal(s.events, SIGUSR1);
    watch_free(w);
    sigprocmask(SIG_BLOCK, NULL, &now);
    assert_false(sigismember(&now, SIGUSR1));
}

static void
a_signal_reaches_every_watch_of_it(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct seen a = {.loop = l}, b = {.loop = l}, c = {.loop = l};
    struct watch *first = loop_signal(l, SIGUSR1, note, &a, NULL);
    struct watch *second = loop_signal(l, SIGUSR1, note, &b, NULL);
    struct watch *other = loop_signal(l, SIGUSR2, note, &c, NULL);
    sigset_t now;

    (void)state;
    raise(SIGUSR1);
    assert_int_equal(loop_turn(l, 1000, NULL), 2);
    assert_int_equal(loop_turn(l, 0, NULL), 0);
    watch_free(second);
    raise(SIGUSR1);
    assert_int_equal(loop_turn(l, 1000, NULL), 1);
    assert_int_equal(a.calls, 2);
    assert_int_equal(b.calls, 1);
    assert_int_equal(c.calls, 0);
    watch_free(first);
    sigprocmask(SIG_BLOCK, NULL, &now);
    assert_false(sigismember(&now, SIGUSR1));
    watch_free(other);
}

static void
a_watch_of_a_signal_may_free_another(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct seen a = {.loop = l}, b = {.loop = l};

    (void)state;
    a.self = b.other = loop_signal(l, SIGUSR1, free_both, &a, NULL);
    b.self = a.other = loop_signal(l, SIGUSR1, free_both, &b, NULL);
    raise(SIGUSR1);
    assert_int_equal(loop_turn(l, 1000, NULL), 1);
    assert_int_equal(a.calls + b.calls, 1);
}

static void
a_callback_may_free_watches_that_are_due(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct seen a = {.loop = l}, b = {.loop = l};

    (void)state;
    a.self = b.other = loop_timer(l, 0, free_both, &a, NULL);
    b.self = a.other = loop_timer(l, 0, free_both, &b, NULL);
    assert_int_equal(loop_turn(l, 1000, NULL), 1);
    assert_int_equal(loop_turn(l, 0, NULL), 0);
    assert_int_equal(a.calls + b.calls, 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_timer_fires_once_and_can_be_started_again),
        cmocka_unit_test(a_pipe_says_readable_and_hung_up),
        cmocka_unit_test(a_paused_watch_hears_nothing_not_even_a_hang_up),
        cmocka_unit_test(a_signal_is_an_event_and_is_unblocked_after),
        cmocka_unit_test(a_signal_reaches_every_watch_of_it),
        cmocka_unit_test(a_watch_of_a_signal_may_free_another),
        cmocka_unit_test(a_callback_may_free_watches_that_are_due),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
