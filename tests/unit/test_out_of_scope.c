/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_out_of_scope.c - requests that no shell command can answer. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/cleanup.h"
#include "offline/engine/out_of_scope.h"

static const struct {
    const char *request;
    const char *why; /* NULL: a command may do it */
} rows[] = {
    {"undo", "ai undo puts back"},
    {"Undo that, please!", "ai undo puts back"},
    {"undo the last commit", NULL},
    {"undo set -e", NULL},
    {"order me a pizza", "pizza"},
    {"Write a poem about linux", "poem"},
    {"please translate hello to French.", "french"},
    {"make a song directory", NULL},
    {"print poem.txt", NULL},
    {"order the lines of a file", NULL},
    {"book", NULL},
    {"pizza order", NULL},
    {"translate a-z to A-Z", NULL},
    {"write my story into story.txt", NULL},
};

static void
what_no_command_does_is_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf why = buf_of(256);
        bool yes = out_of_scope_reason(rows[i].request, &why);

        if (yes != (rows[i].why != NULL) ||
            (yes && !strstr(why.p, rows[i].why)))
            fail_msg("%s: %s", rows[i].request, why.p);
    }
}

static const struct {
    const char *request;
    bool foreign;
} languages[] = {
    {"zeig mir alle offenen ports", true},
    {"l\xc3\xb6sche alle leeren ordner", true},
    {"montre moi les fichiers", true},
    {"kopiere a.txt nach b.txt", true},
    {"show all open ports", false},
    {"restart nginx", false},
    {"kill firefox, it hangs", false},
    {"-rf ./x 12", false},
    {"", false},
};

static void
a_request_of_unknown_words_is_not_english(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(languages); i++) {
        if (out_of_scope_language(languages[i].request) != languages[i].foreign)
            fail_msg("%s", languages[i].request);
    }
}

static void
names_and_numbers_are_no_words(void **state)
{
    static const char *const words[] = {"sort", "",     "", "",
                                        "now",  "it's", "", ""};
    const char *p = " Sort a.txt, 3 ./x (now)  it's!? --all "
                    "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
    char word[OUT_OF_SCOPE_WORD_MAX];
    size_t i = 0;

    (void)state;
    for (; out_of_scope_next_word(&p, word); i++) {
        assert_between(i, 0, N_OF(words) - 1);
        assert_string_equal(word, words[i]);
    }
    assert_int_equal(i, N_OF(words));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_no_command_does_is_reported),
        cmocka_unit_test(a_request_of_unknown_words_is_not_english),
        cmocka_unit_test(names_and_numbers_are_no_words),
    };

    return cmocka_run_group_tests_name("out_of_scope", tests, NULL, NULL);
}
