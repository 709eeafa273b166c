/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_duration.c - lengths of time, and texts that are none. */
#include "tests/unit/unit.h"

#include "base/duration.h"

#define DAY_MS INT64_C(86400000)

static void
a_number_and_its_unit_is_a_time(void **state)
{
    static const struct {
        const char *text;
        int64_t ms;
    } times[] = {{"1s", 1000},         {"30s", 30000},
                 {"5m", 300000},       {"2h", 7200000},
                 {"007d", 7 * DAY_MS}, {"10000d", 10000 * DAY_MS}};

    (void)state;
    for (size_t i = 0; i < N_OF(times); i++) {
        int64_t ms = 0;

        assert_int_equal(duration_read(times[i].text, &ms, NULL), 0);
        assert_int_equal(ms, times[i].ms);
    }
}

static void
other_texts_are_refused(void **state)
{
    static const char *const none[] = {"",
                                       "5",
                                       "s",
                                       "5x",
                                       "5 s",
                                       "-5s",
                                       "0s",
                                       "5sm",
                                       "1.5h",
                                       "10001d",
                                       "1000000000000000s"};

    (void)state;
    for (size_t i = 0; i < N_OF(none); i++) {
        int64_t ms = 7;
        struct err e = {0};

        assert_int_equal(duration_read(none[i], &ms, &e), -1);
        assert_int_equal(e.code, ERR_INVALID);
        assert_int_equal(ms, 7);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_and_its_unit_is_a_time),
        cmocka_unit_test(other_texts_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
