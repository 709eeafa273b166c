/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_error_triage.c - error questions, exit statuses, error lines. */
#include "tests/unit/unit.h"

#include <string.h>

#include "action/error_triage.h"
#include "base/cleanup.h"
#include "guard/exit_status.h"

#define DO      AIACTION_DO
#define RUN     AIACTION_RUN
#define EXPLAIN AIACTION_EXPLAIN

static const struct {
    const char *words;
    enum aiaction_mode mode;
    bool piped, meant;
} questions[] = {
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
    for (size_t i = 0; i < N_OF(questions); i++) {
        if (error_triage_is_question(questions[i].words, questions[i].mode,
                                     questions[i].piped) != questions[i].meant)
            fail_msg("%s", questions[i].words);
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

static const struct {
    const char *text;
    enum error_lines_kind kind;
    size_t found;
    const char *lines;
} line_rows[] = {
    {"", ERROR_LINES_NONE, 0, ""},
    {"\n \n", ERROR_LINES_NONE, 0, ""},
    {"cc -c a.c\na.c:3: error: no ;\nmake: *** [a.o] Error 1\n",
     ERROR_LINES_ERRORS, 2, "a.c:3: error: no ;\nmake: *** [a.o] Error 1\n"},
    {"cc -Werror -c error.c\na.c: warning: x", ERROR_LINES_WARNINGS, 1,
     "a.c: warning: x\n"},
    {"one\ntwo\nthree\nfour\n", ERROR_LINES_TAIL, 4, "two\nthree\nfour\n"},
    {"0 errors\nwithout errors\nfine\n", ERROR_LINES_TAIL, 3,
     "0 errors\nwithout errors\nfine\n"},
    {"10 errors\n", ERROR_LINES_ERRORS, 1, "10 errors\n"},
    {"  File \"a\"\nNameError: name 'x'\n", ERROR_LINES_ERRORS, 1,
     "NameError: name 'x'\n"},
    {"ls: cannot access 'x': No such file or directory\r\n", ERROR_LINES_ERRORS,
     1, "ls: cannot access 'x': No such file or directory\n"},
    {"\x1b[31m\x1b[Kerror:\x1b[m x\n", ERROR_LINES_ERRORS, 1, "error: x\n"},
    {"failed 1\nfailed 2\nfailed 3\nfailed 4\nfailed 5\nfailed 6\nfailed 7\n",
     ERROR_LINES_ERRORS, 7,
     "failed 1\nfailed 2\nfailed 3\nfailed 4\nfailed 5\nfailed 6\n"},
};

static void
error_lines_are_known_by_their_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(line_rows); i++) {
        CLEANUP_BUF struct buf lines = buf_of(4096);
        struct error_lines c;

        error_triage_find_lines(line_rows[i].text, strlen(line_rows[i].text),
                                &c, &lines);
        assert_string_equal(lines.p, line_rows[i].lines);
        assert_int_equal(c.kind, line_rows[i].kind);
        assert_int_equal(c.found, line_rows[i].found);
    }
}

static void
a_long_line_is_cut_between_characters(void **state)
{
    CLEANUP_BUF struct buf text = buf_of(8192);
    CLEANUP_BUF struct buf lines = buf_of(4096);
    struct error_lines c;

    (void)state;
    buf_str(&text, "error: ");
    for (int i = 0; i < 1000; i++)
        buf_str(&text, "\xc3\xa4");
    error_triage_find_lines(text.p, text.len, &c, &lines);
    assert_int_equal(c.shown, 1);
    assert_true(lines.len < ERROR_LINE_BYTES + 8);
    assert_string_equal(lines.p + lines.len - 7, "\xc3\xa4 ...\n");
}

static void
a_nul_does_not_end_a_line(void **state)
{
    static const char text[] = "a\0failed\n";
    CLEANUP_BUF struct buf lines = buf_of(4096);
    struct error_lines c;

    (void)state;
    error_triage_find_lines(text, sizeof(text) - 1, &c, &lines);
    assert_string_equal(lines.p, "a failed\n");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_points_at_an_error_is_meant),
        cmocka_unit_test(a_status_has_a_meaning),
        cmocka_unit_test(error_lines_are_known_by_their_words),
        cmocka_unit_test(a_long_line_is_cut_between_characters),
        cmocka_unit_test(a_nul_does_not_end_a_line),
    };

    return cmocka_run_group_tests_name("error_triage", tests, NULL, NULL);
}
