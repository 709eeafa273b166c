/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_index.c - an index is built, validated and searched. */
#include "unit.h"

#include "offline/index/index_format.h"
#include "recipe_text.h"

/* An index of RECIPE_TEXT; the words that a number has do not move. */
static struct buf
make(void)
{
    CLEANUP(recipe_book_free_p) struct recipe_book *b = NULL;
    struct buf out = buf_of(1 << 20);
    struct err e = {0};

    b = recipe_book_of(RECIPE_TEXT, &e);
    assert_non_null(b);
    if (index_build(b, &out, &e) < 0)
        fail_msg("%s", e.text);
    return out;
}

static void
recipes_come_back_as_they_were_written(void **state)
{
    CLEANUP_BUF struct buf bytes = make();
    CLEANUP(recipe_book_free_p) struct recipe_book *b = NULL;
    struct err e = {0};
    const struct index *x = index_view(bytes.p, bytes.len, &e);

    (void)state;
    b = recipe_book_of(RECIPE_TEXT, &e);
    assert_non_null(x);
    assert_int_equal(index_count(x), recipe_book_count(b));
    for (size_t i = 0; i < index_count(x); i++) {
        const struct recipe *in = recipe_book_at(b, i);
        struct recipe r;

        index_recipe(x, i, &r);
        assert_string_equal(r.id, in->id);
        assert_string_equal(r.title, in->title);
        assert_string_equal(r.needs, in->needs);
        assert_string_equal(r.file, in->file);
        assert_int_equal(r.line, in->line);
        assert_int_equal(r.risk, in->risk);
        assert_int_equal(r.job, in->job);
        assert_int_equal(!r.generator, !in->generator);
        assert_int_equal(r.n_phrases, in->n_phrases);
        assert_string_equal(r.phrases[2], in->phrases[2]);
        assert_int_equal(r.n_steps, in->n_steps);
        for (size_t k = 0; k < r.n_steps; k++) {
            assert_string_equal(r.steps[k].command, in->steps[k].command);
            assert_int_equal(!r.steps[k].description,
                             !in->steps[k].description);
        }
    }
}

static const struct {
    const char *request, *recipe;
    unsigned phrase;
} requests[] = {
    {"list the files in src/", "list", 0},
    {"please show everything here", "list", 2},
    {"copy a.txt to b.txt", "copy", 0},
    {"copy lines with 'x y' from a.txt to b.txt", "copy-lines", 0},
    {"sort lines and count the duplicates in a.txt", "sort-count", 0},
    {"count the duplicates and sort lines in a.txt", "count-sort", 0},
    {"search files under src/", "find-files", 1},
    {"track it with git", "new-repository", 2},
};

static void
a_request_finds_the_recipe_that_is_about_it(void **state)
{
    CLEANUP_BUF struct buf bytes = make();
    struct err e = {0};
    const struct index *x = index_view(bytes.p, bytes.len, &e);

    (void)state;
    for (size_t i = 0; i < N_OF(requests); i++) {
        CLEANUP(request_done) struct request q = {0};
        struct index_hit hits[3];
        struct recipe r;
        size_t n;

        assert_int_equal(request_read(requests[i].request, NULL, &q, &e), 0);
        n = index_search(x, &q, hits, N_OF(hits));
        if (n == 0)
            fail_msg("%s: nothing", requests[i].request);
        index_recipe(x, hits[0].recipe, &r);
        if (strcmp(r.id, requests[i].recipe) != 0 ||
            hits[0].phrase != requests[i].phrase)
            fail_msg("%s: %s, phrase %u", requests[i].request, r.id,
                     hits[0].phrase);
        for (size_t k = 0; k < n; k++)
            if (hits[k].share < 0 || hits[k].share > 1 || hits[k].whole < 0 ||
                hits[k].whole > 1 || hits[k].score > hits[0].score)
                fail_msg("%s: figures of hit %zu", requests[i].request, k);
    }
}

static void
a_request_of_which_no_recipe_knows_a_word_finds_nothing(void **state)
{
    CLEANUP_BUF struct buf bytes = make();
    CLEANUP(request_done) struct request q = {0};
    struct err e = {0};
    const struct index *x = index_view(bytes.p, bytes.len, &e);
    struct index_hit hit;

    (void)state;
    assert_int_equal(request_read("", NULL, &q, &e), 0);
    assert_int_equal(index_search(x, &q, &hit, 1), 0);
    request_done(&q);
    assert_int_equal(request_read("brew some coffee", NULL, &q, &e), 0);
    assert_int_equal(index_search(x, &q, &hit, 1), 0);
}

static void
a_rare_word_weighs_more_than_a_common_one(void **state)
{
    CLEANUP_BUF struct buf bytes = make();
    struct err e = {0};
    const struct index *x = index_view(bytes.p, bytes.len, &e);

    (void)state;
    assert_true(index_weight(x, "git") > index_weight(x, "file"));
    assert_true(index_weight(x, "git") > index_weight(x, "<path>"));
    assert_true(index_weight(x, "no-such-word") >= index_weight(x, "git"));
}

static const struct {
    const char *word, *meant;
} slips[] = {
    {"duplicat", "duplicate"}, {"fiels", "files"}, {"repositroy", "repository"},
    {"serach", "search"},      {"files", NULL},    {"fil", NULL},
    {"firefox", NULL},         {"", NULL},
};

static void
a_slip_of_the_finger_is_mended(void **state)
{
    CLEANUP_BUF struct buf bytes = make();
    struct err e = {0};
    const struct index *x = index_view(bytes.p, bytes.len, &e);

    (void)state;
    for (size_t i = 0; i < N_OF(slips); i++) {
        const char *meant = index_spellcheck(x, slips[i].word);

        if (!meant != !slips[i].meant ||
            (meant && strcmp(meant, slips[i].meant) != 0))
            fail_msg("%s: %s", slips[i].word, meant ? meant : "nothing");
    }
}

static void
cut_bytes_are_no_index(void **state)
{
    CLEANUP_BUF struct buf bytes = make();
    struct err e = {0};

    (void)state;
    for (size_t n = 0; n < bytes.len; n++)
        if (index_view(bytes.p, n, &e) || e.code != ERR_USAGE)
            fail_msg("%zu of %zu bytes", n, bytes.len);
    assert_null(index_view(bytes.p + 1, bytes.len - 1, &e));
}

/* Whatever one number of it is, reading stays within. */
static void
a_changed_number_does_no_harm(void **state)
{
    static const uint32_t values[] = {0, 1, 0xff, 0x10000, 0xffffffff};
    CLEANUP_BUF struct buf bytes = make();
    CLEANUP(request_done) struct request q = {0};
    uint32_t *numbers = (uint32_t *)(void *)bytes.p;
    struct err e = {0};

    (void)state;
    request_read("copy lines from a.txt to b.txt", NULL, &q, &e);
    for (size_t i = 0; i < bytes.len / 4; i++)
        for (size_t k = 0; k < N_OF(values); k++) {
            uint32_t was = numbers[i];
            const struct index *x;
            struct index_hit hit;
            struct recipe r;

            numbers[i] = values[k];
            x = index_view(bytes.p, bytes.len, &e);
            if (x && index_search(x, &q, &hit, 1) > 0)
                index_recipe(x, hit.recipe, &r);
            numbers[i] = was;
        }
    assert_non_null(index_view(bytes.p, bytes.len, &e));
}

static void
the_program_has_an_index_that_is_whole(void **state)
{
    const struct index *x = index_builtin();
    struct err e = {0};

    (void)state;
    assert_non_null(x);
    assert_true(index_count(x) > 0);
    if (index_view(x, x->bytes, &e) != x)
        fail_msg("%s", e.text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recipes_come_back_as_they_were_written),
        cmocka_unit_test(a_request_finds_the_recipe_that_is_about_it),
        cmocka_unit_test(
            a_request_of_which_no_recipe_knows_a_word_finds_nothing),
        cmocka_unit_test(a_rare_word_weighs_more_than_a_common_one),
        cmocka_unit_test(a_slip_of_the_finger_is_mended),
        cmocka_unit_test(cut_bytes_are_no_index),
        cmocka_unit_test(a_changed_number_does_no_harm),
        cmocka_unit_test(the_program_has_an_index_that_is_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
