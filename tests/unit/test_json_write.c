/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_json_write.c - what the writer puts out, others read back. */
#include "unit.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json/write.h"

#define MAX (1 << 16)

static void
commas_and_colons_are_the_writers_business(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(MAX);
    struct json_writer w;

    (void)state;
    json_write_init(&w, &b);
    json_open_object(&w);
    json_member_str(&w, "a", "x");
    json_member_str(&w, "b", NULL);
    json_key(&w, "c");
    json_open_array(&w);
    json_put_int(&w, INT64_MIN);
    json_open_array(&w);
    json_close_array(&w);
    json_open_object(&w);
    json_close_object(&w);
    json_put_null(&w);
    json_close_array(&w);
    json_member_bool(&w, "d", true);
    json_member_int(&w, "e", INT64_MAX);
    json_key(&w, "f");
    json_put_raw(&w, "[1]", 3);
    json_member_bool(&w, "g", false);
    json_close_object(&w);
    assert_string_equal(b.p,
                        "{\"a\":\"x\",\"b\":null,\"c\":[-9223372036854775808,"
                        "[],{},null],\"d\":true,\"e\":9223372036854775807,"
                        "\"f\":[1],\"g\":false}");
}

static void
strings_are_escaped_and_made_valid(void **state)
{
    static const struct {
        const char *bytes;
        size_t len;
        const char *text;
    } rows[] = {
        {"", 0, "\"\""},
        {"a\"b\\c/", 6, "\"a\\\"b\\\\c/\""},
        {"\b\f\n\r\t", 5, "\"\\b\\f\\n\\r\\t\""},
        {"\0\1\x1f\x7f", 4, "\"\\u0000\\u0001\\u001f\x7f\""},
        {"é😀", 6, "\"é😀\""},
        {"a\xff\xe2\x82z", 5, "\"a\uFFFD\uFFFDz\""},
        {"\"\xc3", 2, "\"\\\"\uFFFD\""},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        CLEANUP_BUF struct buf b = buf_of(MAX);
        struct json_writer w;

        json_write_init(&w, &b);
        json_put_strn(&w, rows[i].bytes, rows[i].len);
        assert_string_equal(b.p, rows[i].text);
    }
}

static void
put_number(struct buf *b, double d)
{
    struct json_writer w;

    buf_clear(b);
    json_write_init(&w, b);
    json_put_num(&w, d);
}

static void
numbers_are_short_and_read_back_the_same(void **state)
{
    static const struct {
        double d;
        const char *text;
    } rows[] = {
        {0.0, "0"},
        {-0.0, "-0"},
        {3.0, "3"},
        {0.1, "0.1"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1e22, "1e+22"},
        {123456789012.5, "123456789012.5"},
        {9007199254740993.0, "9007199254740992"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {DBL_TRUE_MIN, "4.94065645841247e-324"},
        {INFINITY, "null"},
        {-INFINITY, "null"},
        {NAN, "null"},
    };
    CLEANUP_BUF struct buf b = buf_of(MAX);

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++) {
        put_number(&b, rows[i].d);
        assert_string_equal(b.p, rows[i].text);
        if (isfinite(rows[i].d))
            assert_true(strtod(b.p, NULL) == rows[i].d);
    }
}

static void
any_double_reads_back_the_same(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(MAX);
    uint64_t bits = 88172645463325252u;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        double d;

        bits ^= bits << 13; /* xorshift: every run sees the same numbers */
        bits ^= bits >> 7;
        bits ^= bits << 17;
        memcpy(&d, &bits, sizeof(d));
        if (!isfinite(d))
            continue;
        put_number(&b, d);
        assert_true(strtod(b.p, NULL) == d);
    }
}

static void
a_decimal_comma_of_the_locale_is_not_written(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(MAX);

    (void)state;
    setlocale(LC_ALL, "de_DE.UTF-8"); /* where it is there */
    put_number(&b, 2.5);
    setlocale(LC_ALL, "C");
    assert_string_equal(b.p, "2.5");
}

static void
check_written(const char *in, const char *expected,
              void (*put)(struct json_writer *, const struct json *))
{
    CLEANUP(json_free_p) struct json *v = json_parse(in, strlen(in), 0, NULL);
    CLEANUP_BUF struct buf b = buf_of(MAX);
    struct json_writer w;

    json_write_init(&w, &b);
    put(&w, v);
    assert_string_equal(b.p, expected);
}

static void
a_tree_is_written_as_it_was_read(void **state)
{
    static const struct {
        const char *in, *out;
    } rows[] = {
        {" [ 1 , 1.0 , 1e400 , -0 ] ", "[1,1.0,1e400,-0]"},
        {"{\"b\":{},\"a\":[]}", "{\"b\":{},\"a\":[]}"},
        {"\"\\u0000\\u0001\\u00e9\\/\"", "\"\\u0000\\u0001é/\""},
        {"{\"\\u0000\":null,\"\\u0001#\":true}",
         "{\"\\u0000\":null,\"\\u0001#\":true}"},
        {"18446744073709551615", "18446744073709551615"},
        {"false", "false"},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++)
        check_written(rows[i].in, rows[i].out, json_put_value);
}

static void
canonical_text_has_its_names_in_order_of_bytes(void **state)
{
    static const struct {
        const char *in, *out;
    } rows[] = {
        {"{\"b\":1,\"a\":{\"d\":[{\"z\":1,\"y\":2}],\"c\":0}}",
         "{\"a\":{\"c\":0,\"d\":[{\"y\":2,\"z\":1}]},\"b\":1}"},
        {"{\"aa\":1,\"a\":2,\"\":3,\"A\":4,\"é\":5,\"z\":6}",
         "{\"\":3,\"A\":4,\"a\":2,\"aa\":1,\"z\":6,\"é\":5}"},
        {"{\"a\\u0000\":1,\"a\":2}", "{\"a\":2,\"a\\u0000\":1}"},
        {"[2,1]", "[2,1]"},
        {"\"x\"", "\"x\""},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(rows); i++)
        check_written(rows[i].in, rows[i].out, json_put_canonical);
}

static void
what_does_not_fit_is_told_at_the_end(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(8);
    struct json_writer w;
    struct err e = {0};

    (void)state;
    json_write_init(&w, &b);
    json_put_str(&w, "longer than eight");
    json_put_int(&w, 1);
    assert_int_equal(buf_ok(&b, "answer", &e), -1);
    assert_int_equal(e.code, ERR_NOMEM);
}

/* Text is looked at several bytes at a time. */
#define PLACES 20

static void
each_byte_is_escaped_wherever_it_stands(void **state)
{
    (void)state;
    for (int i = 0; i < 256 * PLACES; i++) {
        CLEANUP_BUF struct buf b = buf_of(MAX);
        CLEANUP(json_free_p) struct json *back = NULL;
        struct json_writer w;
        char text[PLACES];
        const char *s;
        size_t n;

        memset(text, 'x', sizeof(text));
        text[i % PLACES] = (char)(i / PLACES);
        json_write_init(&w, &b);
        json_put_strn(&w, text, sizeof(text));
        back = json_parse(b.p, b.len, 0, NULL);
        s = json_str(back, &n);
        assert_non_null(s);
        if (i / PLACES < 0x80) {
            assert_int_equal(n, PLACES);
            assert_memory_equal(s, text, PLACES);
        } else {
            assert_int_equal(n, PLACES + 2);
            assert_memory_equal(s + i % PLACES, "\uFFFD", 3);
        }
    }
}

static void
no_byte_stands_unescaped_where_it_must_not(void **state)
{
    (void)state;
    for (int i = 0; i < 256 * PLACES; i++) {
        CLEANUP(json_free_p) struct json *v = NULL;
        int c = i / PLACES;
        char text[PLACES + 2];

        memset(text, 'x', sizeof(text));
        text[0] = text[PLACES + 1] = '"';
        text[1 + i % PLACES] = (char)c;
        v = json_parse(text, sizeof(text), 0, NULL);
        assert_int_equal(v != NULL,
                         c >= 0x20 && c < 0x80 && c != '"' && c != '\\');
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commas_and_colons_are_the_writers_business),
        cmocka_unit_test(strings_are_escaped_and_made_valid),
        cmocka_unit_test(each_byte_is_escaped_wherever_it_stands),
        cmocka_unit_test(no_byte_stands_unescaped_where_it_must_not),
        cmocka_unit_test(numbers_are_short_and_read_back_the_same),
        cmocka_unit_test(any_double_reads_back_the_same),
        cmocka_unit_test(a_decimal_comma_of_the_locale_is_not_written),
        cmocka_unit_test(a_tree_is_written_as_it_was_read),
        cmocka_unit_test(canonical_text_has_its_names_in_order_of_bytes),
        cmocka_unit_test(what_does_not_fit_is_told_at_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
