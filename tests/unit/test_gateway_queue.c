/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_gateway_queue.c - places go by priority, then by arrival. */
#include "tests/unit/unit.h"

#include <stdio.h>

#include "server/gateway/gateway_queue.h"

#define TASKS 2000

static void
take_first(struct gateway_queue *q, const char *id)
{
    const struct gateway_place *p = gateway_queue_first(q);

    assert_non_null(p);
    assert_string_equal(p->id, id);
    assert_true(gateway_queue_remove(q, id));
}

static void
the_highest_priority_comes_first_then_the_one_that_waits_longest(void **state)
{
    struct gateway_queue q = {0};

    (void)state;
    assert_null(gateway_queue_first(&q));
    assert_true(gateway_queue_add(&q, "low", -5, 1));
    assert_true(gateway_queue_add(&q, "late", 2, 4));
    assert_true(gateway_queue_add(&q, "early", 2, 3));
    assert_true(gateway_queue_add(&q, "urgent", 9, 9));
    take_first(&q, "urgent");
    take_first(&q, "early");
    take_first(&q, "late");
    take_first(&q, "low");
    assert_null(gateway_queue_first(&q));
    gateway_queue_done(&q);
}

static void
what_is_left_to_others_is_forgotten_in_time(void **state)
{
    struct gateway_queue q = {0};
    char id[GATEWAY_ID_SIZE];

    (void)state;
    gateway_queue_avoid(&q, "a", 0);
    gateway_queue_avoid(&q, "b", 5);
    gateway_queue_avoid(&q, "b", 7);
    assert_int_equal(q.n_avoided, 2);
    assert_true(gateway_queue_avoids(&q, "a", 9));
    assert_false(gateway_queue_avoids(&q, "c", 9));
    assert_false(gateway_queue_avoids(&q, "a", GATEWAY_AVOID_MS));
    assert_true(gateway_queue_avoids(&q, "b", GATEWAY_AVOID_MS));
    gateway_queue_avoid(&q, "a", GATEWAY_AVOID_MS + 5);
    assert_int_equal(q.n_avoided, 1);
    for (int i = 0; i < GATEWAY_AVOIDED_MAX; i++) {
        snprintf(id, sizeof(id), "t%d", i);
        gateway_queue_avoid(&q, id, GATEWAY_AVOID_MS + 6);
    }
    assert_int_equal(q.n_avoided, GATEWAY_AVOIDED_MAX);
    assert_false(gateway_queue_avoids(&q, "a", GATEWAY_AVOID_MS + 6));
    assert_true(gateway_queue_avoids(&q, "t0", GATEWAY_AVOID_MS + 6));
    gateway_queue_done(&q);
}

static void
one_can_leave_from_anywhere_and_once(void **state)
{
    struct gateway_queue q = {0};
    char id[GATEWAY_ID_SIZE];

    (void)state;
    for (int i = 0; i < 20; i++) {
        snprintf(id, sizeof(id), "t%d", i);
        assert_true(gateway_queue_add(&q, id, i % 3, i));
    }
    assert_true(gateway_queue_remove(&q, "t7"));
    assert_false(gateway_queue_remove(&q, "t7"));
    assert_false(gateway_queue_remove(&q, "none"));
    for (int priority = 2; priority >= 0; priority--)
        for (int i = 0; i < 20; i++) {
            snprintf(id, sizeof(id), "t%d", i);
            if (i % 3 == priority && i != 7)
                take_first(&q, id);
        }
    gateway_queue_done(&q);
}

/* Against a search through all. */
static void
many_come_and_go_in_order(void **state)
{
    struct gateway_queue q = {0};
    unsigned seed = 7;
    struct gateway_place last = {.priority = INT64_MAX};

    (void)state;
    for (int i = 0; i < TASKS; i++) {
        char id[GATEWAY_ID_SIZE];

        seed = seed * 1103515245u + 12345u;
        snprintf(id, sizeof(id), "t%d", i);
        assert_true(gateway_queue_add(&q, id, (int64_t)(seed >> 16) % 50, i));
    }
    for (int i = 0; i < TASKS; i++) {
        struct gateway_place p = *gateway_queue_first(&q);

        assert_true(p.priority < last.priority ||
                    (p.priority == last.priority && p.order > last.order));
        last = p;
        assert_true(gateway_queue_remove(&q, p.id));
    }
    assert_int_equal(q.n, 0);
    gateway_queue_done(&q);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            the_highest_priority_comes_first_then_the_one_that_waits_longest),
        cmocka_unit_test(what_is_left_to_others_is_forgotten_in_time),
        cmocka_unit_test(one_can_leave_from_anywhere_and_once),
        cmocka_unit_test(many_come_and_go_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
