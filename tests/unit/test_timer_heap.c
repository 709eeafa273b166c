/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_timer_heap.c - timers come in the order in which they are due. */
#include "tests/unit/unit.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/timer_heap.h"

#define MANY 300

static void
reserve(struct timer_heap *h, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_int_equal(timer_heap_reserve(h, NULL), 0);
}

static void
timers_due_at_one_time_come_as_they_were_armed(void **state)
{
    struct timer_heap h = {0};
    struct timer v[MANY] = {0};

    (void)state;
    reserve(&h, MANY);
    for (size_t i = 0; i < MANY; i++)
        timer_heap_arm(&h, &v[i], 5);
    timer_heap_arm(&h, &v[0], 5); /* is now the last */
    for (size_t i = 1; i <= MANY; i++) {
        struct timer *t = timer_heap_first(&h);

        assert_ptr_equal(t, &v[i % MANY]);
        timer_heap_stop(&h, t);
    }
    assert_null(timer_heap_first(&h));
    timer_heap_done(&h);
}

/* What the heap has to say, found by looking at every timer. */
static struct timer *
first_of(struct timer *v)
{
    struct timer *first = NULL;

    for (size_t i = 0; i < MANY; i++) {
        struct timer *t = &v[i];

        if (t->at > 0 &&
            (!first || t->due_ns < first->due_ns ||
             (t->due_ns == first->due_ns && t->order < first->order)))
            first = t;
    }
    return first;
}

static void
whatever_is_armed_and_stopped_the_first_is_first(void **state)
{
    struct timer_heap h = {0};
    struct timer v[MANY] = {0};

    (void)state;
    srandom(1);
    reserve(&h, MANY);
    for (int i = 0; i < 50000; i++) {
        struct timer *t = &v[random() % MANY];

        /* few times, so that many are equal; now more are armed, now fewer */
        if (random() % 100 < (i / 5000 % 2 ? 30 : 70))
            timer_heap_arm(&h, t, random() % 40);
        else
            timer_heap_stop(&h, t);
        assert_ptr_equal(timer_heap_first(&h), first_of(v));
    }
    while (timer_heap_first(&h)) {
        assert_ptr_equal(timer_heap_first(&h), first_of(v));
        timer_heap_stop(&h, timer_heap_first(&h));
    }
    assert_null(first_of(v));
    timer_heap_done(&h);
}

static void
there_is_a_limit_and_room_is_given_back(void **state)
{
    struct timer_heap h = {0};
    struct err e = {0};

    (void)state;
    reserve(&h, TIMER_HEAP_MAX);
    assert_int_equal(timer_heap_reserve(&h, &e), -1);
    assert_int_equal(e.code, ERR_NOMEM);
    timer_heap_release(&h);
    assert_int_equal(timer_heap_reserve(&h, NULL), 0);
    timer_heap_done(&h);
    timer_heap_done(NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timers_due_at_one_time_come_as_they_were_armed),
        cmocka_unit_test(whatever_is_armed_and_stopped_the_first_is_first),
        cmocka_unit_test(there_is_a_limit_and_room_is_given_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
