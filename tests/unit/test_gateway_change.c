/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_gateway_change.c - changes come back as they were, and bytes that are
 * none are refused. */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "server/gateway/gateway_change.h"

static const struct gateway_values event = {.text = {"task", "acp.log", "{}"},
                                            .number = {0, -7, INT64_MAX}};

static void
put_two_changes(struct buf *b)
{
    const struct gateway_values claim = {.text = {"task"}};

    gateway_change_put(b, CHANGE_CLAIM, &claim);
    gateway_change_put(b, GATEWAY_ADD_EVENT, &event);
}

static void
changes_come_back_as_they_were(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(1024);
    struct gateway_values v;
    const char *at;
    unsigned what;

    (void)state;
    put_two_changes(&b);
    at = b.p;
    assert_true(gateway_change_read(&at, b.p + b.len, &what, &v));
    assert_int_equal(what, CHANGE_CLAIM);
    assert_string_equal(v.text[0], "task");
    assert_true(gateway_change_read(&at, b.p + b.len, &what, &v));
    assert_int_equal(what, GATEWAY_ADD_EVENT);
    assert_string_equal(v.text[EVENT_ACTION], "acp.log");
    assert_string_equal(v.text[EVENT_DATA], "{}");
    assert_true(v.number[EVENT_SEQ] == -7);
    assert_true(v.number[EVENT_AT] == INT64_MAX);
    assert_false(gateway_change_read(&at, b.p + b.len, &what, &v));
    assert_ptr_equal(at, b.p + b.len);
}

/* Whatever is cut off or changed, nothing beyond the end is read. */
static void
bytes_that_are_none_are_refused(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(1024);
    struct gateway_values v;
    unsigned what;

    (void)state;
    put_two_changes(&b);
    for (size_t n = 0; n < b.len; n++)
        for (unsigned flip = 0; flip < 256; flip += 51) {
            CLEANUP(free_p) char *copy = malloc(b.len - n);
            const char *at = copy, *end = copy + b.len - n;
            unsigned read = 0;

            assert_non_null(copy);
            memcpy(copy, b.p, b.len - n);
            copy[n % (b.len - n)] ^= (char)flip;
            while (gateway_change_read(&at, end, &what, &v))
                read++;
            assert_true(read <= 2 && at <= end);
        }
}

static void
questions_and_what_is_a_gateways_own_are_no_changes(void **state)
{
    static const unsigned none[] = {GATEWAY_FIND_TASK, GATEWAY_PUT_NODE,
                                    GATEWAY_PUT_CLAIM, GATEWAY_STATEMENTS, 255};
    struct gateway_values v;
    unsigned what;

    (void)state;
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        CLEANUP_BUF struct buf b = buf_of(1024);
        const char *at;

        gateway_change_put(&b, none[i], &event);
        assert_int_equal(b.len, 0);
        put_two_changes(&b);
        b.p[0] = (char)none[i];
        at = b.p;
        assert_false(gateway_change_read(&at, b.p + b.len, &what, &v));
    }
}

/* Gateways of several versions, and streams that were kept, have them. */
static void
numbers_of_changes_stay(void **state)
{
    static const unsigned numbers[][2] = {
        {GATEWAY_PUT_TASK, 0},       {GATEWAY_ADD_EVENT, 1},
        {GATEWAY_PUT_PROMPT, 2},     {GATEWAY_REMOVE_PROMPT, 3},
        {GATEWAY_PUT_PERMISSION, 4}, {GATEWAY_PUT_REF, 5},
        {GATEWAY_REMOVE_EVENTS, 30}, {GATEWAY_REMOVE_PROMPTS, 31},
        {GATEWAY_REMOVE_TASK, 33},   {GATEWAY_REMOVE_PERMISSIONS, 32},
        {CHANGE_CLAIM, 200},         {CHANGE_ANSWER, 203}};

    (void)state;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        CLEANUP_BUF struct buf b = buf_of(1024);

        assert_int_equal(numbers[i][0], numbers[i][1]);
        gateway_change_put(&b, numbers[i][0], &event);
        assert_true(b.len > 0);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_come_back_as_they_were),
        cmocka_unit_test(bytes_that_are_none_are_refused),
        cmocka_unit_test(questions_and_what_is_a_gateways_own_are_no_changes),
        cmocka_unit_test(numbers_of_changes_stay),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
