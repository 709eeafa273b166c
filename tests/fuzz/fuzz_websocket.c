/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_websocket.c - any bytes as the frames of a peer, of both sides: they
 * mean the same however they are split, and what is sent back is right.
 *
 * The first byte: whether it is a client that reads them, and how many pieces
 * there are. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "wire/websocket.h"
#include "wire/websocket_frame.h"

#define BYTES_MAX   (16u << 10) /* of an input */
#define MESSAGE_MAX 1000
#define LOG_MAX     (1u << 20)
#define TURNS_MAX   100000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One reading of the bytes. */
struct fuzzed_side {
    struct websocket_shared sh;
    int peer;        /* the socket of who sends them */
    bool client;     /* who reads them is one */
    struct buf log;  /* what they meant */
    struct buf back; /* what came back, and is no whole frame yet */
    bool closed;     /* a close came back */
    bool over;
};

static void
on_fuzzed_message(void *owner, struct websocket *ws, char *bytes, size_t n,
                  bool text)
{
    struct fuzzed_side *s = owner;

    if (n > MESSAGE_MAX || bytes[n] != '\0')
        abort();
    buf_printf(&s->log, "\n%s %zu ", text ? "text" : "binary", n);
    buf_add(&s->log, bytes, n);
    memset(bytes, 'x', n); /* which is ours to change */
    if (n == 3)
        websocket_close(ws, WEBSOCKET_NORMAL, "three");
    else if (n == 4)
        websocket_send_text(ws, "four", 4);
}

static void
on_fuzzed_ended(void *owner, struct websocket *ws, unsigned status,
                const char *reason)
{
    struct fuzzed_side *s = owner;

    (void)ws;
    if (s->over)
        abort();
    s->over = true;
    buf_printf(&s->log, "\nend %u %s", status, reason);
}

/* What is sent has to be what a peer may send: whole frames, masked by clients
 * alone, and nothing behind a close. */
static size_t
check_frame_back(struct fuzzed_side *s, const char *bytes, size_t n)
{
    struct websocket_frame f;
    const char *why;
    int head = websocket_frame_read(bytes, n, &f, &why);

    if (head == 0 || (head > 0 && f.length > n - (size_t)head))
        return 0;
    if (head < 0 || f.masked != s->client || !f.fin || s->closed)
        abort();
    if (f.opcode == WEBSOCKET_CLOSE) {
        unsigned char status[2];

        s->closed = true;
        if (f.length == 1)
            abort();
        memcpy(status, bytes + head, f.length >= 2 ? 2 : 0);
        if (f.masked)
            websocket_frame_mask((char *)status, 2, f.mask, 0);
        if (f.length >= 2 && !websocket_frame_status_is_valid(
                                 (unsigned)status[0] << 8 | status[1]))
            abort();
    }
    return (size_t)head + (size_t)f.length;
}

static void
read_back(struct fuzzed_side *s)
{
    char bytes[4096];
    ssize_t n;
    size_t used;

    while ((n = recv(s->peer, bytes, sizeof(bytes), MSG_DONTWAIT)) > 0) {
        buf_add(&s->back, bytes, (size_t)n);
        while ((used = check_frame_back(s, s->back.p, s->back.len)) > 0)
            buf_drop(&s->back, used);
    }
}

/* Turns until nothing is left to be done. */
static void
turn_fuzzed(struct fuzzed_side *s)
{
    int turns = 0;

    do
        read_back(s);
    while (loop_turn(s->sh.loop, 0, NULL) > 0 && ++turns < TURNS_MAX);
    if (turns == TURNS_MAX)
        abort();
    read_back(s);
}

static bool
open_fuzzed_side(struct fuzzed_side *s, bool client)
{
    static const struct websocket_events events = {.message = on_fuzzed_message,
                                                   .ended = on_fuzzed_ended};
    int fds[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
                   fds) < 0)
        return false;
    *s = (struct fuzzed_side){.client = client, .peer = fds[0]};
    s->sh.loop = loop_new(NULL);
    s->sh.buffer = read_buffer_new(NULL);
    s->sh.limits = (struct websocket_limits){.message_bytes = MESSAGE_MAX,
                                             .queued_bytes = 1u << 20,
                                             .ping_ms = 600000,
                                             .pong_ms = 600000};
    buf_init(&s->log, LOG_MAX);
    buf_init(&s->back, LOG_MAX);
    return websocket_new(&s->sh, fds[1], NULL, client, &events, s, NULL);
}

static void
close_fuzzed_side(struct fuzzed_side *s)
{
    websocket_drop_all(&s->sh);
    read_buffer_free(s->sh.buffer);
    loop_free(s->sh.loop);
    close(s->peer);
    buf_done(&s->back);
}

/* Reads n bytes that come in pieces, and then the end. Returns what they
 * meant. */
static struct buf
read_frames(const char *bytes, size_t n, size_t piece, bool client)
{
    struct fuzzed_side s;
    bool takes = true;

    if (!open_fuzzed_side(&s, client))
        abort();
    for (size_t at = 0; at < n && takes; at += piece) {
        size_t part = n - at < piece ? n - at : piece;

        takes = send(s.peer, bytes + at, part, MSG_NOSIGNAL) == (ssize_t)part;
        turn_fuzzed(&s);
    }
    (void)shutdown(s.peer, SHUT_WR);
    turn_fuzzed(&s);
    if (!s.over || s.sh.n > 0)
        abort();
    close_fuzzed_side(&s);
    return s.log;
}

/* A head that is read is the one that is written for what it says. */
static void
check_heads(const char *bytes, size_t n)
{
    char out[WEBSOCKET_HEAD_MAX];
    struct websocket_frame f;
    const char *why;

    for (size_t at = 0; at < n; at++) {
        int size = websocket_frame_read(bytes + at, n - at, &f, &why);

        if (size > 0 && (websocket_frame_put(out, &f) != (size_t)size ||
                         memcmp(out, bytes + at, (size_t)size) != 0))
            abort();
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data + 1;
    struct buf one, other;
    size_t piece;

    if (size < 2 || size > BYTES_MAX)
        return 0;
    piece = (size - 1) / (data[0] / 2 + 1u) + 1;
    check_heads(bytes, size - 1);
    one = read_frames(bytes, size - 1, size, data[0] & 1);
    other = read_frames(bytes, size - 1, piece, data[0] & 1);
    if (one.len != other.len || memcmp(one.p, other.p, one.len) != 0)
        abort();
    buf_done(&one);
    buf_done(&other);
    return 0;
}
