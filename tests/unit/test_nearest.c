/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_nearest.c - which word was meant. */
#include "unit.h"

#include <string.h>

#include "config/nearest.h"

static void
a_misspelt_word_finds_the_word_that_was_meant(void **state)
{
    static const struct {
        const char *word, *best;
    } rows[] = {
        {"explian", "explain"},
        {"fxi", "fix"},
        {"log", "log"},
        {"EXPLAIN", "explain"},
        {"undoo", "undo"},
        {"rn", "run"},
        {"remove", NULL},
        {"", NULL},
        {"x", NULL},
        {"explainexplainexplainexplainexplainexplainexplainexplain", NULL},
    };
    static const char *const known[] = {"do",  "run",  "explain",
                                        "fix", "undo", "log"};

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct nearest n;

        nearest_init(&n, rows[i].word);
        for (size_t j = 0; j < N_OF(known); j++)
            nearest_consider(&n, known[j]);
        if (rows[i].best)
            assert_string_equal(n.best, rows[i].best);
        else
            assert_null(n.best);
    }
}

static void
the_first_of_equally_near_words_is_kept(void **state)
{
    struct nearest n;

    (void)state;
    nearest_init(&n, "price_im");
    nearest_consider(&n, "price_in");
    nearest_consider(&n, "price_it");
    assert_string_equal(n.best, "price_in");
}

static void
a_word_may_go_after_it_was_offered(void **state)
{
    struct nearest n;
    char word[] = "price_in|model";

    (void)state;
    nearest_init(&n, "price_im");
    nearest_consider_part(&n, word, strlen("price_in"));
    memset(word, 'x', sizeof(word) - 1);
    assert_string_equal(n.best, "price_in");
    assert_int_equal(n.distance, 1);
    nearest_consider_part(&n, word, 0);
    assert_string_equal(n.best, "price_in");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_misspelt_word_finds_the_word_that_was_meant),
        cmocka_unit_test(the_first_of_equally_near_words_is_kept),
        cmocka_unit_test(a_word_may_go_after_it_was_offered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
