/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_prompt_line.c - aliases in the words, and mistyped subcommands. */
#include "tests/unit/unit.h"

#include "base/cleanup.h"
#include "offline/engine/subcommand.h"
#include "ui/prompt_line.h"

static void
an_alias_is_replaced_where_a_shell_would(void **state)
{
    static const struct {
        const char *words, *aliases, *out;
    } rows[] = {
        {"g pul", "g=git", "git pul"},
        {"g", "g=git\n", "git"},
        {"g x", "ll=ls -l\ng=git", "git x"},
        {"ll", "ll=ls -l\ng=git", "ls -l"},
        {"a b", "a=b c\nb=echo", "echo c b"},
        {"ls x", "ls=ls --color", "ls --color x"},
        {"a", "a=b\nb=a", "a"},
        {"git g", "g=git", "git g"},
        {"gg", "g=git", "gg"},
        {"g pul", NULL, "g pul"},
        {"g pul", "", "g pul"},
        {"g=git", "g=git", "g=git"},
        {"", "g=git", ""},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf out = buf_of(1 << 16);
        struct err e;

        buf_str(&out, "");
        assert_int_equal(
            prompt_line_expand(rows[i].words, rows[i].aliases, &out, &e), 0);
        assert_string_equal(out.p ? out.p : "", rows[i].out);
    }
}

static void
a_mistyped_subcommand_is_put_right(void **state)
{
    static const struct {
        const char *line, *out; /* NULL: nothing is */
    } rows[] = {
        {"git pul", "git pull"},
        {"git pul --rebase", "git pull --rebase"},
        {"git comit -m x", "git commit -m x"},
        {"git pull", NULL},
        {"git zzzzzz", NULL},
        {"git", NULL},
        {"git ", NULL},
        {"git -C x pul", NULL},
        {"", NULL},
        {"find files larger than 100M", NULL},
        {"delete all log files", NULL},
    };
    struct err e;
    CLEANUP(seat_free_p) struct seat *s = seat_of_process(&e);

    (void)state;
    assert_non_null(s);
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf out = buf_of(1 << 16);

        assert_int_equal(subcommand_mend(s, rows[i].line, &out),
                         rows[i].out != NULL);
        if (rows[i].out)
            assert_string_equal(out.p, rows[i].out);
        else
            assert_int_equal(out.len, 0);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_alias_is_replaced_where_a_shell_would),
        cmocka_unit_test(a_mistyped_subcommand_is_put_right),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
