/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_effects_protected.c - which paths are protected, in any spelling. */
#include "unit.h"

#include "guard/effects/effects.h"
#include "tree.h"

static const struct {
    const char *path; /* "@" is a scratch directory */
    enum effects_protection is;
} rows[] = {
    {"/", EFFECTS_IS_ROOT},
    {"//", EFFECTS_IS_ROOT},
    {"/.", EFFECTS_IS_ROOT},
    {"/../..", EFFECTS_IS_ROOT},
    {"/usr", EFFECTS_IS_TOP},
    {"/usr/", EFFECTS_IS_TOP},
    {"/usr/../etc", EFFECTS_IS_TOP},
    {"/tmp", EFFECTS_IS_TOP},
    {"/agentsh-is-not-here", EFFECTS_UNPROTECTED},
    {"/usr/share", EFFECTS_UNPROTECTED},
    {"@/home", EFFECTS_IS_HOME},
    {"@/home/", EFFECTS_IS_HOME},
    {"@/home/x/..", EFFECTS_IS_HOME},
    {"@", EFFECTS_IS_ABOVE_HOME},
    {"@/home/x", EFFECTS_UNPROTECTED},
    {"@/homes", EFFECTS_UNPROTECTED},
    {"@/to-home", EFFECTS_IS_HOME},
    {"@/to-root", EFFECTS_IS_ROOT},
    {"@/to-x", EFFECTS_UNPROTECTED},
    {"@/to-home/x", EFFECTS_UNPROTECTED},
    {"@/to-nowhere", EFFECTS_UNPROTECTED},
    {"/proc", EFFECTS_IS_TOP},
    {"/proc/self/../self", EFFECTS_UNPROTECTED},
    {"/dev/sda", EFFECTS_IS_DISK},
    {"/dev/sdz9", EFFECTS_IS_DISK},
    {"/dev/nvme9n1p1", EFFECTS_IS_DISK},
    {"/dev/mapper/vg-root", EFFECTS_IS_DISK},
    {"/dev/vg/root", EFFECTS_IS_DISK},
    {"/dev/disk/by-id/x", EFFECTS_IS_DISK},
    {"/dev/nosuch",
     EFFECTS_UNPROTECTED}, /* a container's /dev/null is a mount point */
    {"/dev/sd", EFFECTS_UNPROTECTED},
    {"/var/tmp/dev/sda", EFFECTS_UNPROTECTED},
    {"relative", EFFECTS_UNPROTECTED},
};

static void
check_row(const struct tree *t, size_t i)
{
    char path[PATH_MAX], home[PATH_MAX];
    enum effects_protection is;

    snprintf(path, sizeof(path), "%s%s", rows[i].path[0] == '@' ? t->top : "",
             rows[i].path + (rows[i].path[0] == '@'));
    is = effects_protection(path, tree_path(t, "home", home));
    if (is != rows[i].is)
        fail_msg("%s: %d", rows[i].path, (int)is);
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
