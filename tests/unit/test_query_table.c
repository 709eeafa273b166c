/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_query_table.c - a query is found by its id while it is open. */
#include "tests/unit/unit.h"

#include <string.h>

#include "model/query_table.h"

static char queries[QUERY_TABLE_MAX + 1];

static void
fill(struct query_table *t)
{
    for (int i = 0; i < QUERY_TABLE_MAX; i++)
        assert_int_equal(query_table_add(t, 100 + i, &queries[i], NULL), 0);
}

static void
each_query_is_found_by_its_id(void **state)
{
    struct query_table t = {0};

    (void)state;
    fill(&t);
    assert_int_equal(t.n, QUERY_TABLE_MAX);
    for (int i = 0; i < QUERY_TABLE_MAX; i++)
        assert_ptr_equal(query_table_find(&t, 100 + i), &queries[i]);
    assert_null(query_table_find(&t, 99));
    assert_null(query_table_find(&t, -100));
}

static void
one_too_many_is_refused_until_another_ends(void **state)
{
    struct query_table t = {0};
    struct err e = {0};

    (void)state;
    fill(&t);
    assert_int_equal(query_table_add(&t, 1, &queries[0], &e), -1);
    assert_int_equal(e.code, ERR_MODEL);
    assert_non_null(strstr(e.text, "64 questions are open"));
    assert_null(query_table_find(&t, 1));
    query_table_remove(&t, 150);
    assert_null(query_table_find(&t, 150));
    assert_int_equal(query_table_add(&t, 1, &queries[64], NULL), 0);
    assert_ptr_equal(query_table_find(&t, 1), &queries[64]);
    assert_ptr_equal(query_table_find(&t, 151), &queries[51]);
    assert_int_equal(query_table_add(&t, 2, &queries[0], NULL), -1);
}

static void
an_id_that_is_open_or_zero_is_refused(void **state)
{
    struct query_table t = {0};
    struct err e = {0};

    (void)state;
    assert_int_equal(query_table_add(&t, INT64_MIN, &queries[0], NULL), 0);
    assert_int_equal(query_table_add(&t, INT64_MAX, &queries[1], NULL), 0);
    assert_int_equal(query_table_add(&t, INT64_MIN, &queries[2], &e), -1);
    assert_int_equal(e.code, ERR_PEER);
    e = (struct err){0};
    assert_int_equal(query_table_add(&t, 0, &queries[2], &e), -1);
    assert_int_equal(e.code, ERR_PEER);
    assert_ptr_equal(query_table_find(&t, INT64_MIN), &queries[0]);
    assert_int_equal(t.n, 2);
}

static void
ids_of_nobody_are_no_error(void **state)
{
    struct query_table t = {0};

    (void)state;
    query_table_remove(&t, 7);
    query_table_remove(&t, 0);
    assert_int_equal(t.n, 0);
    assert_null(query_table_find(&t, 0)); /* not a free slot */
    fill(&t);
    query_table_remove(&t, 0);
    query_table_remove(&t, 100);
    query_table_remove(&t, 100);
    assert_int_equal(t.n, QUERY_TABLE_MAX - 1);
    assert_null(query_table_find(&t, 0));
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_query_is_found_by_its_id),
        cmocka_unit_test(one_too_many_is_refused_until_another_ends),
        cmocka_unit_test(an_id_that_is_open_or_zero_is_refused),
        cmocka_unit_test(ids_of_nobody_are_no_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
