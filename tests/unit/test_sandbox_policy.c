/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sandbox_policy.c - .agentsh, made for a run and taken away after it. */
#include "unit.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/launch/protect.h"
#include "tree.h"

static int
setup(void **state)
{
    struct tree *t = calloc(1, sizeof(*t));

    *state = t;
    return tree_make(t);
}

static int
teardown(void **state)
{
    tree_drop(*state);
    free(*state);
    return 0;
}

static bool
there(const struct tree *t, const char *below)
{
    char path[PATH_MAX];

    return access(tree_path(t, below, path), F_OK) == 0;
}

static void
a_policy_that_we_made_goes_with_the_last_who_relies_on_it(void **state)
{
    const struct tree *t = *state;
    struct protect first, second;

    assert_int_equal(protect_open(&first, t->top, NULL, true, NULL), 0);
    assert_int_equal(protect_open(&second, t->top, NULL, true, NULL), 0);
    assert_true(there(t, ".agentsh"));
    protect_close(&first, NULL, NULL, -1);
    assert_true(there(t, ".agentsh"));
    protect_close(&second, NULL, NULL, -1);
    assert_int_equal(protect_open(&first, t->top, NULL, true, NULL), 0);
    assert_int_equal(tree_text(t, ".agentsh/policy", "x"), 0);
    protect_close(&first, NULL, NULL, -1);
    assert_true(there(t, ".agentsh/policy"));
}

static void
one_that_nobody_else_relies_on_is_gone(void **state)
{
    const struct tree *t = *state;
    struct protect p;

    assert_int_equal(protect_open(&p, t->top, NULL, true, NULL), 0);
    assert_true(there(t, ".agentsh"));
    protect_close(&p, NULL, NULL, -1);
    assert_false(there(t, ".agentsh"));
}

/* As after SIGKILL: the process is gone, and its locks with it. */
static void
one_that_a_killed_run_left_goes_with_the_next(void **state)
{
    const struct tree *t = *state;
    struct protect killed, next;

    assert_int_equal(protect_open(&killed, t->top, NULL, true, NULL), 0);
    killed.policy_made = false;
    protect_close(&killed, NULL, NULL, -1);
    assert_true(there(t, ".agentsh"));
    assert_int_equal(protect_open(&next, t->top, NULL, true, NULL), 0);
    protect_close(&next, NULL, NULL, -1);
    assert_false(there(t, ".agentsh"));
    assert_int_equal(tree_dir(t, ".agentsh"), 0); /* a person's own */
    assert_int_equal(protect_open(&next, t->top, NULL, true, NULL), 0);
    protect_close(&next, NULL, NULL, -1);
    assert_true(there(t, ".agentsh"));
}

/* One run: made where it is missing, and left to the heir. */
static void
leave(const struct tree *t, struct protect_heir *h)
{
    struct protect p;
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(protect_open(&p, t->top, NULL, true, NULL), 0);
    protect_close(&p, NULL, NULL, ends[0]);
    protect_inherit(h, ends[1]);
    close(ends[0]);
    close(ends[1]);
}

static void
one_that_is_left_to_somebody_goes_with_him(void **state)
{
    const struct tree *t = *state;
    struct protect_heir h = {-1, -1};
    struct protect p;

    leave(t, &h);
    assert_true(there(t, ".agentsh"));
    leave(t, &h); /* the same once more */
    assert_true(there(t, ".agentsh"));
    assert_int_equal(protect_open(&p, t->top, NULL, true, NULL), 0);
    protect_release(&h); /* another run relies on it */
    assert_true(there(t, ".agentsh"));
    assert_int_equal(h.policy, -1);
    protect_close(&p, NULL, NULL, -1);
    assert_false(there(t, ".agentsh"));
    leave(t, &h);
    protect_release(&h);
    assert_false(there(t, ".agentsh"));
}

static void
one_of_another_place_goes_when_there_is_a_new_one(void **state)
{
    const struct tree *t = *state;
    struct protect_heir h = {-1, -1};
    char from[PATH_MAX], to[PATH_MAX];

    leave(t, &h);
    /* it is no longer what it was */
    assert_int_equal(
        rename(tree_path(t, ".agentsh", from), tree_path(t, "elsewhere", to)),
        0);
    leave(t, &h);
    assert_true(there(t, "elsewhere"));
    protect_release(&h);
    assert_false(there(t, ".agentsh"));
    assert_true(there(t, "elsewhere"));
}

static void
one_that_nobody_takes_goes_at_once(void **state)
{
    const struct tree *t = *state;
    struct protect p;
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    close(ends[1]);
    assert_int_equal(protect_open(&p, t->top, NULL, true, NULL), 0);
    protect_close(&p, NULL, NULL, ends[0]);
    assert_false(there(t, ".agentsh"));
    close(ends[0]);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_policy_that_we_made_goes_with_the_last_who_relies_on_it),
        CASE(one_that_nobody_else_relies_on_is_gone),
        CASE(one_that_a_killed_run_left_goes_with_the_next),
        CASE(one_that_is_left_to_somebody_goes_with_him),
        CASE(one_of_another_place_goes_when_there_is_a_new_one),
        CASE(one_that_nobody_takes_goes_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
