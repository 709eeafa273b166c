/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_offline_proposal.c - answers in words: a command in them stays one. */
#include "unit_seat.h"

#include <string.h>

#include "action/offline_proposal.h"

static const struct {
    const char *command, *span;
} rows[] = {
    {"ls", "1. `ls`"},
    {"echo `id`", "1. `` echo `id` ``"},
    {"grep '``' x", "1. ``` grep '``' x ```"},
    {"grep '```' x", "1. ```` grep '```' x ````"},
    {"grep '`````' `", "1. `````` grep '`````' ` ``````"},
    {"a\nb", "1. `a b`"},
};

static void
no_backtick_ends_a_span_of_code(void **state)
{
    const struct user_request request = {.mode = AIACTION_RUN};

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf out = buf_of(65536);
        struct engine_answers a = {.n = 1};

        a.v[0].command = (char *)rows[i].command;
        a.v[0].title = "";
        assert_int_equal(
            offline_proposal_text(unit_seat(), &request, &a, 0, &out, NULL), 0);
        if (!strstr(out.p, rows[i].span))
            fail_msg("%s", out.p);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_backtick_ends_a_span_of_code),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
