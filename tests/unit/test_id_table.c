/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_id_table.c - what has a number is found by it, and nothing else. */
#include "tests/unit/unit.h"

#include <stdbool.h>

#include "base/id_table.h"

#define MANY 5000

static void
finds_each_of_many_while_others_go(void **state)
{
    static struct id_entry v[MANY];
    static const uint64_t steps[] = {1, 4096, UINT64_C(1) << 40};
    struct id_table t = {0};

    (void)state;
    for (size_t s = 0; s < 3; s++) {
        for (size_t i = 0; i < MANY; i++)
            id_table_add(&t, &v[i], i * steps[s], &v[i]);
        for (size_t i = 0; i < MANY; i += 2)
            id_table_remove(&t, &v[i]);
        for (size_t i = 0; i < MANY; i++)
            assert_ptr_equal(id_table_find(&t, i * steps[s]),
                             i % 2 ? &v[i] : NULL);
        assert_null(id_table_find(&t, MANY * steps[s]));
        for (size_t i = 1; i < MANY; i += 2)
            id_table_remove(&t, &v[i]);
        assert_int_equal(t.n, 0);
    }
    id_table_done(&t);
}

/* Also when the table has grown behind them. */
static void
finds_the_last_of_one_number(void **state)
{
    struct id_entry first, last, v[40];
    struct id_table t = {0};

    (void)state;
    id_table_add(&t, &first, 7, &first);
    id_table_add(&t, &last, 7, &last);
    for (size_t i = 0; i < 40; i++)
        id_table_add(&t, &v[i], 100 + i, &v[i]);
    assert_ptr_equal(id_table_find(&t, 7), &last);
    id_table_remove(&t, &last);
    assert_ptr_equal(id_table_find(&t, 7), &first);
    id_table_done(&t);
}

static void
any_empties_a_table_that_still_grows(void **state)
{
    static struct id_entry v[MANY], late;
    struct id_table t = {0};
    size_t taken = 0;

    (void)state;
    for (size_t i = 0; i < MANY; i++)
        id_table_add(&t, &v[i], i, &v[i]);
    for (void *one; (one = id_table_any(&t)) != NULL; taken++) {
        id_table_remove(&t, one);
        if (taken == MANY / 2) /* in a list that was empty, perhaps */
            id_table_add(&t, &late, 0, &late);
    }
    assert_int_equal(taken, MANY + 1);
    assert_int_equal(t.n, 0);
    id_table_done(&t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_each_of_many_while_others_go),
        cmocka_unit_test(finds_the_last_of_one_number),
        cmocka_unit_test(any_empties_a_table_that_still_grows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
