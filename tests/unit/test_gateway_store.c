/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_gateway_store.c - what is handed to the store of tasks is done in order,
 * beside the loop, and is on the disk when that is told. */
#include "tests/unit/unit.h"

#include <dirent.h>

#include "base/clock.h"
#include "record/gateway_store.h"
#include "tests/unit/record.h"

#define EVENTS 3000

struct kept {
    struct place place;
    struct loop *loop;
    struct gateway_store *store;
    int trouble, well;
    int told;  /* events that are on the disk, as far as was told */
    int64_t n; /* of the last answer */
    bool more, behind;
    char text[64];
};

static void
on_trouble(void *arg, const struct err *why)
{
    struct kept *k = arg;

    k->trouble += why != NULL;
    k->well += why == NULL;
}

static void
open_kept(struct kept *k)
{
    struct err e = {0};

    k->store = gateway_store_open(k->loop, false, on_trouble, k, &e);
    if (!k->store)
        print_message("%s\n", e.text);
    assert_non_null(k->store);
}

static void
kept_enter(struct kept *k)
{
    *k = (struct kept){0};
    place_enter(&k->place);
    k->loop = loop_new(NULL);
    open_kept(k);
}

static void
kept_leave(struct kept *k)
{
    gateway_store_close(k->store);
    loop_free(k->loop);
    place_leave(&k->place);
}

static void
turn_until(struct kept *k, const int *what, int value)
{
    int64_t until = clock_ms() + 20000;

    while (*what < value && clock_ms() < until)
        assert_true(loop_turn(k->loop, 100, NULL) >= 0);
    assert_int_equal(*what, value);
}

static void
add_event(struct kept *k, int seq)
{
    const struct gateway_values v = {.text = {"task", "acp.content", "{}"},
                                     .number = {seq, seq, 1}};

    gateway_store_write(k->store, GATEWAY_ADD_EVENT, &v);
}

static void
on_told(void *arg)
{
    struct kept *k = arg;

    k->told++;
}

static void
on_answer(void *arg, const struct gateway_answer *a)
{
    struct kept *k = arg;

    k->n = (int64_t)a->n;
    k->more = a->more;
    k->behind = a->behind;
    if (a->n > 0)
        snprintf(k->text, sizeof(k->text), "%s", a->row->text[0]);
    k->told++;
}

static void
ask_events(struct kept *k, int64_t after, size_t most)
{
    const struct gateway_values in = {.text = {"task"}, .number = {after}};

    gateway_store_ask(k->store, GATEWAY_EVENTS, &in, most, on_answer, k);
}

static void
a_question_sees_what_was_handed_in_before_it(void **state)
{
    struct kept k;

    (void)state;
    kept_enter(&k);
    add_event(&k, 1);
    ask_events(&k, 0, 10);
    turn_until(&k, &k.told, 1);
    assert_int_equal(k.n, 1);
    assert_false(k.more);
    for (int i = 2; i <= 20; i++)
        add_event(&k, i);
    ask_events(&k, 1, 10);
    turn_until(&k, &k.told, 2);
    assert_int_equal(k.n, 10);
    assert_true(k.more);
    kept_leave(&k);
}

static void
many_changes_are_told_in_order_and_there_after_a_restart(void **state)
{
    struct kept k;

    (void)state;
    kept_enter(&k);
    for (int i = 1; i <= EVENTS; i++) {
        add_event(&k, i);
        gateway_store_then(k.store, on_told, &k);
    }
    turn_until(&k, &k.told, EVENTS);
    add_event(&k, EVENTS + 1);
    gateway_store_close(k.store);
    open_kept(&k);
    ask_events(&k, EVENTS - 1, 10);
    turn_until(&k, &k.told, EVENTS + 1);
    assert_int_equal(k.n, 2);
    kept_leave(&k);
}

static void
a_message_is_known_by_its_name(void **state)
{
    const struct gateway_values ref = {.text = {"task.create\nr", "{\"a\":1}"},
                                       .number = {INT64_MAX}};
    struct kept k;

    (void)state;
    kept_enter(&k);
    gateway_store_ask(k.store, GATEWAY_FIND_REF, &ref, 1, on_answer, &k);
    turn_until(&k, &k.told, 1);
    assert_int_equal(k.n, 0);
    gateway_store_write(k.store, GATEWAY_PUT_REF, &ref);
    gateway_store_ask(k.store, GATEWAY_FIND_REF, &ref, 1, on_answer, &k);
    turn_until(&k, &k.told, 2);
    assert_string_equal(k.text, "{\"a\":1}");
    kept_leave(&k);
}

static void
one_process_has_the_store(void **state)
{
    struct kept k;
    struct err e = {0};

    (void)state;
    kept_enter(&k);
    assert_null(gateway_rows_open(false, &e));
    assert_int_equal(e.code, ERR_INVALID);
    kept_leave(&k);
}

/* Another process that holds the file stands for a disk that is full. */

static sqlite3 *
hold_file(const struct kept *k)
{
    char file[256];
    sqlite3 *db;

    snprintf(file, sizeof(file), "%s/gateway.db", k->place.dir);
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL),
                     SQLITE_OK);
    return db;
}

static void
release_file(sqlite3 *db)
{
    assert_int_equal(sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void
read_events(struct kept *k)
{
    const struct gateway_values in = {.text = {"task"}};

    gateway_store_read(k->store, GATEWAY_EVENTS, &in, 10, on_answer, k);
}

static void
a_change_that_cannot_be_written_is_tried_again(void **state)
{
    struct kept k;
    sqlite3 *db;

    (void)state;
    kept_enter(&k);
    add_event(&k, 1);
    gateway_store_then(k.store, on_told, &k);
    turn_until(&k, &k.told, 1);
    db = hold_file(&k);
    add_event(&k, 2);
    gateway_store_then(k.store, on_told, &k);
    turn_until(&k, &k.trouble, 1);
    assert_non_null(gateway_store_trouble(k.store));
    assert_int_equal(k.told, 1);
    release_file(db);
    turn_until(&k, &k.told, 2);
    assert_int_equal(k.well, 1);
    assert_null(gateway_store_trouble(k.store));
    kept_leave(&k);
}

static void
what_is_on_the_disk_is_read_while_changes_wait(void **state)
{
    struct kept k;
    sqlite3 *db;

    (void)state;
    kept_enter(&k);
    add_event(&k, 1);
    read_events(&k);
    turn_until(&k, &k.told, 1);
    assert_int_equal(k.n, 1);
    assert_false(k.behind);
    db = hold_file(&k);
    add_event(&k, 2);
    read_events(&k);
    turn_until(&k, &k.told, 2);
    assert_int_equal(k.n, 1);
    assert_true(k.behind);
    ask_events(&k, 0, 10);
    read_events(&k);
    turn_until(&k, &k.told, 3);
    assert_int_equal(k.n, 1);
    assert_true(k.behind);
    assert_non_null(gateway_store_trouble(k.store));
    release_file(db);
    turn_until(&k, &k.told, 4);
    assert_int_equal(k.n, 2);
    assert_false(k.behind);
    kept_leave(&k);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_question_sees_what_was_handed_in_before_it),
        cmocka_unit_test(
            many_changes_are_told_in_order_and_there_after_a_restart),
        cmocka_unit_test(a_message_is_known_by_its_name),
        cmocka_unit_test(one_process_has_the_store),
        cmocka_unit_test(a_change_that_cannot_be_written_is_tried_again),
        cmocka_unit_test(what_is_on_the_disk_is_read_while_changes_wait),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
