/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_term_filter.c - what of a command's output reaches the screen. */
#include "tests/unit/unit.h"

#include <string.h>

#include "term/term_filter.h"

#define COLOR  TERM_FILTER_COLOR
#define MOVES  TERM_FILTER_MOVES
#define SCREEN TERM_FILTER_SCREEN
#define LINE   (COLOR | MOVES)
#define ALL    (COLOR | SCREEN)

static const struct {
    const char *name;
    unsigned flags;
    const char *in, *out;
} rows[] = {
    {"text passes", LINE, "plain \xC3\xA9\n\tx\r\b", "plain \xC3\xA9\n\tx\r\b"},
    {"colour passes", LINE, "\033[1;31mred\033[0m", "\033[1;31mred\033[0m"},
    {"colour of many parts passes", LINE, "\033[38;2;1;2;3mx\033[m",
     "\033[38;2;1;2;3mx\033[m"},
    {"colon colour passes", LINE, "\033[4:3mx\033[m", "\033[4:3mx\033[m"},
    {"a colour left on is reset", LINE, "\033[31mred", "\033[31mred\033[m"},
    {"no colour where none is wanted", MOVES, "\033[31mred\033[0m", "red"},
    {"a line is erased and redrawn", LINE, "10%\r\033[K20%", "10%\r\033[K20%"},
    {"no erasing on a dumb terminal", 0, "10%\r\033[K20%", "10%\r20%"},
    {"other lines are out of reach", LINE, "a\033[2A\033[H\033[2Jb", "ab"},
    {"another screen is out of reach", LINE, "\033[?1049hx\033[?25l", "x"},
    {"a full reset does not pass", LINE, "a\033cb\033[!pc", "abc"},
    {"a title is dropped", LINE, "\033]0;evil\007text", "text"},
    {"a clipboard is dropped", LINE, "\033]52;c;ZXZpbA==\033\\text", "text"},
    {"a link is its text", LINE, "\033]8;;http://x\033\\t\033]8;;\033\\", "t"},
    {"DCS, APC, PM and SOS are dropped", LINE,
     "\033P1$q\033\\a\033_G\033\\b\033^p\033\\c\033Xs\033\\d", "abcd"},
    {"queries are dropped", LINE,
     "\033[6n\033[c\033[>0c\033[5n\033[18t\033[?1$p\033[>q\033[xa", "a"},
    {"queries are dropped on the whole screen", ALL,
     "\033[6n\033[c\033[>0c\033[5n\033[18t\033[?1$p\033[>q\033[xa\005", "a"},
    {"printing and unknown modes are dropped", ALL, "\033[5i\033[?2026hx", "x"},
    {"an unended string stops at its line", LINE, "\033]0;x\nnext", "\nnext"},
    {"an unended sequence is dropped", LINE, "a\033[31", "a"},
    {"a broken sequence begins another", LINE, "\033[31\033[1mx\033[m",
     "\033[1mx\033[m"},
    {"CAN breaks off", LINE, "\033[31\030x", "x"},
    {"a newline breaks off", LINE, "\033[31\nx", "\nx"},
    {"C1 controls act as their long forms", LINE,
     "\xC2\x9B"
     "31ma\xC2\x9D"
     "0;t\007b",
     "\033[31mab\033[m"},
    {"a lone C1 byte is no character", LINE,
     "\x9B"
     "31m",
     "\xEF\xBF\xBD"
     "31m"},
    {"bytes that are no UTF-8 are marked", LINE, "a\xFF\xE2\x80z",
     "a\xEF\xBF\xBD\xEF\xBF\xBDz"},
    {"a cut character is marked", LINE, "a\xE2\x82", "a\xEF\xBF\xBD"},
    {"bells and other controls are dropped", LINE, "a\007\001\016\017\177b",
     "ab"},
    {"an override is shown", LINE,
     "a\xE2\x80\xAE"
     "b",
     "a\\u202eb"},
    {"emoji and marks pass", LINE, "\xE2\x9A\xA0\xEF\xB8\x8F \xE2\x80\x8F",
     "\xE2\x9A\xA0\xEF\xB8\x8F \xE2\x80\x8F"},
    {"a whole screen is put back", ALL,
     "\033[?1049h\033[?25l\033[H\033[2Jx\033[1;5r",
     "\033[?1049h\033[?25l\033[H\033[2Jx\033[1;5r"
     "\033[?25h\033[?1049l\0337\033[r\0338"},
    {"what is put back already is left alone", ALL,
     "\033[?1049h\033[?1h\033[4hx\033[4l\033[?1;1049l",
     "\033[?1049h\033[?1h\033[4hx\033[4l\033[?1;1049l"},
    {"line drawing is put back", ALL, "\033(0lqk", "\033(0lqk\017\033(B"},
};

static void
run(size_t row, size_t piece, struct buf *out)
{
    struct term_filter f;
    const char *p = rows[row].in;
    size_t n = strlen(p);

    term_filter_init(&f, rows[row].flags);
    for (size_t at = 0; at < n; at += piece)
        term_filter_add(&f, p + at, n - at < piece ? n - at : piece, out);
    term_filter_end(&f, out);
}

static void
what_passes(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        for (size_t piece = 1; piece < 100; piece = piece * 2 + 1) {
            struct buf out;

            buf_init(&out, 4096);
            run(i, piece, &out);
            if (strcmp(out.p, rows[i].out) != 0)
                print_error("%s, in pieces of %zu\n", rows[i].name, piece);
            assert_string_equal(out.p, rows[i].out);
            buf_done(&out);
        }
    }
}

static void
a_sequence_without_end_is_not_kept(void **state)
{
    struct term_filter f;
    struct buf out;

    (void)state;
    buf_init(&out, 4096);
    term_filter_init(&f, LINE);
    term_filter_add(&f, "\033[", 2, &out);
    for (int i = 0; i < 1000; i++)
        term_filter_add(&f, "1;1;1;1;1;", 10, &out);
    term_filter_add(&f, "1mtext", 6, &out);
    assert_string_equal(out.p, "text");
    buf_done(&out);
}

static void
a_string_without_end_gives_up(void **state)
{
    static char filler[1 << 17];
    struct term_filter f;
    struct buf out;

    (void)state;
    memset(filler, 'x', sizeof(filler));
    buf_init(&out, sizeof(filler));
    term_filter_init(&f, LINE);
    term_filter_add(&f, "\033P", 2, &out);
    term_filter_add(&f, filler, sizeof(filler), &out);
    assert_true(out.len > 0 && out.len < sizeof(filler));
    buf_done(&out);
}

static void
it_knows_whether_a_line_was_ended(void **state)
{
    struct term_filter f;
    struct buf out;

    (void)state;
    buf_init(&out, 4096);
    term_filter_init(&f, LINE);
    assert_true(f.at_start);
    term_filter_add(&f, "x", 1, &out);
    assert_false(f.at_start);
    term_filter_add(&f, "y\n\033[m", 5, &out);
    assert_true(f.at_start);
    buf_done(&out);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_passes),
        cmocka_unit_test(a_sequence_without_end_is_not_kept),
        cmocka_unit_test(a_string_without_end_gives_up),
        cmocka_unit_test(it_knows_whether_a_line_was_ended),
    };

    return cmocka_run_group_tests_name("term/filter", tests, NULL, NULL);
}
