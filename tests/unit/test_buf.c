/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_buf.c - growing bytes, and lines out of them. */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/linebuf.h"

static void
a_buffer_stops_at_its_maximum_and_says_so(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(10);
    struct err e = {0};

    (void)state;
    assert_int_equal(buf_str(&b, "0123456789"), 0);
    assert_int_equal(buf_ok(&b, "it", &e), 0);
    assert_int_equal(buf_ch(&b, 'x'), -1);
    assert_int_equal(b.len, 10);
    assert_string_equal(b.p, "0123456789");
    assert_int_equal(buf_ok(&b, "it", &e), -1);
    assert_int_equal(e.code, ERR_NOMEM);
    buf_clear(&b);
    assert_int_equal(buf_printf(&b, "%d", 42), 0);
    assert_string_equal(b.p, "42");
}

static void
memory_beyond_the_bytes_is_given_back(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(1000), none = buf_of(10);
    CLEANUP_BUF struct buf secret = buf_of_secret(1000);

    (void)state;
    buf_fit(&none);
    assert_string_equal(none.p, "");
    for (int i = 0; i < 300; i++) {
        buf_ch(&b, 'x');
        buf_ch(&secret, 'y');
    }
    buf_fit(&b);
    buf_fit(&secret);
    assert_int_equal(b.cap, 301);
    assert_int_equal(secret.cap, 301);
    assert_int_equal(strlen(secret.p), 300);
    assert_int_equal(buf_str(&b, "more"), 0);
    assert_string_equal(b.p + 298, "xxmore");
}

static void
lines_come_whole_however_the_bytes_arrive(void **state)
{
    CLEANUP(linebuf_free_p) struct linebuf *lb = linebuf_new(16, NULL);
    static const char in[] = "one\r\ntwo\n\nfour";
    static const char *const want[] = {"one", "two", ""};
    size_t got = 0, len;
    const char *line;

    (void)state;
    for (size_t i = 0; i < sizeof(in) - 1; i++) {
        assert_int_equal(linebuf_add(lb, in + i, 1, NULL), 0);
        while ((line = linebuf_next(lb, &len)) != NULL)
            assert_string_equal(line, want[got++]);
    }
    assert_int_equal(got, 3);
    line = linebuf_rest(lb, &len);
    assert_int_equal(len, 4);
    assert_memory_equal(line, "four", 4);
}

static void
a_line_without_end_is_the_peers_fault(void **state)
{
    CLEANUP(linebuf_free_p) struct linebuf *lb = linebuf_new(16, NULL);
    struct err e = {0};

    (void)state;
    assert_int_equal(linebuf_add(lb, "0123456789abcdefg", 17, &e), 0);
    assert_int_equal(linebuf_add(lb, "h", 1, &e), -1);
    assert_int_equal(e.code, ERR_PEER);
}

static void
a_line_that_is_dropped_ends_at_its_newline(void **state)
{
    CLEANUP(linebuf_free_p) struct linebuf *lb = linebuf_new(16, NULL);
    size_t len;

    (void)state;
    assert_int_equal(linebuf_add(lb, "one\n0123456789abcdefgh", 22, NULL), 0);
    assert_string_equal(linebuf_next(lb, &len), "one");
    assert_null(linebuf_next(lb, &len));
    assert_int_equal(linebuf_add(lb, "i", 1, NULL), -1);
    linebuf_skip(lb);
    assert_int_equal(linebuf_add(lb, "jkl", 3, NULL), 0);
    assert_null(linebuf_next(lb, &len));
    assert_int_equal(linebuf_add(lb, "m\ntwo\nth", 8, NULL), 0);
    assert_string_equal(linebuf_next(lb, &len), "two");
    assert_null(linebuf_next(lb, &len));
    assert_int_equal(linebuf_add(lb, "ree\n", 4, NULL), 0);
    assert_string_equal(linebuf_next(lb, &len), "three");
}

/* Stale bytes after the end are what memory given back would hold. */
static void
a_secret_leaves_nothing_behind_its_end(void **state)
{
    CLEANUP_BUF struct buf b = buf_of_secret(1000);

    (void)state;
    buf_str(&b, "sk-0123456789");
    for (int i = 0; i < 20; i++) /* it grows, and moves */
        buf_str(&b, "0123456789");
    assert_int_equal(b.len, 213);
    assert_memory_equal(b.p, "sk-01234567890123456789", 23);
    buf_drop(&b, 13);
    assert_memory_equal(b.p, "0123456789", 10);
    for (size_t i = b.len; i < 213; i++)
        assert_int_equal(b.p[i], '\0');
    buf_cut(&b, 3);
    assert_string_equal(b.p, "012");
    assert_int_equal(b.p[9], '\0');
    buf_done(&b);
    assert_true(b.secret);
    assert_string_equal(b.p, "");
}

static void
blanks_stop_at_the_maximum_too(void **state)
{
    CLEANUP_BUF struct buf b = buf_of(4);

    (void)state;
    assert_int_equal(buf_blanks(&b, 0), 0);
    assert_int_equal(buf_blanks(&b, 3), 0);
    assert_string_equal(b.p, "   ");
    assert_int_equal(buf_blanks(&b, 2), -1);
    assert_true(b.bad);
    assert_int_equal(b.len, 3);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_stops_at_its_maximum_and_says_so),
        cmocka_unit_test(blanks_stop_at_the_maximum_too),
        cmocka_unit_test(a_secret_leaves_nothing_behind_its_end),
        cmocka_unit_test(memory_beyond_the_bytes_is_given_back),
        cmocka_unit_test(lines_come_whole_however_the_bytes_arrive),
        cmocka_unit_test(a_line_without_end_is_the_peers_fault),
        cmocka_unit_test(a_line_that_is_dropped_ends_at_its_newline),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
