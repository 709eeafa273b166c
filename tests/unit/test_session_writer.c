/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_session_writer.c - sessions are stored beside a loop that goes on. */
#include "tests/unit/unit.h"

#include "record/session_writer.h"
#include "tests/unit/sessions.h"

#define ITEMS     200
#define BIG_BYTES (900u << 10)

struct written {
    struct stored stored;
    struct loop *loop;
    struct session_writer *writer;
    int lost;
    enum err_code why;
};

static void
on_lost(void *arg, const struct err *why)
{
    struct written *t = arg;

    t->lost++;
    t->why = why->code;
}

static void
written_enter(struct written *t)
{
    *t = (struct written){0};
    stored_enter(&t->stored);
    t->loop = loop_new(NULL);
    t->writer = session_writer_new(t->loop, t->stored.s, on_lost, t, NULL);
    assert_non_null(t->writer);
}

static void
written_leave(struct written *t)
{
    session_writer_free(t->writer);
    loop_free(t->loop);
    stored_leave(&t->stored);
}

static void
append(struct written *t, const char *id, const char *text, size_t n)
{
    assert_int_equal(
        session_writer_append(t->writer, id, "said", text, n, NULL), 0);
}

/* Each item is its own number. */
static int
check_item(void *arg, int64_t number, const char *kind, const char *text,
           size_t n)
{
    int *count = arg;

    (void)n;
    assert_string_equal(kind, "said");
    assert_int_equal(number, ++*count);
    assert_int_equal(strtol(text, NULL, 10), number);
    return 0;
}

static int
count_in_order(struct session_store *s, const char *id)
{
    int count = 0;

    assert_int_equal(session_store_read(s, id, 0, check_item, &count, NULL), 0);
    return count;
}

static void
queue_items(struct written *t, const char *id, int from, int to)
{
    for (int i = from; i <= to; i++) {
        char text[16];

        snprintf(text, sizeof(text), "%d", i);
        append(t, id, text, strlen(text));
    }
}

static void
what_is_queued_is_stored_in_order(void **state)
{
    const struct session_info in = {.directory = "/new"};
    char id[SESSION_ID_SIZE];
    struct written t;

    (void)state;
    written_enter(&t);
    assert_int_equal(session_writer_create(t.writer, &in, id, NULL), 0);
    queue_items(&t, id, 1, ITEMS);
    while (loop_turn(t.loop, 0, NULL) > 0)
        continue;
    queue_items(&t, id, ITEMS + 1, 2 * ITEMS);
    assert_int_equal(count_in_order(session_writer_wait(t.writer), id),
                     2 * ITEMS);
    assert_int_equal(t.lost, 0);
    written_leave(&t);
}

static void
the_loop_stores_what_nobody_waits_for(void **state)
{
    struct written t;

    (void)state;
    written_enter(&t);
    append(&t, t.stored.id, "1", 1);
    append(&t, t.stored.id, "2", 1);
    /* one worker for the first, and one for the rest */
    assert_int_equal(loop_turn(t.loop, 10000, NULL), 1);
    assert_int_equal(loop_turn(t.loop, 10000, NULL), 1);
    assert_int_equal(count_in_order(t.stored.s, t.stored.id), 2);
    written_leave(&t);
}

static void
what_cannot_be_stored_is_reported(void **state)
{
    struct written t;

    (void)state;
    written_enter(&t);
    append(&t, "0123456789abcdef0123456789abcdef", "1", 1);
    append(&t, t.stored.id, "\xff", 1);
    append(&t, t.stored.id, "1", 1);
    assert_int_equal(count_in_order(session_writer_wait(t.writer), t.stored.id),
                     1);
    assert_int_equal(t.lost, 2);
    assert_int_equal(t.why, ERR_INVALID);
    written_leave(&t);
}

static void
more_than_the_queue_holds_is_stored_too(void **state)
{
    CLEANUP(free_p) char *text = malloc(BIG_BYTES);
    struct written t;

    (void)state;
    written_enter(&t);
    assert_non_null(text);
    memset(text, ' ', BIG_BYTES);
    for (int i = 1; i <= 24; i++) {
        snprintf(text, 16, "%d", i);
        text[strlen(text)] = ' ';
        append(&t, t.stored.id, text, BIG_BYTES);
    }
    assert_int_equal(count_in_order(session_writer_wait(t.writer), t.stored.id),
                     24);
    assert_int_equal(t.lost, 0);
    written_leave(&t);
}

static void
the_end_stores_the_rest(void **state)
{
    struct written t;

    (void)state;
    written_enter(&t);
    queue_items(&t, t.stored.id, 1, ITEMS);
    session_writer_free(t.writer);
    t.writer = NULL;
    assert_int_equal(count_in_order(t.stored.s, t.stored.id), ITEMS);
    written_leave(&t);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_queued_is_stored_in_order),
        cmocka_unit_test(the_loop_stores_what_nobody_waits_for),
        cmocka_unit_test(what_cannot_be_stored_is_reported),
        cmocka_unit_test(more_than_the_queue_holds_is_stored_too),
        cmocka_unit_test(the_end_stores_the_rest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
