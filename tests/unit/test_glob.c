/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_glob.c - patterns and braces as bash expands them. */
#include "unit.h"

#include "base/clock.h"
#include "guard/effects/glob.h"
#include "tree.h"

static const struct {
    const char *pattern, *name;
    bool hit;
} matches[] = {
    {"*", "a", true},
    {"*", ".a", false},
    {".*", ".a", true},
    {"\\.a", ".a", true},
    {"?a", ".a", false},
    {"[.]a", ".a", false},
    {"*.log", "x.log", true},
    {"*.log", "x.logs", false},
    {"*.l*g", "a.lo.lg", true},
    {"?", "\303\244", true},
    {"??", "\303\244", false},
    {"?", "\377", true},
    {"[a-c]x", "bx", true},
    {"[!a-c]x", "bx", false},
    {"[^a-c]x", "dx", true},
    {"[]a]", "]", true},
    {"[a-]", "-", true},
    {"[[:digit:]]*", "7z", true},
    {"[[:digit:]]*", "z7", false},
    {"[[:none:]]", "n]", true},
    {"[a", "[a", true},
    {"[a", "a", false},
    {"[\\]]", "]", true},
    {"\\*", "*", true},
    {"\\*", "x", false},
    {"a\\", "a\\", true},
    {"a*b*c", "a.b.b.c", true},
    {"a*b*c", "a.b.b.d", false},
    {"", "", true},
    {"", "a", false},
    {"***", "", true},
    {"a**", "a", true},
};

static void
a_name_matches_as_it_does_for_bash(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(matches); i++)
        if (glob_match(matches[i].pattern, matches[i].name) != matches[i].hit)
            fail_msg("'%s' and '%s'", matches[i].pattern, matches[i].name);
}

static void
many_stars_do_not_take_for_ever(void **state)
{
    char pattern[201], name[256];
    int64_t began = clock_ms();

    (void)state;
    for (size_t i = 0; i < 200; i += 2) {
        pattern[i] = '*';
        pattern[i + 1] = 'a';
    }
    pattern[200] = '\0';
    memset(name, 'a', 255);
    name[255] = '\0';
    name[254] = 'b';
    assert_false(glob_match(pattern, name));
    assert_true(clock_ms() - began < 1000);
}

static const struct {
    const char *word, *out;
} braces[] = {
    {"a", "a"},
    {"{a,b}", "a b"},
    {"x{a,b}y", "xay xby"},
    {"{a,b}{1,2}", "a1 a2 b1 b2"},
    {"{a,{b,c}d}", "a bd cd"},
    {"{1..3}", "1 2 3"},
    {"{3..1}", "3 2 1"},
    {"{01..3}", "01 02 03"},
    {"{1..9..4}", "1 5 9"},
    {"{a..e..2}", "a c e"},
    {"{-1..1}", "-1 0 1"},
    {"{,x}", " x"},
    {"{a}", "{a}"},
    {"{}", "{}"},
    {"{a,b", "{a,b"},
    {"a{1..3", "a{1..3"},
    {"{a{1,2}}", "{a1} {a2}"},
    {"{'a,b',c}", "'a,b' c"},
    {"{a\\,b,c}", "a\\,b c"},
    {"${x}{a,b}", "${x}a ${x}b"},
    {"{$x,${y}}", "$x ${y}"},
    {"{1..x}", "{1..x}"},
    {"{1..2..x}", "{1..2..x}"},
};

static void
check_braces(size_t row)
{
    CLEANUP_BUF struct buf b = buf_of(4096);
    struct glob_list l = {0};

    glob_braces(braces[row].word, &l);
    for (size_t i = 0; i < l.n; i++)
        buf_printf(&b, "%s%s", i ? " " : "", l.v[i]);
    assert_string_equal(b.p, braces[row].out);
    assert_false(l.more);
    glob_list_done(&l);
}

static void
braces_are_opened_as_bash_opens_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(braces); i++)
        check_braces(i);
}

static const char *const bombs[] = {
    "{1..999999999}",
    "{1..1000}{1..1000}{1..1000}{1..1000}",
    "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"
    "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
};

static void
braces_without_end_are_cut_and_said_to_be_more(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(bombs); i++) {
        struct glob_list l = {0};

        glob_braces(bombs[i], &l);
        assert_true(l.more);
        assert_true(l.n <= GLOB_LIST_MAX);
        glob_list_done(&l);
    }
}

static const struct {
    const char *pattern, *out;
} files[] = {
    {"*", "a.log a.txt d link"},
    {".*", ".hidden"},
    {"*.log", "a.log"},
    {"*/", "d link"},
    {"*/*", "d/b.log link/b.log"},
    {"d/*.log", "d/b.log"},
    {"*/b.log", "d/b.log link/b.log"},
    {"a.*/x", ""},
    {"no*", ""},
    {"a.log", "a.log"},
    {"a\\.log", "a.log"},
    {"[ad]*", "a.log a.txt d"},
    {"gone/*", ""},
};

static void
check_files(const struct tree *t, size_t row)
{
    CLEANUP_BUF struct buf b = buf_of(4096);
    struct glob_limit limit = {.until_us = INT64_MAX, .entries = 1000};
    struct glob_list l = {0};
    char pattern[PATH_MAX];

    glob_expand(tree_path(t, files[row].pattern, pattern), &limit, &l);
    for (size_t i = 0; i < l.n; i++)
        buf_printf(&b, "%s%s", i ? " " : "", l.v[i] + strlen(t->top) + 1);
    assert_string_equal(b.p, files[row].out);
    assert_false(limit.more);
    glob_list_done(&l);
}

static void
a_pattern_finds_the_files_that_bash_would(void **state)
{
    struct tree t;
    struct glob_list l = {0};
    struct glob_limit limit = {.until_us = INT64_MAX, .entries = 2};
    char pattern[PATH_MAX];

    (void)state;
    assert_int_equal(tree_make(&t), 0);
    assert_int_equal(tree_file(&t, "a.log", 1), 0);
    assert_int_equal(tree_file(&t, "a.txt", 1), 0);
    assert_int_equal(tree_file(&t, ".hidden", 1), 0);
    assert_int_equal(tree_dir(&t, "d"), 0);
    assert_int_equal(tree_file(&t, "d/b.log", 1), 0);
    assert_int_equal(tree_link(&t, "d", "link"), 0);
    for (size_t i = 0; i < N_OF(files); i++)
        check_files(&t, i);
    glob_expand(tree_path(&t, "*", pattern), &limit, &l);
    assert_true(limit.more);
    glob_list_done(&l);
    tree_drop(&t);
}

static const struct {
    const char *component;
    bool all;
} alls[] = {
    {"*", true},      {".*", true},      {"?*", true},   {"*.*", true},
    {".[!.]*", true}, {"..?*", true},    {"**", true},   {"*.log", false},
    {"a*", false},    {"[a-z]*", false}, {"?", false},   {".", false},
    {"", false},      {"\\*", false},    {"[!.", false}, {"[^.]*", true},
};

static void
what_matches_every_name_is_told_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(alls); i++)
        if (glob_matches_all(alls[i].component, strlen(alls[i].component)) !=
            alls[i].all)
            fail_msg("%s", alls[i].component);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_matches_as_it_does_for_bash),
        cmocka_unit_test(many_stars_do_not_take_for_ever),
        cmocka_unit_test(braces_are_opened_as_bash_opens_them),
        cmocka_unit_test(braces_without_end_are_cut_and_said_to_be_more),
        cmocka_unit_test(a_pattern_finds_the_files_that_bash_would),
        cmocka_unit_test(what_matches_every_name_is_told_apart),
    };

    return cmocka_run_group_tests_name("glob", tests, NULL, NULL);
}
