/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_http_parser.c - requests of HTTP, whole and in pieces, and what is none.
 */
#include "unit.h"

#include <string.h>

#include "base/array.h"
#include "wire/http_parser.h"

#define BODY_MAX 16
#define LINE     "GET /a?b=c HTTP/1.1\r\n"
#define HOST     "Host: h\r\n"
#define POST     "POST /a HTTP/1.1\r\n" HOST
#define CHUNKED  POST "Transfer-Encoding: chunked\r\n\r\n"

/* Bytes, and what they are: "METHOD PATH QUERY BODY|" for each request, then
 * the status that what follows is refused with. */
static const struct {
    const char *bytes, *wanted;
} rows[] = {
    {LINE HOST "\r\n", "GET /a b=c |"},
    {"\r\n" LINE HOST "\r\n", "GET /a b=c |"},
    {"\r\n\r\n" LINE HOST "\r\n", "400"},
    {LINE HOST "\r\n" LINE HOST "\r\n", "GET /a b=c |GET /a b=c |"},
    {POST "Content-Length: 3\r\n\r\nabc" LINE HOST "\r\n",
     "POST /a  abc|GET /a b=c |"},
    {POST "Content-Length: 0\r\n\r\n", "POST /a  |"},
    {POST "content-LENGTH:\t3 \r\n\r\nab", ""},
    {CHUNKED "3\r\nabc\r\n2;x=\"y\"\r\nde\r\n0\r\n\r\n", "POST /a  abcde|"},
    {CHUNKED "0\r\nX: y\r\n\r\n" LINE HOST "\r\n", "POST /a  |GET /a b=c |"},
    {CHUNKED "10\r\n0123456789abcdef\r\n0\r\n\r\n",
     "POST /a  0123456789abcdef|"},
    {CHUNKED "11\r\n", "413"},
    {CHUNKED "9\r\n123456789\r\n8\r\n", "413"},
    {CHUNKED "3\r\nabcd", "400"},
    {CHUNKED "3\r\nabc\n", "400"},
    {CHUNKED "\r\n", "400"},
    {CHUNKED " 3\r\n", "400"},
    {CHUNKED "0x3\r\n", "400"},
    {CHUNKED "0\r\nX : y\r\n", "400"},
    {POST "Content-Length: 17\r\n\r\n", "413"},
    {POST "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", "400"},
    {POST "Content-Length: 3, 3\r\n\r\nabc", "400"},
    {POST "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", "400"},
    {POST "Transfer-Encoding: identity\r\n\r\n", "501"},
    {"GET http://h/a HTTP/1.1\r\n" HOST "\r\n", "GET /a  |"},
    {"GET http://other/a HTTP/1.1\r\n" HOST "\r\n", "400"},
    {"OPTIONS * HTTP/1.1\r\n" HOST "\r\n", "OPTIONS *  |"},
    {"GET * HTTP/1.1\r\n" HOST "\r\n", "400"},
    {"GET /a HTTP/1.0\r\n\r\n", "GET /a  |"},
    {"GET /a HTTP/1.1\r\n\r\n", "400"},
    {LINE HOST HOST "\r\n", "400"},
    {LINE "Host: a, b\r\n\r\n", "400"},
    {LINE HOST "X : y\r\n\r\n", "400"},
    {LINE HOST "X: y\r\n z\r\n\r\n", "400"},
    {LINE HOST "X: \x01\r\n\r\n", "400"},
    {LINE HOST "X\r\n\r\n", "400"},
    {LINE HOST "X: y\n", "400"},
    {LINE HOST "X: y\rz", "400"},
    {"GET /a HTTP/1.1\n", "400"},
    {"GET /a HTTP/3.0\r\n" HOST "\r\n", "505"},
    {"GET /a HTTQ/1.1\r\n" HOST "\r\n", "400"},
    {LINE HOST "Expect: x\r\n\r\n", "417"},
};

static void
put_whole(struct buf *out, const struct http_incoming *r)
{
    buf_printf(out, "%s %s %s %s|", r->method, r->path, r->query, r->body.p);
}

static void
read_pieces(const char *bytes, size_t n, size_t piece, struct buf *out)
{
    struct http_parser *p = http_parser_new(BODY_MAX, NULL);
    enum http_step step = HTTP_MORE;
    size_t at = 0;
    const char *why;

    do {
        size_t part = n - at < piece ? n - at : piece, used;

        step = http_parser_feed(p, bytes + at, part, &used);
        at += used;
        if (step == HTTP_WRONG)
            buf_printf(out, "%d", http_parser_status(p, &why));
        if (step != HTTP_WHOLE)
            continue;
        put_whole(out, http_parser_request(p));
        http_parser_free(p);
        p = http_parser_new(BODY_MAX, NULL);
    } while (step != HTTP_WRONG && (at < n || step != HTTP_MORE));
    http_parser_free(p);
}

static void
requests_are_the_same_in_any_pieces(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        size_t n = strlen(rows[i].bytes);

        for (size_t piece = 1; piece <= n; piece++) {
            CLEANUP_BUF struct buf out = buf_of(1024);

            read_pieces(rows[i].bytes, n, piece, &out);
            assert_string_equal(out.p, rows[i].wanted);
        }
    }
}

static void
a_nul_is_refused(void **state)
{
    static const char bytes[] = LINE HOST "X: a\0b\r\n\r\n";
    CLEANUP_BUF struct buf out = buf_of(1024);

    (void)state;
    read_pieces(bytes, sizeof(bytes) - 1, sizeof(bytes), &out);
    assert_string_equal(out.p, "400");
}

static void
a_line_and_a_head_have_a_limit(void **state)
{
    CLEANUP_BUF struct buf in = buf_of(200000), out = buf_of(1024);

    (void)state;
    buf_str(&in, "GET /");
    for (size_t i = 0; i < HTTP_TARGET_MAX; i++)
        buf_ch(&in, 'a');
    read_pieces(in.p, in.len, 1000, &out);
    assert_string_equal(out.p, "414");
    buf_clear(&in);
    buf_clear(&out);
    buf_str(&in, LINE HOST);
    for (size_t i = 0; i < HTTP_FIELDS_MAX; i++)
        buf_str(&in, "X: y\r\n");
    buf_str(&in, "\r\n");
    read_pieces(in.p, in.len, 1000, &out);
    assert_string_equal(out.p, "431");
    buf_clear(&in);
    buf_clear(&out);
    buf_str(&in, LINE HOST "X: ");
    for (size_t i = 0; i < HTTP_HEAD_MAX; i++)
        buf_ch(&in, 'y');
    read_pieces(in.p, in.len, 1000, &out);
    assert_string_equal(out.p, "431");
}

static void
what_a_head_says_is_read(void **state)
{
    static const char bytes[] =
        "POST /a HTTP/1.1\r\nHOST: h:1\r\nX-Y:  a b \r\nx-y: c\r\n"
        "Connection: Upgrade , Close\r\nExpect: 100-Continue\r\n"
        "Content-Length: 1\r\n\r\n";
    CLEANUP(http_parser_free_p)
    struct http_parser *p = http_parser_new(BODY_MAX, NULL);
    const struct http_incoming *r = http_parser_request(p);
    size_t used;

    (void)state;
    assert_int_equal(http_parser_feed(p, bytes, strlen(bytes), &used),
                     HTTP_HEAD);
    assert_string_equal(r->host, "h:1");
    assert_string_equal(http_incoming_field(r, "x-y"), "a b");
    assert_int_equal(http_incoming_count(r, "x-y"), 2);
    assert_null(http_incoming_field(r, "z"));
    assert_true(r->has_body && r->waits && !r->keeps && !r->old);
}

static void
a_list_has_its_words(void **state)
{
    (void)state;
    assert_true(http_list_has("a, text/HTML;q=1 ,c", "text/html"));
    assert_true(http_list_has(",,c", "c"));
    assert_false(http_list_has("ab, b a", "a"));
    assert_false(http_list_has("x;a, y", "a"));
    assert_false(http_list_has("", "a"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_the_same_in_any_pieces),
        cmocka_unit_test(a_nul_is_refused),
        cmocka_unit_test(a_line_and_a_head_have_a_limit),
        cmocka_unit_test(what_a_head_says_is_read),
        cmocka_unit_test(a_list_has_its_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
