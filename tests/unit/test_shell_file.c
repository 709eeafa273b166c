/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_shell_file.c - names of shells. */
#include "tests/unit/unit.h"

#include "record/shell_file.h"

static void
the_process_is_known_by_the_name_alone(void **state)
{
    static const struct {
        const char *session;
        pid_t pid;
    } rows[] = {
        {"4711-1", 4711},
        {"1-0", 1},
        {"999999999-123456789012345678901234567890", 999999999},
        {"9999999999-1", 0},
        {"1-1234567890123456789012345678901", 0},
        {"0-1", 0},
        {"01-1", 0},
        {"-1-1", 0},
        {"+1-1", 0},
        {" 1-1", 0},
        {"4711", 0},
        {"4711-", 0},
        {"4711-x", 0},
        {"4711-1x", 0},
        {"4711-1-1", 0},
        {"4711x-1", 0},
        {"", 0},
        {NULL, 0},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++)
        assert_int_equal(shell_file_pid(rows[i].session), rows[i].pid);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_process_is_known_by_the_name_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
