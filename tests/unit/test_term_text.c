/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_term_text.c - styles, escapes, widths and wrapping. */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/cleanup.h"
#include "term/escape.h"
#include "term/style.h"
#include "term/width.h"

static const struct {
    const char *name, *in;
    const char *command, *prose; /* as each shows it */
} escapes[] = {
    {"plain", "ls -l\n\t\\x1b", "ls -l\n\t\\x1b", "ls -l\n\t\\x1b"},
    {"letters", "é漢🙂", "é漢🙂", "é漢🙂"},
    {"escape", "a\033[31m", "a\\x1b[31m", "a\\x1b[31m"},
    {"lone CR", "a\rb", "a\\x0db", "a\\x0db"},
    {"delete", "a\177", "a\\x7f", "a\\x7f"},
    {"C1", "\xC2\x9B", "\\x9b", "\\x9b"},
    {"override", "a\u202Eb", "a\\u202eb", "a\\u202eb"},
    {"isolate", "\u2066", "\\u2066", "\\u2066"},
    {"zero width space", "a\u200Bb", "a\\u200bb", "a\\u200bb"},
    {"joiner after ASCII", "a\u200D", "a\\u200d", "a\\u200d"},
    {"joiner in emoji", "👩\u200D👧", "👩\\u200d👧", "👩\u200D👧"},
    {"heart on fire", "❤\uFE0F\u200D🔥", "❤\\ufe0f\\u200d🔥", "❤\uFE0F\u200D🔥"},
    {"selectors in a row", "⚠\uFE0F\uFE0F\uFE0F", "⚠\\ufe0f\\ufe0f\\ufe0f",
     "⚠\uFE0F\uFE0F\\ufe0f"},
    {"keycap", "1\uFE0F\u20E3", "1\\ufe0f\u20E3", "1\uFE0F\u20E3"},
    {"selector after ASCII", "1\uFE0F", "1\\ufe0f", "1\\ufe0f"},
    {"hard blank", "a\u00A0b", "a\\xa0b", "a\u00A0b"},
    {"wide blank", "a\u3000b", "a\\u3000b", "a\u3000b"},
    {"line separator", "\u2028", "\\u2028", "\\u2028"},
    {"byte order mark", "\uFEFF", "\\ufeff", "\\ufeff"},
    {"tag", "\U000E0041", "\\U000e0041", "\\U000e0041"},
    {"private use", "\uE000", "\\ue000", "\\ue000"},
    {"filler", "\u3164", "\\u3164", "\\u3164"},
    {"bad byte", "a\xFF z", "a\\xff z", "a\\xff z"},
    {"cut character", "a\xE2\x80", "a\\xe2\\x80", "a\\xe2\\x80"},
    {"surrogate", "\xED\xA0\x80", "\\xed\\xa0\\x80", "\\xed\\xa0\\x80"},
    {"too long a form", "\xC0\xAF", "\\xc0\\xaf", "\\xc0\\xaf"},
};

static void
hidden_characters_are_shown(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(escapes); i++) {
        const char *in = escapes[i].in;
        struct buf out;

        buf_init(&out, 4096);
        escape_str(&out, NULL, in, 0);
        assert_string_equal(out.p, escapes[i].command);
        assert_int_equal(escape_is_clean(in, strlen(in)), !strcmp(in, out.p));
        buf_clear(&out);
        escape_str(&out, NULL, in, ESCAPE_PROSE);
        assert_string_equal(out.p, escapes[i].prose);
        buf_done(&out);
    }
}

static void
newline_and_tab_are_shown_on_request(void **state)
{
    struct buf out;

    (void)state;
    buf_init(&out, 64);
    escape_str(&out, NULL, "a\n\tb", ESCAPE_LINES);
    assert_string_equal(out.p, "a\\x0a\\x09b");
    buf_done(&out);
}

static void
a_nul_is_shown(void **state)
{
    struct buf out;

    (void)state;
    buf_init(&out, 64);
    escape_text(&out, NULL, "a\0b", 3, 0);
    assert_string_equal(out.p, "a\\x00b");
    assert_false(escape_is_clean("a\0b", 3));
    buf_done(&out);
}

static void
escapes_stand_out_inside_a_style(void **state)
{
    struct term t = {.color = true};
    struct buf out;

    (void)state;
    buf_init(&out, 256);
    buf_str(&out, style_on(&t, STYLE_COMMAND));
    escape_str(&out, &t, "a\033b", 0);
    buf_str(&out, style_off(&t, STYLE_COMMAND));
    assert_string_equal(out.p, "\033[36ma\033[7m\\x1b\033[27mb\033[39m");
    buf_done(&out);
}

static void
every_style_is_ended_and_silent_without_colour(void **state)
{
    struct term color = {.color = true}, plain = {0};
    struct term words = {.unicode = true, .color = true};

    (void)state;
    term_set_plain(&words);
    for (int s = 0; s < STYLE_N; s++) {
        assert_int_equal(!*style_on(&color, s), s == STYLE_PLAIN);
        assert_int_equal(!*style_off(&color, s), s == STYLE_PLAIN);
        assert_string_equal(style_on(&plain, s), "");
        assert_string_equal(style_on(NULL, s), "");
        assert_string_equal(style_on(&words, s), "");
    }
    for (int s = 0; s < SYMBOL_N; s++) {
        for (const char *p = style_symbol(&plain, s); *p; p++)
            assert_true(*p >= 0x20 && *p < 0x7F);
        for (const char *p = style_symbol(&words, s); *p; p++)
            assert_true(ascii_is_alpha(*p) || strchr(",. ->", *p));
    }
}

static const struct {
    const char *text;
    size_t columns;
} widths[] = {
    {"", 0},
    {"abc", 3},
    {"é", 1},
    {"e\u0301", 1},
    {"漢字", 4},
    {"ｶﾅ", 2},
    {"🙂", 2},
    {"한글", 4},
    {"ไทย", 3},
    {"กำ", 2},
    {"\u200B", 0},
    {"a\nbcd", 1},
    {"…·─│•✓✗", 7},
    {"\xFF\xFE", 2},
    {"\033[1;31mred\033[m", 3},
    {"\u1112\u1161", 2},
    {"👩\u200D👧", 4},
    {"⚠\uFE0F", 1},
    {"\U00020000", 2},
    {"\u0939\u093F", 2},
};

static void
columns_are_counted_as_terminals_do(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(widths); i++) {
        if (width_str(widths[i].text) != widths[i].columns)
            print_error("width of %s\n", widths[i].text);
        assert_int_equal(width_str(widths[i].text), widths[i].columns);
    }
}

static const struct {
    const char *in;
    size_t columns;
    const char *out;
} cuts[] = {
    {"abc", 3, "abc"},
    {"abcd", 3, "ab…"},
    {"漢字かな", 5, "漢字…"},
    {"漢字かな", 4, "漢…"},
    {"abcd", 0, ""},
    {"abcd", 1, "…"},
    {"ab\ncd", 5, "ab"},
    {"\033[1mabcd\033[m", 2, "\033[1ma…\033[m"},
    {"ae\u0301", 2, "ae\u0301"},
    {"", 2, ""},
};

static void
text_is_cut_to_a_width(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(cuts); i++) {
        struct buf out;

        buf_init(&out, 256);
        width_truncate(&out, cuts[i].in, strlen(cuts[i].in), cuts[i].columns,
                       "…");
        assert_string_equal(out.p, cuts[i].out);
        buf_done(&out);
    }
}

static const struct {
    const char *name, *in;
    struct width_wrap w;
    const char *out;
} wraps[] = {
    {"words", "aa bb cc dd", {.columns = 5}, "aa bb\ncc dd"},
    {"exactly", "aaaaa", {.columns = 5}, "aaaaa"},
    {"start", "aa bb", {.columns = 5, .start = 3}, "aa\nbb"},
    {"indent", "aa bb cc", {.columns = 5, .indent = 2}, "aa bb\n  cc"},
    {"prefix", "aa bb", {.columns = 4, .prefix = "> "}, "aa\n> bb"},
    {"newlines", "a\n\nb", {.columns = 9, .indent = 1}, "a\n\n b"},
    {"long word", "x aaaaaaaa b", {.columns = 4}, "x\naaaaaaaa\nb"},
    {"wide", "漢字かな", {.columns = 4}, "漢字\nかな"},
    {"blanks at a break", "aa   bb", {.columns = 5}, "aa\nbb"},
    {"blanks inside", "a  b", {.columns = 5}, "a  b"},
    {"styles take no place",
     "\033[1maa\033[22m bb cc",
     {.columns = 5},
     "\033[1maa\033[22m bb\ncc"},
    {"emoji and letters", "a🙂b c", {.columns = 4}, "a🙂b\nc"},
};

static void
text_is_wrapped(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(wraps); i++) {
        struct buf out;

        buf_init(&out, 256);
        width_wrap(&out, wraps[i].in, strlen(wraps[i].in), &wraps[i].w);
        if (strcmp(out.p, wraps[i].out) != 0)
            print_error("%s\n", wraps[i].name);
        assert_string_equal(out.p, wraps[i].out);
        buf_done(&out);
    }
}

#define ALL_JOINED (WIDTH_VS16 | WIDTH_SKIN | WIDTH_ZWJ)

static const struct {
    const char *text;
    size_t apart, joined; /* columns where nothing and where all is joined */
} signs[] = {
    {"\u2764\uFE0F", 1, 2},
    {"\u2764", 1, 1},
    {"\U0001F44D\U0001F3FD", 4, 2},
    {"\U0001F469\u200D\U0001F4BB", 4, 2},
    {"\U0001F469\u200D\u2764\uFE0F\u200D\U0001F468", 5, 2},
    {"\U0001F1E9\U0001F1EA", 2, 2},
    {"\U0001F1E9", 1, 1},
    {"a\u200Db", 2, 2}, /* letters are not joined */
    {"a\uFE0F", 1, 1},
    {"\U0001F469\u200D", 2, 2}, /* nothing to join */
    {"\U0001F469\u200D\xFF", 3, 3},
};

static void
signs_are_as_wide_as_the_terminal_joins_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(signs); i++) {
        const char *p = signs[i].text;
        size_t n = strlen(p);

        assert_int_equal(width_text_as(p, n, 0), signs[i].apart);
        assert_int_equal(width_text(p, n), signs[i].apart);
        assert_int_equal(width_text_as(p, n, ALL_JOINED), signs[i].joined);
        for (size_t cut = 1; cut <= n; cut++) { /* never beyond its end */
            CLEANUP_BUF struct buf out = buf_of(64);
            const struct width_wrap w = {.columns = 80, .joins = ALL_JOINED};

            assert_int_equal(width_wrap(&out, p, cut, &w), 0);
            assert_int_equal(out.len, cut);
            assert_memory_equal(out.p, p, cut);
        }
    }
    assert_int_equal(
        width_text_as(signs[5].text, strlen(signs[5].text), WIDTH_FLAGS), 4);
}

static void
a_sign_is_not_parted(void **state)
{
    static const char two[] = "\U0001F469\u200D\U0001F4BB"
                              "\U0001F469\u200D\U0001F4BB";
    const struct width_wrap w = {.columns = 2, .joins = ALL_JOINED};
    CLEANUP_BUF struct buf out = buf_of(256);

    (void)state;
    assert_int_equal(width_wrap(&out, two, strlen(two), &w), 0);
    assert_string_equal(out.p, "\U0001F469\u200D\U0001F4BB\n"
                               "\U0001F469\u200D\U0001F4BB");
}

static const struct {
    const char *all, *ctype, *lang;
    bool unicode;
} locales[] = {
    {"", "", "", false},
    {"", "", "en_US.UTF-8", true},
    {"", "", "C.utf8", true},
    {"C", "", "en_US.UTF-8", false},
    {"", "de_DE.UTF-8@euro", "C", true},
    {"", "", "de_DE.ISO-8859-1", false},
};

static void
the_locale_decides_about_symbols(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(locales); i++) {
        struct term t;

        setenv("LC_ALL", locales[i].all, 1);
        setenv("LC_CTYPE", locales[i].ctype, 1);
        setenv("LANG", locales[i].lang, 1);
        term_init(&t, STDOUT_FILENO, false);
        assert_int_equal(t.unicode, locales[i].unicode);
        term_done(&t);
    }
}

static const struct {
    const char *columns;
    int want;
} sizes[] = {{"100", 100}, {"", 80}, {"x", 80},       {"0", 80},
             {"-5", 80},   {"1", 1}, {"99999", 2000}, {"12x", 80}};

static void
a_pipe_has_no_colour_and_the_width_it_is_told(void **state)
{
    struct err e = {0};
    struct term t;
    int fds[2];

    (void)state;
    assert_int_equal(pipe(fds), 0);
    for (size_t i = 0; i < N_OF(sizes); i++) {
        setenv("COLUMNS", sizes[i].columns, 1);
        setenv("TERM", "xterm-256color", 1);
        term_init(&t, fds[1], false);
        assert_int_equal(t.columns, sizes[i].want);
        assert_false(t.tty || t.color || t.moves);
        assert_int_equal(term_keys(&t, &e), -1);
        assert_int_equal(e.code, ERR_DENIED);
        term_done(&t);
    }
    close(fds[0]);
    close(fds[1]);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hidden_characters_are_shown),
        cmocka_unit_test(newline_and_tab_are_shown_on_request),
        cmocka_unit_test(a_nul_is_shown),
        cmocka_unit_test(escapes_stand_out_inside_a_style),
        cmocka_unit_test(every_style_is_ended_and_silent_without_colour),
        cmocka_unit_test(columns_are_counted_as_terminals_do),
        cmocka_unit_test(text_is_cut_to_a_width),
        cmocka_unit_test(text_is_wrapped),
        cmocka_unit_test(signs_are_as_wide_as_the_terminal_joins_them),
        cmocka_unit_test(a_sign_is_not_parted),
        cmocka_unit_test(the_locale_decides_about_symbols),
        cmocka_unit_test(a_pipe_has_no_colour_and_the_width_it_is_told),
    };

    return cmocka_run_group_tests_name("term/text", tests, NULL, NULL);
}
