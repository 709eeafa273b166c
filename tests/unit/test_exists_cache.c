/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_exists_cache.c - which of many paths below a directory exist. */
#include "unit.h"

#include "sandbox/exists_cache.h"
#include "tree.h"

static const struct {
    const char *place;
    bool there;
} places[] = {
    {".age", false},     {".config/a", true},      {".config/ab", false},
    {".config/b", true}, {".config/b/deep", true}, {".config/b/none", false},
    {".configs", false}, {".dangling", true},      {".loop/x/y", true},
    {".ssh", true},      {".sshd", false},         {"file/x", false},
};

static void
what_is_there_is_found_and_nothing_else(void **state)
{
    struct exists_cache p;
    struct tree t;

    (void)state;
    assert_int_equal(tree_make(&t), 0);
    assert_int_equal(tree_dir(&t, ".config"), 0);
    assert_int_equal(tree_dir(&t, ".config/b"), 0);
    assert_int_equal(tree_text(&t, ".config/a", ""), 0);
    assert_int_equal(tree_text(&t, ".config/b/deep", ""), 0);
    assert_int_equal(tree_dir(&t, ".ssh"), 0);
    assert_int_equal(tree_dir(&t, "x"), 0);
    assert_int_equal(tree_text(&t, "x/y", ""), 0);
    assert_int_equal(tree_link(&t, ".", ".loop"), 0);
    assert_int_equal(tree_link(&t, "/nowhere", ".dangling"), 0);
    assert_int_equal(tree_text(&t, "file", ""), 0);
    exists_cache_init(&p, t.top, NULL);
    for (size_t i = 0; i < N_OF(places); i++) {
        if (exists_cache_has(&p, places[i].place) != places[i].there)
            fail_msg("%s", places[i].place);
    }
    exists_cache_done(&p);
    tree_drop(&t);
}

static void
a_directory_that_cannot_be_listed_is_asked_about_each(void **state)
{
    struct exists_cache p;

    (void)state;
    exists_cache_init(&p, "/nowhere", NULL);
    assert_false(p.listed);
    assert_false(exists_cache_has(&p, "x"));
    p.dir = "/";
    assert_true(exists_cache_has(&p, "usr/bin"));
    assert_true(exists_cache_has(&p, "usr"));
    assert_false(exists_cache_has(&p, "nowhere"));
    exists_cache_done(&p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_there_is_found_and_nothing_else),
        cmocka_unit_test(a_directory_that_cannot_be_listed_is_asked_about_each),
    };

    return cmocka_run_group_tests_name("present", tests, NULL, NULL);
}
