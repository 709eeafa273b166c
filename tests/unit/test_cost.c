/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_cost.c - amounts of money: sums lose nothing, and nothing that costs is
 * shown as nothing. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/cleanup.h"
#include "model/cost.h"

struct amount {
    int64_t units;
    const char *currency;
    const char *full, *brief;
};

static void
an_amount_is_written_in_full_and_briefly(void **state)
{
    static const struct amount rows[] = {
        {0, "USD", "0.00 USD", "0.00 USD"},
        {1, "USD", "0.000000000001 USD", "0.000000000001 USD"},
        {123456, "USD", "0.000000123456 USD", "0.00000012 USD"},
        {1230000000, "USD", "0.00123 USD", "0.0012 USD"},
        {9960000000, "USD", "0.00996 USD", "0.0100 USD"},
        {12345000000, "USD", "0.012345 USD", "0.012 USD"},
        {99600000000, "EUR", "0.0996 EUR", "0.100 EUR"},
        {104000000000, "USD", "0.104 USD", "0.10 USD"},
        {105000000000, "USD", "0.105 USD", "0.11 USD"},
        {1500000000000, "", "1.50", "1.50"},
        {12345678900000000, "USD", "12345.6789 USD", "12345.68 USD"},
        {INT64_MAX, "USD", "9223372.036854775807 USD", "9223372.03 USD"},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf full = buf_of(100);
        CLEANUP_BUF struct buf brief = buf_of(100);
        struct cost c = {.known = true, .units = rows[i].units}, back = {0};

        strncpy(c.currency, rows[i].currency, sizeof(c.currency) - 1);
        cost_put(&full, &c);
        cost_put_short(&brief, &c);
        assert_string_equal(full.p, rows[i].full);
        assert_string_equal(brief.p, rows[i].brief);
        assert_true(cost_read(full.p, &back));
        assert_int_equal(back.units, c.units);
        assert_string_equal(back.currency, c.currency);
    }
}

static void
what_is_no_amount_is_not_read(void **state)
{
    static const char *const texts[] = {
        "",    "USD",         "-1 USD",      "1.",
        ".5",  "1e3",         "1 ",          "1.0000000000001",
        "1,5", "1 USDOLLARS", "9223373 USD", "99999999999999999999",
        "0x1", "1 \033[2J",   "1 usd",       "1 US",
    };
    struct cost c;

    (void)state;
    for (size_t i = 0; i < N_OF(texts); i++) {
        if (cost_read(texts[i], &c))
            fail_msg("\"%s\" was read", texts[i]);
    }
}

static void
a_sum_is_exact_or_not_known(void **state)
{
    const struct cost third = {true, 333333333333, "USD"};
    const struct cost euro = {true, 1, "EUR"}, none = {0};
    const struct cost much = {true, INT64_MAX, "USD"};
    struct cost sum = {true, 0, "USD"}, other;

    (void)state;
    for (int i = 0; i < 3000; i++)
        cost_add(&sum, &third);
    assert_true(sum.known);
    assert_int_equal(sum.units, INT64_C(999999999999000));
    other = sum;
    cost_add(&other, &euro);
    assert_false(other.known);
    other = sum;
    cost_add(&other, &none);
    assert_false(other.known);
    cost_add(&sum, &much);
    assert_false(sum.known);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_amount_is_written_in_full_and_briefly),
        cmocka_unit_test(what_is_no_amount_is_not_read),
        cmocka_unit_test(a_sum_is_exact_or_not_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
