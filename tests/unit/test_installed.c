/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_installed.c - installed programs, and programs that a command starts. */
#include "unit_seat.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "offline/engine/installed.h"
#include "offline/index/command_programs.h"

static const struct row {
    const char *command, *programs;
} rows[] = {
    {"ls -l", "ls"},
    {"cat x | grep 'a | b' | wc -l", "cat grep wc"},
    {"sudo apt install x", "apt"},
    {"LANG=C sort a >b", "sort"},
    {"find . -name '*.c' | xargs -0 rm", "find xargs rm"},
    {"ls | xargs -n 1 -I {} mv {} x", "ls xargs mv"},
    {"find . | xargs grep x", "find xargs grep"},
    {"/usr/bin/env python3 x", "env"},
    {"cd /tmp && tar xf a.tar; echo done", "cd tar echo"},
    {"echo $(date)", "echo date"},
    {"for f in *.c; do cat \"$f\"; done", "for cat"},
    {"sort <in >out", "sort"},
    {"", ""},
    {"''", ""},
    {"echo 'unclosed | grep", "echo"},
};

static void
programs_are_read_from_a_command(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        char all[COMMAND_PROGRAMS_MAX * COMMAND_PROGRAMS_NAME] = "";
        struct command_programs p;

        command_programs_of(rows[i].command, &p);
        for (size_t k = 0; k < p.n; k++) {
            size_t at = strlen(all);

            snprintf(all + at, sizeof(all) - at, "%s%s", k ? " " : "",
                     p.names[k]);
        }
        assert_string_equal(all, rows[i].programs);
    }
}

static void
common_programs_come_before_rare_ones(void **state)
{
    (void)state;
    assert_true(command_programs_common("find") >
                command_programs_common("sort"));
    assert_true(command_programs_common("sort") >
                command_programs_common("paste"));
    assert_true(command_programs_common("paste") >
                command_programs_common("no-such"));
    assert_true(command_programs_common("") == 0);
}

/* A directory of its own with one program in it. */
static int
make_place(void **state)
{
    char *dir = strdup("/tmp/test_installed.XXXXXX");
    char path[64];
    int fd;

    if (!dir || !mkdtemp(dir))
        return -1;
    snprintf(path, sizeof(path), "%s/spin", dir);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
    if (fd < 0)
        return -1;
    close(fd);
    *state = dir;
    return 0;
}

static int
drop_place(void **state)
{
    char path[64];

    snprintf(path, sizeof(path), "%s/spin", (char *)*state);
    unlink(path);
    rmdir(*state);
    free(*state);
    return 0;
}

static void
a_program_of_path_is_here(void **state)
{
    CLEANUP(seat_free_p) struct seat *s = unit_seat_at("/", NULL, *state);
    struct installed *m = installed_new(s, NULL);

    assert_non_null(m);
    assert_true(installed_has(m, "spin"));
    assert_true(installed_has(m, "spin"));
    assert_false(installed_has(m, "whirl"));
    assert_false(installed_has(m, ""));
    assert_true(installed_has(m, "cd"));
    assert_true(installed_has(m, "["));
    assert_false(installed_has(m, "c"));
    installed_free(m);
}

static void
a_path_that_leads_nowhere_has_nothing(void **state)
{
    CLEANUP(seat_free_p)
    struct seat *s = unit_seat_at("/", NULL, "/no/such:/nor/this");
    struct installed *m = installed_new(s, NULL);

    (void)state;
    assert_non_null(m);
    assert_false(installed_has(m, "spin"));
    installed_free(m);
    installed_free(NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_are_read_from_a_command),
        cmocka_unit_test(common_programs_come_before_rare_ones),
        cmocka_unit_test_setup_teardown(a_program_of_path_is_here, make_place,
                                        drop_place),
        cmocka_unit_test(a_path_that_leads_nowhere_has_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
