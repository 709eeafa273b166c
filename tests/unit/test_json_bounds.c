/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_json_bounds.c - what hostile JSON may cost. */
#include "unit.h"

#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "json/json.h"

static void
repeat(struct buf *b, const char *s, size_t n)
{
    while (n-- > 0)
        buf_str(b, s);
}

static void
the_512th_level_is_the_last(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(1 << 20);
    struct err e = {0};
    struct json *v;

    (void)state;
    repeat(&b, "[", JSON_DEPTH_MAX);
    repeat(&b, "]", JSON_DEPTH_MAX);
    v = json_parse(b.p, b.len, 0, &e);
    assert_non_null(v);
    json_free(v);
    buf_clear(&b);
    repeat(&b, "{\"a\":", JSON_DEPTH_MAX + 1);
    assert_null(json_parse(b.p, b.len, 0, &e));
    assert_string_equal(e.text, "byte 2561: nested deeper than 512");
}

static void
a_text_of_too_many_values_is_refused(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(4 << 20);
    struct err e = {0};

    (void)state;
    buf_str(&b, "[0");
    repeat(&b, ",0", JSON_VALUES_MAX);
    buf_str(&b, "]");
    assert_null(json_parse(b.p, b.len, 0, &e));
    assert_non_null(strstr(e.text, "more than 131072 values"));
}

static void
an_object_of_many_names_takes_no_quadratic_time(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(16 << 20);
    struct err e = {0};
    int64_t start;

    (void)state;
    buf_ch(&b, '{');
    for (int i = 0; i < 130000; i++)
        buf_printf(&b, "\"name%d\":0,", i);
    buf_str(&b, "\"name17\":1}");
    start = clock_ms();
    assert_null(json_parse(b.p, b.len, JSON_UNIQUE, &e));
    assert_int_equal(e.code, ERR_INVALID);
    /* quadratic would be a minute; sanitizers and loaded machines are slow */
    assert_true(clock_ms() - start < 20000);
}

/* [{"x…":"x…TEXTx…"},"x…"] with n letters in the place of each x. */
static void
put_long(struct buf *b, const char *text, size_t n)
{
    buf_str(b, "[{\"");
    repeat(b, "x", n);
    buf_str(b, "\":\"");
    repeat(b, "x", n);
    buf_str(b, text);
    repeat(b, "x", n);
    buf_str(b, "\"},\"");
    repeat(b, "x", n);
    buf_str(b, "\"]");
}

static void
assert_xs(const char *s, size_t n)
{
    while (n-- > 0)
        assert_int_equal(s[n], 'x');
}

static void
a_long_string_is_read_as_a_short_one(void **state)
{
    static const struct {
        const char *text, *bytes;
        size_t len;
    } rows[] = {
        {"", "", 0},
        {"\\u0000", "\0", 1},
        {"\\u0001@1 2\\u0001#\\u0002", "\1@1 2\1#\2", 8},
        {"\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t", 8},
        {"\\u00e9\\u20AC\\ud83d\\uDE00", "é€😀", 9},
        {"\\ufffF\\uD800\\udc00\\uDBFF\\uDFFF", "\uffff\U00010000\U0010ffff",
         11},
        {"é€😀\x7f", "é€😀\x7f", 10},
    };
    static const size_t lengths[] = {3, 120, 124, 125, 126, 127, 128, 5000};

    (void)state;
    for (size_t i = 0; i < N_OF(rows) * N_OF(lengths); i++) {
        size_t row = i / N_OF(lengths), n = lengths[i % N_OF(lengths)], len;
        CLEANUP_BUF struct buf b = buf_of(1 << 20);
        CLEANUP(json_free_p) struct json *v = NULL;
        const char *s;

        put_long(&b, rows[row].text, n);
        v = json_parse(b.p, b.len, JSON_UNIQUE, NULL);
        assert_non_null(v);
        assert_non_null(json_name(json_first(json_first(v)), &len));
        assert_int_equal(len, n);
        s = json_str(json_first(json_first(v)), &len);
        assert_int_equal(len, 2 * n + rows[row].len);
        assert_xs(s, n);
        assert_memory_equal(s + n, rows[row].bytes, rows[row].len);
        assert_xs(s + n + rows[row].len, n);
        assert_int_equal(s[len], '\0');
        s = json_str(json_at(v, 1), &len);
        assert_int_equal(len, n);
        assert_xs(s, n + (s[n] != '\0'));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_string_is_read_as_a_short_one),
        cmocka_unit_test(the_512th_level_is_the_last),
        cmocka_unit_test(a_text_of_too_many_values_is_refused),
        cmocka_unit_test(an_object_of_many_names_takes_no_quadratic_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
