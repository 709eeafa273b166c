/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_generate_word.c - texts are quoted as words of a shell. */
#include "unit.h"

#include "offline/generate/generate.h"

static const struct {
    const char *text, *word, *quoted, *path;
} rows[] = {
    {"a.txt", "a.txt", "'a.txt'", "a.txt"},
    {"*.txt", "'*.txt'", "'*.txt'", "*.txt"},
    {"my file", "'my file'", "'my file'", "'my file'"},
    {"my *.c", "'my *.c'", "'my *.c'", "'my *.c'"},
    {"it's", "'it'\\''s'", "'it'\\''s'", "'it'\\''s'"},
    {"~", "~", "'~'", "~"},
    {"~/src", "~/src", "'~/src'", "~/src"},
    {"~/my dir", "~/'my dir'", "'~/my dir'", "~/'my dir'"},
    {"~bob/x", "~bob/x", "'~bob/x'", "~bob/x"},
    {"$HOME/x", "\"$HOME/x\"", "\"$HOME/x\"", "\"$HOME/x\""},
    {"${d}x", "\"${d}x\"", "\"${d}x\"", "\"${d}x\""},
    {"$1", "\"$1\"", "\"$1\"", "\"$1\""},
    {"$(id)", "'$(id)'", "'$(id)'", "'$(id)'"},
    {"$x`id`", "\"$x\\`id\\`\"", "\"$x\\`id\\`\"", "\"$x\\`id\\`\""},
    {"$x$(id)", "\"$x\\$(id)\"", "\"$x\\$(id)\"", "\"$x\\$(id)\""},
    {"${x:-`id`}", "'${x:-`id`}'", "'${x:-`id`}'", "'${x:-`id`}'"},
    {"a;b", "'a;b'", "'a;b'", "'a;b'"},
    {"", "''", "''", "''"},
    {"-rf", "-rf", "'-rf'", "./-rf"},
    {"#x", "'#x'", "'#x'", "'#x'"},
    {"x\nf2.jpg", "$'x\\nf2.jpg'", "$'x\\nf2.jpg'", "$'x\\nf2.jpg'"},
    {"it's\\\033[1m\0017", "$'it\\'s\\\\\\e[1m\\0017'",
     "$'it\\'s\\\\\\e[1m\\0017'", "$'it\\'s\\\\\\e[1m\\0017'"},
    {"~/a\tb", "~/$'a\\tb'", "$'~/a\\tb'", "~/$'a\\tb'"},
    {"$HOME/a\nb", "\"$HOME/a\"$'\\n'\"b\"", "\"$HOME/a\"$'\\n'\"b\"",
     "\"$HOME/a\"$'\\n'\"b\""},
};

static void
a_text_becomes_a_word_that_means_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf b = buf_of(1024);

        generate_word(&b, rows[i].text);
        assert_string_equal(b.p, rows[i].word);
        buf_clear(&b);
        generate_quoted(&b, rows[i].text);
        assert_string_equal(b.p, rows[i].quoted);
        buf_clear(&b);
        generate_path(&b, rows[i].text);
        assert_string_equal(b.p, rows[i].path);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_becomes_a_word_that_means_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
