/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_run_audit.c - a run that no journal is kept of. */
#include "unit.h"

#include "action/run_audit.h"

static void
add_one(void *arg)
{
    ++*(int *)arg;
}

static void
without_a_run_nothing_is_written(void **state)
{
    static const char *const argv[] = {"true", NULL};
    const struct err why = {.code = ERR_DENIED};
    int stored = 0;

    (void)state;
    run_audit_input(NULL, "x", 1);
    run_audit_ask(NULL);
    run_audit_answer(NULL, "yes", NULL, NULL);
    run_audit_spent(NULL, NULL);
    run_audit_decision(NULL, PLAN_ASK_STEP, 0, "run");
    run_audit_elevation(NULL, 0, argv, PLAN_ELEVATE_YES);
    run_audit_end(NULL, &why, 1);
    assert_int_equal(run_audit_when_stored(NULL, add_one, &stored, NULL), 0);
    assert_int_equal(stored, 1);
    assert_false(run_audit_done(NULL, 0));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_run_nothing_is_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
