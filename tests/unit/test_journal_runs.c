/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_journal_runs.c - a process has several runs in one journal. */
#include "tests/unit/unit.h"

#include "record/journal.h"
#include "record/journal_verify.h"
#include "tests/unit/record.h"

#define MANY 2000 /* in less time than a name can tell apart */

static const struct journal_member greeting[] = {
    JOURNAL_STR("text", "hello"),
    {0},
};

static void
add(struct journal_run *r, int64_t number, bool later)
{
    const struct journal_member members[] = {JOURNAL_NUM("n", number), {0}};

    assert_int_equal(
        (later ? journal_add_later : journal_add)(r, "result", members), 0);
}

static void
on_stored(void *arg)
{
    int *called = arg;

    ++*called;
}

static int64_t
number_in(const struct place *p, const char *sql)
{
    char found[64];

    return strtoll(place_value(p->file, sql, found, sizeof(found)), NULL, 10);
}

static void
assert_chain_holds(int64_t rows)
{
    struct journal_verify v = {0};
    char faults[10];

    assert_int_equal(journal_verify(&v, NULL, faults, NULL), 0);
    assert_int_equal(v.rows, rows);
    assert_int_equal(v.faults, 0);
}

static void
no_journal_has_runs_that_take_everything(void **state)
{
    struct err e = {0};
    int called = 0;

    (void)state;
    assert_null(journal_run_new(NULL, &e));
    assert_int_equal(e.code, ERR_NONE);
    assert_int_equal(journal_add_later(NULL, "request", greeting), 0);
    assert_int_equal(journal_when_stored(NULL, on_stored, &called, &e), 0);
    assert_int_equal(called, 1);
    journal_run_free(NULL);
}

static void
runs_that_take_turns_are_one_chain(void **state)
{
    struct place p;
    struct journal *j;
    struct journal_run *a, *b;

    (void)state;
    place_enter(&p);
    j = journal_open(0, 0, NULL);
    a = journal_run_new(j, NULL);
    b = journal_run_new(j, NULL);
    for (int i = 0; i < 10; i++) {
        add(a, i, false);
        add(b, i, i % 2 == 0);
    }
    assert_int_equal(journal_sync(a, false), 0);
    journal_run_free(a);
    add(b, 10, false);
    journal_run_free(b);
    journal_close(j);
    assert_chain_holds(21);
    assert_int_equal(number_in(&p, "SELECT count(DISTINCT run) FROM row"), 2);
    place_leave(&p);
}

static void
runs_that_begin_at_once_have_names_of_their_own(void **state)
{
    struct place p;
    struct journal *j;

    (void)state;
    place_enter(&p);
    j = journal_open(0, 0, NULL);
    for (int i = 0; i < MANY; i++) {
        struct journal_run *r = journal_run_new(j, NULL);

        add(r, i, false);
        journal_run_free(r);
    }
    journal_close(j);
    assert_int_equal(number_in(&p, "SELECT count(DISTINCT run) FROM row"),
                     MANY);
    place_leave(&p);
}

static void
postponed_events_come_before_later_ones_of_any_run(void **state)
{
    struct place p;
    struct journal *j;
    struct journal_run *a, *b;

    (void)state;
    place_enter(&p);
    j = journal_open(0, 0, NULL);
    a = journal_run_new(j, NULL);
    b = journal_run_new(j, NULL);
    add(a, 1, true);
    add(b, 2, true);
    assert_int_equal(number_in(&p, "SELECT count(*) FROM row"), 0);
    add(b, 3, false);
    add(a, 4, true);
    journal_run_free(a);
    assert_int_equal(number_in(&p, "SELECT count(*) FROM row"), 4);
    assert_int_equal(
        number_in(
            &p,
            "SELECT count(*) FROM row WHERE seq = json_extract(body, '$.n')"),
        4);
    journal_run_free(b);
    journal_close(j);
    place_leave(&p);
}

static void
an_event_is_stored_before_that_is_told(void **state)
{
    struct place p;
    struct journal *j;
    struct journal_run *r;
    int called = 0;

    (void)state;
    place_enter(&p);
    j = journal_open(0, 0, NULL);
    r = journal_run_new(j, NULL);
    add(r, 1, true);
    assert_int_equal(journal_when_stored(r, on_stored, &called, NULL), 0);
    assert_int_equal(called, 1);
    assert_int_equal(number_in(&p, "SELECT count(*) FROM row"), 1);
    journal_run_free(r);
    journal_close(j);
    place_leave(&p);
}

/* The journal is too large, but what is old enough to be removed belongs to a
 * run that goes on. */
static void
rows_of_a_run_that_goes_on_are_not_removed(void **state)
{
    static char text[JOURNAL_TEXT_MAX];
    const struct journal_member members[] = {
        JOURNAL_BYTES("out", text, sizeof(text)), {0}};
    struct place p;
    struct journal *j;
    struct journal_run *a, *b;

    (void)state;
    memset(text, 'x', sizeof(text));
    place_enter(&p);
    j = journal_open(0, 1, NULL);
    a = journal_run_new(j, NULL);
    b = journal_run_new(j, NULL);
    for (int i = 0; i < 20; i++)
        assert_int_equal(journal_add(a, "result", members), 0);
    add(b, 1, false);
    assert_int_equal(journal_sync(b, false), 0);
    assert_int_equal(number_in(&p, "SELECT min(seq) FROM row"), 1);
    journal_run_free(a);
    assert_int_equal(journal_sync(b, false), 0);
    assert_true(number_in(&p, "SELECT min(seq) FROM row") > 1);
    assert_null(journal_trouble(j));
    journal_run_free(b);
    journal_close(j);
    place_leave(&p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_journal_has_runs_that_take_everything),
        cmocka_unit_test(runs_that_take_turns_are_one_chain),
        cmocka_unit_test(runs_that_begin_at_once_have_names_of_their_own),
        cmocka_unit_test(postponed_events_come_before_later_ones_of_any_run),
        cmocka_unit_test(an_event_is_stored_before_that_is_told),
        cmocka_unit_test(rows_of_a_run_that_goes_on_are_not_removed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
