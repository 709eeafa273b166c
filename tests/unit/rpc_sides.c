/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rpc_sides.c - connections whose methods record what happens, for tests. */
#include "tests/unit/rpc_sides.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "tests/unit/unit.h"

#define TURNS_MAX 1000000

static void
free_in(struct rpc_side *s, const char *callback)
{
    if (!s->frees || strcmp(s->frees, callback) != 0)
        return;
    rpc_free(s->rpc);
    s->rpc = NULL;
}

static void
keep_text(struct rpc_side *s, const struct json *v)
{
    struct json_writer w;

    buf_clear(&s->text);
    json_write_init(&w, &s->text);
    if (v)
        json_put_value(&w, v);
}

static void
on_echo(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct rpc_side *s = arg;

    keep_text(s, params);
    if (!params)
        buf_str(&s->text, "null");
    rpc_answer(rq, &s->text);
    free_in(s, "method");
}

/* Waits to be answered by the test. */
static void
on_wait(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct rpc_side *s = arg;

    (void)params;
    assert_true(s->n_open < N_OF(s->open));
    s->open[s->n_open++] = rq;
    free_in(s, "wait");
}

/* A request that knows how to be cancelled. */
struct waiting {
    struct rpc_side *side;
    struct rpc_request *rq;
};

static void
on_cancelled(void *arg)
{
    struct waiting *w = arg;
    struct rpc_side *s = w->side;

    s->n_cancelled++;
    if (s->answers_cancel)
        rpc_refuse(w->rq, -32800, "cancelled", NULL);
    else
        s->open[s->n_open++] = w->rq;
    free(w);
    free_in(s, "cancel");
}

static void
on_cancellable(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct waiting *w = malloc(sizeof(*w));

    (void)params;
    assert_non_null(w);
    *w = (struct waiting){.side = arg, .rq = rq};
    rpc_on_cancel(rq, on_cancelled, w);
}

static void
on_refused(void *arg, struct rpc_request *rq, const struct json *params)
{
    CLEANUP_BUF struct buf data = buf_of(100);

    (void)arg;
    (void)params;
    buf_str(&data, "[1]");
    rpc_refuse(rq, -32042, "no \"more\"", &data);
}

static void
on_notice(void *arg, const struct json *params)
{
    struct rpc_side *s = arg;

    s->n_notices++;
    keep_text(s, params);
    free_in(s, "notice");
}

static const struct rpc_method methods[] = {
    {.name = "echo", .request = on_echo},
    {.name = "any", .request = on_echo, .any_params = true},
    {.name = "wait", .request = on_wait},
    {.name = "cancellable", .request = on_cancellable},
    {.name = "refused", .request = on_refused},
    {.name = "note", .notice = on_notice},
    {.name = "$/cancel", .cancels = "requestId"},
    {0},
};

static int
on_check(void *arg, const struct jsonrpc *m, const struct rpc_method *method,
         bool *anonymous, struct err *e)
{
    struct rpc_side *s = arg;

    free_in(s, "check");
    if (!strstr(m->method, "strict"))
        return 0;
    *anonymous = !m->id || strcmp(m->id, "7") == 0;
    err_set(e, ERR_INVALID, "%s", method ? "known" : "strictly no");
    return -32001;
}

static bool
on_raw(void *arg, char *line, size_t n)
{
    struct rpc_side *s = arg;

    if (n < 7 || memcmp(line, "CONNECT", 7) != 0)
        return false;
    s->n_raw++;
    rpc_send_line(s->rpc, "OK 52");
    free_in(s, "raw");
    return true;
}

static void
on_stray(void *arg, const struct jsonrpc *m)
{
    struct rpc_side *s = arg;

    (void)m;
    s->n_strays++;
    free_in(s, "stray");
}

static void
on_full(void *arg, bool full)
{
    ((struct rpc_side *)arg)->full = full ? 1 : 2;
}

static void
on_ended(void *arg, enum rpc_end what, const struct err *why)
{
    struct rpc_side *s = arg;

    s->ends[what]++;
    s->end_why = why ? why->code : ERR_NONE;
    free_in(s, "ended");
}

static void
on_answered(void *arg, const struct jsonrpc *m, const struct err *why)
{
    struct rpc_side *s = arg;

    s->n_answers += m != NULL;
    s->n_failed += m == NULL;
    if (why)
        s->failed = why->code;
    if (m)
        keep_text(s, m->result);
    if (m && m->kind == JSONRPC_ERROR)
        s->code = m->code;
    free_in(s, "answer");
}

static const struct rpc_events events = {.check = on_check,
                                         .raw = on_raw,
                                         .stray = on_stray,
                                         .full = on_full,
                                         .ended = on_ended};

void
rpc_side_init(struct rpc_side *s, struct loop *l, struct read_buffer *b, int fd,
              int64_t stall_ms)
{
    struct rpc_setup set = {.loop = l,
                            .in = fd,
                            .out = fd,
                            .buffer = b,
                            .methods = methods,
                            .events = &events,
                            .arg = s,
                            .limits = {RPC_LINE_MAX, RPC_QUEUE_MAX,
                                       RPC_OPEN_MAX, RPC_OPEN_MAX, stall_ms}};

    *s = (struct rpc_side){.loop = l, .fd = fd};
    buf_init(&s->text, RPC_LINE_MAX);
    s->rpc = rpc_new(&set, NULL);
    assert_non_null(s->rpc);
}

void
rpc_side_done(struct rpc_side *s)
{
    rpc_free(s->rpc);
    if (s->fd >= 0)
        close(s->fd);
    buf_done(&s->text);
}

void
rpc_turn(struct loop *l)
{
    for (int i = 0; i < TURNS_MAX && loop_turn(l, 0, NULL) > 0; i++)
        ;
}

void
rpc_served_init(struct rpc_served *s, int64_t stall_ms)
{
    int fds[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds),
                     0);
    assert_int_equal(fd_set_nonblock(fds[1], true, NULL), 0);
    s->loop = loop_new(NULL);
    s->buffer = read_buffer_new(NULL);
    s->fd = fds[1];
    buf_init(&s->got, 64u << 20);
    rpc_side_init(&s->side, s->loop, s->buffer, fds[0], stall_ms);
}

void
rpc_served_done(struct rpc_served *s)
{
    rpc_side_done(&s->side);
    read_buffer_free(s->buffer);
    loop_free(s->loop);
    buf_done(&s->got);
    if (s->fd >= 0)
        close(s->fd);
}

void
rpc_served_read(struct rpc_served *s)
{
    char bytes[65536];
    ssize_t n;

    while ((n = read(s->fd, bytes, sizeof(bytes))) > 0)
        buf_add(&s->got, bytes, (size_t)n);
}

void
rpc_served_send(struct rpc_served *s, const char *p, size_t n)
{
    int64_t until = clock_ms() + RPC_WAIT_MS;

    while (n > 0 && clock_ms() < until) {
        ssize_t m = write(s->fd, p, n);

        if (m < 0) {
            assert_int_equal(errno, EAGAIN);
            (void)loop_turn(s->loop, 100, NULL);
            rpc_served_read(s);
            continue;
        }
        p += m;
        n -= (size_t)m;
    }
    assert_int_equal(n, 0);
}

void
rpc_served_line(struct rpc_served *s, const char *line)
{
    rpc_served_send(s, line, strlen(line));
    rpc_served_send(s, "\n", 1);
}

void
rpc_served_settle(struct rpc_served *s)
{
    size_t before;

    do {
        before = s->got.len;
        rpc_turn(s->loop);
        rpc_served_read(s);
    } while (s->got.len > before);
}

void
rpc_served_await(struct rpc_served *s, const char *text)
{
    int64_t until = clock_ms() + RPC_WAIT_MS;

    rpc_served_settle(s);
    while (!memmem(s->got.p, s->got.len, text, strlen(text))) {
        assert_true(clock_ms() < until);
        assert_true(loop_turn(s->loop, 10, NULL) >= 0);
        rpc_served_settle(s);
    }
}

void
rpc_joined_init(struct rpc_joined *j)
{
    int fds[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds),
                     0);
    j->loop = loop_new(NULL);
    j->buffer = read_buffer_new(NULL);
    rpc_side_init(&j->a, j->loop, j->buffer, fds[0], 0);
    rpc_side_init(&j->b, j->loop, j->buffer, fds[1], 0);
}

void
rpc_joined_done(struct rpc_joined *j)
{
    rpc_side_done(&j->a);
    rpc_side_done(&j->b);
    read_buffer_free(j->buffer);
    loop_free(j->loop);
}

struct rpc_call *
rpc_side_call(struct rpc_side *s, const char *method, const char *params,
              int64_t ms)
{
    CLEANUP_BUF struct buf b = buf_of(1000);

    buf_str(&b, params);
    return rpc_call_start(s->rpc, method, params[0] ? &b : NULL, ms,
                          on_answered, s, NULL);
}

void
rpc_side_answer_open(struct rpc_side *s)
{
    CLEANUP_BUF struct buf result = buf_of(10);

    buf_str(&result, "true");
    while (s->n_open > 0)
        rpc_answer(s->open[--s->n_open], &result);
}
