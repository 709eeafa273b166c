/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_git_index.c - a repository's index, as git writes it and broken. */
#include "unit.h"

#include "guard/effects/git_index.h"
#include "tree_git.h"

struct version_row {
    const char *version;
    const char *const *init;
};

static const char *const sha1[] = {"init", "-q", NULL};
static const char *const sha256[] = {"init", "-q", "--object-format=sha256",
                                     NULL};
static const struct version_row versions[] = {
    {"2", sha1}, {"3", sha1}, {"4", sha1}, {"2", sha256}, {"4", sha256}};

static bool
fill(struct tree *t)
{
    return tree_make(t) == 0 && tree_dir(t, "r") == 0 &&
           tree_dir(t, "r/src") == 0 && tree_dir(t, "r/src/deep") == 0 &&
           tree_file(t, "r/a", 1) == 0 && tree_file(t, "r/src/x.c", 2) == 0 &&
           tree_file(t, "r/src/deep/y z.c", 3) == 0 &&
           tree_file(t, "r/src.old", 4) == 0;
}

static void
check_names(const struct git_index *x)
{
    assert_true(git_index_has(x, "a"));
    assert_true(git_index_has(x, "src/x.c"));
    assert_true(git_index_has(x, "src/deep/y z.c"));
    assert_true(git_index_has(x, "src.old"));
    assert_false(git_index_has(x, "src"));
    assert_false(git_index_has(x, "src/x"));
    assert_false(git_index_has(x, "src/x.c.c"));
    assert_false(git_index_has(x, ""));
    assert_true(git_index_has_below(x, "src"));
    assert_true(git_index_has_below(x, "src/deep"));
    assert_false(git_index_has_below(x, "sr"));
    assert_false(git_index_has_below(x, "a"));
}

static void
every_version_of_an_index_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(versions); i++) {
        struct tree t;
        char top[PATH_MAX];
        struct git_index *x;
        struct err e;

        assert_true(fill(&t));
        if (tree_git(&t, "r", versions[i].init)) {
            GIT(&t, "r", "update-index", "--index-version",
                versions[i].version);
            assert_true(GIT(&t, "r", "add", "."));
            assert_int_equal(tree_file(&t, "r/later", 1), 0);
            assert_true(GIT(&t, "r", "add", "-N", "later"));
            x = git_index_open(tree_path(&t, "r", top), &e);
            if (!x)
                fail_msg("row %zu: %s", i, e.text);
            check_names(x);
            assert_int_equal(git_index_count(x), 5);
            git_index_free(x);
        }
        tree_drop(&t);
    }
}

static void
a_repository_is_found_above_a_path_and_never_at_it(void **state)
{
    struct tree t;
    char path[PATH_MAX], want[PATH_MAX];
    char *top;

    (void)state;
    assert_true(fill(&t));
    assert_int_equal(tree_dir(&t, "r/.git"), 0);
    tree_path(&t, "r", want);
    top = git_index_find_top(tree_path(&t, "r/src/deep/y z.c", path));
    assert_string_equal(top, want);
    free(top);
    top = git_index_find_top(tree_path(&t, "r/.git", path));
    assert_string_equal(top, want);
    free(top);
    assert_null(git_index_find_top(tree_path(&t, "r", path)));
    tree_drop(&t);
}

static void
a_worktree_says_where_its_index_is(void **state)
{
    struct tree t;
    char path[PATH_MAX];
    struct git_index *x;
    struct err e;

    (void)state;
    assert_true(fill(&t));
    if (tree_git(&t, "r", sha1) && GIT(&t, "r", "add", ".") &&
        GIT(&t, "r", "commit", "-q", "-m", "x") &&
        GIT(&t, "r", "worktree", "add", "../w")) {
        x = git_index_open(tree_path(&t, "w", path), &e);
        assert_non_null(x);
        check_names(x);
        git_index_free(x);
    }
    tree_drop(&t);
}

static void
no_index_is_an_empty_one_and_a_split_one_is_not_read(void **state)
{
    struct tree t;
    char path[PATH_MAX];
    struct git_index *x;
    struct err e = {0};

    (void)state;
    assert_true(fill(&t));
    assert_null(git_index_open(tree_path(&t, "r", path), &e));
    assert_int_equal(e.code, ERR_NOT_FOUND);
    if (tree_git(&t, "r", sha1)) {
        x = git_index_open(tree_path(&t, "r", path), &e);
        assert_non_null(x);
        assert_int_equal(git_index_count(x), 0);
        assert_false(git_index_has(x, "a"));
        git_index_free(x);
        assert_true(GIT(&t, "r", "add", "."));
        assert_true(GIT(&t, "r", "update-index", "--split-index"));
        assert_null(git_index_open(tree_path(&t, "r", path), &e));
    }
    tree_drop(&t);
}

static void
an_index_that_waits_or_leads_elsewhere_is_not_waited_for(void **state)
{
    struct tree t;
    char path[PATH_MAX];
    struct err e;

    (void)state;
    assert_true(fill(&t));
    assert_int_equal(tree_dir(&t, "r/.git"), 0);
    assert_int_equal(mkfifo(tree_path(&t, "r/.git/index", path), 0600), 0);
    assert_null(git_index_open(tree_path(&t, "r", path), &e));
    tree_drop(&t);
}

#define ENTRY "0123456789012345678901234567890123456789hash-of-twenty-byte"

static const struct {
    const char *bytes;
    size_t n;
    bool ok;
} raw[] = {
    {"", 0, false},
    {"DIRC", 4, false},
    {"DIRC\0\0\0\2\0\0\0\0", 12, true},
    {"CRID\0\0\0\2\0\0\0\0", 12, false},
    {"DIRC\0\0\0\5\0\0\0\0", 12, false},
    {"DIRC\0\0\0\2\xff\xff\xff\xff", 12, false},
    {"DIRC\0\0\0\2\0\0\0\1", 12, false},
    {"DIRC\0\0\0\2\0\0\0\1" ENTRY "a\0\1n", 12 + 63, false},
    {"DIRC\0\0\0\2\0\0\0\1" ENTRY "a\0\1n\0\0\0\0\0\0\0\0\0", 12 + 72, true},
    {"DIRC\0\0\0\4\0\0\0\1" ENTRY "a\0\1\0n\0", 12 + 65, true},
    {"DIRC\0\0\0\4\0\0\0\1" ENTRY "a\0\1\7n\0", 12 + 65, false},
    {"DIRC\0\0\0\4\0\0\0\1" ENTRY "a\0\1\0\0", 12 + 64, false},
    {"DIRC\0\0\0\4\0\0\0\2" ENTRY "a\0\1\0n\0" ENTRY "a\0\1\1m\0", 12 + 130,
     false},
    {"DIRC\0\0\0\4\0\0\0\2" ENTRY "a\0\1\0n\0" ENTRY "a\0\1\0m\0", 12 + 130,
     true},
    {"DIRC\0\0\0\2\0\0\0\0TREE\0\0\0\1x01234567890123456789", 41, true},
    {"DIRC\0\0\0\2\0\0\0\0TREE\xff\0\0\1x01234567890123456789", 41, false},
    {"DIRC\0\0\0\2\0\0\0\0link\0\0\0\1x01234567890123456789", 41, false},
};

static void
a_broken_index_is_said_to_be_broken(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(raw); i++) {
        struct err e = {0};
        struct git_index *x = git_index_parse(raw[i].bytes, raw[i].n, 20, &e);

        if ((x != NULL) != raw[i].ok)
            fail_msg("row %zu: %s", i, x ? "read" : e.text);
        if (!x)
            assert_true(e.text[0] != '\0');
        git_index_free(x);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_version_of_an_index_is_read),
        cmocka_unit_test(a_repository_is_found_above_a_path_and_never_at_it),
        cmocka_unit_test(a_worktree_says_where_its_index_is),
        cmocka_unit_test(no_index_is_an_empty_one_and_a_split_one_is_not_read),
        cmocka_unit_test(
            an_index_that_waits_or_leads_elsewhere_is_not_waited_for),
        cmocka_unit_test(a_broken_index_is_said_to_be_broken),
    };

    return cmocka_run_group_tests_name("git index", tests, NULL, NULL);
}
