/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_json.c - what a reader of JSON can rely on. */
#include "unit.h"

#include <locale.h>
#include <string.h>

#include "json/json.h"

static struct json *
read_text(const char *text)
{
    struct err e = {0};
    struct json *v = json_parse(text, strlen(text), 0, &e);

    if (!v)
        fail_msg("%s: %s", text, e.text);
    return v;
}

static void
an_error_names_the_byte_and_what_was_expected(void **state)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"", "byte 1: expected a value at the end of the text"},
        {" ", "byte 2: expected a value at the end of the text"},
        {"{\"a\" 1}", "byte 6: expected ':' after a name, found '1'"},
        {"{a:1}", "byte 2: expected a name in double quotes, found 'a'"},
        {"{\"a\":1,}", "byte 8: expected a name in double quotes, found '}'"},
        {"{\"a\":1 \"b\":2}", "byte 8: expected ',' or '}', found '\"'"},
        {"[1,]", "byte 4: expected a value, found ']'"},
        {"[1 2]", "byte 4: expected ',' or ']', found '2'"},
        {"[1", "byte 3: expected ',' or ']' at the end of the text"},
        {"1 x", "byte 3: expected end of text after the value, found 'x'"},
        {"True", "byte 1: expected a value, found 'T'"},
        {"'a'", "byte 1: expected a value, found '''"},
        {"01", "byte 2: a digit after a leading zero"},
        {"-", "byte 2: expected a digit after '-' at the end of the text"},
        {"1.", "byte 3: expected a digit after the decimal point at the end "
               "of the text"},
        {"1e+",
         "byte 4: expected a digit in the exponent at the end of the text"},
        {"\"a", "byte 3: expected '\"' at the end of a string at the end of "
                "the text"},
        {"\"a\nb\"", "byte 3: unescaped control character 0x0A in a "
                     "string"},
        {"\"\\x\"", "byte 3: expected one of \"\\/bfnrtu after a backslash, "
                    "found 'x'"},
        {"\"\\u12g4\"", "byte 6: expected four hexadecimal digits after \\u, "
                        "found 'g'"},
        {"\"\\ud800\"", "byte 2: unpaired surrogate"},
        {"\"\xff\"", "byte 2: expected valid UTF-8, found byte 0xFF"},
        {"\xef\xbb\xbf{}", "byte 1: expected a value, found byte 0xEF"},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct err e = {0};

        assert_null(json_parse(rows[i].text, strlen(rows[i].text), 0, &e));
        assert_string_equal(e.text, rows[i].error);
        assert_int_equal(e.code, ERR_PARSE);
    }
}

static void
strings_keep_nul_and_every_other_character(void **state)
{
    static const struct {
        const char *text, *bytes;
        size_t len;
    } rows[] = {
        {"\"\"", "", 0},
        {"\"\\u0000\"", "\0", 1},
        {"\"a\\u0000b\\u0001c\\u0002\"", "a\0b\1c\2", 6},
        {"\"\\u0001#1\"", "\1#1", 3},
        {"\"\\u0001\\u0001\\u0000\\u0000\"", "\1\1\0\0", 4},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 8},
        {"\"\\u00e9\\u20AC\\ud83d\\uDE00\"", "é€😀", 9},
        {"\"é€😀\\u007f\"", "é€😀\x7f", 10},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(json_free_p) struct json *v = read_text(rows[i].text);
        size_t len;
        const char *s = json_str(v, &len);

        assert_int_equal(len, rows[i].len);
        assert_memory_equal(s, rows[i].bytes, len + 1);
    }
}

static void
numbers_keep_their_digits(void **state)
{
    static const char *const rows[] = {
        "0",      "-0",    "18446744073709551615",
        "1.0",    "1E400", "0.1000000000000000055511151231257827",
        "-1e-99", "1e+2",  "123456789012345678901234567890",
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(json_free_p) struct json *v = read_text(rows[i]);
        size_t len;

        assert_int_equal(json_type(v), JSON_NUMBER);
        assert_string_equal(json_digits(v, &len), rows[i]);
        assert_int_equal(len, strlen(rows[i]));
        assert_null(json_str(v, NULL));
    }
}

static void
an_integer_is_exact_or_none(void **state)
{
    static const struct {
        const char *text;
        bool is;
        int64_t value;
    } rows[] = {
        {"0", true, 0},
        {"-0", true, 0},
        {"9007199254740993", true, 9007199254740993},
        {"9223372036854775807", true, INT64_MAX},
        {"-9223372036854775808", true, INT64_MIN},
        {"9223372036854775808", false, 0},
        {"-9223372036854775809", false, 0},
        {"1.0", false, 0},
        {"1e2", false, 0},
        {"1E2", false, 0},
        {"\"1\"", false, 0},
        {"null", false, 0},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP(json_free_p) struct json *v = read_text(rows[i].text);
        int64_t n = 77;

        assert_int_equal(json_int(v, &n), rows[i].is);
        assert_true(n == (rows[i].is ? rows[i].value : 77));
    }
}

static void
a_number_too_large_for_a_double_is_not_rounded_to_infinity(void **state)
{
    CLEANUP(json_free_p) struct json *big = read_text("1e400");
    CLEANUP(json_free_p) struct json *small = read_text("-1.5e-3");
    double d = 7;

    (void)state;
    assert_false(json_num(big, &d));
    assert_true(d == 7);
    assert_true(json_num(small, &d));
    assert_true(d == -1.5e-3);
}

static void
a_decimal_comma_of_the_locale_changes_nothing(void **state)
{
    CLEANUP(json_free_p) struct json *v = read_text("2.5");
    double d = 0;

    (void)state;
    setlocale(LC_ALL, "de_DE.UTF-8"); /* where it is there */
    assert_true(json_num(v, &d));
    assert_true(d == 2.5);
    setlocale(LC_ALL, "C");
}

static void
names_compare_byte_for_byte(void **state)
{
    CLEANUP(json_free_p)
    struct json *v = read_text("{\"Kind\":1,\"kind\":2,\"ki\\u0000nd\":3,"
                               "\"\":4,\"k\":5}");
    int64_t n = 0;

    (void)state;
    assert_true(json_int(json_get(v, "kind"), &n) && n == 2);
    assert_true(json_int(json_get(v, "Kind"), &n) && n == 1);
    assert_true(json_int(json_get(v, ""), &n) && n == 4);
    assert_null(json_get(v, "KIND"));
    assert_null(json_get(v, "ki"));
    assert_null(json_get(v, "kin"));
}

static void
of_duplicate_names_the_last_wins(void **state)
{
    CLEANUP(json_free_p)
    struct json *v = read_text("{\"a\":1,\"b\":[],\"a\":{\"c\":1,\"\\u0063\":2}"
                               ",\"a\":3}");
    CLEANUP(json_free_p)
    struct json *tail = read_text("{\"a\":1,\"a\":2,\"b\":3,\"b\":4}");
    int64_t n = 0;

    (void)state;
    assert_int_equal(json_count(v), 2);
    assert_true(json_int(json_get(v, "a"), &n) && n == 3);
    assert_string_equal(json_name(json_first(v), NULL), "b");
    assert_null(json_next(json_next(json_first(v))));
    assert_int_equal(json_count(tail), 2);
    assert_true(json_int(json_get(tail, "b"), &n) && n == 4);
}

static void
duplicate_names_are_refused_where_that_is_asked(void **state)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"{\"a\":1,\"a\":1}", "duplicate name \"a\" in an object"},
        {"[{\"x\":{\"q\":1,\"b\":2,\"\\u0071\":3}}]",
         "duplicate name \"q\" in an object"},
        {"{\"a\\n\":1,\"a\\n\":1}", "duplicate name \"a\\n\" in an object"},
        {"{\"a\":1,\"A\":1,\"a\\u0000\":{\"a\":1}}", NULL},
        {"[{\"a\":1},{\"a\":1}]", NULL},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        const char *text = rows[i].text;
        struct err e = {0};
        CLEANUP(json_free_p)
        struct json *v = json_parse(text, strlen(text), JSON_UNIQUE, &e);

        if (!rows[i].error) {
            assert_non_null(v);
            continue;
        }
        assert_null(v);
        assert_int_equal(e.code, ERR_INVALID);
        assert_string_equal(e.text, rows[i].error);
    }
}

static void
a_span_ends_where_the_value_does(void **state)
{
    static const struct {
        const char *text;
        size_t span;
    } rows[] = {
        {"{\"a\":[1,{}]} and prose", 12},
        {" \n[]x", 4},
        {"12,13", 2},
        {"\"}\" }", 3},
        {"{\"a\":\"}\"}}", 9},
        {"null", 4},
        {"{\"a\":1", 0},
        {"{\"a\":1,}", 0},
        {"prose {}", 0},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        struct err e = {0};

        assert_int_equal(json_span(rows[i].text, strlen(rows[i].text), &e),
                         rows[i].span);
        assert_int_equal(e.code, rows[i].span ? ERR_NONE : ERR_PARSE);
    }
}

static void
accessors_take_the_wrong_type_and_null(void **state)
{
    CLEANUP(json_free_p)
    struct json *v = read_text("[true,{\"s\":\"a\\u0000\"}]");
    const struct json *object = json_at(v, 1);
    int64_t n;
    double d;
    bool b;

    (void)state;
    assert_null(json_get(NULL, "a"));
    assert_null(json_get(v, "a"));
    assert_null(json_at(object, 0));
    assert_null(json_at(v, 2));
    assert_null(json_at(NULL, 0));
    assert_int_equal(json_count(NULL), 0);
    assert_int_equal(json_count(json_first(v)), 0);
    assert_null(json_first(json_first(v)));
    assert_null(json_first(NULL));
    assert_null(json_next(NULL));
    assert_null(json_name(v, NULL));
    assert_null(json_str(v, NULL));
    assert_false(json_int(v, &n) || json_num(NULL, &d) || json_bool(v, &b));
    assert_true(json_bool(json_first(v), &b) && b);
    assert_null(json_get_str(object, "s")); /* it holds a NUL */
    assert_null(json_get_str(object, "t"));
    assert_int_equal(json_type(NULL), JSON_NULL);
    json_free(NULL);
}

static void
an_array_counts_and_walks_its_children(void **state)
{
    CLEANUP(json_free_p) struct json *v = read_text("[0,\"1\",2.5,null,{},[]]");
    static const enum json_type types[] = {JSON_NUMBER, JSON_STRING,
                                           JSON_NUMBER, JSON_NULL,
                                           JSON_OBJECT, JSON_ARRAY};
    size_t i = 0;

    (void)state;
    assert_int_equal(json_count(v), 6);
    for (const struct json *c = json_first(v); c; c = json_next(c), i++) {
        assert_ptr_equal(c, json_at(v, i));
        assert_int_equal(json_type(c), types[i]);
    }
    assert_int_equal(i, 6);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_names_the_byte_and_what_was_expected),
        cmocka_unit_test(strings_keep_nul_and_every_other_character),
        cmocka_unit_test(numbers_keep_their_digits),
        cmocka_unit_test(an_integer_is_exact_or_none),
        cmocka_unit_test(
            a_number_too_large_for_a_double_is_not_rounded_to_infinity),
        cmocka_unit_test(a_decimal_comma_of_the_locale_changes_nothing),
        cmocka_unit_test(names_compare_byte_for_byte),
        cmocka_unit_test(of_duplicate_names_the_last_wins),
        cmocka_unit_test(duplicate_names_are_refused_where_that_is_asked),
        cmocka_unit_test(a_span_ends_where_the_value_does),
        cmocka_unit_test(accessors_take_the_wrong_type_and_null),
        cmocka_unit_test(an_array_counts_and_walks_its_children),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
