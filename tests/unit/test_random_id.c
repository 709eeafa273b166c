/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_random_id.c - the form of random ids, and that they differ. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/random_id.h"

#define DIGITS "0123456789abcdef"
#define MANY   64

static void
an_id_has_the_digits_that_were_asked_for(void **state)
{
    (void)state;
    for (size_t digits = 0; digits <= 64; digits += 2) {
        char id[66];
        struct err e = {0};

        memset(id, '!', sizeof(id));
        assert_int_equal(random_id(id, digits + 1, &e), 0);
        assert_int_equal(strlen(id), digits);
        assert_int_equal(strspn(id, DIGITS), digits);
        assert_int_equal(id[digits + 1], '!');
    }
}

/* Of 64 random ids 32 have the same digit at one place by a chance of less than
 * 10^-18. */
static void
no_place_has_one_digit_alone(void **state)
{
    char ids[MANY][33];
    struct err e = {0};

    (void)state;
    for (size_t i = 0; i < MANY; i++)
        assert_int_equal(random_id(ids[i], sizeof(ids[i]), &e), 0);
    for (size_t at = 0; at < 32; at++) {
        size_t same = 0;

        for (size_t i = 1; i < MANY; i++)
            same += ids[i][at] == ids[0][at];
        assert_true(same < MANY / 2);
    }
}

static void
a_uuid_is_one_of_version_4(void **state)
{
    char one[RANDOM_UUID_SIZE], other[RANDOM_UUID_SIZE];
    struct err e = {0};

    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        assert_int_equal(random_uuid(one, &e), 0);
        assert_int_equal(random_uuid(other, &e), 0);
        assert_string_not_equal(one, other);
        assert_int_equal(strlen(one), 36);
        assert_int_equal(strspn(one, DIGITS), 8);
        assert_int_equal(strspn(one, DIGITS "-"), 36);
        assert_true(one[8] == '-' && one[13] == '-' && one[18] == '-' &&
                    one[23] == '-');
        assert_int_equal(one[14], '4');
        assert_non_null(strchr("89ab", one[19]));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_id_has_the_digits_that_were_asked_for),
        cmocka_unit_test(no_place_has_one_digit_alone),
        cmocka_unit_test(a_uuid_is_one_of_version_4),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
