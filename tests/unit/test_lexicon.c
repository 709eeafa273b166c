/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_lexicon.c - words with one meaning have one stem, others not. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "offline/parse/lexicon.h"
#include "offline/parse/synonyms.h"

static const struct {
    const char *word, *stem;
} stems[] = {
    {"files", "file"},
    {"file's", "file"},
    {"FILES", "file"},
    {"listing", "list"},
    {"Shows", "list"},
    {"removing", "delete"},
    {"erased", "delete"},
    {"rm", "delete"},
    {"folders", "directory"},
    {"directories", "directory"},
    {"copies", "copy"},
    {"copying", "copy"},
    {"moved", "move"},
    {"moving", "move"},
    {"zipped", "zip"},
    {"stopping", "kill"},
    {"stopped", "kill"},
    {"processes", "process"},
    {"users", "user"},
    {"used", "use"},
    {"user", "user"},
    {"uses", "use"},
    {"modified", "modify"},
    {"changed", "modify"},
    {"change", "change"},
    {"changing", "change"},
    {"largest", "biggest"},
    {"larger", "bigger"},
    {"large", "big"},
    {"newest", "newest"},
    {"new", "new"},
    {"news", "new"},
    {"bus", "bus"},
    {"status", "status"},
    {"nginx", "nginx"},
    {"address", "address"},
    {"addresses", "address"},
    {"don't", "not"},
    {"isn\xe2\x80\x99t", "not"},
    {"permissions", "permission"},
    {"rights", "permission"},
    {"right", "right"},
    {"installing", "install"},
    {"uninstalled", "uninstall"},
    {"echo", "echo"},
    {"is", "is"},
    {"this", "this"},
    {"as", "as"},
};

static void
a_stem_stands_for_all_forms_of_a_word(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(stems); i++) {
        char got[REQUEST_STEM_MAX], again[REQUEST_STEM_MAX];

        lexicon_stem(stems[i].word, strlen(stems[i].word), got);
        assert_string_equal(got, stems[i].stem);
        lexicon_stem(got, strlen(got), again);
        assert_string_equal(again, got);
    }
}

static void
a_long_word_is_cut(void **state)
{
    char word[300], got[REQUEST_STEM_MAX];

    (void)state;
    memset(word, 'x', sizeof(word));
    lexicon_stem(word, sizeof(word), got);
    assert_int_equal(strlen(got), REQUEST_STEM_MAX - 1);
    lexicon_stem("", 0, got);
    assert_string_equal(got, "");
}

/* The text of a source file from the row that begins the table to its end. */
static char *
read_table(const char *file, const char *begin, struct buf *bytes)
{
    const char *top = getenv("top_srcdir");
    char path[4096], *table, *end;

    snprintf(path, sizeof(path), "%s/src/offline/parse/%s", top ? top : ".",
             file);
    assert_int_equal(file_read(path, bytes, NULL), 0);
    table = strstr(bytes->p, begin);
    assert_non_null(table);
    end = strstr(table, "\n};");
    assert_non_null(end);
    *end = '\0';
    return table;
}

/* A row out of order would not be found. */
static void
each_synonym_is_found_and_means_a_common_word(void **state)
{
    CLEANUP_BUF struct buf bytes = buf_of(1 << 20);
    char *row = read_table("synonyms.c", "} synonyms[] = {", &bytes);
    char word[REQUEST_STEM_MAX], means[REQUEST_STEM_MAX];
    size_t n = 0;

    (void)state;
    while ((row = strstr(row, "{\""))) {
        assert_int_equal(
            sscanf(row, "{\"%23[^\"]\", \"%23[^\"]\"}", word, means), 2);
        if (!synonyms_of(word) || strcmp(synonyms_of(word), means) != 0)
            fail_msg("%s is not found", word);
        if (synonyms_of(means) || !lexicon_is_common(means))
            fail_msg("%s: %s is no common word of its own", word, means);
        row++;
        n++;
    }
    assert_true(n > 200);
}

/* A word in the row of another letter would not be found. */
static void
each_word_of_the_vocabulary_is_found_and_no_synonym(void **state)
{
    CLEANUP_BUF struct buf bytes = buf_of(1 << 20);
    char *text = read_table("lexicon.c", "vocabulary[] = {", &bytes);
    size_t n = 0;

    (void)state;
    for (char *word, *rest; (text = strchr(text, '"')); text = rest) {
        rest = strchr(text + 1, '"');
        assert_non_null(rest);
        *rest++ = '\0';
        for (text++; (word = strsep(&text, " "));) {
            if (!*word)
                continue;
            assert_in_range(strlen(word), 2, REQUEST_STEM_MAX - 1);
            if (!lexicon_is_common(word) || synonyms_of(word))
                fail_msg("%s", word);
            n++;
        }
    }
    assert_true(n > 1000);
    assert_false(lexicon_is_common("nginx"));
    assert_false(lexicon_is_common(""));
    assert_false(lexicon_is_common("about above"));
}

static void
weak_words_say_nothing(void **state)
{
    static const char *const weak[] = {"the", "of", "please", "a", "your"};
    static const char *const strong[] = {"file", "not", "every", "recursive",
                                         "who"};

    (void)state;
    for (size_t i = 0; i < N_OF(weak); i++)
        assert_true(lexicon_is_weak(weak[i]));
    for (size_t i = 0; i < N_OF(strong); i++)
        assert_false(lexicon_is_weak(strong[i]));
}

static const struct {
    const char *word;
    long n;
} numbers[] = {
    {"ten", 10},   {"zero", 0},         {"twenty-five", 25}, {"dozen", 12},
    {"third", 3},  {"ten-five", -1},    {"file", -1},        {"", -1},
    {"-five", -1}, {"ninety-nine", 99},
};

static void
numbers_are_read_in_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(numbers); i++)
        assert_int_equal(lexicon_number(numbers[i].word), numbers[i].n);
}

static const struct {
    const char *a, *b;
    unsigned most, distance;
} distances[] = {
    {"display", "dispaly", 2, 1},
    {"display", "display", 2, 0},
    {"file", "fiel", 2, 1},
    {"list", "lost", 1, 1},
    {"copy", "delete", 2, 3},
    {"a", "", 1, 1},
    {"", "", 0, 0},
    {"kitten", "sitting", 3, 3},
    {"kitten", "sitting", 2, 3},
    {"ab", "ba", 1, 1},
    {"abcd", "badc", 2, 2},
    {"directory", "drectoyr", 2, 2},
};

static void
letters_that_differ_are_counted(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(distances); i++) {
        assert_int_equal(
            lexicon_distance(distances[i].a, distances[i].b, distances[i].most),
            distances[i].distance);
        assert_int_equal(
            lexicon_distance(distances[i].b, distances[i].a, distances[i].most),
            distances[i].distance);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stem_stands_for_all_forms_of_a_word),
        cmocka_unit_test(a_long_word_is_cut),
        cmocka_unit_test(each_synonym_is_found_and_means_a_common_word),
        cmocka_unit_test(each_word_of_the_vocabulary_is_found_and_no_synonym),
        cmocka_unit_test(weak_words_say_nothing),
        cmocka_unit_test(numbers_are_read_in_words),
        cmocka_unit_test(letters_that_differ_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
