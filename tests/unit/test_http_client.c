/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_http_client.c - requests to a server, in order, on a kept connection,
 * and servers that close, are late, or are none. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "wire/http_client.h"
#include "wire/listener.h"

#define WAIT_MS 10000
#define OK      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
/* Bytes: more than a socket takes from a peer that does not read. */
#define LARGE_BODY (4u << 20)

/* A server that answers each read by the next of its texts. */
struct http_fixture {
    struct loop *loop;
    struct listener *listener;
    struct http_client *client;
    const char *const *answers; /* NULL: no more; "": it closes */
    char dir[64], address[96];
    int connections, fd;
    bool stops_reading; /* the server, once it has answered */
    struct watch *watch;
    struct buf asked, got;
    int answered;
};

static void
server_closes(struct http_fixture *f)
{
    watch_free(f->watch);
    f->watch = NULL;
    if (f->fd >= 0)
        (void)close(f->fd);
    f->fd = -1;
}

static void
on_server_input(void *arg, unsigned events)
{
    struct http_fixture *f = arg;
    char bytes[4096];
    ssize_t n = read(f->fd, bytes, sizeof(bytes));
    const char *answer = *f->answers;

    (void)events;
    if (n <= 0 || (answer && !*answer)) {
        f->answers += n > 0;
        server_closes(f);
        return;
    }
    buf_add(&f->asked, bytes, (size_t)n);
    buf_ch(&f->asked, '|');
    if (!answer)
        return;
    f->answers++;
    assert_int_equal(fd_write_all(f->fd, answer, strlen(answer), WAIT_MS, NULL),
                     0);
    if (f->stops_reading)
        watch_events(f->watch, 0);
}

static void
on_server_accept(void *arg, int fd)
{
    struct http_fixture *f = arg;

    server_closes(f);
    f->connections++;
    f->fd = fd;
    f->watch = loop_fd(f->loop, fd, LOOP_READ, on_server_input, f, NULL);
}

static void
on_server_trouble(void *arg, const struct err *why)
{
    (void)arg;
    fail_msg("%s", why->text);
}

static const struct listener_events events = {.accepted = on_server_accept,
                                              .trouble = on_server_trouble};

static void
fixture_init(struct http_fixture *f, const char *const *answers)
{
    *f = (struct http_fixture){.loop = loop_new(NULL),
                               .answers = answers,
                               .fd = -1,
                               .asked = buf_of(8192),
                               .got = buf_of(8192)};
    snprintf(f->dir, sizeof(f->dir), "/tmp/agentsh-http-XXXXXX");
    assert_non_null(mkdtemp(f->dir));
    snprintf(f->address, sizeof(f->address), "unix:%s/s", f->dir);
    f->listener = listener_new(f->loop, f->address, &events, f, NULL);
    f->client = http_client_new(f->loop, f->address, 1024, NULL);
    assert_non_null(f->listener);
    assert_non_null(f->client);
}

static void
fixture_done(struct http_fixture *f)
{
    http_client_free(f->client);
    server_closes(f);
    listener_free(f->listener);
    loop_free(f->loop);
    buf_done(&f->asked);
    buf_done(&f->got);
    (void)rmdir(f->dir);
}

static void
on_reply(void *arg, struct http_reply *r, const struct err *why)
{
    struct http_fixture *f = arg;

    f->answered++;
    if (r)
        buf_printf(&f->got, "%d %s|", r->status, r->body.p);
    else
        buf_printf(&f->got, "error %d|", why->code);
}

static void
ask(struct http_fixture *f, const char *method, const char *path,
    const char *text, int64_t timeout_ms)
{
    CLEANUP_BUF struct buf body = buf_of(100);

    buf_str(&body, text ? text : "");
    assert_int_equal(
        http_client_ask(f->client, method, path, text ? "text/plain" : NULL,
                        text ? &body : NULL, timeout_ms, on_reply, f, NULL),
        0);
}

static void
await_replies(struct http_fixture *f, int n)
{
    while (f->answered < n)
        assert_true(loop_turn(f->loop, WAIT_MS, NULL) > 0);
}

static void
requests_go_in_order_on_one_connection(void **state)
{
    static const char *const answers[] = {OK "aa", OK "bb", NULL};
    struct http_fixture f;

    (void)state;
    fixture_init(&f, answers);
    ask(&f, "GET", "/a", NULL, WAIT_MS);
    ask(&f, "POST", "/b", "xyz", WAIT_MS);
    await_replies(&f, 2);
    assert_string_equal(f.got.p, "200 aa|200 bb|");
    assert_string_equal(f.asked.p,
                        "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n|"
                        "POST /b HTTP/1.1\r\nHost: localhost\r\n"
                        "Content-Type: text/plain\r\nContent-Length: 3\r\n\r\n"
                        "xyz|");
    assert_int_equal(f.connections, 1);
    fixture_done(&f);
}

static void
a_connection_that_was_closed_is_made_anew(void **state)
{
    static const char *const answers[] = {
        OK "aa", OK "bb", "HTTP/1.1 200 OK\r\n\r\ncc", OK "dd", NULL};
    struct http_fixture f;

    (void)state;
    fixture_init(&f, answers);
    ask(&f, "GET", "/", NULL, WAIT_MS);
    await_replies(&f, 1);
    server_closes(&f);
    while (loop_turn(f.loop, 0, NULL) > 0)
        ;
    ask(&f, "GET", "/", NULL, WAIT_MS);
    await_replies(&f, 2);
    ask(&f, "GET", "/", NULL, WAIT_MS); /* its body ends with the connection */
    ask(&f, "GET", "/", NULL, WAIT_MS);
    while (*f.answers && !strstr(*f.answers, "dd"))
        assert_true(loop_turn(f.loop, WAIT_MS, NULL) > 0);
    server_closes(&f);
    await_replies(&f, 4);
    assert_string_equal(f.got.p, "200 aa|200 bb|200 cc|200 dd|");
    assert_int_equal(f.connections, 3);
    fixture_done(&f);
}

/* What is left of its body would be read as the next request. */
static void
a_connection_is_not_kept_where_an_answer_comes_early(void **state)
{
    static const char *const answers[] = {OK "aa", OK "bb", NULL};
    CLEANUP_BUF struct buf body = buf_of(LARGE_BODY);
    struct http_fixture f;

    (void)state;
    fixture_init(&f, answers);
    f.stops_reading = true;
    while (body.len < LARGE_BODY)
        buf_ch(&body, 'x');
    assert_int_equal(http_client_ask(f.client, "POST", "/", "text/plain", &body,
                                     WAIT_MS, on_reply, &f, NULL),
                     0);
    ask(&f, "GET", "/", NULL, WAIT_MS);
    await_replies(&f, 2);
    assert_string_equal(f.got.p, "200 aa|200 bb|");
    assert_int_equal(f.connections, 2);
    fixture_done(&f);
}

static void
a_request_that_meets_a_closed_connection_is_sent_once_more(void **state)
{
    static const char *const answers[] = {OK "aa", "", OK "bb", "",  "",
                                          OK "cc", "", OK "dd", NULL};
    struct http_fixture f;

    (void)state;
    fixture_init(&f, answers);
    ask(&f, "GET", "/", NULL, WAIT_MS);
    await_replies(&f, 1);
    ask(&f, "GET", "/", NULL, WAIT_MS);
    await_replies(&f, 2);
    assert_int_equal(f.connections, 2);
    ask(&f, "GET", "/", NULL, WAIT_MS); /* once, not for ever */
    await_replies(&f, 3);
    ask(&f, "GET", "/", NULL, WAIT_MS);
    await_replies(&f, 4);
    ask(&f, "POST", "/", "x", WAIT_MS); /* may have been done */
    await_replies(&f, 5);
    ask(&f, "POST", "/", "x", WAIT_MS);
    await_replies(&f, 6);
    assert_string_equal(f.got.p,
                        "200 aa|200 bb|error 16|200 cc|error 16|200 dd|");
    fixture_done(&f);
}

static void
servers_that_fail_are_said_once(void **state)
{
    static const char *const answers[] = {
        "", "HTTP/1.1 200 OK\r\nX : y\r\n\r\n", OK "aa", NULL};
    struct http_fixture f;

    (void)state;
    fixture_init(&f, answers);
    for (int i = 0; i < 3; i++) {
        ask(&f, "GET", "/", NULL, WAIT_MS);
        await_replies(&f, i + 1);
    }
    assert_int_equal(ERR_PEER, 16); /* what the text below says */
    assert_string_equal(f.got.p, "error 16|error 16|200 aa|");
    fixture_done(&f);
}

static void
a_late_server_is_given_up_and_the_next_request_goes_on(void **state)
{
    static const char *const answers[] = {NULL, OK "bb", NULL};
    struct http_fixture f;

    (void)state;
    fixture_init(&f, answers);
    ask(&f, "GET", "/", NULL, 20);
    await_replies(&f, 1);
    f.answers++;
    ask(&f, "GET", "/", NULL, WAIT_MS);
    await_replies(&f, 2);
    assert_int_equal(ERR_TIMEOUT, 9);
    assert_string_equal(f.got.p, "error 9|200 bb|");
    fixture_done(&f);
}

static void
nobody_there_is_an_error(void **state)
{
    static const char *const answers[] = {NULL};
    struct http_fixture f;
    struct err e = {0};

    (void)state;
    fixture_init(&f, answers);
    listener_free(f.listener);
    f.listener = NULL;
    ask(&f, "GET", "/", NULL, WAIT_MS);
    await_replies(&f, 1);
    assert_int_equal(ERR_NOT_FOUND, 5);
    assert_string_equal(f.got.p, "error 5|");
    assert_null(http_client_new(f.loop, "x", 1, &e));
    assert_int_equal(e.code, ERR_USAGE);
    fixture_done(&f);
}

static void
too_many_requests_are_refused(void **state)
{
    static const char *const answers[] = {NULL};
    struct http_fixture f;
    struct err e = {0};

    (void)state;
    fixture_init(&f, answers);
    for (int i = 0; i < HTTP_CLIENT_QUEUE_MAX; i++)
        ask(&f, "GET", "/", NULL, WAIT_MS);
    assert_int_equal(http_client_ask(f.client, "GET", "/", NULL, NULL, WAIT_MS,
                                     on_reply, &f, &e),
                     -1);
    assert_int_equal(e.code, ERR_NOMEM);
    fixture_done(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_go_in_order_on_one_connection),
        cmocka_unit_test(a_connection_that_was_closed_is_made_anew),
        cmocka_unit_test(a_connection_is_not_kept_where_an_answer_comes_early),
        cmocka_unit_test(
            a_request_that_meets_a_closed_connection_is_sent_once_more),
        cmocka_unit_test(servers_that_fail_are_said_once),
        cmocka_unit_test(
            a_late_server_is_given_up_and_the_next_request_goes_on),
        cmocka_unit_test(nobody_there_is_an_error),
        cmocka_unit_test(too_many_requests_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
