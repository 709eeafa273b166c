/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_json_suite.c - what is JSON by RFC 8259, and what is not.
 *
 * Fragments are tried in every place where a value may stand, so that few
 * rows make many texts. Where the RFC leaves a choice, the rows say ours. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "json/json.h"

#define TEXT_MAX (1 << 20)

struct piece {
    const char *bytes;
    size_t len;
};
#define PIECE(literal)                                                         \
    {                                                                          \
        "" literal, sizeof(literal) - 1                                        \
    }

static void
expect(const char *text, size_t n, bool accept)
{
    struct err e = {0};
    char *copy = malloc(n ? n : 1); /* so that a sanitizer sees its end */
    struct json *v;

    memcpy(copy, text, n);
    v = json_parse(copy, n, 0, &e);
    free(copy);
    if (accept && !v)
        fail_msg("refused: %.*s: %s", (int)n, text, e.text);
    if (!accept && v)
        fail_msg("accepted: %.*s", (int)n, text);
    if (!accept)
        assert_int_equal(e.code, ERR_PARSE);
    json_free(v);
}

static void
expect_all(const struct piece *rows, size_t n, bool accept)
{
    for (size_t i = 0; i < n; i++)
        expect(rows[i].bytes, rows[i].len, accept);
}

/* The fragment alone, in arrays, in objects, among blanks. */
static void
expect_everywhere(const struct piece *rows, size_t n, bool accept)
{
    static const char *const around[][2] = {
        {"", ""},
        {"[", "]"},
        {"[0,", ",[]]"},
        {"{\"k\":", "}"},
        {"{\"\":{},\"k\":", ",\"l\":0}"},
        {" \t\r\n", " \t\r\n"},
        {"[[[\n", "\n]]]"},
    };

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < N_OF(around); j++) {
            CLEANUP_BUF struct buf b = buf_of(TEXT_MAX);

            buf_str(&b, around[j][0]);
            buf_add(&b, rows[i].bytes, rows[i].len);
            buf_str(&b, around[j][1]);
            expect(b.p, b.len, accept);
        }
    }
}

/* clang-format off */
static const struct piece values[] = {
    PIECE("true"), PIECE("false"), PIECE("null"),
    /* numbers */
    PIECE("0"), PIECE("-0"), PIECE("7"), PIECE("-1"), PIECE("1234567890"),
    PIECE("-123"), PIECE("0.5"), PIECE("-0.0"), PIECE("12.034"), PIECE("0e1"),
    PIECE("0e+1"), PIECE("1E22"), PIECE("1e-2"), PIECE("1E+2"), PIECE("1E-2"),
    PIECE("20e1"), PIECE("123.456e78"), PIECE("123.456"), PIECE("1e00"),
    PIECE("-0.000000000000000000000000000000000000000000000000000000000001"),
    /* of any size: their digits are kept */
    PIECE("1e9999"), PIECE("-1e+9999"), PIECE("4e-9999999999999"),
    PIECE("100000000000000000000000000"), PIECE("-99999999999999999999999999"),
    /* strings */
    PIECE("\"\""), PIECE("\" \""), PIECE("\"asd\""), PIECE("\"a/*b*/c/*d\""),
    PIECE("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), PIECE("\"\\\\u0000\""),
    PIECE("\"\\\\a\""), PIECE("\"\\\"\""), PIECE("\"\\u0000\""),
    PIECE("\"\\u0012\""), PIECE("\"\\u0022\\u005C\""), PIECE("\"\\u0061\""),
    PIECE("\"\\uAbCd\\uabcd\""), PIECE("\"\\uD83D\\uDE39\\uD83D\\uDC8D\""),
    PIECE("\"\\uDBFF\\uDFFE\""), PIECE("\"\\uFFFF\\uFDD0\\u200B\\u2064\""),
    PIECE("\"\x7f\""), PIECE("\"\\u0060\\u012a\\u12AB\""), PIECE("\"'\""),
    PIECE("\"\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\""),
    PIECE("\"\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\xe2\x80\xa8\""),
    PIECE("\"{}[],:\""),
    /* containers */
    PIECE("[]"), PIECE("{}"), PIECE("[ ]"), PIECE("{ }"), PIECE("[\"\"]"),
    PIECE("[1,null,\"1\",{}]"), PIECE("[1\n]"), PIECE(" [1] "),
    PIECE("[1,null,null,null,2]"), PIECE("[[]   ]"), PIECE("[{},{},[[]]]"),
    PIECE("{\"a\":\"b\"}"), PIECE("{\"a\":1,\"a\":1}"), PIECE("{\"\":0}"),
    PIECE("{\"a\\u0000b\":0}"), PIECE("{\"a\":[],\"A\":{\"b\":{}}}"),
    PIECE("{\n\"a\" :\t\"b\"\r,\"\\u00e9\": [ 0 , 1 ] }"),
};

/* No value, nor the beginning or the end of one: wrong everywhere. */
static const struct piece nonsense[] = {
    /* words */
    PIECE("nul"), PIECE("tru"), PIECE("fals"), PIECE("TRUE"), PIECE("True"),
    PIECE("Null"), PIECE("truee"), PIECE("nulll"), PIECE("undefined"),
    PIECE("aaa"), PIECE("NaN"), PIECE("-NaN"), PIECE("nan"), PIECE("Inf"),
    PIECE("Infinity"), PIECE("-Infinity"), PIECE("+Inf"), PIECE("infinity"),
    PIECE("n\0ull"), PIECE("null\0"), PIECE("True1"), PIECE("None"),
    /* numbers */
    PIECE("+1"), PIECE("++1234"), PIECE("-"), PIECE("--2."), PIECE("+"),
    PIECE("-a"), PIECE("- 1"), PIECE("-01"), PIECE("012"), PIECE("-012"),
    PIECE("00"), PIECE("00.0"), PIECE("00e0"), PIECE("01.5"), PIECE("1."),
    PIECE("-2."), PIECE("0."), PIECE(".5"), PIECE(".-1"), PIECE("-.123"),
    PIECE(".2e-3"), PIECE("1.e3"), PIECE("0.e1"), PIECE("2.e+3"), PIECE("."),
    PIECE("0e"), PIECE("0e+"), PIECE("0E"), PIECE("0E+"), PIECE("1.0e"),
    PIECE("1.0e+"), PIECE("1.0e-"), PIECE("1eE2"), PIECE("1e1.5"),
    PIECE("0.3e"), PIECE("0.3e+"), PIECE("0.1.2"), PIECE("9.e+"),
    PIECE("0x1"), PIECE("0x42"), PIECE("0xZ"), PIECE("1a"), PIECE("-1x"),
    PIECE("1.2a-3"), PIECE("1.8011670033376514H-308"), PIECE("1_000"),
    PIECE("1 000.0"), PIECE("1+2"), PIECE("0e1a"), PIECE("1ea"), PIECE("123f"),
    PIECE("-1.0."), PIECE("-123.123foo"), PIECE("1e1\xe5"), PIECE("0\xe5"),
    PIECE("123\xe5"), PIECE("\xef\xbc\x91"), PIECE("1e\0"), PIECE("e1"),
    /* strings */
    PIECE("\""), PIECE("\"a"), PIECE("a\""), PIECE("'a'"), PIECE("'"),
    PIECE("\"\\\""), PIECE("\"\\"), PIECE("\"\\\\\\\""), PIECE("\"\\x00\""),
    PIECE("\"\\a\""), PIECE("\"\\'\""), PIECE("\"\\0\""), PIECE("\"\\101\""),
    PIECE("\"\\U0061\""), PIECE("\"\\ \""), PIECE("\"\\\n\""),
    PIECE("\"\\\xf0\x9f\x8c\x80\""), PIECE("\"\\\xe5\""), PIECE("\\\"a\""),
    PIECE("\"\\u\""), PIECE("\"\\u1\""), PIECE("\"\\u00A\""),
    PIECE("\"\\u00\""), PIECE("\"\\uqqqq\""), PIECE("\"\\u 061\""),
    PIECE("\"\\u-061\""), PIECE("\"\\u\xe5\""), PIECE("\\u0020\"a\""),
    PIECE("\"a\"\"b\""), PIECE("\"a\"b"), PIECE("\"x\"#"), PIECE("abc"),
    PIECE("\xc3\xa9"), PIECE("\xe2\x81\xa0"), PIECE("`a`"),
    /* half of a surrogate pair stands for no character: refused */
    PIECE("\"\\uD800\""), PIECE("\"\\uDFAA\""), PIECE("\"\\uD800\\u\""),
    PIECE("\"\\uD800\\u1\""), PIECE("\"\\uD800\\u1x\""), PIECE("\"\\uD800\\\""),
    PIECE("\"\\uD800\\n\""), PIECE("\"\\uD800abc\""),
    PIECE("\"\\uD888\\u1234\""),
    PIECE("\"\\uD800\\uD800\\n\""), PIECE("\"\\uDd1e\\uD834\""),
    /* bytes that are not UTF-8 (RFC 3629): refused */
    PIECE("\"\xff\""), PIECE("\"\xe9\""), PIECE("\"\x81\""), PIECE("\"\xe5"),
    PIECE("\"\xc0\xaf\""), PIECE("\"\xe0\x80\xaf\""), PIECE("\"\xe0\xff\""),
    PIECE("\"\xed\xa0\x80\""), PIECE("\"\xf4\xbf\xbf\xbf\""),
    PIECE("\"\xf8\x88\x80\x80\x80\""), PIECE("\"\xfc\x83\xbf\xbf\xbf\xbf\""),
    PIECE("\"\xe6\x97\xa5\xd1\x88\xfa\""), PIECE("\"\xf0\x9f\x98\""),
    PIECE("\"\\u00e9\xc3\""), PIECE("\xe5"),
    /* arrays */
    PIECE("["), PIECE("[1"), PIECE("[1,]"), PIECE("[,1]"),
    PIECE("[1,,2]"), PIECE("[1,,]"), PIECE("[,]"), PIECE("[,"), PIECE("[1,"),
    PIECE("[\"\","), PIECE("[\"a\",\n4\n,1,"), PIECE("[1 2]"), PIECE("[1:2]"),
    PIECE("[\"\": 1]"), PIECE("[\"x\", truth]"), PIECE("[3[4]]"),
    PIECE("[1 true]"), PIECE("[-]"), PIECE("[*]"), PIECE("[\\]"),
    PIECE("[1}"), PIECE("[\"x\"]]"), PIECE("[1]]"), PIECE("[\v\"a\"]"),
    PIECE("[\f]"), PIECE("[\xc2\xa0]"), PIECE("[\xe2\x81\xa0]"), PIECE("<.>"),
    PIECE("[<null>]"), PIECE("[\"a\0a\"]"), PIECE("[1],"), PIECE("[][]"),
    PIECE("[\"\\n\"]x"), PIECE("[\\n]"), PIECE("[a"), PIECE("[{}"),
    PIECE("[ false, nul"), PIECE("[{\"\":\"\""), PIECE("[\xe5]"),
    /* objects */
    PIECE("{"), PIECE("{\"a\""), PIECE("{\"a"), PIECE("{\"a\":"),
    PIECE("{\"a\":1"), PIECE("{,"), PIECE("{,}"), PIECE("{\"a\"}"),
    PIECE("{\"a\" \"b\"}"), PIECE("{\"a\":}"), PIECE("{\"a\":1,}"),
    PIECE("{\"a\":1,,}"), PIECE("{\"a\":1,,\"b\":2}"), PIECE("{:\"b\"}"),
    PIECE("{\"a\"::1}"), PIECE("{\"a\":1 \"b\":2}"), PIECE("{\"a\",1}"),
    PIECE("{\"x\", null}"), PIECE("{1:1}"), PIECE("{9999E9999:1}"),
    PIECE("{a:1}"), PIECE("{'a':0}"), PIECE("{\"a\":'b'}"), PIECE("{null:1}"),
    PIECE("{null:null,null:null}"), PIECE("{[]:0}"), PIECE("{\"a\":1]"),
    PIECE("{key: 'value'}"), PIECE("{\"a\":\"b\"}/**/"), PIECE("{\xe5}"),
    PIECE("{\"a\":\"b\"}//"), PIECE("{\"a\":/*c*/\"b\"}"),
    PIECE("{[: \"x\"}\n"),
    PIECE("{\"a\":\"b\"}/"), PIECE("{\"a\":\"b\"}#{}"), PIECE("{\"a\":\"a"),
    PIECE("{ \"foo\" : \"bar\", \"a\" }"), PIECE("{\"asd\":\"asd\""),
    PIECE("{\"a\":\"a\" 123}"), PIECE("{}}"), PIECE("{}{}"), PIECE("{}1"),
    PIECE("{\"a\":true} \"x\""), PIECE("{\xf0\x9f\x87\xa8\xf0\x9f\x87\xad}"),
    PIECE("{*}"), PIECE("{\"a\" b}"), PIECE("{{}}"), PIECE("{\\u0061:1}"),
    /* neither */
    PIECE("]"), PIECE("}"), PIECE("*"), PIECE("&"), PIECE("@"), PIECE("\\"),
    PIECE("\xef\xbb\xbf"), PIECE("\xef\xbb\xbf{}"), PIECE("\xef\xbb{}"),
    PIECE("\xff\xfe[\0]\0"), PIECE("\0"), PIECE("\0[\0\"\0\xe9\0\"\0]"),
    PIECE("(1)"), PIECE("1;"), PIECE("// 1\n1"), PIECE("/* */ 1"),
    PIECE("# 1\n1"), PIECE("<null>"), PIECE("\x1f" "1"), PIECE("1\x01"),
};
/* clang-format on */

static void
a_value_is_taken_wherever_one_may_stand(void **state)
{
    (void)state;
    expect_everywhere(values, N_OF(values), true);
}

static void
what_is_no_value_is_refused_wherever_it_stands(void **state)
{
    (void)state;
    expect_everywhere(nonsense, N_OF(nonsense), false);
}

static void
nothing_is_no_value(void **state)
{
    static const struct piece rows[] = {
        PIECE(""),
        PIECE(" "),
        PIECE("\n\r\t "),
        PIECE("[1]x"),
        PIECE("[1] [2]"),
        PIECE("1 2"),
        PIECE("1,"),
        PIECE(",1"),
        PIECE(":"),
        PIECE("\"a\":1"),
        PIECE("{}\0"),
        PIECE("2@"),
        PIECE("\xe2\x81\xa0[]"),
        PIECE("{\"a\":1}\xef\xbb\xbf"),
    };

    (void)state;
    expect_all(rows, N_OF(rows), false);
}

static void
a_text_cut_short_is_refused(void **state)
{
    static const char text[] = "{\"a\\u00e9\\ud83d\\ude00\":[-1.5e+3,true,"
                               "null,{\"\":\"\xf0\x9f\x98\x80\"}],\"b\":0}";

    (void)state;
    expect(text, sizeof(text) - 1, true);
    for (size_t n = 0; n < sizeof(text) - 1; n++)
        expect(text, n, false);
}

static void
every_control_character_must_be_escaped(void **state)
{
    (void)state;
    for (int c = 0; c < 0x20; c++) {
        const char raw[] = {'"', (char)c, '"'};
        char escaped[16];

        expect(raw, sizeof(raw), false);
        snprintf(escaped, sizeof(escaped), "\"\\u%04x\"", c);
        expect(escaped, strlen(escaped), true);
    }
}

static void
eight_letters_and_u_follow_a_backslash(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++) {
        const char text[] = {'"', '\\', (char)c, '"'};

        if (c == '"') /* it escapes the quote: the string is open */
            expect(text, sizeof(text), true);
        else
            expect(text, sizeof(text), c && strchr("\\/bfnrt", c));
    }
}

static void
four_blanks_are_blanks(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++) {
        const char text[] = {'[', (char)c, ']'};
        bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';

        expect(text, sizeof(text), blank || (c >= '0' && c <= '9'));
    }
}

static void
expect_repeated(const char *open, const char *close, size_t n, bool accept)
{
    CLEANUP_BUF struct buf b = buf_of(TEXT_MAX);

    for (size_t i = 0; i < n; i++)
        buf_str(&b, open);
    for (size_t i = 0; i < n; i++)
        buf_str(&b, close);
    assert_false(b.bad);
    expect(b.p, b.len, accept);
}

static void
depth_is_bounded_at_512(void **state)
{
    (void)state;
    expect_repeated("[", "]", 500, true);
    expect_repeated("[", "]", 512, true);
    expect_repeated("[", "]", 513, false);
    expect_repeated("[", "", 100000, false);
    expect_repeated("[{\"\":", "", 50000, false);
    expect_repeated("[{\"\":[", "]}]", 170, true);
    expect_repeated("[],", "", 300, false);
    expect_repeated("]", "[", 1000, false);
}

static void
a_long_string_is_one_value(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(TEXT_MAX);

    (void)state;
    buf_ch(&b, '"');
    while (b.len < 500000)
        buf_str(&b, "xé\\u0000\\\"");
    expect(b.p, b.len, false);
    buf_ch(&b, '"');
    expect(b.p, b.len, true);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_is_taken_wherever_one_may_stand),
        cmocka_unit_test(what_is_no_value_is_refused_wherever_it_stands),
        cmocka_unit_test(nothing_is_no_value),
        cmocka_unit_test(a_text_cut_short_is_refused),
        cmocka_unit_test(every_control_character_must_be_escaped),
        cmocka_unit_test(eight_letters_and_u_follow_a_backslash),
        cmocka_unit_test(four_blanks_are_blanks),
        cmocka_unit_test(depth_is_bounded_at_512),
        cmocka_unit_test(a_long_string_is_one_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
