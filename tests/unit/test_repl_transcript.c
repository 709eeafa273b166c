/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_repl_transcript.c - what was shown is kept as it is read. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "frontend/repl/transcript.h"

/* Shown bytes, and the text that is left of them. */
static const struct row {
    const char *name, *in, *out;
} rows[] = {
    {"lines as the terminal gets them", "one\r\ntwo\r\n", "one\ntwo"},
    {"colours are no text", "\033[1;31mred\033[0m plain", "red plain"},
    {"titles are no text", "\033]0;user@host\adone\033]2;x\033\\!", "done!"},
    {"bells and charset switches are no text", "a\ab\033(Bc", "abc"},
    {"a carriage return begins the line anew", " 10%\r 50%\r100%\r\nok",
     "100%\nok"},
    {"what a shorter line leaves stays", "abcdef\rxy\r\n", "xycdef"},
    {"erasing to the end of the line", "abcdef\rxy\033[K\r\n", "xy"},
    {"erasing the whole line", "progress\033[2K\rdone", "done"},
    {"erasing before the cursor", "abcdef\033[3D\033[1KX", "   Xef"},
    {"erasing all of it from the middle", "abcdef\033[3D\033[2KX", "   X"},
    {"a backspace rubs out when followed by another", "abc\b\bX", "aXc"},
    {"man pages strike over", "N\bNA\bA", "NA"},
    {"columns count characters, not bytes", "\xc3\xa4\xc3\xb6\rX", "X\xc3\xb6"},
    {"a longer character over a shorter", "ab\r\xe2\x82\xac",
     "\xe2\x82\xac"
     "b"},
    {"two lines of progress", "a 1\r\nb 1\r\n\033[2Aa 2\r\nb 2\r\n",
     "a 2\nb 2"},
    {"up, change, down", "one\r\ntwo\r\n\033[2Auno\r\033[2Bend",
     "uno\ntwo\nend"},
    {"to a column", "abc\033[6Gd", "abc  d"},
    {"right and left", "a\033[2Cb\033[2Dc", "a cb"},
    {"deleted characters", "abcdef\r\033[2P", "cdef"},
    {"a cleared screen", "old\r\n\033[H\033[2Jnew", "new"},
    {"a cleared screen, the short way", "old\r\n\033[H\033[Jnew", "new"},
    {"reset", "old\033cnew", "new"},
    {"the alternate screen is left out",
     "before\r\n\033[?1049h\033[Hvim\033[5;1H~\033[?1049lafter",
     "before\nafter"},
    {"an absolute position begins a line", "x\033[5;10Hy", "x\ny"},
    {"blank lines at the end go", "text\r\n\r\n  \r\n", "text"},
    {"tabs stay", "a\tb", "a\tb"},
    {"bytes that are no UTF-8 are replaced", "a\xff", "a\xef\xbf\xbd"},
    {"a sequence that never ends", "a\033[31", "a"},
    {"a cancelled sequence", "a\033[31\030b", "ab"},
    {"a control character inside a sequence", "a\033[3\n1mb", "a\nb"},
    {"nothing", "", ""},
};

#define LONG_LINE                                                              \
    "0123456789\tabcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 3456"   \
    "\xc3\xa4 ~!/"

static void
feed(struct transcript *t, const char *in, size_t piece)
{
    for (size_t n = strlen(in); n > 0;) {
        size_t k = piece < n ? piece : n;

        transcript_feed(t, in, k);
        in += k;
        n -= k;
    }
}

static void
what_was_shown_is_read_back(void **state)
{
    CLEANUP(transcript_free_p) struct transcript *t = transcript_new(NULL);

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        for (size_t piece = 1; piece < 9; piece++) {
            CLEANUP_BUF struct buf out = buf_of(1000);

            transcript_clear(t);
            feed(t, rows[i].in, piece);
            transcript_tail(t, 1000, &out);
            if (strcmp(out.p, rows[i].out) != 0)
                fail_msg("%s, in pieces of %zu: [%s]", rows[i].name, piece,
                         out.p);
        }
    }
}

static void
the_tail_is_whole_lines(void **state)
{
    CLEANUP(transcript_free_p) struct transcript *t = transcript_new(NULL);
    CLEANUP_BUF struct buf out = buf_of(1000);

    (void)state;
    feed(t, "first line\nsecond\nthird\n", 100);
    transcript_tail(t, 11, &out);
    assert_string_equal(out.p, "third");
    buf_clear(&out);
    transcript_tail(t, 3, &out);
    assert_string_equal(out.p, "ird");
}

static void
megabytes_leave_their_end(void **state)
{
    CLEANUP(transcript_free_p) struct transcript *t = transcript_new(NULL);
    CLEANUP_BUF struct buf out = buf_of(TRANSCRIPT_MAX);
    char line[64];

    (void)state;
    for (int i = 0; i < 200000; i++) {
        int n = snprintf(line, sizeof(line), "line %d of many\r\n", i);

        transcript_feed(t, line, (size_t)n);
    }
    transcript_tail(t, TRANSCRIPT_MAX, &out);
    assert_true(out.len > TRANSCRIPT_MAX / 2);
    assert_string_equal(out.p + out.len - 19, "line 199999 of many");
    assert_memory_equal(out.p, "line ", 5);
}

static void
a_clear_forgets_half_a_sequence(void **state)
{
    CLEANUP(transcript_free_p) struct transcript *t = transcript_new(NULL);
    CLEANUP_BUF struct buf out = buf_of(100);

    (void)state;
    feed(t, "\033[?1049hscreen\033[3", 100);
    transcript_clear(t);
    feed(t, "1m", 100);
    transcript_tail(t, 100, &out);
    assert_string_equal(out.p, "1m");
}

/* Text is looked at many bytes at a time: what is special is found at every
 * place of them, and is what it is byte by byte. */
static void
a_long_piece_is_read_as_its_bytes_are(void **state)
{
    CLEANUP(transcript_free_p) struct transcript *t = transcript_new(NULL);

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        for (int before = 0; before < 2 * 64 + 2; before++) {
            CLEANUP_BUF struct buf in = buf_of(2000), out = buf_of(2000);
            CLEANUP_BUF struct buf whole = buf_of(2000);

            buf_printf(&in, "%.*s", before, LONG_LINE LONG_LINE);
            buf_str(&in, rows[i].in);
            buf_str(&in, LONG_LINE "\r\n" LONG_LINE "\rX\x7f\r\n");
            transcript_clear(t);
            feed(t, in.p, in.len);
            transcript_tail(t, 2000, &whole);
            transcript_clear(t);
            feed(t, in.p, 1);
            transcript_tail(t, 2000, &out);
            assert_string_equal(whole.p, out.p);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_shown_is_read_back),
        cmocka_unit_test(a_long_piece_is_read_as_its_bytes_are),
        cmocka_unit_test(the_tail_is_whole_lines),
        cmocka_unit_test(megabytes_leave_their_end),
        cmocka_unit_test(a_clear_forgets_half_a_sequence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
