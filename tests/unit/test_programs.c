/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_programs.c - tests that the tables find names and that lists end. */
#include "tests/unit/unit.h"

#include <string.h>

#include "guard/risk/risk_programs.h"

static void
names_are_found(void **state)
{
    static const char *const names[] = {".", "[", "bash", "sudo", "xargs"};

    (void)state;
    for (size_t i = 0; i < N_OF(names); i++) {
        const struct program *p = risk_program_find(names[i]);

        assert_non_null(p);
        assert_string_equal(risk_program_text(p->name), names[i]);
    }
}

static void
what_is_no_program_is_not_found(void **state)
{
    static const char *const names[] = {"", " ", "r", "rmm", "~", "no such"};

    (void)state;
    for (size_t i = 0; i < N_OF(names); i++)
        assert_null(risk_program_find(names[i]));
}

static size_t
length(uint32_t list)
{
    size_t n = 0;

    while (risk_program_words(list)[n].kind != PROGRAM_END)
        n++;
    return n;
}

static void
lists_and_rules_belong_to_their_stanza(void **state)
{
    const struct program *xargs = risk_program_find("xargs");
    const struct program *find = risk_program_find("find");
    bool wraps = false;

    (void)state;
    assert_true(length(xargs->values) > 5);
    assert_int_equal(length(xargs->help), 0);
    for (size_t i = 0; i < xargs->n_rules; i++)
        wraps = wraps || risk_program_rules(xargs)[i].verb == PROGRAM_WRAPS;
    assert_true(wraps);
    assert_true(find->flags & PROGRAM_IS_WHOLE);
    assert_true(find->flags & PROGRAM_IS_RECURSIVE);
    assert_false(xargs->flags & PROGRAM_IS_WHOLE);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(what_is_no_program_is_not_found),
        cmocka_unit_test(lists_and_rules_belong_to_their_stanza),
    };

    return cmocka_run_group_tests_name("programs", tests, NULL, NULL);
}
