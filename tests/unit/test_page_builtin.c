/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_page_builtin.c - builtins are read from bash(1). */
#include "unit.h"

#include <string.h>

#include "offline/manual/page_load.h"
#include "tests/unit/pages.h"

static void
builtins_are_pages_of_their_own(void **state)
{
    static const char source[] =
        ".TH BASH 1\n.SH \"SHELL BUILTIN COMMANDS\"\n.TP\n"
        "\\fBcd\\fP [\\fIdir\\fP]\nGo there.\n.RS\n.TP\n.B \\-P\n"
        "Without links.\n.RE\n.TP\n\\fBset\\fP [\\fB\\-e\\fP]\nSet it.\n"
        ".RS\n.TP\n.B \\-e\nEnd at once.\n.RE\n"
        ".SH CONDITIONAL EXPRESSIONS\n.TP\n\\-w file\nIt is writable.\n.SH "
        "O\n.TP\n\\-x\nOut.\n";
    CLEANUP_BUF struct buf out = buf_of(65536);
    enum option_takes takes;
    const char *builtin = NULL;
    struct page *bash, *cd;

    (void)state;
    assert_int_equal(
        page_load_source(source, sizeof(source) - 1, "bash", "1", &out, NULL),
        0);
    bash = page_of(out.p);
    cd = page_builtin(bash, "cd");
    assert_non_null(cd);
    assert_string_equal(cd->summary, "Go there.");
    assert_string_equal(cd->rows[0].field[0], "cd [dir]");
    assert_non_null(page_option(cd, "-P", 2, &takes));
    assert_null(page_option(cd, "-x", 2, &takes));
    assert_null(page_option(bash, "-P", 2, &takes));
    assert_non_null(page_option(bash, "-x", 2, &takes));
    assert_non_null(page_option(bash, "-e", 2, &takes)); /* as set has it */
    assert_null(page_builtin(bash, "c"));
    assert_null(page_option(bash, "-w", 2, &takes));
    assert_non_null(page_builtin_option(bash, "-w", 2, &builtin));
    assert_string_equal(builtin, "[[");
    page_free(cd);
    page_free(bash);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builtins_are_pages_of_their_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
