/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_trouble.c - which words ask what went wrong, and what a status says. */
#include "tests/unit/unit.h"

#include "base/cleanup.h"
#include "guard/exit_status.h"
#include "person/trouble.h"

#define DO      AIACTION_DO
#define RUN     AIACTION_RUN
#define EXPLAIN AIACTION_EXPLAIN

static const struct {
    const char *words;
    enum aiaction_mode mode;
    bool piped, meant;
} wishes[] = {
    {"what went wrong", EXPLAIN, false, true},
    {"What is wrong here?", EXPLAIN, false, true},
    {"why did that fail", EXPLAIN, false, true},
    {"explain this error", EXPLAIN, false, true},
    {"what does this error mean", EXPLAIN, false, true},
    {"why doesn't this work", EXPLAIN, false, true},
    {"how do I fix this", EXPLAIN, false, true},
    {"fix it", RUN, false, true},
    {"fix the last error", DO, false, true},
    {"why did it fail", RUN, false, true},
    {"what is this about", EXPLAIN, true, true},
    {"what is this about", EXPLAIN, false, false},
    {"", EXPLAIN, true, false},
    {"why did sshd fail", EXPLAIN, false, false},
    {"explain the errors in app.log", EXPLAIN, false, false},
    {"find -name error", EXPLAIN, false, false},
    {"how do i see what failed", EXPLAIN, false, false},
    {"what errors happened", RUN, false, false},
    {"what does 2>&1 mean", EXPLAIN, true, false},
    {"fix the permissions of a.txt", RUN, false, false},
};

static void
what_points_at_an_error_is_meant(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(wishes); i++) {
        if (trouble_is_meant(wishes[i].words, wishes[i].mode,
                             wishes[i].piped) != wishes[i].meant)
            fail_msg("%s", wishes[i].words);
    }
}

static const struct {
    const char *command;
    int status;
    const char *says;
} rows[] = {
    {"grep x a.txt", 1, "no line matched"},
    {"sudo grep x a.txt", 1, "no line matched"},
    {"true && grep x a.txt", 1, "it failed; see its output"},
    {"ps aux | grep x", 1, "no line matched"},
    {"grep x a.txt | sort", 1, "it failed; see its output"},
    {"! grep x a.txt", 1, "it failed; see its output"},
    {"timeout 3 grep x a.txt", 124, "timed out"},
    {"grep $(grep y b) a.txt", 1, "it failed; see its output"},
    {"nosuch", 127, "command not found"},
    {"sleep 9", 143, "killed by signal (Terminated)"},
    {"a 'b", 77,
     "it failed; the meaning of this status depends on the program"},
    {"true", 0, "it succeeded"},
    {"x", -1, "it failed; the meaning of this status depends on the program"},
    {"x", 128, "it failed; the meaning of this status depends on the program"},
};

static void
a_status_has_a_meaning(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf out = buf_of(256);

        exit_status_describe(rows[i].command, rows[i].status, &out);
        assert_string_equal(out.p, rows[i].says);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_points_at_an_error_is_meant),
        cmocka_unit_test(a_status_has_a_meaning),
    };

    return cmocka_run_group_tests_name("trouble", tests, NULL, NULL);
}
