/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_complaints.c - the lines of a text that look like errors. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/cleanup.h"
#include "person/complaints.h"

static const struct {
    const char *text;
    enum complaints_are are;
    size_t found;
    const char *lines;
} rows[] = {
    {"", COMPLAINTS_NONE, 0, ""},
    {"\n \n", COMPLAINTS_NONE, 0, ""},
    {"cc -c a.c\na.c:3: error: no ;\nmake: *** [a.o] Error 1\n",
     COMPLAINTS_ERRORS, 2, "a.c:3: error: no ;\nmake: *** [a.o] Error 1\n"},
    {"cc -Werror -c error.c\na.c: warning: x", COMPLAINTS_WARNINGS, 1,
     "a.c: warning: x\n"},
    {"one\ntwo\nthree\nfour\n", COMPLAINTS_END, 4, "two\nthree\nfour\n"},
    {"0 errors\nwithout errors\nfine\n", COMPLAINTS_END, 3,
     "0 errors\nwithout errors\nfine\n"},
    {"10 errors\n", COMPLAINTS_ERRORS, 1, "10 errors\n"},
    {"  File \"a\"\nNameError: name 'x'\n", COMPLAINTS_ERRORS, 1,
     "NameError: name 'x'\n"},
    {"ls: cannot access 'x': No such file or directory\r\n", COMPLAINTS_ERRORS,
     1, "ls: cannot access 'x': No such file or directory\n"},
    {"\x1b[31m\x1b[Kerror:\x1b[m x\n", COMPLAINTS_ERRORS, 1, "error: x\n"},
    {"failed 1\nfailed 2\nfailed 3\nfailed 4\nfailed 5\nfailed 6\nfailed 7\n",
     COMPLAINTS_ERRORS, 7,
     "failed 1\nfailed 2\nfailed 3\nfailed 4\nfailed 5\nfailed 6\n"},
};

static void
they_are_known_by_their_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf lines = buf_of(4096);
        struct complaints c;

        complaints_find(rows[i].text, strlen(rows[i].text), &c, &lines);
        assert_string_equal(lines.p, rows[i].lines);
        assert_int_equal(c.are, rows[i].are);
        assert_int_equal(c.found, rows[i].found);
    }
}

static void
a_long_line_is_cut_between_characters(void **state)
{
    CLEANUP_BUF struct buf text = buf_of(8192);
    CLEANUP_BUF struct buf lines = buf_of(4096);
    struct complaints c;

    (void)state;
    buf_str(&text, "error: ");
    for (int i = 0; i < 1000; i++)
        buf_str(&text, "\xc3\xa4");
    complaints_find(text.p, text.len, &c, &lines);
    assert_int_equal(c.shown, 1);
    assert_true(lines.len < COMPLAINT_BYTES + 8);
    assert_string_equal(lines.p + lines.len - 7, "\xc3\xa4 ...\n");
}

static void
a_nul_does_not_end_a_line(void **state)
{
    static const char text[] = "a\0failed\n";
    CLEANUP_BUF struct buf lines = buf_of(4096);
    struct complaints c;

    (void)state;
    complaints_find(text, sizeof(text) - 1, &c, &lines);
    assert_string_equal(lines.p, "a failed\n");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_known_by_their_words),
        cmocka_unit_test(a_long_line_is_cut_between_characters),
        cmocka_unit_test(a_nul_does_not_end_a_line),
    };

    return cmocka_run_group_tests_name("complaints", tests, NULL, NULL);
}
