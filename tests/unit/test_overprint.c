/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_overprint.c - of a line that is written over two states are shown,
 * wherever its bytes are cut. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "term/overprint.h"

static const struct {
    const char *in, *out;
} cases[] = {
    {"", ""},
    {"a\nb\n", "a\nb\n"},
    {"a\r\nb\r\n", "a\nb\n"},
    {"10%\r50%\r100%\n", "10%\n100%\n"},
    {"10%\r50%\r100%\r\ndone", "10%\n100%\ndone"},
    {"10%\r50%", "10%\n50%"},
    {"\rfirst\rlast\nend\n", "last\nend\n"},
    {"one\r\r\n", "one\n"},
    {"a\b \bb\n", "a b\n"},
    {"\n\n", "\n\n"},
    {"x\ry\r", "x\ny"},
};

static void
the_first_and_the_last_state_of_a_line_are_shown(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(cases); i++) {
        const char *in = cases[i].in;

        for (size_t cut = 0; cut <= strlen(in); cut++) {
            CLEANUP_BUF struct buf out = buf_of(4096);
            struct overprint o;

            overprint_init(&o);
            overprint_add(&o, in, cut, &out);
            overprint_add(&o, in + cut, strlen(in) - cut, &out);
            overprint_end(&o, &out);
            assert_string_equal(out.p ? out.p : "", cases[i].out);
        }
    }
}

static void
a_state_without_an_end_is_kept_in_bounds(void **state)
{
    CLEANUP_BUF struct buf out = buf_of(1u << 20);
    struct overprint o;

    (void)state;
    overprint_init(&o);
    overprint_add(&o, "a\r", 2, &out);
    for (size_t i = 0; i < 3 * (size_t)OVERPRINT_MAX; i++)
        overprint_add(&o, "b", 1, &out);
    overprint_add(&o, "\n", 1, &out);
    assert_true(out.len <= 2 + OVERPRINT_MAX + 1);
    assert_true(out.len > OVERPRINT_MAX - 4);
}

static void
a_state_is_cut_between_characters(void **state)
{
    (void)state;
    for (size_t before = 0; before < 4; before++) {
        CLEANUP_BUF struct buf out = buf_of(1u << 20);
        struct overprint o;

        overprint_init(&o);
        overprint_add(&o, "a\r", 2, &out);
        for (size_t i = 0; i < before; i++)
            overprint_add(&o, "b", 1, &out);
        for (size_t i = 0; i < (size_t)OVERPRINT_MAX; i++)
            overprint_add(&o, "\xe2\x9d\xaf", 3, &out);
        overprint_add(&o, "\n", 1, &out);
        assert_true(utf8_valid(out.p, out.len));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_and_the_last_state_of_a_line_are_shown),
        cmocka_unit_test(a_state_without_an_end_is_kept_in_bounds),
        cmocka_unit_test(a_state_is_cut_between_characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
