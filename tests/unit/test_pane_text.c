/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_pane_text.c - what a command showed, from the text of a terminal; and
 * plain text of what a program wrote. */
#include "unit.h"

#include <string.h>

#include "base/cleanup.h"
#include "ui/pane_text.h"
#include "ui/plain_text.h"

struct pane_row {
    const char *text, *command;
    const char *want; /* NULL: it is not found */
};

static const struct pane_row rows[] = {
    {"u@h:~$ ls x\nls: no x\nu@h:~$ ai fix\n\n\n", "ls x", "ls: no x\n"},
    {"$ ls x\n$ ai fix\n", "ls x", ""},
    {"$ls x\nno\n$ai fix\n", "ls x", "no\n"},
    /* the last of two, and what came before it stays out */
    {"$ make\nold\n$ make\nnew\n$ ai fix", "make", "new\n"},
    /* the command in another's output is no prompt */
    {"$ make\nmake: gcc x.c\nno\n$ ai fix", "gcc x.c", NULL},
    {"$ sh -x s\n+ gcc x.c\nno\n$ ai fix", "gcc x.c", NULL},
    {"$ make\n  gcc x.c\nno\n$ ai fix", "gcc x.c", NULL},
    /* a prompt that shows the status, or the time */
    {"<0|~> ls x\nno\n<2|~> ai fix", "ls x", "no\n"},
    {"[10:01] h% ls x\nno\n[10:02] h% /usr/bin/ai fix it", "ls x", "no\n"},
    {"<0|~> ls x\nno\n<2|~> repair", "ls x", NULL},
    {"~/p \xe2\x9d\xaf ls x\nno\n~/q \xe2\x9d\xaf ai fix", "ls x", "no\n"},
    /* what stands on the right side */
    {"h% ls x          10:01\nno\nh% ai fix      10:02", "ls x", "no\n"},
    {"h% ls x y\nno\nh% ai fix", "ls x", NULL},
    /* prompts of two lines */
    {"\xe2\x95\xad\xe2\x94\x80 ~/p\n\xe2\x95\xb0\xe2\x94\x80$ ls x\nno\n"
     "\xe2\x95\xad\xe2\x94\x80 ~/q main\n\xe2\x95\xb0\xe2\x94\x80$ ai fix",
     "ls x", "no\n"},
    {"u in ~/p\n> ls x\nno\nu in ~/p\n> ai fix", "ls x", "no\n"},
    {"\n> ls x\nno\n\n> ai fix", "ls x", "no\n"},
    /* a command of several lines */
    {"$ for i in 1\n> do cat $i\n> done\nno 1\n$ ai fix",
     "for i in 1\ndo cat $i\ndone", "no 1\n"},
    {"$ for i in 1\n> do x\n> done\nno 1\n$ ai fix",
     "for i in 1\ndo cat $i\ndone", NULL},
    /* an empty line, and one that was not recorded, end the text */
    {"h$ ls x\nno\nh$\nh$ ai fix", "ls x", "no\n"},
    {"h$ ls x\nno\nh$  secret\nhidden\nh$ ai fix", "ls x", "no\n"},
    /* it was cleared away */
    {"h$ ai fix", "ls x", NULL},
    {"ls: no x\nh$ ai fix", "ls x", NULL},
    {"", "ls x", NULL},
    {"\n\n", "ls x", NULL},
    {"h$ ls x\nno", "", NULL},
    {"ls x\nno\nai fix", "ls x", NULL}, /* no prompt at all */
};

static void
the_text_between_the_last_two_prompts_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        const struct pane_row *r = &rows[i];
        CLEANUP_BUF struct buf out = buf_of(4096);
        bool found = pane_text_between(r->text, strlen(r->text), r->command,
                                       &out);

        if (found != (r->want != NULL) || strcmp(out.p, found ? r->want : ""))
            fail_msg("%s\n---\n%s\n---\n%d: '%s'", r->text, r->command, found,
                     out.p);
    }
}

static void
any_bytes_end_well(void **state)
{
    char text[3 * PANE_LINES_MAX + 64];
    size_t n = 0;

    (void)state;
    for (; n < 3 * PANE_LINES_MAX; n++)
        text[n] = n % 3 == 2 ? '\n' : (char)(n * 37 + 1);
    memcpy(text + n, "$ x\n\xff\xfe\n$ ai", 10);
    for (size_t cut = 0; cut < 64; cut++) {
        CLEANUP_BUF struct buf out = buf_of(sizeof(text));

        (void)pane_text_between(text + cut, n - cut, "x", &out);
        (void)pane_text_between(text + n, cut % 11, "x", &out);
    }
}

static void
what_a_program_wrote_becomes_plain_text(void **state)
{
    static const struct {
        const char *bytes, *want;
    } texts[] = {
        {"a\nb\n\n", "a\nb"},
        {"\r\n\na\r\n b\r\n", "a\n b"},
        {"\033[1;31merror:\033[m no\n", "error: no"},
        {"\033]0;title\adone\033]8;;x\033\\y\n", "doney"},
        {"10%\r100%\rdone\n", "done"},
        {"ab\b\bcd\n", "cd"},
        {"a\001b\177c", "abc"},
        {"a\xff"
         "b",
         "a\xef\xbf\xbd"
         "b"},
        {"x\033[", "x"},
        {"\033]0;title\033[1merror: no\n", "error: no"},
        {"\033]0;title\030error: no\n", "error: no"},
        {"\033[3\nerror: no\n", "error: no"},
        {"x\033", "x"},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(texts); i++) {
        CLEANUP_BUF struct buf out = buf_of(4096);

        plain_text_put(&out, texts[i].bytes, strlen(texts[i].bytes));
        assert_string_equal(out.p, texts[i].want);
    }
}

/* Neither the byte behind an ESC nor one of a text. */
static void
a_nul_hides_nothing(void **state)
{
    static const char bytes[] = "a\033\0error: no\n";
    CLEANUP_BUF struct buf out = buf_of(4096);

    (void)state;
    plain_text_put(&out, bytes, sizeof(bytes) - 1);
    assert_string_equal(out.p, "aerror: no");
}

static void
of_a_long_text_the_last_lines_are_kept(void **state)
{
    CLEANUP_BUF struct buf out = buf_of(16);
    CLEANUP_BUF struct buf line = buf_of(8);

    (void)state;
    plain_text_put(&out, "first line\nsecond\nthird\n", 24);
    assert_string_equal(out.p, "second\nthird");
    plain_text_put(&line, "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4x", 9);
    assert_false(line.bad);
    assert_string_equal(line.p, "\xc3\xa4\xc3\xa4\xc3\xa4x");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_between_the_last_two_prompts_is_found),
        cmocka_unit_test(any_bytes_end_well),
        cmocka_unit_test(what_a_program_wrote_becomes_plain_text),
        cmocka_unit_test(a_nul_hides_nothing),
        cmocka_unit_test(of_a_long_text_the_last_lines_are_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
