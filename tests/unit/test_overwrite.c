/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_overwrite.c - commands that put files in place of others. */
#include "tests/unit/unit.h"

#include "base/cleanup.h"
#include "offline/wish/overwrite.h"
#include "tree.h"

static const struct {
    const char *command;
    bool over;
} rows[] = {
    {"cp a.txt b.txt", true},
    {"cp a.txt new.txt", false},
    {"cp -n a.txt b.txt", false},
    {"cp a.txt old", true},
    {"mkdir -p old && cp a.txt old", true},
    {"mv b.txt b.bak && cp a.txt b.txt", false},
    {"mv b.txt old", false},
    {"tar -czf all.tgz docs", true},
    {"du -s docs && tar -czf all.tgz docs", true},
    {"sort -o b.txt a.txt", true},
    {"cat a.txt && sort -o b.txt a.txt", true},
    {"sort -o a.txt a.txt", false},
    {"sort a.txt > b.txt", true},
    {"sort a.txt >> b.txt", false},
};

static void
a_file_that_is_there_is_not_lost_unseen(void **state)
{
    CLEANUP(request_done) struct request q = {0};

    (void)state;
    assert_int_equal(request_read("pack it up", NULL, &q, NULL), 0);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (overwrites(&q, rows[i].command, true) != rows[i].over)
            fail_msg("%s", rows[i].command);
}

static int
go_into_a_tree(void **state)
{
    static const char *const files[] = {"a.txt", "b.txt", "old/a.txt",
                                        "all.tgz"};
    static struct tree t;

    if (tree_make(&t) < 0 || tree_dir(&t, "old") < 0 ||
        tree_dir(&t, "docs") < 0)
        return -1;
    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
        if (tree_file(&t, files[i], 1) < 0)
            return -1;
    *state = &t;
    return chdir(t.top);
}

static int
drop_tree(void **state)
{
    tree_drop(*state);
    return chdir("/");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_that_is_there_is_not_lost_unseen),
    };

    return cmocka_run_group_tests(tests, go_into_a_tree, drop_tree);
}
