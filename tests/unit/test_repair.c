/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_repair.c - the rules' own examples, and what hostile text gets. */
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "offline/repair/repair.h"
#include "unit_seat.h"

#define RULES_AT_LEAST 120

static void
every_example_fits_its_rule(void **state)
{
    CLEANUP_BUF struct buf complaints = buf_of(1 << 20);

    (void)state;
    assert_true(repair_check(&complaints) >= RULES_AT_LEAST);
    assert_string_equal(complaints.p, "");
}

struct row {
    const char *command;
    int status;
    const char *text, *first; /* NULL: nothing is proposed */
};

static void
check_rows(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct repair_failure f = {rows[i].command, rows[i].status,
                                         rows[i].text};
        struct repair r = {0};

        assert_int_equal(repair_find(unit_seat(), &f, &r, NULL), 0);
        if (rows[i].first) {
            assert_int_equal(r.n, 1);
            assert_string_equal(r.steps[0].p, rows[i].first);
        } else {
            assert_int_equal(r.n, 0);
        }
        repair_done(&r);
    }
}

static void
an_edit_leaves_the_rest_of_the_command(void **state)
{
    static const struct row rows[] = {
        {"cd x && mkdir -m 700 a/b >log # why", 1,
         "mkdir: cannot create directory 'a/b': No such file or directory\n",
         "cd x && mkdir -p -m 700 a/b >log # why"},
        {"git stauts --short | head", 1,
         "git: 'stauts' is not a git command. See 'git --help'.\n",
         "git status --short | head"},
        {"sudo -u www mkdir a/b", 1,
         "mkdir: cannot create directory \xe2\x80\x98"
         "a/b\xe2\x80\x99: No such file or directory\r\n",
         "sudo -u www mkdir -p a/b"},
        {"mkdri x", 127,
         "Command 'mkdri' not found, did you mean:\n  command 'mkdir' from "
         "deb coreutils\n",
         "mkdir x"},
        {"sudo -n git stauts", 1,
         "git: 'stauts' is not a git command. See 'git --help'.\n",
         "sudo -n git status"},
        {"time -p git stauts", 1,
         "git: 'stauts' is not a git command. See 'git --help'.\n",
         "time -p git status"},
        {"nice -n 5 git stauts", 1,
         "git: 'stauts' is not a git command. See 'git --help'.\n",
         "nice -n 5 git status"},
        {"mkdri x", 127, "-bash: mkdri: command not found\n", "mkdir x"},
        {"mkdri x", 127, "zsh: command not found: mkdri\n", "mkdir x"},
        {"mkdri x", 127, "fish: Unknown command: mkdri\n", "mkdir x"},
        {"mkdri x", 127, "sh: 1: mkdri: not found\n", "mkdir x"},
        {"gcc \"$x\" -Wal", 1,
         "\033[01m\033[Kgcc:\033[m\033[K \033[01;31m\033[Kerror: \033[m\033[K"
         "unrecognized command-line option '\033[01m\033[K-Wal\033[m\033[K'; "
         "did you mean '-Wa,'?\n",
         "gcc \"$x\" -Wall"},
    };

    (void)state;
    check_rows(rows, ARRAY_SIZE(rows));
}

/* A value of the message is data: a word that the command has, or quoted, and
 * never an option or a control byte. */
static void
a_hostile_message_runs_nothing(void **state)
{
    static const struct row rows[] = {
        {"git push", 128, "    git push --set-upstream origin x;reboot\n",
         "git push --set-upstream origin 'x;reboot'"},
        {"git push", 128, "    git push --set-upstream -rf main\n", NULL},
        {"git push", 128, "    git push --set-upstream o\001rigin main\n",
         NULL},
        {"git push", 128, "    git push --set-upstream $(reboot) `id`\n",
         "git push --set-upstream '$(reboot)' '`id`'"},
        {"git push", 128, "    git push --set-upstream origin +main\n", NULL},
        {"git push", 128, "    git push --set-upstream origin :main\n", NULL},
        {"git push", 128, "    git push --set-upstream ext::sh main\n", NULL},
        {"git add a", 128,
         "fatal: Unable to create '/etc/passwd': File exists.\n", NULL},
        {"rm -x", 1, "Try 'rm ./notes' to remove the file 'notes'.\n", NULL},
        {"git log", 128, "\tgit config --global --add safe.directory *\n",
         NULL},
        {"mkdir x", 1,
         "mkdir: cannot create directory '$(reboot)': No such file\n", NULL},
        {"touch a", 1,
         "touch: cannot touch '-rf/x': No such file or "
         "directory\n",
         NULL},
        {"unheard", 3, "of\n", NULL},
        {"", 1, "x: command not found\n", NULL},
        {"'", 1, "bash: gti: command not found\n", NULL},
        {"$(", 127, "bash: gti: command not found\n", NULL},
    };

    (void)state;
    check_rows(rows, ARRAY_SIZE(rows));
}

static void
where_nothing_is_to_be_repaired_it_says_so(void **state)
{
    static const struct row rows[] = {
        {"grep x y", 1, "", NULL},
        {"cat f | grep x", 1, "", NULL},
        {"sleep 9", 130, "", NULL},
        {"test -f x && cat x", 1, "", NULL},
    };

    (void)state;
    check_rows(rows, ARRAY_SIZE(rows) - 1);
    for (size_t i = 0; i + 1 < ARRAY_SIZE(rows); i++) {
        const struct repair_failure f = {rows[i].command, rows[i].status, ""};
        struct repair r = {0};

        assert_int_equal(repair_find(unit_seat(), &f, &r, NULL), 0);
        assert_true(r.none);
        repair_done(&r);
    }
}

/* A file's name is as untrusted as a message. */
static void
a_hostile_name_is_one_word_or_none(void **state)
{
    static const char *const names[] = {"notes;reboot.txt", "-rf notes.txt",
                                        "no\nes.txt"};
    static const struct {
        const char *typed, *becomes;
    } rows[] = {{"notes;rebot.txt", "cat 'notes;reboot.txt'"},
                {"rf notes.txt", NULL},
                {"no es.txt", NULL}};
    char dir[] = "repair-XXXXXX";

    (void)state;
    assert_non_null(mkdtemp(dir));
    assert_int_equal(chdir(dir), 0);
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        int fd = open(names[i], O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

        assert_true(fd >= 0);
        close(fd);
    }
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        char command[64], text[128];
        const struct row row = {command, 1, text, rows[i].becomes};

        snprintf(command, sizeof(command), "cat '%s'", rows[i].typed);
        snprintf(text, sizeof(text), "cat: '%s': No such file or directory\n",
                 rows[i].typed);
        check_rows(&row, 1);
    }
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        assert_int_equal(unlink(names[i]), 0);
    assert_int_equal(chdir(".."), 0);
    assert_int_equal(rmdir(dir), 0);
}

/* Who holds a lock is looked for in the repository of the directory: nobody
 * knows whether the git of another one still runs. */
static void
only_this_repositorys_lock_is_removed(void **state)
{
    static const char *const names[] = {"here/.git/index.lock",
                                        "there/.git/index.lock"};
    static const char *const dirs[] = {"here/.git", "there/.git", "here",
                                       "there"};
    char dir[] = "repair-XXXXXX", path[PATH_MAX], text[PATH_MAX + 64];

    (void)state;
    assert_non_null(mkdtemp(dir));
    assert_int_equal(chdir(dir), 0);
    for (size_t i = ARRAY_SIZE(dirs); i-- > 0;)
        assert_int_equal(mkdir(dirs[i], 0700), 0);
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        close(open(names[i], O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        const struct repair_failure f = {"git -C ../there add a", 128, text};
        struct repair r = {0};

        assert_non_null(realpath(names[i], path));
        snprintf(text, sizeof(text),
                 "fatal: Unable to create '%s': File exists.\n", path);
        assert_int_equal(chdir("here"), 0);
        assert_int_equal(repair_find(unit_seat(), &f, &r, NULL), 0);
        assert_int_equal(chdir(".."), 0);
        assert_int_equal(r.n, i == 0 ? 2 : 0);
        repair_done(&r);
    }
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        assert_int_equal(unlink(names[i]), 0);
    for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
        assert_int_equal(rmdir(dirs[i]), 0);
    assert_int_equal(chdir(".."), 0);
    assert_int_equal(rmdir(dir), 0);
}

/* What a title shows has a bound, and what a step does has none. */
static void
a_long_path_is_repaired(void **state)
{
    char dir[] = "repair-XXXXXX", folder[201], name[256];
    char command[512], text[512], fixed[512];
    const struct row row = {command, 1, text, fixed};
    int fd;

    (void)state;
    memset(folder, 'n', sizeof(folder) - 1);
    folder[sizeof(folder) - 1] = '\0';
    snprintf(name, sizeof(name), "%s/notes.txt", folder);
    snprintf(command, sizeof(command), "cat %s/ntoes.txt", folder);
    snprintf(fixed, sizeof(fixed), "cat %s", name);
    snprintf(text, sizeof(text),
             "cat: %s/ntoes.txt: No such file or directory\n", folder);
    assert_non_null(mkdtemp(dir));
    assert_int_equal(chdir(dir), 0);
    assert_int_equal(mkdir(folder, 0700), 0);
    fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    close(fd);
    check_rows(&row, 1);
    assert_int_equal(unlink(name), 0);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(chdir(".."), 0);
    assert_int_equal(rmdir(dir), 0);
}

static void
a_makefile_may_be_anywhere(void **state)
{
    char dir[] = "/tmp/repair-XXXXXX", command[96], fixed[96], file[64];
    const struct row row = {
        command, 2, "make: *** No rule to make target 'bulid'.  Stop.\n",
        fixed};
    FILE *out;

    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(file, sizeof(file), "%s/rules", dir);
    snprintf(command, sizeof(command), "make -f %s bulid", file);
    snprintf(fixed, sizeof(fixed), "make -f %s build", file);
    out = fopen(file, "we");
    assert_non_null(out);
    fputs("build:\n\ttrue\n", out);
    fclose(out);
    check_rows(&row, 1);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(dir), 0);
}

/* A text that was not captured is no silence. */
static void
what_is_not_known_is_no_silence(void **state)
{
    const struct repair_failure f = {"grep x y", 1, REPAIR_NOT_CAPTURED};
    struct repair r = {0};

    (void)state;
    assert_int_equal(repair_find(unit_seat(), &f, &r, NULL), 0);
    assert_false(r.none);
    repair_done(&r);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_fits_its_rule),
        cmocka_unit_test(an_edit_leaves_the_rest_of_the_command),
        cmocka_unit_test(a_hostile_message_runs_nothing),
        cmocka_unit_test(where_nothing_is_to_be_repaired_it_says_so),
        cmocka_unit_test(a_hostile_name_is_one_word_or_none),
        cmocka_unit_test(only_this_repositorys_lock_is_removed),
        cmocka_unit_test(a_long_path_is_repaired),
        cmocka_unit_test(a_makefile_may_be_anywhere),
        cmocka_unit_test(what_is_not_known_is_no_silence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
