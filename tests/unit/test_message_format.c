/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_message_format.c - the arguments of a format are found in its text. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/message_format.h"
#include "base/message_put.h"

static void
arguments_are_found(void **state)
{
    static const struct {
        const char *fmt, *text;
        const char *args[3]; /* NULL: no more */
    } rows[] = {
        {"no such run: '%.60s'", "no such run: 'a b'", {"a b"}},
        {"%s: %s is %d bytes", "a: b: c is -12 bytes", {"a", "b: c", "-12"}},
        {"%s is %u%% full", "a % is 7% full", {"a %", "7"}},
        {"%.*s has %zu", "ab has 3", {"", "ab", "3"}}, /* the star's is none */
        {"row %lld, byte 0x%02X", "row 5, byte 0xFF", {"5", "FF"}},
        {"%s%s ends", "a b ends", {"", "a b"}},
        {"%g s", "1.5 s", {"1.5"}},
        {"nothing", "nothing", {NULL}},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct message_args args = {0};
        size_t steps = 1000, n = 0;

        assert_true(message_match(rows[i].fmt, rows[i].text,
                                  strlen(rows[i].text), &steps, &args));
        for (; n < N_OF(rows[i].args) && rows[i].args[n]; n++) {
            assert_true(n < args.n);
            assert_int_equal(args.v[n].n, strlen(rows[i].args[n]));
            if (args.v[n].n > 0)
                assert_memory_equal(args.v[n].p, rows[i].args[n], args.v[n].n);
        }
        assert_int_equal(args.n, n);
        assert_true(message_words_in(rows[i].fmt, rows[i].text,
                                     strlen(rows[i].text)) > 0);
    }
}

static void
other_texts_do_not_match(void **state)
{
    static const char *const rows[][2] = {
        {"row %d", "row x"},
        {"row %d", "row "},
        {"%s is wrong", "a was"},
        {"a %s", "b c"},
        {"a%%b", "a%%b"},
        {"%d of %d", "1 of 2 of x"},
        {"%n is unknown", "a is unknown"},
        {"ends", "ends here"},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct message_args args = {0};
        size_t steps = 1000;

        assert_false(message_match(rows[i][0], rows[i][1], strlen(rows[i][1]),
                                   &steps, &args));
        assert_int_equal(args.n, 0);
    }
    assert_int_equal(message_words_in("%s is wrong", "wrong is", 8), 0);
}

/* Else printf(3) would read what it was not given, or write. */
static void
a_translation_takes_no_other_arguments(void **state)
{
    static const struct {
        const char *fmt, *other;
        bool fits;
    } rows[] = {
        {"%s is %zu", "%s ist %zu", true},
        {"%s is %zu", "%2$zu: %1$s", true},
        {"%s is %zu", "%s ist", true},
        {"%.60s of %d%%", "%s, %d %%", true},
        {"%.*s ends", "%.*s endet", true},
        {"nothing", "nichts", true},
        {"10% off", "10% off", true},
        {"the job as %1", "der Job als %1", true},
        {"%s is %zu", "%zu ist %s", false},
        {"%s is %zu", "%s ist %d", false},
        {"%s is %zu", "%s ist %zu %s", false},
        {"%s is %zu", "%2$zu", false},
        {"%s is %zu", "%3$s", false},
        {"%s is %zu", "%1$s %zu", false},
        {"%s is", "%1$s %1$d", false},
        {"%s is", "%n", false},
        {"%s is", "%*s", false},
        {"%s is", "%ls", false},
        {"nothing", "%s", false},
        {"nothing", "nichts %n", false},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++)
        if (message_fits(rows[i].fmt, rows[i].other) != rows[i].fits)
            fail_msg("%s: %s", rows[i].fmt, rows[i].other);
}

static void
the_work_is_bounded(void **state)
{
    struct message_args args = {0};
    char text[4096];
    size_t steps = 5000;

    (void)state;
    memset(text, 'a', sizeof(text));
    assert_false(
        message_match("%sa%sa%sa%sa%sb", text, sizeof(text), &steps, &args));
    assert_int_equal(steps, 0);
}

static void
english_stays_as_it_is(void **state)
{
    CLEANUP_BUF struct buf out = buf_of(200);

    (void)state;
    assert_int_equal(message_put(&out, "out of memory"), 0);
    assert_int_equal(message_printf(&out, "; %s: %d", "out of memory", 3), 0);
    assert_string_equal(out.p, "out of memory; out of memory: 3");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_are_found),
        cmocka_unit_test(other_texts_do_not_match),
        cmocka_unit_test(a_translation_takes_no_other_arguments),
        cmocka_unit_test(the_work_is_bounded),
        cmocka_unit_test(english_stays_as_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
