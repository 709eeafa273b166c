/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_shortlist.c - the best few candidates are kept, each once. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "offline/generate/shortlist.h"

static void
add(struct shortlist *s, const char *command, double fit, uint64_t used)
{
    struct candidate c = {
        .command = (char *)command, .fit = fit, .used = used, .recipe = -1};
    struct err e;

    assert_int_equal(shortlist_add(s, &c, &e), 0);
}

static void
it_keeps_a_copy_of_what_is_added(void **state)
{
    struct shortlist s = {.n = 0};
    char command[] = "ls -l";

    (void)state;
    add(&s, command, .5, 1);
    command[0] = 'X';
    assert_int_equal(s.n, 1);
    assert_string_equal(s.v[0].command, "ls -l");
    shortlist_done(&s);
    assert_int_equal(s.n, 0);
}

static void
a_command_that_outgrew_its_bound_is_none(void **state)
{
    CLEANUP_BUF struct buf command = buf_of(4);
    struct shortlist s = {.n = 0};
    struct candidate c = {.recipe = -1};

    (void)state;
    buf_str(&command, "ls");
    assert_int_equal(shortlist_offer(&s, &c, &command, NULL), 0);
    assert_int_equal(s.n, 1);
    buf_str(&command, " -l");
    assert_int_equal(shortlist_offer(&s, &c, &command, NULL), 0);
    assert_int_equal(s.n, 1);
    shortlist_done(&s);
}

static void
the_same_command_twice_is_one_with_the_words_of_both(void **state)
{
    struct shortlist s = {.n = 0};
    struct candidate c = {.command = (char *)"ls",
                          .title = "List files",
                          .fit = .2,
                          .used = 4,
                          .recipe = 7,
                          .way = 2,
                          .generator = "ls"};
    struct err e;

    (void)state;
    add(&s, "ls", .5, 1);
    assert_int_equal(shortlist_add(&s, &c, &e), 0);
    assert_int_equal(s.n, 1);
    assert_true(s.v[0].used == 5);
    assert_true(s.v[0].fit > .4);
    assert_int_equal(s.v[0].recipe, 7);
    assert_int_equal(s.v[0].way, 2);
    assert_string_equal(s.v[0].title, "List files");
    assert_string_equal(s.v[0].generator, "ls");
    shortlist_done(&s);
}

static bool
holds(const struct shortlist *s, const char *command)
{
    for (size_t i = 0; i < s->n; i++) {
        if (strcmp(s->v[i].command, command) == 0)
            return true;
    }
    return false;
}

static void
a_full_list_drops_what_fits_least(void **state)
{
    struct shortlist s = {.n = 0};
    char command[32];

    (void)state;
    for (int i = 0; i < SHORTLIST_MAX; i++) {
        snprintf(command, sizeof(command), "echo %d", i);
        add(&s, command, .3 + (i == 5 ? -.1 : .001 * i), 0);
    }
    add(&s, "worse", .1, 0);
    assert_int_equal(s.n, SHORTLIST_MAX);
    assert_false(holds(&s, "worse"));
    add(&s, "better", .9, 0);
    assert_int_equal(s.n, SHORTLIST_MAX);
    assert_true(holds(&s, "better"));
    assert_false(holds(&s, "echo 5"));
    shortlist_done(&s);
}

static void
one_may_be_taken_out(void **state)
{
    struct shortlist s = {.n = 0};

    (void)state;
    add(&s, "a", .5, 1);
    add(&s, "b", .5, 1);
    add(&s, "c", .5, 1);
    shortlist_drop(&s, 1);
    assert_int_equal(s.n, 2);
    assert_true(holds(&s, "a"));
    assert_true(holds(&s, "c"));
    assert_false(holds(&s, "b"));
    shortlist_done(&s);
}

static void
nothing_may_be_done_with_nothing(void **state)
{
    (void)state;
    shortlist_done(NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_keeps_a_copy_of_what_is_added),
        cmocka_unit_test(a_command_that_outgrew_its_bound_is_none),
        cmocka_unit_test(the_same_command_twice_is_one_with_the_words_of_both),
        cmocka_unit_test(a_full_list_drops_what_fits_least),
        cmocka_unit_test(one_may_be_taken_out),
        cmocka_unit_test(nothing_may_be_done_with_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
