/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_effects_protected.c - which paths are protected, in any spelling. */
#include "unit.h"

#include "guard/effects/effects.h"
#include "tree.h"

static const struct {
    const char *path; /* "@" is a scratch directory */
    const char *why;  /* NULL: it is not protected */
} rows[] = {
    {"/", "root"},
    {"//", "root"},
    {"/.", "root"},
    {"/../..", "root"},
    {"/usr", "right below /"},
    {"/usr/", "right below /"},
    {"/usr/../etc", "right below /"},
    {"/tmp", "right below /"},
    {"/agentsh-is-not-here", NULL},
    {"/usr/share", NULL},
    {"@/home", "home"},
    {"@/home/", "home"},
    {"@/home/x/..", "home"},
    {"@", "above"},
    {"@/home/x", NULL},
    {"@/homes", NULL},
    {"@/to-home", "home"},
    {"@/to-root", "root"},
    {"@/to-x", NULL},
    {"@/to-home/x", NULL},
    {"@/to-nowhere", NULL},
    {"/proc", "right below /"},
    {"/proc/self/../self", NULL},
    {"/dev/sda", "raw disk"},
    {"/dev/sdz9", "raw disk"},
    {"/dev/nvme9n1p1", "raw disk"},
    {"/dev/mapper/vg-root", "raw disk"},
    {"/dev/vg/root", "raw disk"},
    {"/dev/disk/by-id/x", "raw disk"},
    {"/dev/nosuch", NULL}, /* a container's /dev/null is a mount point */
    {"/dev/sd", NULL},
    {"/var/tmp/dev/sda", NULL},
    {"relative", NULL},
};

static void
check_row(const struct tree *t, size_t i)
{
    char path[PATH_MAX], home[PATH_MAX];
    const char *why;

    snprintf(path, sizeof(path), "%s%s", rows[i].path[0] == '@' ? t->top : "",
             rows[i].path + (rows[i].path[0] == '@'));
    why = effects_protection_reason(
        effects_protection(path, tree_path(t, "home", home)));
    if (!rows[i].why != !why || (why && !strstr(why, rows[i].why)))
        fail_msg("%s: %s", rows[i].path, why ? why : "nothing");
}

static void
some_paths_nobody_may_delete(void **state)
{
    struct tree t;

    (void)state;
    assert_int_equal(tree_make(&t), 0);
    assert_int_equal(tree_dir(&t, "home"), 0);
    assert_int_equal(tree_dir(&t, "home/x"), 0);
    assert_int_equal(tree_link(&t, "home", "to-home"), 0);
    assert_int_equal(tree_link(&t, "/", "to-root"), 0);
    assert_int_equal(tree_link(&t, "home/x", "to-x"), 0);
    assert_int_equal(tree_link(&t, "nowhere", "to-nowhere"), 0);
    for (size_t i = 0; i < N_OF(rows); i++)
        check_row(&t, i);
    assert_int_equal(effects_protection("/", NULL), EFFECTS_IS_ROOT);
    assert_int_equal(effects_protection("/usr/share", NULL),
                     EFFECTS_UNPROTECTED);
    tree_drop(&t);
}

/* Whichever of these is mounted, two levels below /. */
static void
a_mount_point_is_one_of_them(void **state)
{
    static const char *const usual[] = {"/dev/pts", "/dev/shm", "/dev/mqueue",
                                        "/sys/fs/cgroup", "/run/lock"};
    bool seen = false;

    (void)state;
    for (size_t i = 0; i < N_OF(usual); i++) {
        char above[PATH_MAX];
        struct stat a, b;

        snprintf(above, sizeof(above), "%s/..", usual[i]);
        if (stat(usual[i], &a) < 0 || stat(above, &b) < 0 ||
            a.st_dev == b.st_dev)
            continue;
        seen = true;
        assert_int_equal(effects_protection(usual[i], "/nowhere/home"),
                         EFFECTS_IS_MOUNT_POINT);
    }
    assert_true(seen);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(some_paths_nobody_may_delete),
        cmocka_unit_test(a_mount_point_is_one_of_them),
    };

    return cmocka_run_group_tests_name("effects never", tests, NULL, NULL);
}
