/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_websocket.c - frames, handshakes, and two sides on one socket. */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "wire/websocket.h"
#include "wire/websocket_frame.h"
#include "wire/websocket_handshake.h"

#define WAIT_MS 5000

static void
accepts_the_key_of_the_standard(void **state)
{
    char out[WEBSOCKET_ACCEPT_SIZE];

    (void)state;
    websocket_handshake_accept("dGhlIHNhbXBsZSBub25jZQ==", out);
    assert_string_equal(out, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

static void
reads_heads(void **state)
{
    static const struct frame_row {
        const char *bytes;
        size_t n;
        int size;
        uint64_t length;
    } rows[] = {
        {"\x81", 1, 0, 0},
        {"\x81\x05", 2, 2, 5},
        {"\x81\x85"
         "abc",
         5, 0, 0},
        {"\x81\x85"
         "abcd",
         6, 6, 5},
        {"\x82\x7e\x00\x7d", 4, -1, 0},
        {"\x82\x7e\x00\x7e", 4, 4, 126},
        {"\x82\x7f\x00\x00\x00\x00\x00\x00\xff\xff", 10, -1, 0},
        {"\x82\x7f\x00\x00\x00\x00\x00\x01\x00\x00", 10, 10, 65536},
        {"\x82\x7f\x80\x00\x00\x00\x00\x01\x00\x00", 10, -1, 0},
        {"\x91\x00", 2, -1, 0},
        {"\xa1\x00", 2, -1, 0},
        {"\xc1\x00", 2, -1, 0},
        {"\x83\x00", 2, -1, 0},
        {"\x8b\x00", 2, -1, 0},
        {"\x09\x00", 2, -1, 0},
        {"\x89\x7e\x00\x7e", 4, -1, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct websocket_frame f;
        const char *why;

        assert_int_equal(
            websocket_frame_read(rows[i].bytes, rows[i].n, &f, &why),
            rows[i].size);
        if (rows[i].size > 0)
            assert_int_equal(f.length, rows[i].length);
    }
}

static void
masks_at_any_place(void **state)
{
    static const unsigned char mask[4] = {1, 2, 4, 8};
    char whole[37], parts[37];

    (void)state;
    for (size_t i = 0; i < sizeof(whole); i++)
        whole[i] = parts[i] = (char)i;
    websocket_frame_mask(whole, sizeof(whole), mask, 0);
    for (size_t i = 0; i < sizeof(whole); i++)
        assert_int_equal(whole[i], (char)(i ^ mask[i % 4]));
    websocket_frame_mask(parts, 3, mask, 0);
    websocket_frame_mask(parts + 3, 20, mask, 3);
    websocket_frame_mask(parts + 23, 14, mask, 23);
    assert_memory_equal(whole, parts, sizeof(whole));
}

/* One side: what came, and how it ended. */
struct side {
    struct buf got;
    unsigned status;
    size_t n;
};

static void
on_side_message(void *owner, struct websocket *ws, char *bytes, size_t n,
                bool text)
{
    struct side *s = owner;

    assert_true(text);
    assert_int_equal(bytes[n], '\0');
    buf_clear(&s->got);
    buf_add(&s->got, bytes, n);
    s->n++;
    if (strcmp(bytes, "bye") == 0)
        websocket_close(ws, 3001, "so long");
}

static void
on_side_ended(void *owner, struct websocket *ws, unsigned status,
              const char *reason)
{
    struct side *s = owner;

    (void)ws;
    (void)reason;
    s->status = status;
}

static const struct websocket_events side_events = {.message = on_side_message,
                                                    .ended = on_side_ended};

struct pair {
    struct websocket_shared sh;
    struct side server, client;
    struct websocket *ws; /* the client's */
    int raw;              /* or its bare socket */
};

static void
open_timed_pair(struct pair *p, bool raw, int64_t ping_ms, int64_t pong_ms)
{
    int fds[2];

    memset(p, 0, sizeof(*p));
    p->raw = -1;
    p->sh.loop = loop_new(NULL);
    p->sh.buffer = read_buffer_new(NULL);
    p->sh.limits = (struct websocket_limits){.message_bytes = 300000,
                                             .queued_bytes = 1u << 20,
                                             .ping_ms = ping_ms,
                                             .pong_ms = pong_ms};
    buf_init(&p->server.got, 1u << 20);
    buf_init(&p->client.got, 1u << 20);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds),
                     0);
    assert_non_null(websocket_new(&p->sh, fds[0], NULL, false, &side_events,
                                  &p->server, NULL));
    if (raw) {
        p->raw = fds[1];
        return;
    }
    p->ws = websocket_new(&p->sh, fds[1], NULL, true, &side_events, &p->client,
                          NULL);
    assert_non_null(p->ws);
}

static void
open_pair(struct pair *p, bool raw)
{
    open_timed_pair(p, raw, 60000, 60000);
}

static void
close_pair(struct pair *p)
{
    websocket_drop_all(&p->sh);
    if (p->raw >= 0)
        close(p->raw);
    read_buffer_free(p->sh.buffer);
    loop_free(p->sh.loop);
    buf_done(&p->server.got);
    buf_done(&p->client.got);
}

static void
turn_until(struct pair *p, const size_t *n, size_t least)
{
    int64_t end = clock_ms() + WAIT_MS;

    while (*n < least && clock_ms() < end)
        loop_turn(p->sh.loop, 50, NULL);
    assert_true(*n >= least);
}

static void
turn_until_ended(struct pair *p, const struct side *s)
{
    int64_t end = clock_ms() + WAIT_MS;

    while (s->status == 0 && clock_ms() < end)
        loop_turn(p->sh.loop, 50, NULL);
}

static void
carries_messages_of_all_sizes(void **state)
{
    static const size_t sizes[] = {0, 1, 125, 126, 65535, 65536, 300000};
    struct pair p;
    char *text = malloc(300000);

    (void)state;
    open_pair(&p, false);
    memset(text, 'x', 300000);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        websocket_send_text(p.ws, text, sizes[i]);
        turn_until(&p, &p.server.n, i + 1);
        assert_int_equal(p.server.got.len, sizes[i]);
    }
    websocket_send_text(p.ws, "bye", 3);
    turn_until_ended(&p, &p.client);
    assert_int_equal(p.client.status, 3001);
    turn_until_ended(&p, &p.server);
    assert_int_equal(p.server.status, 3001);
    assert_int_equal(p.sh.n, 0);
    close_pair(&p);
    free(text);
}

static void
closes_what_breaks_a_rule(void **state)
{
    static const struct wrong_row {
        const char *bytes;
        size_t n;
        unsigned status;
    } rows[] = {
        {"\x81\x01x", 3, 1002},                           /* not masked */
        {"\x80\x80\0\0\0\0", 6, 1002},                    /* more of nothing */
        {"\x01\x81\0\0\0\0a\x81\x81\0\0\0\0b", 14, 1002}, /* within another */
        {"\x81\x82\0\0\0\0\xff\xfe", 8, 1007},            /* no UTF-8 */
        {"\x01\x81\0\0\0\0\xce\x80\x81\0\0\0\0(", 14, 1007},
        {"\x81\xff\0\0\0\0\0\x10\0\0\0\0\0\0", 14, 1009},
        {"\x88\x81\0\0\0\0a", 7, 1002},
        {"\x88\x82\0\0\0\0\x03\xed", 8, 1002}, /* 1005 */
        {"\x88\x82\0\0\0\0\x03\xe8", 8, 1000}, /* a right one */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct pair p;
        unsigned char got[64];

        open_pair(&p, true);
        assert_int_equal(write(p.raw, rows[i].bytes, rows[i].n),
                         (ssize_t)rows[i].n);
        for (int turns = 0; turns < 3; turns++)
            loop_turn(p.sh.loop, 50, NULL);
        assert_true(read(p.raw, got, sizeof(got)) >= 4);
        assert_int_equal(got[0], 0x88);
        assert_int_equal(got[2] << 8 | got[3], rows[i].status);
        close(p.raw);
        p.raw = -1;
        turn_until_ended(&p, &p.server);
        assert_int_equal(p.server.status, rows[i].status);
        assert_int_equal(p.server.n, 0);
        close_pair(&p);
    }
}

static void
reads_one_byte_at_a_time(void **state)
{
    static const char bytes[] = "\x01\x82\0\0\0\0ab\x89\x81\0\0\0\0p"
                                "\x00\x80\0\0\0\0\x80\x81\0\0\0\0c";
    struct pair p;
    char got[3];

    (void)state;
    open_pair(&p, true);
    for (size_t i = 0; i < sizeof(bytes) - 1; i++) {
        assert_int_equal(write(p.raw, bytes + i, 1), 1);
        loop_turn(p.sh.loop, 50, NULL);
    }
    turn_until(&p, &p.server.n, 1);
    assert_string_equal(p.server.got.p, "abc");
    assert_int_equal(read(p.raw, got, 3), 3);
    assert_memory_equal(got, "\x8a\x01p", 3);
    close_pair(&p);
}

/* A side that has the shared part to itself, as a client has. */
struct lone_side {
    struct websocket_shared *sh;
    unsigned n;
};

static void
on_lone_end(void *owner, struct websocket *ws, unsigned status,
            const char *reason)
{
    struct lone_side *s = owner;

    (void)ws;
    (void)reason;
    assert_int_equal(status, WEBSOCKET_LOST);
    websocket_drop_all(s->sh);
    free(s->sh);
    s->sh = NULL;
    s->n++;
}

static void
lets_its_owner_end_what_is_shared(void **state)
{
    static const struct websocket_events events = {.message = on_side_message,
                                                   .ended = on_lone_end};
    struct lone_side s = {.sh = calloc(1, sizeof(*s.sh))};
    struct loop *l = loop_new(NULL);
    struct read_buffer *buffer = read_buffer_new(NULL);
    int64_t until_ms = clock_ms() + WAIT_MS;
    int fds[2];

    (void)state;
    assert_non_null(s.sh);
    *s.sh = (struct websocket_shared){.loop = l,
                                      .buffer = buffer,
                                      .limits = {.message_bytes = 1000,
                                                 .queued_bytes = 1u << 20,
                                                 .ping_ms = 60000,
                                                 .pong_ms = 60000}};
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds),
                     0);
    assert_non_null(
        websocket_new(s.sh, fds[0], NULL, false, &events, &s, NULL));
    close(fds[1]);
    while (s.n == 0 && clock_ms() < until_ms)
        loop_turn(l, 50, NULL);
    assert_int_equal(s.n, 1);
    assert_null(s.sh);
    read_buffer_free(buffer);
    loop_free(l);
}

static void
closes_who_does_not_read(void **state)
{
    struct pair p;
    char text[10000], last[23] = {0};
    size_t sent = 0;

    (void)state;
    open_pair(&p, true);
    memset(text, 'x', sizeof(text));
    while (p.sh.refused == 0 && sent < 1000) {
        websocket_send_text(p.sh.first, text, sizeof(text));
        sent++;
    }
    assert_int_equal(p.sh.refused, 1);
    assert_true(sent >= 100);
    /* the close comes behind what was sent before */
    for (int64_t end = clock_ms() + WAIT_MS; clock_ms() < end;) {
        ssize_t n = recv(p.raw, text, sizeof(text), MSG_DONTWAIT);

        if (n == 0)
            break;
        if (n > 0)
            memcpy(last, text + n - (n < 23 ? n : 23), 23);
        else
            loop_turn(p.sh.loop, 50, NULL);
    }
    assert_memory_equal(last, "\x88\x15\x03\xf5you read too slowly", 23);
    close(p.raw);
    p.raw = -1;
    turn_until_ended(&p, &p.server);
    assert_int_equal(p.server.status, WEBSOCKET_TRY_LATER);
    close_pair(&p);
}

#define PING_MS 20
#define PONG_MS 250

/* A peer that has answered a ping has the whole time to read what it was sent
 * after the ping, like one that was not pinged. */
static void
gives_who_answers_a_ping_time_to_read(void **state)
{
    int64_t begun_ms = clock_ms(), until_ms = begun_ms + WAIT_MS;
    char text[10000], ping[2] = {0};
    struct pair p;

    (void)state;
    open_timed_pair(&p, true, PING_MS, PONG_MS);
    while (recv(p.raw, ping, sizeof(ping), MSG_DONTWAIT) < 0 &&
           clock_ms() < until_ms)
        loop_turn(p.sh.loop, 50, NULL);
    assert_memory_equal(ping, "\x89\0", 2);
    assert_int_equal(send(p.raw, "\x8a\x80\0\0\0\0", 6, 0), 6);
    loop_turn(p.sh.loop, 50, NULL);
    memset(text, 'x', sizeof(text));
    for (size_t i = 0; i < 60; i++)
        websocket_send_text(p.sh.first, text, sizeof(text));
    assert_true(websocket_queued(p.sh.first) > 0);
    turn_until_ended(&p, &p.server);
    assert_int_equal(p.server.status, WEBSOCKET_LOST);
    assert_true(clock_ms() - begun_ms >= 2 * (PING_MS + PONG_MS));
    close_pair(&p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_the_key_of_the_standard),
        cmocka_unit_test(reads_heads),
        cmocka_unit_test(masks_at_any_place),
        cmocka_unit_test(carries_messages_of_all_sizes),
        cmocka_unit_test(closes_what_breaks_a_rule),
        cmocka_unit_test(reads_one_byte_at_a_time),
        cmocka_unit_test(closes_who_does_not_read),
        cmocka_unit_test(gives_who_answers_a_ping_time_to_read),
        cmocka_unit_test(lets_its_owner_end_what_is_shared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
