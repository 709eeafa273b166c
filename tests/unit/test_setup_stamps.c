/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_setup_stamps.c - what changed since it was stamped is noticed. */
#include "unit.h"

#include <poll.h>

#include "base/clock.h"
#include "sandbox/setup_stamps.h"
#include "tree.h"

#define WAIT_MS 10000 /* for stamps to be older than a tick */

struct fixture {
    /* home/, home/.config/, home/link -> .config, away/, etc/key, etc/link ->
     * key */
    struct tree tree;
    struct setup_stamps *stamps;
};

static void
stamp_all(struct fixture *f)
{
    char path[PATH_MAX];

    setup_stamps_free(f->stamps);
    f->stamps = setup_stamps_new(NULL);
    assert_non_null(f->stamps);
    setup_stamps_names(f->stamps, tree_path(&f->tree, "home", path));
    setup_stamps_path(f->stamps, tree_path(&f->tree, "home/.config/a", path));
    setup_stamps_path(f->stamps, tree_path(&f->tree, "home/link/b/c", path));
    setup_stamps_path(f->stamps, tree_path(&f->tree, "home/../away", path));
    setup_stamps_entry(f->stamps, tree_path(&f->tree, "etc/key", path));
    setup_stamps_entry(f->stamps, tree_path(&f->tree, "etc/link", path));
    setup_stamps_entry(f->stamps, tree_path(&f->tree, "etc/none", path));
}

static int
set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));
    int64_t until = clock_ms() + WAIT_MS;

    assert_int_equal(tree_make(&f->tree), 0);
    assert_int_equal(tree_dir(&f->tree, "home"), 0);
    assert_int_equal(tree_dir(&f->tree, "home/.config"), 0);
    assert_int_equal(tree_dir(&f->tree, "away"), 0);
    assert_int_equal(tree_link(&f->tree, ".config", "home/link"), 0);
    assert_int_equal(tree_dir(&f->tree, "etc"), 0);
    assert_int_equal(tree_text(&f->tree, "etc/key", "x"), 0);
    assert_int_equal(tree_link(&f->tree, "key", "etc/link"), 0);
    stamp_all(f);
    assert_false(setup_stamps_hold(f->stamps)); /* too young */
    while (!setup_stamps_hold(f->stamps)) {
        assert_true(clock_ms() < until);
        (void)poll(NULL, 0, 5);
        stamp_all(f);
    }
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    struct fixture *f = *state;

    setup_stamps_free(f->stamps);
    tree_drop(&f->tree);
    free(f);
    return 0;
}

static void
rename_in(const struct fixture *f, const char *from, const char *to)
{
    char a[PATH_MAX], b[PATH_MAX];

    assert_int_equal(
        rename(tree_path(&f->tree, from, a), tree_path(&f->tree, to, b)), 0);
}

static void
a_new_name_is_noticed(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(tree_dir(&f->tree, "home/.ssh"), 0);
    assert_false(setup_stamps_hold(f->stamps));
}

static void
what_was_missing_is_noticed(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(tree_dir(&f->tree, "home/.config/b"), 0);
    assert_false(setup_stamps_hold(f->stamps));
}

static void
another_target_of_a_link_is_noticed(void **state)
{
    struct fixture *f = *state;
    char path[PATH_MAX];

    assert_int_equal(unlink(tree_path(&f->tree, "home/link", path)), 0);
    assert_int_equal(tree_link(&f->tree, "../away", "home/link"), 0);
    assert_false(setup_stamps_hold(f->stamps));
}

/* Nothing was read of the directory that it is in. */
static void
another_directory_of_the_name_is_noticed(void **state)
{
    struct fixture *f = *state;

    rename_in(f, "away", "old");
    assert_int_equal(tree_dir(&f->tree, "away"), 0);
    assert_false(setup_stamps_hold(f->stamps));
}

static void
a_link_in_place_of_a_directory_is_noticed(void **state)
{
    struct fixture *f = *state;

    rename_in(f, "away", "old");
    assert_int_equal(tree_link(&f->tree, "old", "away"), 0);
    assert_false(setup_stamps_hold(f->stamps));
}

static void
another_mode_is_noticed(void **state)
{
    struct fixture *f = *state;
    char path[PATH_MAX];

    assert_int_equal(chmod(tree_path(&f->tree, "away", path), 0), 0);
    assert_false(setup_stamps_hold(f->stamps));
    assert_int_equal(chmod(path, 0700), 0);
}

static void
an_entry_that_leaves_or_comes_is_noticed(void **state)
{
    struct fixture *f = *state;

    rename_in(f, "etc/key", "etc/none");
    assert_false(setup_stamps_hold(f->stamps));
}

static void
a_link_in_place_of_an_entry_is_noticed(void **state)
{
    struct fixture *f = *state;

    rename_in(f, "etc/key", "key");
    assert_int_equal(tree_link(&f->tree, "../key", "etc/key"), 0);
    assert_false(setup_stamps_hold(f->stamps));
}

static void
another_entry_of_the_name_is_noticed(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(tree_text(&f->tree, "new", "x"), 0);
    rename_in(f, "new", "etc/key");
    assert_false(setup_stamps_hold(f->stamps));
}

static void
another_directory_of_an_entry_is_noticed(void **state)
{
    struct fixture *f = *state;

    rename_in(f, "etc", "old");
    assert_int_equal(tree_link(&f->tree, "old", "etc"), 0);
    assert_false(setup_stamps_hold(f->stamps));
}

static void
an_entry_may_be_written_and_get_another_mode(void **state)
{
    struct fixture *f = *state;
    char path[PATH_MAX];

    assert_int_equal(chmod(tree_path(&f->tree, "etc/key", path), 0640), 0);
    assert_int_equal(tree_text(&f->tree, "etc/key", "more"), 0);
    assert_true(setup_stamps_hold(f->stamps));
}

/* Only its name was on the way. */
static void
names_that_nobody_read_may_change(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(tree_text(&f->tree, "away/new", "x"), 0);
    assert_int_equal(tree_text(&f->tree, "beside", "x"), 0);
    assert_true(setup_stamps_hold(f->stamps));
}

static void
a_path_that_is_not_absolute_never_holds(void **state)
{
    struct fixture *f = *state;

    setup_stamps_path(f->stamps, "here");
    assert_false(setup_stamps_hold(f->stamps));
    setup_stamps_path(NULL, "here");
    setup_stamps_names(NULL, "here");
}

static void
links_in_a_circle_never_hold(void **state)
{
    struct fixture *f = *state;
    char path[PATH_MAX];

    assert_int_equal(tree_link(&f->tree, "round", "away/round"), 0);
    assert_true(setup_stamps_hold(f->stamps));
    setup_stamps_path(f->stamps, tree_path(&f->tree, "away/round", path));
    assert_false(setup_stamps_hold(f->stamps));
}

int
main(void)
{
#define EACH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        EACH(a_new_name_is_noticed),
        EACH(what_was_missing_is_noticed),
        EACH(another_target_of_a_link_is_noticed),
        EACH(another_directory_of_the_name_is_noticed),
        EACH(a_link_in_place_of_a_directory_is_noticed),
        EACH(another_mode_is_noticed),
        EACH(an_entry_that_leaves_or_comes_is_noticed),
        EACH(a_link_in_place_of_an_entry_is_noticed),
        EACH(another_entry_of_the_name_is_noticed),
        EACH(another_directory_of_an_entry_is_noticed),
        EACH(an_entry_may_be_written_and_get_another_mode),
        EACH(names_that_nobody_read_may_change),
        EACH(a_path_that_is_not_absolute_never_holds),
        EACH(links_in_a_circle_never_hold),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
