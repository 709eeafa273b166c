/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_loop.c - descriptors, timers, signals and children on one loop. */
#include "tests/unit/unit.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/linux_calls.h"
#include "base/loop.h"

#define TIMERS 4000

struct seen {
    struct loop *loop;
    struct watch *self, *other;
    int fd;
    int64_t took_ns;
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
raise_another_and_turn(void *arg, unsigned events)
{
    struct seen *s = arg;

    s->events = events;
    raise(SIGUSR2);
    assert_int_equal(loop_turn(s->loop, 1000, NULL), 1);
}

/* Watches of the first that come after the one which turns are called too. */
static void
a_signal_within_a_signal_takes_nothing_from_it(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct seen a = {.loop = l}, b = {.loop = l}, c = {.loop = l};
    struct watch *watches[] = {
        loop_signal(l, SIGUSR1, note, &a, NULL),
        loop_signal(l, SIGUSR1, raise_another_and_turn, &b, NULL),
        loop_signal(l, SIGUSR1, note, &c, NULL),
        loop_signal(l, SIGUSR2, note, &(struct seen){.loop = l}, NULL),
    };

    (void)state;
    raise(SIGUSR1);
    (void)loop_turn(l, 1000, NULL);
    (void)loop_turn(l, 0, NULL);
    assert_int_equal(a.events, SIGUSR1);
    assert_int_equal(b.events, SIGUSR1);
    assert_int_equal(c.events, SIGUSR1);
    for (size_t i = 0; i < N_OF(watches); i++)
        watch_free(watches[i]);
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

/* One of many timers. It was armed at some time between two. */
struct alarm {
    struct watch *w;
    int64_t from_ns, to_ns, ms;
    struct alarm_clock *in;
};

struct alarm_clock {
    struct loop *loop;
    struct alarm v[TIMERS];
    size_t expired, early, disorder;
    int64_t passed_ns; /* one that expired was due then or later */
};

static void
on_alarm(void *arg, unsigned events)
{
    struct alarm *a = arg;
    struct alarm_clock *c = a->in;
    int64_t least_ns = a->from_ns + a->ms * 1000000;

    assert_int_equal(events, 0);
    c->expired++;
    c->early += clock_ns() < least_ns;
    c->disorder += a->to_ns + a->ms * 1000000 < c->passed_ns;
    if (least_ns > c->passed_ns)
        c->passed_ns = least_ns;
}

static void
arm(struct alarm *a, int64_t ms)
{
    a->ms = ms;
    a->from_ns = clock_ns();
    if (a->w)
        watch_again(a->w, ms);
    else
        a->w = loop_timer(a->in->loop, ms, on_alarm, a, NULL);
    a->to_ns = clock_ns();
    assert_non_null(a->w);
}

static struct alarm_clock *
arm_many(struct loop *l, int64_t most_ms)
{
    struct alarm_clock *c = calloc(1, sizeof(*c));

    assert_non_null(c);
    c->loop = l;
    for (size_t i = 0; i < TIMERS; i++) {
        c->v[i].in = c;
        arm(&c->v[i], random() % (most_ms + 1));
    }
    return c;
}

static void
run_until_expired(struct alarm_clock *c, size_t n)
{
    int64_t until = clock_ms() + 20000;

    while (c->expired < n && clock_ms() < until)
        assert_true(loop_turn(c->loop, 1000, NULL) >= 0);
    assert_int_equal(loop_turn(c->loop, 0, NULL), 0);
    assert_int_equal(c->expired, n);
    assert_int_equal(c->early, 0);
    assert_int_equal(c->disorder, 0);
}

static void
thousands_of_timers_expire_in_order_and_not_early(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    CLEANUP(free_p) struct alarm_clock *c = arm_many(l, 50);

    (void)state;
    run_until_expired(c, TIMERS);
}

static void
of_thousands_some_are_stopped_freed_and_armed_anew(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    CLEANUP(free_p) struct alarm_clock *c = arm_many(l, 5);
    size_t left = 0;

    (void)state;
    for (size_t i = 0; i < TIMERS; i++) {
        left += i % 4 > 1;
        if (i % 4 == 0)
            watch_free(c->v[i].w);
        else if (i % 4 == 1)
            watch_stop(c->v[i].w);
        else if (i % 4 == 2)
            arm(&c->v[i], random() % 30);
    }
    run_until_expired(c, left);
}

static bool
is_blocked(int signo)
{
    sigset_t now;

    sigprocmask(SIG_SETMASK, NULL, &now);
    return sigismember(&now, signo) == 1;
}

/* No descriptor is left for it. */
static void
a_watch_that_fails_leaves_the_signal_to_the_others(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct seen s = {.loop = l};
    struct watch *w = loop_signal(l, SIGUSR2, note, &s, NULL);
    struct rlimit before, none;

    (void)state;
    assert_non_null(w);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = (struct rlimit){0, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    assert_null(loop_signal(l, SIGUSR2, note, &s, NULL));
    assert_null(loop_signal(l, SIGUSR1, note, &s, NULL));
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_true(is_blocked(SIGUSR2));
    assert_false(is_blocked(SIGUSR1));
    watch_free(w);
    assert_false(is_blocked(SIGUSR2));
}

struct turns {
    struct loop *loop;
    struct watch *v[3];
    char seen[32]; /* which ran, in order */
    size_t n;
};

static void
note_turn(struct turns *t, char which)
{
    if (t->n + 1 < sizeof(t->seen))
        t->seen[t->n++] = which;
}

static void
on_first(void *arg, unsigned events)
{
    struct turns *t = arg;

    (void)events;
    note_turn(t, '1');
    watch_again(t->v[0], 0);
}

static void
on_second(void *arg, unsigned events)
{
    struct turns *t = arg;

    (void)events;
    note_turn(t, '2');
    if (!t->v[2])
        t->v[2] = loop_soon(t->loop, on_second, t, NULL);
}

static void
what_is_armed_within_a_turn_runs_at_the_next(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct turns t = {.loop = l};

    (void)state;
    t.v[0] = loop_soon(l, on_first, &t, NULL);
    t.v[1] = loop_soon(l, on_second, &t, NULL);
    assert_int_equal(t.n, 0);
    assert_int_equal(loop_turn(l, -1, NULL), 2);
    assert_string_equal(t.seen, "12");
    assert_int_equal(loop_turn(l, -1, NULL), 2);
    assert_string_equal(t.seen, "1212");
    assert_int_equal(loop_turn(l, -1, NULL), 1);
    watch_again(t.v[1], 0);
    watch_stop(t.v[0]);
    assert_int_equal(loop_turn(l, -1, NULL), 1);
    assert_string_equal(t.seen, "121212");
}

static void
a_stopped_timer_is_silent_until_armed_again(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct seen s = {.loop = l};
    struct watch *w = loop_timer(l, 0, note, &s, NULL);
    struct watch *never = loop_timer(l, INT64_MAX, note, &s, NULL);

    (void)state;
    watch_stop(w); /* it is due already */
    watch_stop(w);
    assert_int_equal(loop_turn(l, 5, NULL), 0);
    watch_again(w, 0);
    watch_events(w, 0);
    assert_int_equal(loop_turn(l, 5, NULL), 0);
    watch_events(w, LOOP_READ);
    assert_int_equal(loop_turn(l, 0, NULL), 0);
    watch_again(w, -7);
    assert_int_equal(loop_turn(l, -1, NULL), 1);
    watch_free(never);
}

static void
stop_other(void *arg, unsigned events)
{
    struct seen *s = arg;

    note(arg, events);
    watch_stop(s->other);
}

static void
a_callback_may_stop_a_timer_that_is_due(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct seen a = {.loop = l}, b = {.loop = l};

    (void)state;
    loop_soon(l, stop_other, &a, NULL);
    a.other = loop_soon(l, note, &b, NULL);
    assert_int_equal(loop_turn(l, -1, NULL), 1);
    assert_int_equal(loop_turn(l, 0, NULL), 0);
    assert_int_equal(b.calls, 0);
}

/* More than the loop takes at once. */
static void
a_flood_of_descriptors_delays_no_timer(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct seen flood = {.loop = l}, timer = {.loop = l};
    int fds[2];

    (void)state;
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(write(fds[1], "x", 1), 1);
    for (int i = 0; i < 100; i++) {
        int fd = dup(fds[0]);

        assert_true(fd >= 0);
        loop_fd(l, fd, LOOP_READ, note, &flood, NULL);
    }
    loop_soon(l, note, &timer, NULL);
    assert_true(loop_turn(l, 0, NULL) > 1);
    assert_int_equal(timer.calls, 1);
    for (int i = 0; i < 4; i++)
        loop_turn(l, 0, NULL);
    assert_true(flood.calls > 100);
}

/* Reads a byte and turns the loop, so that the other's event is dealt with. */
static void
read_and_turn(void *arg, unsigned events)
{
    struct seen *s = arg;
    char c;

    note(arg, events);
    assert_int_equal(read(s->fd, &c, 1), 1);
    assert_true(loop_turn(s->loop, 0, NULL) >= 0);
}

static void
pause_both(void *arg, unsigned events)
{
    struct seen *s = arg;

    note(arg, events);
    watch_events(s->self, 0);
    watch_events(s->other, 0);
}

/* Two descriptors that are ready in one turn: each callback is called once. */
static void
what_a_callback_deals_with_is_not_reported_after_it(void **state)
{
    static loop_cb *const callbacks[] = {read_and_turn, pause_both};

    (void)state;
    for (size_t i = 0; i < N_OF(callbacks); i++) {
        CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
        struct seen a = {.loop = l}, b = {.loop = l};
        int of_a[2], of_b[2];

        assert_int_equal(pipe(of_a), 0);
        assert_int_equal(pipe(of_b), 0);
        a.fd = of_a[0];
        b.fd = of_b[0];
        a.self = b.other = loop_fd(l, a.fd, LOOP_READ, callbacks[i], &a, NULL);
        b.self = a.other = loop_fd(l, b.fd, LOOP_READ, callbacks[i], &b, NULL);
        assert_int_equal(write(of_a[1], "x", 1), 1);
        assert_int_equal(write(of_b[1], "x", 1), 1);
        assert_int_equal(loop_turn(l, 1000, NULL), 1);
        assert_int_equal(loop_turn(l, 0, NULL), 0);
        assert_int_equal(a.calls + b.calls, i == 0 ? 2 : 1);
        for (int j = 0; j < 2; j++) {
            close(of_a[j]);
            close(of_b[j]);
        }
    }
}

static void
spin_ms(int64_t ms)
{
    int64_t until = clock_ms() + ms;

    while (clock_ms() < until)
        ;
}

static void
on_busy(void *arg, unsigned events)
{
    struct seen *s = arg;

    note(arg, events);
    spin_ms(15);
    loop_turn(s->loop, 0, NULL);
}

/* Waits within a callback, which other callbacks can end. */
static void
on_dialogue(void *arg, unsigned events)
{
    struct seen *s = arg;
    int64_t from_ns = clock_ns();

    note(arg, events);
    loop_timer(s->loop, 60, note, s, NULL);
    while (s->calls < 2)
        loop_turn(s->loop, -1, NULL);
    s->took_ns = clock_ns() - from_ns;
}

static void
the_longest_hold_is_measured_but_not_what_is_waited(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct seen busy = {.loop = l}, dialogue = {.loop = l};

    (void)state;
    assert_int_equal(loop_longest_hold(l), 0);
    loop_soon(l, on_dialogue, &dialogue, NULL);
    assert_int_equal(loop_turn(l, -1, NULL), 1);
    assert_between(loop_longest_hold(l), 1, dialogue.took_ns - 50 * 1000000);
    loop_soon(l, on_busy, &busy, NULL);
    assert_int_equal(loop_turn(l, -1, NULL), 1);
    assert_true(loop_longest_hold(l) >= 14 * 1000000);
}

#define CANNOT_REFUSE 3 /* exit status: an emulator knows no filters */

/* Makes the kernel answer epoll_pwait2 as one that has none. */
static void
refuse_pwait2(unsigned sys)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_epoll_pwait2, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | sys),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = N_OF(code), .filter = code};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
        _exit(CANNOT_REFUSE);
}

/* Runs timers of 3 ms; says by its exit status what is wrong: in this child no
 * assertion may return to the tests. */
static int
run_coarse(void)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct seen s = {.loop = l};
    struct watch *w = loop_timer(l, 3, note, &s, NULL);
    int turns = 0;

    for (int i = 0; i < 10; i++) {
        int64_t from_ns = clock_ns();

        watch_again(w, 3);
        for (s.calls = 0; s.calls == 0; turns++)
            if (loop_turn(l, -1, NULL) < 0)
                return 4;
        if (clock_ns() - from_ns < 3000000)
            return 5;
    }
    return turns <= 20 ? 0 : 6; /* rounded up, each is waited for once */
}

static void
an_old_kernel_waits_whole_milliseconds(void **state)
{
    static const unsigned errors[] = {ENOSYS, EPERM};

    (void)state;
    for (size_t i = 0; i < N_OF(errors); i++) {
        pid_t pid = fork();
        int status;

        assert_true(pid >= 0);
        if (pid == 0) {
            refuse_pwait2(errors[i]);
            _exit(run_coarse());
        }
        assert_int_equal(waitpid(pid, &status, 0), pid);
        if (WEXITSTATUS(status) != CANNOT_REFUSE)
            assert_int_equal(status, 0);
    }
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
        cmocka_unit_test(a_signal_within_a_signal_takes_nothing_from_it),
        cmocka_unit_test(a_watch_of_a_signal_may_free_another),
        cmocka_unit_test(a_callback_may_free_watches_that_are_due),
        cmocka_unit_test(thousands_of_timers_expire_in_order_and_not_early),
        cmocka_unit_test(of_thousands_some_are_stopped_freed_and_armed_anew),
        cmocka_unit_test(what_is_armed_within_a_turn_runs_at_the_next),
        cmocka_unit_test(a_stopped_timer_is_silent_until_armed_again),
        cmocka_unit_test(a_watch_that_fails_leaves_the_signal_to_the_others),
        cmocka_unit_test(a_callback_may_stop_a_timer_that_is_due),
        cmocka_unit_test(a_flood_of_descriptors_delays_no_timer),
        cmocka_unit_test(what_a_callback_deals_with_is_not_reported_after_it),
        cmocka_unit_test(the_longest_hold_is_measured_but_not_what_is_waited),
        cmocka_unit_test(an_old_kernel_waits_whole_milliseconds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
