/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_websocket_client.c - handshakes with servers that are right and wrong.
 */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "wire/listener.h"
#include "wire/websocket_client.h"
#include "wire/websocket_handshake.h"

#define WAIT_MS 5000

/* A server that answers one request with a text, in which a % becomes the
 * answer to the key. */
struct one_answer {
    struct websocket_shared sh;
    struct listener *listener;
    struct watch *watch;
    int fd;
    struct buf asked, url;
    const char *text; /* NULL: it answers nothing; "": it closes */
    struct websocket *ws;
    struct err why;
    struct buf got;
    size_t opened;
};

static void
answer_handshake(struct one_answer *o)
{
    const char *key = strstr(o->asked.p, "Sec-WebSocket-Key: ");
    const char *mark = strchr(o->text, '%');
    CLEANUP_BUF struct buf b = buf_of(4096);
    char text[WEBSOCKET_KEY_SIZE], accept[WEBSOCKET_ACCEPT_SIZE];

    assert_non_null(key);
    snprintf(text, sizeof(text), "%s", key + strlen("Sec-WebSocket-Key: "));
    websocket_handshake_accept(text, accept);
    buf_add(&b, o->text, mark ? (size_t)(mark - o->text) : strlen(o->text));
    if (mark) {
        buf_str(&b, accept);
        buf_str(&b, mark + 1);
    }
    /* a byte at a time, as a network may hand it over */
    for (size_t i = 0; i < b.len; i++)
        assert_int_equal(write(o->fd, b.p + i, 1), 1);
    if (b.len == 0)
        fd_close_p(&o->fd);
}

static void
on_asked(void *arg, unsigned events)
{
    struct one_answer *o = arg;
    char bytes[4096];
    ssize_t n = read(o->fd, bytes, sizeof(bytes));

    (void)events;
    if (n <= 0) {
        watch_events(o->watch, 0);
        return;
    }
    buf_add(&o->asked, bytes, (size_t)n);
    if (o->text && strstr(o->asked.p, "\r\n\r\n")) {
        watch_events(o->watch, 0);
        answer_handshake(o);
    }
}

static void
on_accepted_one(void *arg, int fd)
{
    struct one_answer *o = arg;

    o->fd = fd;
    o->watch = loop_fd(o->sh.loop, fd, LOOP_READ, on_asked, o, NULL);
}

static void
on_no_trouble(void *arg, const struct err *why)
{
    (void)arg;
    fail_msg("%s", why->text);
}

static void
on_greeting(void *owner, struct websocket *ws, char *bytes, size_t n, bool text)
{
    struct one_answer *o = owner;

    (void)ws;
    (void)text;
    buf_add(&o->got, bytes, n);
}

static void
on_end_of_one(void *owner, struct websocket *ws, unsigned status,
              const char *reason)
{
    struct one_answer *o = owner;

    (void)ws;
    (void)status;
    (void)reason;
    o->ws = NULL;
}

static void
on_opened_one(void *owner, struct websocket *ws, const struct err *why)
{
    struct one_answer *o = owner;

    o->opened++;
    o->ws = ws;
    if (why)
        o->why = *why;
}

static void
close_one(struct one_answer *o)
{
    websocket_drop_all(&o->sh);
    watch_free(o->watch);
    fd_close_p(&o->fd);
    listener_free(o->listener);
    read_buffer_free(o->sh.buffer);
    loop_free(o->sh.loop);
    buf_done(&o->asked);
    buf_done(&o->url);
    buf_done(&o->got);
}

/* Connects, and turns the loop until it is known how that went. */
static void
connect_to(struct one_answer *o, const char *text, int64_t timeout_ms)
{
    static const struct listener_events listens = {.accepted = on_accepted_one,
                                                   .trouble = on_no_trouble};
    static const struct websocket_events events = {.message = on_greeting,
                                                   .ended = on_end_of_one};
    CLEANUP_BUF struct buf at = buf_of(256);
    int64_t end = clock_ms() + WAIT_MS;
    struct websocket_client_setup set = {.shared = &o->sh,
                                         .token = "secret",
                                         .timeout_ms = timeout_ms,
                                         .events = &events,
                                         .owner = o,
                                         .opened = on_opened_one};

    *o = (struct one_answer){.fd = -1, .text = text};
    o->sh.loop = loop_new(NULL);
    o->sh.buffer = read_buffer_new(NULL);
    o->sh.limits = (struct websocket_limits){.message_bytes = 4096,
                                             .queued_bytes = 1u << 20,
                                             .ping_ms = 60000,
                                             .pong_ms = 60000};
    buf_init(&o->asked, 16384);
    buf_init(&o->url, 256);
    buf_init(&o->got, 4096);
    o->listener = listener_new(o->sh.loop, "tcp:127.0.0.1:0", &listens, o,
                               NULL);
    assert_non_null(o->listener);
    listener_put_address(o->listener, &at);
    buf_printf(&o->url, "ws://%s/a/b?c=d", at.p + strlen("tcp:"));
    set.url = o->url.p;
    assert_non_null(websocket_client_new(&set, NULL));
    while (o->opened == 0 && clock_ms() < end)
        loop_turn(o->sh.loop, 50, NULL);
    assert_int_equal(o->opened, 1);
}

#define RIGHT_HEAD                                                             \
    "HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\n"               \
    "Connection: keep-alive, Upgrade\r\n"
#define RIGHT_ANSWER RIGHT_HEAD "Sec-WebSocket-Accept: %\r\n\r\n"

static void
opens_and_reads_what_comes_at_once(void **state)
{
    int64_t end = clock_ms() + WAIT_MS;
    struct one_answer o;

    (void)state;
    connect_to(&o, RIGHT_ANSWER "\x81\x05hello", 5000);
    assert_non_null(o.ws);
    while (o.got.len == 0 && clock_ms() < end)
        loop_turn(o.sh.loop, 50, NULL);
    assert_string_equal(o.got.p, "hello");
    assert_memory_equal(o.asked.p,
                        "GET /a/b?c=d HTTP/1.1\r\nHost: 127.0.0.1:", 39);
    assert_non_null(strstr(o.asked.p, "\r\nAuthorization: Bearer secret\r\n"));
    close_one(&o);
}

/* The longest refusal, of which the end says what to do. */
#define CONFINED                                                               \
    "without a token what agentsh-launch runs may not connect, and no other "  \
    "process is seen to hold this connection. To do: start the server with "   \
    "--token-file, or at a Unix socket"

static void
says_why_it_does_not_open(void **state)
{
    static const struct answer_row {
        const char *text, *says;
        enum err_code code;
        int64_t timeout_ms;
    } rows[] = {
        {"HTTP/1.1 401 Unauthorized\r\nContent-Length: 8\r\n\r\nno token",
         "the server refuses: 401 Unauthorized: no token", ERR_PEER, 5000},
        {"HTTP/1.1 403 Forbidden\r\nContent-Length: 175\r\n\r\n" CONFINED "\n",
         "the server refuses: 403 Forbidden: " CONFINED, ERR_PEER, 5000},
        {"SSH-2.0-OpenSSH_9.2\r\n\r\n",
         "the server refuses: SSH-2.0-OpenSSH_9.2", ERR_PEER, 5000},
        {RIGHT_HEAD "\r\n", "the server speaks no WebSocket there", ERR_PEER,
         5000},
        {RIGHT_HEAD "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"
                    "\r\n",
         "the server speaks no WebSocket there", ERR_PEER, 5000},
        {RIGHT_HEAD "Sec-WebSocket-Accept: %\r\nSec-WebSocket-Extensions: "
                    "permessage-deflate\r\n\r\n",
         "the server speaks no WebSocket there", ERR_PEER, 5000},
        {RIGHT_HEAD "Sec-WebSocket-Accept : %\r\n\r\n",
         "the server speaks no WebSocket there", ERR_PEER, 5000},
        {"", ": the server closed the connection", ERR_PEER, 5000},
        {NULL, ": no answer within 0 s", ERR_TIMEOUT, 50},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct one_answer o;

        connect_to(&o, rows[i].text, rows[i].timeout_ms);
        assert_null(o.ws);
        assert_int_equal(o.why.code, rows[i].code);
        if (!strstr(o.why.text, rows[i].says))
            fail_msg("%s, not %s", o.why.text, rows[i].says);
        close_one(&o);
    }
}

static void
knows_what_is_no_url(void **state)
{
    static const char *const urls[] = {
        "",
        "http://127.0.0.1/",
        "wsx://127.0.0.1/",
        "ws://",
        "ws:///x",
        "ws://user@127.0.0.1/",
        "ws://127.0.0.1:70000/",
        "ws://127.0.0.1:1/a b",
        "ws://127.0.0.1:1/\r\nHost: x",
        "ws://127.0.0.1:1/#x",
        "ws://example.invalid/",
        "unix:",
    };
    struct websocket_shared sh = {.loop = loop_new(NULL)};

    (void)state;
    for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
        struct websocket_client_setup set = {
            .shared = &sh, .url = urls[i], .timeout_ms = 1000};
        struct err e = {0};

        assert_null(websocket_client_new(&set, &e));
        assert_int_equal(e.code, ERR_USAGE);
    }
    loop_free(sh.loop);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_and_reads_what_comes_at_once),
        cmocka_unit_test(says_why_it_does_not_open),
        cmocka_unit_test(knows_what_is_no_url),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
