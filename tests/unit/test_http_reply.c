/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_http_reply.c - responses of HTTP, whole and in pieces, and what is none.
 */
#include "unit.h"

#include <string.h>

#include "base/array.h"
#include "wire/http_reply.h"

#define BODY_MAX 16
#define OK       "HTTP/1.1 200 OK\r\n"
#define CHUNKED  OK "Transfer-Encoding: chunked\r\n\r\n"
#define CONTINUE "HTTP/1.1 100 Continue\r\n\r\n"

/* Bytes, after which the server closes, and what they are: STATUS KEEPS BODY,
 * or "wrong". */
static const struct {
    const char *bytes, *wanted;
} rows[] = {
    {OK "Content-Length: 3\r\n\r\nabc", "200 1 abc"},
    {OK "Content-Length: 0\r\n\r\n", "200 1 "},
    {OK "content-LENGTH:\t3 \r\n\r\nabc", "200 1 abc"},
    {OK "Content-Length: 3\r\nConnection: x, close\r\n\r\nabc", "200 0 abc"},
    {"HTTP/1.1 204 \r\n\r\n", "204 1 "},
    {"HTTP/1.1 503\r\nContent-Length: 1\r\n\r\nx", "503 1 x"},
    {CHUNKED "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "200 1 abcde"},
    {OK "\r\nabc", "200 0 abc"},
    {OK "\r\n0123456789abcdefg", "wrong"},
    {CONTINUE OK "Content-Length: 1\r\n\r\nx", "200 1 x"},
    {"HTTP/1.1 101 x\r\n\r\n", "wrong"},
    {CONTINUE CONTINUE CONTINUE CONTINUE CONTINUE CONTINUE CONTINUE CONTINUE
         CONTINUE OK "Content-Length: 1\r\n\r\nx",
     "wrong"},
    {OK "Content-Length: 3\r\n\r\nab", "wrong"},
    {OK "Content-Length: 3\r\n\r\nabcd", "wrong"},
    {OK "Content-Length: 17\r\n\r\n", "wrong"},
    {OK "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", "wrong"},
    {OK "Content-Length: -1\r\n\r\n", "wrong"},
    {OK "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", "wrong"},
    {OK "Transfer-Encoding: gzip\r\n\r\n", "wrong"},
    {CHUNKED "3\r\nabc\r\n", "wrong"},
    {CHUNKED "zz\r\n", "wrong"},
    {CHUNKED "11\r\n", "wrong"},
    {OK "X : y\r\n\r\n", "wrong"},
    {OK "X: y\r\n z\r\n\r\n", "wrong"},
    {OK "X: y\n\r\n", "wrong"},
    {OK "X: y\rz\r\n\r\n", "wrong"},
    {"HTTP/1.0 200 OK\r\n\r\n", "wrong"},
    {"HTTP/1.1 20 OK\r\n\r\n", "wrong"},
    {"HTTP/1.1 2000 OK\r\n\r\n", "wrong"},
    {"HTTP/1.1 600 OK\r\n\r\n", "wrong"},
    {"HTTP/1.1 200 \x01\r\n\r\n", "wrong"},
    {"\r\n", "wrong"},
    {"", "wrong"},
    {OK, "wrong"},
};

static void
read_reply_pieces(const char *bytes, size_t n, size_t piece, struct buf *out)
{
    struct http_reply_parser *p = http_reply_new(BODY_MAX, NULL);
    enum http_reply_step step = REPLY_MORE;
    struct err e = {0};
    size_t at = 0;

    while (at < n && step != REPLY_WRONG) {
        size_t part = n - at < piece ? n - at : piece;

        step = http_reply_feed(p, bytes + at, part, &e);
        at += part;
    }
    if (step == REPLY_MORE)
        step = http_reply_end(p, &e);
    assert_int_equal(e.code, step == REPLY_WRONG ? ERR_PEER : ERR_NONE);
    if (step == REPLY_WHOLE) {
        const struct http_reply *r = http_reply_response(p);

        buf_printf(out, "%d %d %s", r->status, r->keeps, r->body.p);
    } else {
        buf_str(out, "wrong");
    }
    http_reply_free(p);
}

static void
responses_are_the_same_in_any_pieces(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        size_t n = strlen(rows[i].bytes);

        for (size_t piece = 1; piece <= n + 1; piece++) {
            CLEANUP_BUF struct buf out = buf_of(1024);

            read_reply_pieces(rows[i].bytes, n, piece, &out);
            assert_string_equal(out.p, rows[i].wanted);
        }
    }
}

static void
heads_have_a_limit(void **state)
{
    CLEANUP_BUF struct buf many = buf_of(200000), out = buf_of(1024);
    CLEANUP_BUF struct buf large = buf_of(200000);

    (void)state;
    buf_str(&many, OK);
    for (size_t i = 0; i <= HTTP_REPLY_FIELDS_MAX; i++)
        buf_str(&many, "X: y\r\n");
    buf_str(&many, "\r\n");
    read_reply_pieces(many.p, many.len, 1000, &out);
    assert_string_equal(out.p, "wrong");
    buf_clear(&out);
    buf_str(&large, OK "X: ");
    for (size_t i = 0; i < HTTP_REPLY_HEAD_MAX; i++)
        buf_ch(&large, 'a');
    read_reply_pieces(large.p, large.len, 1000, &out);
    assert_string_equal(out.p, "wrong");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(responses_are_the_same_in_any_pieces),
        cmocka_unit_test(heads_have_a_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
