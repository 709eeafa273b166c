/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_facts_table.c - a hostile cell does not take the table with it. */
#include "tests/unit/unit.h"

#include <string.h>

#include "frontend/cli/facts.h"

#define HOSTILE 40000 /* bytes of a cell: more than any is given room for */

static const char *const heads[] = {"MOUNTED AT", "TYPE", NULL};

static void
put(const char *bytes, bool colour, struct buf *out)
{
    const struct term term = {.tty = colour, .color = colour, .columns = 80};
    CLEANUP_BUF struct buf hostile = buf_of(2 * HOSTILE);
    CLEANUP(facts_table_done) struct facts_table t;

    while (hostile.len < HOSTILE)
        buf_str(&hostile, bytes);
    facts_table_init(&t, &term, heads, 0);
    facts_table_cell(&t, hostile.p);
    facts_table_cell(&t, "tmpfs");
    facts_table_cell(&t, "/home");
    facts_table_cell(&t, "ext4");
    facts_table_put(&t, out);
}

static void
a_cell_that_is_too_long_is_cut_and_the_rest_is_shown(void **state)
{
    static const char *const rows[] = {"a",      "\x01", "\n",  "é",
                                       "\u202e", "\xff", "\x80"};

    (void)state;
    for (size_t i = 0; i < 2 * N_OF(rows); i++) {
        CLEANUP_BUF struct buf out = buf_of(1u << 20);

        put(rows[i / 2], i % 2, &out);
        assert_int_equal(buf_ok(&out, "the table", NULL), 0);
        assert_true(out.len > 0);
        assert_non_null(strstr(out.p, "tmpfs"));
        assert_non_null(strstr(out.p, "ext4"));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cell_that_is_too_long_is_cut_and_the_rest_is_shown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
