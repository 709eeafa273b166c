/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_reply.c - an answer as it grows. */
#include "tests/unit/unit.h"

#include "model/reply.h"

static void
text_is_handed_out_once(void **state)
{
    struct reply r;
    size_t n;

    (void)state;
    reply_init(&r, false);
    assert_int_equal(reply_text(&r, "<thi", 4, NULL), 0);
    assert_null(reply_news(&r, &n)); /* may be reasoning */
    assert_int_equal(reply_text(&r, "s", 1, NULL), 0);
    assert_memory_equal(reply_news(&r, &n), "<this", 5);
    assert_int_equal(n, 5);
    assert_null(reply_news(&r, &n));
    reply_done(&r);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_handed_out_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
