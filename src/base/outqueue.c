/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outqueue.c - queues output for a reader that may be slow or gone. */
#include "base/outqueue.h"

#include <limits.h>

#include "base/buf.h"
#include "base/fd.h"

#define QUEUE_MAX                                                              \
    (64u << 20) /* OUTQUEUE_HIGH, and the largest event beyond it */

struct outqueue {
    int fd;
    outqueue_cb *cb;
    void *arg;
    struct watch *watch; /* NULL: a regular file, which is always writable */
    struct buf queue;
    size_t start; /* bytes of the queue that are already written */
    enum outqueue_state state;
    struct err why; /* the first error, except that the reader has gone */
};

bool
outqueue_is_empty(const struct outqueue *o)
{
    return o->queue.len == o->start;
}

const struct err *
outqueue_error(const struct outqueue *o)
{
    return o->why.code == ERR_NONE ? NULL : &o->why;
}

static void
record_error(struct outqueue *o, const struct err *why)
{
    if (o->why.code == ERR_NONE && why->code != ERR_PEER)
        o->why = *why;
}

static void
set_state(struct outqueue *o, enum outqueue_state state)
{
    if (o->state == state)
        return;
    o->state = state;
    o->cb(o->arg, state);
}

/* The reader is gone: from now on all output is dropped. */
static void
drop_output(struct outqueue *o)
{
    o->start = 0;
    buf_clear(&o->queue);
    watch_events(o->watch, 0);
    set_state(o, OUTQUEUE_GONE);
}

/* A blocking descriptor that is ready accepts PIPE_BUF bytes without blocking
 * (pipe(7), poll(2)). */
static void
on_ready(void *arg, unsigned events)
{
    struct outqueue *o = arg;
    size_t left = o->queue.len - o->start;
    ssize_t n = write(o->fd, o->queue.p + o->start,
                      left < PIPE_BUF ? left : PIPE_BUF);

    (void)events;
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n < 0) {
        struct err e = {0};

        if (errno != EPIPE) {
            err_sys(&e, "writing");
            record_error(o, &e);
        }
        drop_output(o);
        return;
    }
    o->start += (size_t)n;
    if (o->start > o->queue.len / 2) { /* rarely enough to cost little */
        buf_drop(&o->queue, o->start);
        o->start = 0;
    }
    left = o->queue.len - o->start;
    if (left == 0)
        watch_events(o->watch, 0);
    if (left <= OUTQUEUE_LOW)
        set_state(o, OUTQUEUE_OPEN);
}

struct outqueue *
outqueue_new(struct loop *l, int fd, outqueue_cb *cb, void *arg, struct err *e)
{
    struct outqueue *o = calloc(1, sizeof(*o));
    struct err why = {0};

    if (!o) {
        err_nomem(e);
        return NULL;
    }
    *o = (struct outqueue){
        .fd = fd, .cb = cb, .arg = arg, .queue = buf_of(QUEUE_MAX)};
    o->watch = loop_fd(l, fd, LOOP_WRITE, on_ready, o, &why);
    if (o->watch)
        watch_events(o->watch, 0);
    return o;
}

void
outqueue_free(struct outqueue *o)
{
    if (!o)
        return;
    watch_free(o->watch);
    buf_done(&o->queue);
    free(o);
}

void
outqueue_add(struct outqueue *o, const void *bytes, size_t n)
{
    struct err e = {0};

    if (o->state == OUTQUEUE_GONE || n == 0)
        return;
    if (!o->watch) {
        if (fd_write_all(o->fd, bytes, n, -1, &e) < 0)
            record_error(o, &e);
        return;
    }
    if (outqueue_is_empty(o))
        watch_events(o->watch, LOOP_WRITE);
    buf_add(&o->queue, bytes, n);
    if (buf_ok(&o->queue, "the output queue", &e) < 0) {
        record_error(o, &e);
        drop_output(o);
        return;
    }
    if (o->queue.len - o->start > OUTQUEUE_HIGH)
        set_state(o, OUTQUEUE_FULL);
}
