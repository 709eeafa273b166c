/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_bash_protocol.c - messages, marks and prompts between REPL and bash. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "frontend/repl/bash_channel.h"
#include "frontend/repl/line_editor.h"
#include "frontend/repl/output_delimiter.h"

#define MSG_MAX 128

/* A message from a text with a bar where a field ends. */
static size_t
message(const char *text, char msg[MSG_MAX])
{
    size_t n = strlen(text);

    for (size_t i = 0; i <= n; i++)
        msg[i] = text[i] == '|' ? '\0' : text[i];
    return n;
}

static void
a_prompt_message_is_read(void **state)
{
    char msg[MSG_MAX];
    size_t n = message("P12|130|vi|/tmp|$ |=| :|3|", msg);
    struct bash_prompt p;

    (void)state;
    assert_int_equal(bash_protocol_read_prompt(msg, n, &p), 0);
    assert_false(p.more);
    assert_int_equal(p.seq, 12);
    assert_int_equal(p.status, 130);
    assert_true(p.vi);
    assert_string_equal(p.cwd, "/tmp");
    assert_string_equal(p.prompt, "$ ");
    assert_true(p.prefix_set);
    assert_string_equal(p.prefix, "");
    assert_string_equal(p.breaks, " :");
    assert_int_equal(p.binds, 3);
}

static void
a_damaged_message_is_refused(void **state)
{
    static const struct {
        const char *name, *text;
    } bad[] = {
        {"empty", ""},
        {"a letter only", "P"},
        {"cut", "P1|0|vi|/|$||x|0"},
        {"a field short", "P1|0|vi|/|$||x|"},
        {"a field too many", "P1|0|vi|/|$||x|0|y|"},
        {"a sequence of letters", "Px|0|vi|/|$||x|0|"},
        {"a negative status", "P1|-1|vi|/|$||x|0|"},
        {"a number too large", "P99999999999999999999|0|vi|/|$||x|0|"},
        {"no number", "P1||vi|/|$||x|0|"},
        {"another letter", "Z1|0|vi|/|$||x|0|"},
    };
    struct bash_prompt p;
    char msg[MSG_MAX];

    (void)state;
    for (size_t i = 0; i < N_OF(bad); i++) {
        if (bash_protocol_read_prompt(msg, message(bad[i].text, msg), &p) == 0)
            fail_msg("taken: %s", bad[i].name);
    }
}

static void
take(struct bash_reply *s, const char *text)
{
    char msg[MSG_MAX];

    bash_reply_add(s, msg, message(text, msg));
}

static void
an_answer_is_put_together(void **state)
{
    struct bash_reply s;

    (void)state;
    bash_reply_init(&s);
    take(&s, "cstray|");
    assert_int_equal(bash_reply_fields(&s)->len, 0);
    bash_reply_begin(&s);
    assert_null(bash_reply_fields(&s));
    take(&s, "c4|1|1|0|0|47|");
    take(&s, "cab|abc|");
    take(&s, "cabd|");
    take(&s, "cno end");
    take(&s, ".|");
    assert_true(s.matches_known);
    assert_int_equal(s.matches.start, 4);
    assert_true(s.matches.filenames && s.matches.quoting && !s.matches.sort);
    assert_int_equal(s.matches.append, '/');
    assert_int_equal(bash_reply_fields(&s)->len, 11);
    assert_memory_equal(bash_reply_fields(&s)->p, "ab\0abc\0abd", 11);
    bash_reply_done(&s);
}

static void
the_mark_is_found_wherever_it_is_cut(void **state)
{
    struct output_delimiter m;
    char in[256];
    size_t len;

    (void)state;
    output_delimiter_expect(&m, "cafe", 7);
    len = (size_t)snprintf(in, sizeof(in), "out\033[0m\033%sput%.4s%sleft", "",
                           m.text, m.text);
    for (size_t cut = 0; cut <= len; cut++) {
        CLEANUP_BUF struct buf out = buf_of(sizeof(in));
        size_t seen;

        output_delimiter_expect(&m, "cafe", 7);
        seen = output_delimiter_scan(&m, in, cut, &out);
        if (m.expected)
            seen = cut + output_delimiter_scan(&m, in + cut, len - cut, &out);
        assert_false(m.expected);
        assert_int_equal(seen, len - 4);
        assert_int_equal(out.len, len - 4 - m.len);
        assert_memory_equal(out.p, in, out.len);
    }
}

static void
another_mark_is_output(void **state)
{
    CLEANUP_BUF struct buf out = buf_of(1000);
    struct output_delimiter old, m;

    (void)state;
    output_delimiter_expect(&old, "cafe", 6);
    output_delimiter_expect(&m, "cafe", 7);
    assert_int_equal(output_delimiter_scan(&m, old.text, old.len, &out),
                     old.len);
    assert_true(m.expected);
    assert_int_equal(out.len, old.len);
}

static void
a_nonce_is_never_the_same(void **state)
{
    char one[BASH_NONCE_SIZE], two[BASH_NONCE_SIZE];

    (void)state;
    assert_int_equal(output_delimiter_nonce(one, NULL) |
                         output_delimiter_nonce(two, NULL),
                     0);
    assert_int_equal(strspn(one, "0123456789abcdef"), 32);
    assert_string_not_equal(one, two);
}

static void
the_sign_stands_where_the_prompt_begins(void **state)
{
    static const struct {
        const char *prompt, *out;
    } rows[] = {
        {"$ ", "(ai) $ "},
        {"\nuser\n$ ", "\n(ai) user\n$ "},
        {"\001\033]0;t\a\002u$ ", "(ai) \001\033]0;t\a\002u$ "},
        {"\001\033]0;t\a\002\n\001\033[1m\002u$ ",
         "\001\033]0;t\a\002\n(ai) \001\033[1m\002u$ "},
        {"\001never ends", "(ai) \001never ends"},
        {"", "(ai) "},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf out = buf_of(100);

        line_editor_prefix_prompt(&out, rows[i].prompt, "(ai) ");
        assert_string_equal(out.p, rows[i].out);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prompt_message_is_read),
        cmocka_unit_test(a_damaged_message_is_refused),
        cmocka_unit_test(an_answer_is_put_together),
        cmocka_unit_test(the_mark_is_found_wherever_it_is_cut),
        cmocka_unit_test(another_mark_is_output),
        cmocka_unit_test(a_nonce_is_never_the_same),
        cmocka_unit_test(the_sign_stands_where_the_prompt_begins),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
