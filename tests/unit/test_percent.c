/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_percent.c - the escapes of addresses, and those that are wrong. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/percent.h"

static void
every_byte_but_nul_comes_back(void **state)
{
    (void)state;
    for (unsigned byte = 1; byte < 256; byte++) {
        CLEANUP_BUF struct buf out = buf_of(8);
        char small[4], large[4];

        snprintf(small, sizeof(small), "%%%02x", byte);
        snprintf(large, sizeof(large), "%%%02X", byte);
        assert_true(percent_decode(small, 3, false, &out));
        assert_true(percent_decode(large, 3, true, &out));
        assert_int_equal(out.len, 2);
        assert_int_equal((unsigned char)out.p[0], byte);
        assert_int_equal((unsigned char)out.p[1], byte);
    }
}

static void
a_plus_is_a_blank_in_forms_alone(void **state)
{
    CLEANUP_BUF struct buf out = buf_of(32);

    (void)state;
    assert_true(percent_decode("a+b%2B", 6, false, &out));
    assert_true(percent_decode("a+b%2B", 6, true, &out));
    assert_string_equal(out.p, "a+b+a b+");
}

static void
what_is_no_escape_is_refused(void **state)
{
    static const char *const rows[] = {"%",   "a%", "%4",   "%4g", "%g4",
                                       "%%4", "%-", "%00x", "% 4", "%4%31"};

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf out = buf_of(32);

        assert_false(percent_decode(rows[i], strlen(rows[i]), false, &out));
    }
}

/* The end is where the caller says, not at a NUL. */
static void
an_escape_is_not_read_beyond_the_end(void **state)
{
    CLEANUP_BUF struct buf out = buf_of(32);

    (void)state;
    assert_false(percent_decode("%41", 2, false, &out));
    assert_false(percent_decode("%41", 1, false, &out));
    assert_true(percent_decode("%41%", 3, false, &out));
    assert_string_equal(out.p, "A");
}

static void
a_full_buffer_is_an_error(void **state)
{
    CLEANUP_BUF struct buf out = buf_of(2);

    (void)state;
    assert_false(percent_decode("%41bc", 5, false, &out));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_but_nul_comes_back),
        cmocka_unit_test(a_plus_is_a_blank_in_forms_alone),
        cmocka_unit_test(what_is_no_escape_is_refused),
        cmocka_unit_test(an_escape_is_not_read_beyond_the_end),
        cmocka_unit_test(a_full_buffer_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
