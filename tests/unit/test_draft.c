/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_draft.c - an answer as it grows. */
#include "tests/unit/unit.h"

#include "model/draft.h"

static void
text_is_handed_out_once(void **state)
{
    struct draft r;
    size_t n;

    (void)state;
    draft_init(&r, false, NULL);
    assert_int_equal(draft_text(&r, "<thi", 4, NULL), 0);
    assert_null(draft_news(&r, &n)); /* may be reasoning */
    assert_int_equal(draft_text(&r, "s", 1, NULL), 0);
    assert_memory_equal(draft_news(&r, &n), "<this", 5);
    assert_int_equal(n, 5);
    assert_null(draft_news(&r, &n));
    draft_done(&r);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_handed_out_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
