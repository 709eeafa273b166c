/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_reply_need.c - answers to a need, argv from rows, programs that are run.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "plugins/lib/need.h"
#include "plugins/lib/run.h"
#include "plugins/lib/text.h"
#include "plugins/lib/words.h"
#include "unit.h"

#define TEXTS "\"stdout\":\"a\",\"stderr\":\"b\""

static const struct {
    const char *line;
    enum err_code code;
    int exit_code;
    const char *error_code;
} answers[] = {
    {"{\"exit_code\":0," TEXTS "}", ERR_NONE, 0, ""},
    {"{\"exit_code\":100," TEXTS ",\"more\":1}", ERR_NONE, 100, ""},
    {"{\"exit_code\":-1," TEXTS ",\"error_code\":\"PERMISSION_DENIED\"}",
     ERR_NONE, -1, "PERMISSION_DENIED"},
    {"{\"exit_code\":-2," TEXTS "}", ERR_PEER, 0, NULL},
    {"{\"exit_code\":1.5," TEXTS "}", ERR_PEER, 0, NULL},
    {"{\"exit_code\":4294967296," TEXTS "}", ERR_PEER, 0, NULL},
    {"{" TEXTS "}", ERR_PEER, 0, NULL},
    {"{\"exit_code\":0,\"stdout\":\"\"}", ERR_PEER, 0, NULL},
    {"{\"exit_code\":0,\"stdout\":1,\"stderr\":\"\"}", ERR_PEER, 0, NULL},
    {"{\"exit_code\":0," TEXTS ",\"error_code\":\"\"}", ERR_PEER, 0, NULL},
    {"{\"exit_code\":0," TEXTS ",\"error_code\":7}", ERR_PEER, 0, NULL},
    {"{\"exit_code\":0," TEXTS ",\"error_code\":\"A_CODE_THAT_IS_TOO_LONG_FOR_"
     "ANYONE\"}",
     ERR_PEER, 0, NULL},
    {"[]", ERR_PEER, 0, NULL},
    {"", ERR_PARSE, 0, NULL},
    {"{\"exit_code\":0,\"exit_code\":0," TEXTS "}", ERR_INVALID, 0, NULL},
};

static void
an_answer_to_a_need_is_checked(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(answers); i++) {
        CLEANUP(need_answer_done) struct need_answer a;
        struct err e = {0};
        int rc;

        need_answer_init(&a, NEED_TEXT_MAX);
        rc = need_parse(answers[i].line, strlen(answers[i].line), &a, &e);
        assert_int_equal(e.code, answers[i].code);
        assert_int_equal(rc, e.code ? -1 : 0);
        if (rc < 0)
            continue;
        assert_int_equal(a.exit_code, answers[i].exit_code);
        assert_string_equal(a.error_code, answers[i].error_code);
        assert_string_equal(a.out.p, "a");
        assert_string_equal(a.err.p, "b");
    }
}

static const struct {
    const char *const argv[4];
    const char *line;
} lines[] = {
    {{"/bin/a", "b-c", "d=e"}, "/bin/a b-c d=e"},
    {{"a", "", "b c"}, "a '' 'b c'"},
    {{"a", "it's"}, "a 'it'\\''s'"},
    {{"a", "$(x)", ";"}, "a '$(x)' ';'"},
};

static void
a_line_to_type_is_quoted_where_a_shell_would_read_more(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(lines); i++) {
        CLEANUP_BUF struct buf b = buf_of(100);

        need_line(lines[i].argv, &b);
        assert_string_equal(b.p, lines[i].line);
    }
}

static const struct {
    const char *name;
    size_t n;
    bool is;
} names[] = {
    {"nginx", 5, true},
    {"g++", 3, true},
    {"0ad", 3, true},
    {"python@3.12", 11, true},
    {"libc6:amd64", 11, true},
    {"a_b.c-d", 7, true},
    {"", 0, false},
    {"-x", 2, false},
    {"--x", 3, false},
    {"+x", 2, false},
    {".", 1, false},
    {"..", 2, false},
    {"a/b", 3, false},
    {"a b", 3, false},
    {"a;b", 3, false},
    {"a\n", 2, false},
    {"a*", 2, false},
    {"a=1", 3, false},
    {"a\0b", 3, false},
    {"\0", 1, false},
    {"a\\x2d", 5, false},
    {"\xc3\xa4", 2, false},
};

static void
only_a_name_is_a_name(void **state)
{
    char longest[129];

    (void)state;
    for (size_t i = 0; i < N_OF(names); i++)
        assert_int_equal(words_is_name(names[i].name, names[i].n, "", 128),
                         names[i].is);
    assert_true(words_is_name("a\\x2d", 5, "\\", 128));
    assert_false(words_is_name("\\a", 2, "\\", 128));
    memset(longest, 'a', sizeof(longest));
    assert_true(words_is_name(longest, 128, "", 128));
    assert_false(words_is_name(longest, 129, "", 128));
}

static void
a_row_becomes_argv(void **state)
{
    static const char *const row[WORDS_ROW] = {"sh", "%y", "-c", "%p", "%q"};
    static const char *const many[] = {"x", "y z"};
    const struct words_value values[] = {{"%y", NULL, 0}, {"%p", many, 2}, {0}};
    static const char *const nowhere[WORDS_ROW] = {"no-such-program-zz"};
    CLEANUP(words_done) struct words w, none;
    struct err e = {0};

    (void)state;
    assert_int_equal(words_fill(&w, row, values, &e), 0);
    assert_int_equal(w.n, 5);
    assert_string_equal(w.argv[0] + strlen(w.argv[0]) - 3, "/sh");
    assert_string_equal(w.argv[1], "-c");
    assert_string_equal(w.argv[3], "y z");
    assert_string_equal(w.argv[4], "%q");
    assert_null(w.argv[5]);
    assert_int_equal(words_fill(&none, nowhere, values, &e), -1);
    assert_int_equal(e.code, ERR_UNSUPPORTED);
}

static void
too_many_words_are_an_error(void **state)
{
    static const char *const row[WORDS_ROW] = {"sh", "%p", "%p"};
    const char *many[WORDS_MAX / 2];
    const struct words_value values[] = {{"%p", many, N_OF(many)}, {0}};
    CLEANUP(words_done) struct words w;
    struct err e = {0};

    (void)state;
    for (size_t i = 0; i < N_OF(many); i++)
        many[i] = "x";
    assert_int_equal(words_fill(&w, row, values, &e), -1);
    assert_int_equal(e.code, ERR_INVALID);
}

static int
run(const char *script, int64_t timeout_ms, struct need_answer *a)
{
    const char *const argv[] = {"/bin/sh", "-c", script, NULL};
    const struct request r = {.timeout_ms = timeout_ms, .began_ms = clock_ms()};

    need_answer_init(a, 1000);
    return run_program(argv, &(struct run_how){.request = &r}, a, NULL);
}

static void
a_program_runs_in_one_locale_without_input(void **state)
{
    CLEANUP(need_answer_done) struct need_answer a;

    (void)state;
    setenv("LC_MESSAGES", "de_DE.UTF-8", 1);
    setenv("LANGUAGE", "de", 1);
    assert_int_equal(
        run("echo $LC_ALL $LANGUAGE$LC_MESSAGES; cat; echo no >&2; exit 7", -1,
            &a),
        0);
    assert_string_equal(a.out.p, "C.UTF-8\n");
    assert_string_equal(a.err.p, "no\n");
    assert_int_equal(a.exit_code, 7);
    assert_string_equal(a.error_code, "");
}

static void
a_program_that_floods_is_read_to_its_end(void **state)
{
    CLEANUP(need_answer_done) struct need_answer a;

    (void)state;
    assert_int_equal(run("head -c 300000 /dev/zero; echo done >&2", -1, &a), 0);
    assert_int_equal(a.out.len, 1000);
    assert_string_equal(a.err.p, "done\n");
    assert_int_equal(a.exit_code, 0);
}

static void
a_program_that_hangs_is_ended(void **state)
{
    CLEANUP(need_answer_done) struct need_answer a;
    int64_t from = clock_ms();

    (void)state;
    assert_int_equal(run("echo so far; exec sleep 100", 200, &a), 0);
    assert_string_equal(a.out.p, "so far\n");
    assert_string_equal(a.error_code, "TIMEOUT");
    assert_int_equal(a.exit_code, 137);
    assert_true(clock_ms() - from < 50000);
}

static void
who_holds_the_pipes_is_not_waited_for(void **state)
{
    CLEANUP(need_answer_done) struct need_answer a;
    int64_t from = clock_ms();

    (void)state;
    assert_int_equal(run("sleep 100 & echo started", -1, &a), 0);
    assert_string_equal(a.out.p, "started\n");
    assert_string_equal(a.error_code, "");
    assert_true(clock_ms() - from < 50000);
}

static void
a_text_is_cut_at_a_character_and_mended(void **state)
{
    CLEANUP_BUF struct buf raw = buf_of(2 * REPLY_TEXT_MAX);
    CLEANUP_BUF struct buf out = buf_of(TEXT_MAX);
    CLEANUP_BUF struct buf tail = buf_of(TEXT_MAX);
    const struct request plain = {0}, streams = {.stream = true};

    (void)state;
    buf_str(&raw, "a\xff");
    assert_false(text_fit(&out, &raw, &plain));
    assert_string_equal(out.p, "a\xef\xbf\xbd");
    text_note(&out, "and %d", 1);
    assert_string_equal(out.p, "a\xef\xbf\xbd\nand 1\n");
    while (raw.len < REPLY_TEXT_MAX + 10)
        buf_str(&raw, "\xc3\xa4");
    buf_clear(&out);
    assert_true(text_fit(&out, &raw, &plain));
    assert_true(out.len <= REPLY_TEXT_MAX);
    assert_int_equal((unsigned char)out.p[out.len - 1], 0xa4);
    assert_true(text_fit(&tail, &raw, &streams));
    assert_true(tail.len <= REPLY_TAIL_MAX);
    assert_int_equal((unsigned char)tail.p[0], 0xc3);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_to_a_need_is_checked),
        cmocka_unit_test(
            a_line_to_type_is_quoted_where_a_shell_would_read_more),
        cmocka_unit_test(only_a_name_is_a_name),
        cmocka_unit_test(a_row_becomes_argv),
        cmocka_unit_test(too_many_words_are_an_error),
        cmocka_unit_test(a_program_runs_in_one_locale_without_input),
        cmocka_unit_test(a_program_that_floods_is_read_to_its_end),
        cmocka_unit_test(a_program_that_hangs_is_ended),
        cmocka_unit_test(who_holds_the_pipes_is_not_waited_for),
        cmocka_unit_test(a_text_is_cut_at_a_character_and_mended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
