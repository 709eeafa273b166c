/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_diff.c - which lines went, and which came. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/diff.h"

#define TEXT_MAX (64u << 20)

static void
put(void *arg, char mark, const char *line, size_t n)
{
    struct buf *out = arg;

    buf_ch(out, mark);
    buf_add(out, line, n);
    buf_ch(out, '\n');
}

static void
texts_differ_by_the_fewest_lines(void **state)
{
    static const struct {
        const char *old, *new, *want;
    } rows[] = {
        {"", "", ""},
        {"a\n", "a\n", ""},
        {"", "a\n", "@-0,0 +1,1\n+a\n"},
        {"a\n", "", "@-1,1 +0,0\n-a\n"},
        {"a\nb\nc\n", "a\nc\n", "@-1,3 +1,2\n a\n-b\n c\n"},
        {"a\nb\nc\n", "a\nx\nc\n", "@-1,3 +1,3\n a\n-b\n+x\n c\n"},
        {"a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n", NULL},
        {"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n",
         "@-0,0 +1,1\n"},
        {"a", "a\n", "@-1,1 +1,1\n-a\n\\\n+a\n"},
        {"a\nb", "a\nc", "@-1,2 +1,2\n a\n-b\n\\\n+c\n\\\n"},
        {"a\nb", "z\na\nb", "@-1,2 +1,3\n+z\n a\n b\n\\\n"},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct buf out = buf_of(TEXT_MAX);
        struct diff d;

        assert_int_equal(diff_make(rows[i].old, strlen(rows[i].old),
                                   rows[i].new, strlen(rows[i].new), &d, NULL),
                         0);
        diff_unified(&d, 3, put, &out);
        if (!rows[i].want) /* the example of the paper: five edits */
            assert_int_equal(d.added + d.removed, 5);
        else if (i == 7) /* nine lines keep the two ends apart */
            assert_string_equal(out.p, "@-1,3 +1,4\n+0\n 1\n 2\n 3\n"
                                       "@-7,3 +8,4\n 7\n 8\n 9\n+10\n");
        else
            assert_string_equal(out.p, rows[i].want);
        diff_done(&d);
        buf_done(&out);
    }
}

/* Two texts without a line in common, and one shuffled: the worst there is. */
static void
the_worst_texts_take_no_long_time(void **state)
{
    struct buf old = buf_of(TEXT_MAX), new = buf_of(TEXT_MAX);
    struct buf mixed = buf_of(TEXT_MAX);
    int64_t start = clock_ms();
    struct diff d;

    (void)state;
    for (unsigned i = 0; i < 150000; i++) {
        buf_printf(&old, "old %u\n", i);
        buf_printf(&new, "new %u\n", i);
        buf_printf(&mixed, "old %u\n", i * 7919u % 150000u);
    }
    assert_int_equal(diff_make(old.p, old.len, new.p, new.len, &d, NULL), 0);
    assert_int_equal(d.added, 150000);
    diff_done(&d);
    assert_int_equal(diff_make(old.p, old.len, mixed.p, mixed.len, &d, NULL),
                     0);
    assert_int_equal(d.added, d.removed);
    diff_done(&d);
    assert_true(clock_ms() - start < 5000);
    buf_done(&old);
    buf_done(&new);
    buf_done(&mixed);
}

static void
too_many_lines_are_refused(void **state)
{
    size_t n = DIFF_LINES_MAX + 1;
    char *text = malloc(n);
    struct err e = {0};
    struct diff d;

    (void)state;
    assert_non_null(text);
    memset(text, '\n', n);
    assert_int_equal(diff_make(text, n, "", 0, &d, &e), -1);
    assert_int_equal(e.code, ERR_NOMEM);
    free(text);
}

static void
a_nul_makes_it_binary(void **state)
{
    (void)state;
    assert_true(diff_is_text("", 0));
    assert_true(diff_is_text("a\xff\n", 3));
    assert_false(diff_is_text("a\0b", 3));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_differ_by_the_fewest_lines),
        cmocka_unit_test(the_worst_texts_take_no_long_time),
        cmocka_unit_test(too_many_lines_are_refused),
        cmocka_unit_test(a_nul_makes_it_binary),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
