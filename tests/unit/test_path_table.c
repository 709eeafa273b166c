/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_path_table.c - the tables of paths: their order, and what holds below a
 * row. */
#include "unit.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "guard/path/path_home.h"
#include "guard/path/path_table.h"
#include "sandbox/launch/kernel_mounts.h"

static void
paths_below_a_home_are_sorted(void **state)
{
    const char *row, *last = "";
    size_t at = 0;

    (void)state;
    while ((row = path_home_next(~0u, &at))) {
        if (strcmp(last, row) >= 0)
            fail_msg("%s stands before %s", last, row);
        last = row;
    }
    assert_true(at > 0);
}

static void
no_secret_is_visible(void **state)
{
    const char *secret, *visible;
    size_t i = 0;

    (void)state;
    while ((secret = path_home_next(PATH_HOME_SECRET, &i))) {
        size_t k = 0;

        while ((visible = path_home_next(PATH_HOME_VISIBLE, &k)))
            assert_string_not_equal(secret, visible);
    }
}

static size_t
count_rows(unsigned kinds)
{
    size_t n = 0, at = 0;

    while (path_next(kinds, &at))
        n++;
    return n;
}

static void
the_launcher_has_room_for_the_rows(void **state)
{
    (void)state;
    assert_int_equal(count_rows(PATH_IS_SAFE_DEVICE), KERNEL_MOUNTS_DEVICES);
    assert_int_equal(count_rows(PATH_IS_DEVICES), 1);
    assert_int_equal(count_rows(PATH_IS_DROP | PATH_IS_SERVICES), 5);
}

/* A command line may hold the same star. */
static void
a_pattern_has_the_kinds_of_its_directory(void **state)
{
    const unsigned alone = PATH_IS_AUTHORITY | PATH_IS_ADDITION |
                           PATH_IS_CLOSED;
    const char *row;
    size_t at = 0, n = 0;

    (void)state;
    while ((row = path_next(alone, &at))) {
        char beside[PATH_MAX];

        if (!strchr(row, '*'))
            continue;
        snprintf(beside, sizeof(beside), "%.*s/?",
                 (int)(strrchr(row, '/') - row), row);
        assert_int_equal(path_kinds(row) & ~alone, path_kinds(beside));
        n++;
    }
    assert_true(n > 0);
}

static void
disks_are_known_by_their_names(void **state)
{
    static const struct {
        const char *path;
        bool is;
    } rows[] = {
        {"/dev/sda", true},
        {"/dev/sd", false},
        {"/dev/mapper/vg-root", true},
        {"/dev/vg/root", true},
        {"/dev/vg/root/x", false},
        {"/dev/input/mice", false},
        {"/dev/serial/by-id", false},
        {"/dev/mem", true},
        {"/dev/memory", false},
        {"/dev/null", false},
        {"/dev/mqueue/x", false},
        {"/dev/usb/lp0", false},
        {"/dev/disk/by-id/x", true},
        {"/devices/vg/root", false},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++)
        if (path_is_disk(rows[i].path) != rows[i].is)
            fail_msg("%s", rows[i].path);
}

static void
the_longest_row_decides(void **state)
{
    static const struct {
        const char *path;
        unsigned is, is_not;
    } rows[] = {
        {"/etc/x", PATH_IS_SYSTEM | PATH_IS_SETTING, PATH_IS_AUTORUN},
        {"/etc/cron.d/x", PATH_IS_SYSTEM | PATH_IS_AUTORUN, PATH_IS_VITAL},
        {"/etc/cron.dx", PATH_IS_SETTING, PATH_IS_AUTORUN},
        {"/etc/shadow", PATH_IS_SECRET | PATH_IS_SETTING, PATH_IS_AUTORUN},
        {"/etc/sudoers", PATH_IS_SECRET | PATH_IS_AUTORUN, 0},
        {"/usr/lib/systemd/x", PATH_IS_AUTORUN | PATH_IS_PACKAGED, 0},
        {"/var/spool/cron/x", PATH_IS_AUTORUN | PATH_IS_SYSTEM, 0},
        {"/usr/local/bin", PATH_IS_BIN_DIR, PATH_IS_PACKAGED},
        {"/usr/local/bin/x", PATH_IS_PROGRAMS, PATH_IS_BIN_DIR},
        {"/", PATH_IS_TOP | PATH_IS_VITAL, PATH_IS_SYSTEM},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        unsigned kinds = path_kinds(rows[i].path);

        if ((kinds & rows[i].is) != rows[i].is || (kinds & rows[i].is_not))
            fail_msg("%s: 0x%x", rows[i].path, kinds);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_below_a_home_are_sorted),
        cmocka_unit_test(no_secret_is_visible),
        cmocka_unit_test(the_launcher_has_room_for_the_rows),
        cmocka_unit_test(a_pattern_has_the_kinds_of_its_directory),
        cmocka_unit_test(disks_are_known_by_their_names),
        cmocka_unit_test(the_longest_row_decides),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
