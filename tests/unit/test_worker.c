/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_worker.c - work in threads beside a loop that goes on. */
#include "unit.h"

#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "base/worker.h"

#define SLOW_MS 60

struct work {
    struct worker *worker;
    atomic_int runs;
    int ends;
    bool masked;
};

static void
run_slowly(void *arg)
{
    const struct timespec pause = {.tv_nsec = SLOW_MS * 1000000L};
    struct work *w = arg;
    sigset_t now;

    pthread_sigmask(SIG_SETMASK, NULL, &now);
    w->masked = sigismember(&now, SIGTERM) == 1;
    (void)nanosleep(&pause, NULL); /* the work: nothing is waited for */
    atomic_fetch_add(&w->runs, 1);
}

static void
on_end(void *arg)
{
    struct work *w = arg;

    w->ends++;
    worker_free(w->worker);
    w->worker = NULL;
}

static void
the_loop_goes_on_meanwhile(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct work all[8] = {0};
    int open = 8;

    (void)state;
    assert_non_null(l);
    for (size_t i = 0; i < N_OF(all); i++) {
        all[i].worker = worker_start(l, run_slowly, on_end, &all[i], NULL);
        assert_non_null(all[i].worker);
    }
    while (open > 0) {
        assert_true(loop_turn(l, 10000, NULL) > 0);
        open = 0;
        for (size_t i = 0; i < N_OF(all); i++)
            open += all[i].worker != NULL;
    }
    for (size_t i = 0; i < N_OF(all); i++) {
        assert_int_equal(atomic_load(&all[i].runs), 1);
        assert_int_equal(all[i].ends, 1);
        assert_true(all[i].masked);
    }
    assert_true(loop_longest_hold(l) < SLOW_MS * INT64_C(1000000));
}

static void
a_free_waits_and_reports_nothing(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct work w = {0};

    (void)state;
    assert_non_null(l);
    w.worker = worker_start(l, run_slowly, on_end, &w, NULL);
    assert_non_null(w.worker);
    worker_free(w.worker);
    assert_int_equal(atomic_load(&w.runs), 1);
    assert_int_equal(loop_turn(l, 0, NULL), 0);
    assert_int_equal(w.ends, 0);
    worker_free(NULL);
}

struct held {
    int until[2]; /* a pipe: the work waits for a byte */
    atomic_int drops;
};

static void
run_held(void *arg)
{
    const struct held *h = arg;
    char byte;

    (void)!read(h->until[0], &byte, 1);
}

static void
on_held_end(void *arg)
{
    (void)arg;
    fail();
}

static void
drop_held(void *arg)
{
    struct held *h = arg;

    atomic_fetch_add(&h->drops, 1);
}

static void
await_drop(struct held *h)
{
    const struct timespec pause = {.tv_nsec = 1000000};

    for (int i = 0; i < 10000 && atomic_load(&h->drops) == 0; i++)
        (void)nanosleep(&pause, NULL);
    assert_int_equal(atomic_load(&h->drops), 1);
    close(h->until[0]);
    close(h->until[1]);
}

static void
who_leaves_waits_for_nothing(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    struct held h = {0};
    struct worker *w;

    (void)state;
    assert_int_equal(pipe(h.until), 0);
    w = worker_start(l, run_held, on_held_end, &h, NULL);
    assert_non_null(w);
    worker_leave(w, drop_held);
    assert_int_equal(atomic_load(&h.drops), 0);
    assert_int_equal(loop_turn(l, 0, NULL), 0);
    assert_int_equal(write(h.until[1], "x", 1), 1);
    await_drop(&h);
    worker_leave(NULL, drop_held);
}

static void
work_that_is_left_at_its_end_is_dropped_once(void **state)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);

    (void)state;
    for (int i = 0; i < 200; i++) {
        struct held h = {0};
        struct worker *w;

        assert_int_equal(pipe(h.until), 0);
        assert_int_equal(write(h.until[1], "x", 1), 1);
        w = worker_start(l, run_held, on_held_end, &h, NULL);
        assert_non_null(w);
        for (volatile int spin = 0; spin < i * 100; spin++)
            continue;
        worker_leave(w, drop_held);
        await_drop(&h);
    }
    assert_int_equal(loop_turn(l, 0, NULL), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loop_goes_on_meanwhile),
        cmocka_unit_test(a_free_waits_and_reports_nothing),
        cmocka_unit_test(who_leaves_waits_for_nothing),
        cmocka_unit_test(work_that_is_left_at_its_end_is_dropped_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
