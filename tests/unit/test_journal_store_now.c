/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_journal_store_now.c - who shares a journal writes a little itself, while
 * its thread has nothing to do. */
#include "tests/unit/unit.h"

#include <sys/stat.h>

#include "base/clock.h"
#include "base/loop.h"
#include "record/journal.h"
#include "record/journal_verify.h"
#include "tests/unit/record.h"

#define WAIT_MS   20000             /* for what takes milliseconds */
#define HOLD_MS   1000              /* far below the wait for a lock */
#define MANY      3000              /* transactions, of three pages or more */
#define LOG_BYTES (6 * 1024 * 1024) /* 4096 pages, and some */

struct desk {
    struct place p;
    struct loop *l;
    struct journal *j;
    struct journal_run *r;
    int64_t added;
};

static void
desk_enter(struct desk *d)
{
    place_enter(&d->p);
    d->l = loop_new(NULL);
    d->j = journal_open_shared(d->l, 0, 0, NULL);
    d->r = journal_run_new(d->j, NULL);
    d->added = 0;
    assert_non_null(d->r);
}

/* All that was added is there, in one chain. */
static void
desk_leave(struct desk *d)
{
    struct journal_verify v = {0};
    char faults[10];

    assert_null(journal_trouble(d->j));
    journal_run_free(d->r);
    journal_close(d->j);
    assert_int_equal(journal_verify(&v, NULL, faults, NULL), 0);
    assert_int_equal(v.rows, d->added);
    assert_int_equal(v.faults, 0);
    loop_free(d->l);
    place_leave(&d->p);
}

static void
add(struct desk *d, bool later)
{
    const struct journal_member members[] = {JOURNAL_NUM("n", d->added), {0}};

    assert_int_equal(
        (later ? journal_add_later : journal_add)(d->r, "result", members), 0);
    d->added++;
}

static void
on_stored(void *arg)
{
    int *called = arg;

    ++*called;
}

static void
wait_stored(struct desk *d)
{
    int64_t until = clock_ms() + WAIT_MS;
    int called = 0;

    assert_int_equal(journal_when_stored(d->r, on_stored, &called, NULL), 0);
    while (!called && clock_ms() < until)
        assert_true(loop_turn(d->l, 100, NULL) >= 0);
    assert_int_equal(called, 1);
}

static int64_t
rows(const struct desk *d)
{
    char found[64];

    return strtoll(place_value(d->p.file, "SELECT count(*) FROM row", found,
                               sizeof(found)),
                   NULL, 10);
}

/* Where the machine was busy during a write, the thread does the next ones. */
static void
add_until_stored_now(struct desk *d)
{
    int64_t until = clock_ms() + WAIT_MS;

    add(d, true);
    while (!journal_store_now(d->r)) {
        assert_true(clock_ms() < until);
        wait_stored(d);
        add(d, true);
    }
}

static void
what_is_stored_now_is_in_the_file_at_once(void **state)
{
    struct desk d;

    (void)state;
    desk_enter(&d);
    add(&d, false);
    wait_stored(&d);
    add_until_stored_now(&d);
    assert_int_equal(rows(&d), d.added);
    add(&d, false); /* the thread goes on behind it */
    wait_stored(&d);
    assert_int_equal(rows(&d), d.added);
    add_until_stored_now(&d);
    wait_stored(&d); /* who waits for what is stored is called */
    assert_int_equal(rows(&d), d.added);
    desk_leave(&d);
}

static void
where_another_has_the_lock_nothing_waits_and_the_thread_writes(void **state)
{
    struct desk d;
    int64_t from, written;
    sqlite3 *db;

    (void)state;
    desk_enter(&d);
    add(&d, false);
    wait_stored(&d);
    add_until_stored_now(&d);
    written = d.added;
    assert_int_equal(sqlite3_open(d.p.file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL),
                     SQLITE_OK);
    add(&d, true);
    from = clock_ms();
    assert_false(journal_store_now(d.r));
    add(&d, false); /* the thread waits for the lock */
    assert_false(journal_store_now(d.r));
    assert_true(clock_ms() - from < HOLD_MS);
    assert_int_equal(rows(&d), written);
    assert_int_equal(sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    wait_stored(&d);
    assert_int_equal(rows(&d), d.added);
    desk_leave(&d);
}

/* Pages that are moved into the file wait for the disk, and so does the
 * beginning of the log behind that. */
static void
a_log_that_is_long_or_begins_is_left_to_the_thread(void **state)
{
    struct desk d;
    struct stat st;
    char log[256];
    int begun = 0;

    (void)state;
    desk_enter(&d);
    add(&d, false);
    wait_stored(&d);
    snprintf(log, sizeof(log), "%s-wal", d.p.file);
    for (int i = 0; i < MANY; i++) {
        bool stored;

        assert_int_equal(stat(log, &st), 0);
        assert_true(st.st_size < LOG_BYTES);
        add(&d, true);
        stored = journal_store_now(d.r);
        begun += st.st_size == 0;
        assert_false(stored && st.st_size == 0);
        if (!stored)
            wait_stored(&d);
    }
    assert_true(begun > 0);
    desk_leave(&d);
}

static void
what_no_thread_writes_is_stored_too(void **state)
{
    struct desk d = {0};

    (void)state;
    assert_true(journal_store_now(NULL));
    place_enter(&d.p);
    d.j = journal_open(0, 0, NULL);
    d.r = journal_run_new(d.j, NULL);
    assert_non_null(d.r);
    add(&d, true);
    assert_true(journal_store_now(d.r));
    assert_int_equal(rows(&d), 1);
    desk_leave(&d);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_stored_now_is_in_the_file_at_once),
        cmocka_unit_test(
            where_another_has_the_lock_nothing_waits_and_the_thread_writes),
        cmocka_unit_test(a_log_that_is_long_or_begins_is_left_to_the_thread),
        cmocka_unit_test(what_no_thread_writes_is_stored_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
