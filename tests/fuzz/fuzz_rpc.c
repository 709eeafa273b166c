/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_rpc.c - a peer that sends anything is answered by messages alone, and
 * each call of ours ends once. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/linebuf.h"
#include "wire/rpc.h"

#define LINE_BYTES  120
#define HELD_MAX    4
#define OUTPUT_MAX  (1u << 20)
#define QUEUE_BYTES (4u << 20)
#define CALLS       3

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct fuzzed {
    struct loop *loop;
    struct rpc *rpc;
    struct rpc_request *held[HELD_MAX];
    size_t n_held;
    int concluded, ended;
};

static void
answer_null(struct rpc_request *rq)
{
    CLEANUP_BUF struct buf result = buf_of(10);

    buf_str(&result, "null");
    rpc_answer(rq, &result);
}

static void
on_now(void *arg, struct rpc_request *rq, const struct json *params)
{
    (void)arg;
    (void)params;
    answer_null(rq);
}

static void
on_later(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct fuzzed *f = arg;

    (void)params;
    if (f->n_held == HELD_MAX)
        abort();
    f->held[f->n_held++] = rq;
}

static void
on_notice(void *arg, const struct json *params)
{
    (void)params;
    rpc_pause(((struct fuzzed *)arg)->rpc, true);
}

static void
on_ended(void *arg, enum rpc_end what, const struct err *why)
{
    (void)why;
    ((struct fuzzed *)arg)->ended += what == RPC_INPUT_ENDED;
}

static void
on_answered(void *arg, const struct jsonrpc *m, const struct err *why)
{
    if (!m == !why)
        abort();
    ((struct fuzzed *)arg)->concluded++;
}

static const struct rpc_method methods[] = {
    {.name = "a", .request = on_now, .any_params = true},
    {.name = "b", .request = on_later, .notice = on_notice},
    {.name = "c", .cancels = "id"},
    {0},
};

static const struct rpc_events events = {.ended = on_ended};

/* What the peer gets must be messages. */
static void
check_output(int fd, struct linebuf *lines)
{
    const char *line;
    size_t n;

    while (linebuf_read(lines, fd, NULL) > 0) {
        while ((line = linebuf_next(lines, &n)) != NULL) {
            CLEANUP(jsonrpc_done) struct jsonrpc m = {0};

            if (jsonrpc_parse(line, n, &m, NULL) < 0)
                abort();
        }
    }
}

static void
turn_all(struct fuzzed *f)
{
    while (loop_turn(f->loop, 0, NULL) > 0)
        rpc_pause(f->rpc, false);
}

static void
send_parts(struct fuzzed *f, int fd, struct linebuf *lines, const uint8_t *data,
           size_t size)
{
    size_t step = size > 0 ? 1 + (size_t)data[0] % 64 : 1;

    for (size_t at = 0; at < size;) {
        size_t left = size - at;
        ssize_t n = write(fd, data + at, left < step ? left : step);

        at += n > 0 ? (size_t)n : 0;
        turn_all(f);
        check_output(fd, lines);
    }
    if (shutdown(fd, SHUT_WR) < 0)
        abort();
    turn_all(f);
    check_output(fd, lines);
}

static void
serve_bytes(struct loop *l, struct read_buffer *b, int fds[2],
            const uint8_t *data, size_t size)
{
    CLEANUP(linebuf_free_p)
    struct linebuf *lines = linebuf_new(OUTPUT_MAX, NULL);
    struct fuzzed f = {.loop = l};
    struct rpc_setup set = {
        .loop = l,
        .in = fds[0],
        .out = fds[0],
        .buffer = b,
        .methods = methods,
        .events = &events,
        .arg = &f,
        .limits = {LINE_BYTES, QUEUE_BYTES, HELD_MAX, CALLS, 0}};

    if (!lines || !(f.rpc = rpc_new(&set, NULL)))
        abort();
    for (int i = 0; i < CALLS; i++)
        if (!rpc_call_start(f.rpc, "x", NULL, 0, on_answered, &f, NULL))
            abort();
    send_parts(&f, fds[1], lines, data, size);
    if (f.concluded != CALLS || f.ended != 1 ||
        rpc_open_requests(f.rpc) != f.n_held)
        abort();
    rpc_free(f.rpc);
    while (f.n_held > 0)
        answer_null(f.held[--f.n_held]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(NULL);
    CLEANUP(read_buffer_free_p) struct read_buffer *b = read_buffer_new(NULL);
    int fds[2];

    if (!l || !b ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0 ||
        fd_set_nonblock(fds[1], true, NULL) < 0)
        abort();
    serve_bytes(l, b, fds, data, size);
    close(fds[0]);
    close(fds[1]);
    return 0;
}
