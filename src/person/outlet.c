/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outlet.c - output for a reader who may be slow, or gone. */
#include "person/outlet.h"

#include <limits.h>

#include "base/buf.h"
#include "base/fd.h"

#define QUEUE_MAX (64u << 20) /* high, and the largest event on top of it */

struct outlet {
    int fd;
    outlet_cb *cb;
    void *arg;
    struct watch *watch; /* NULL: a file, which never makes us wait */
    struct buf queue;
    size_t start; /* bytes of the queue that are written already */
    enum outlet_state state;
    struct err why; /* the first failure, unless the reader left */
};

bool
outlet_is_empty(const struct outlet *o)
{
    return o->queue.len == o->start;
}

const struct err *
outlet_fault(const struct outlet *o)
{
    return o->why.code == ERR_NONE ? NULL : &o->why;
}

static void
blame(struct outlet *o, const struct err *why)
{
    if (o->why.code == ERR_NONE && why->code != ERR_PEER)
        o->why = *why;
}

static void
tell(struct outlet *o, enum outlet_state state)
{
    if (o->state == state)
        return;
    o->state = state;
    o->cb(o->arg, state);
}

/* Nobody reads it: from now on it takes everything and keeps nothing. */
static void
give_up(struct outlet *o)
{
    o->start = 0;
    buf_clear(&o->queue);
    watch_events(o->watch, 0);
    tell(o, OUTLET_GONE);
}

/* A blocking descriptor that is ready takes PIPE_BUF bytes without waiting
 * (pipe(7), poll(2)). */
static void
on_ready(void *arg, unsigned events)
{
    struct outlet *o = arg;
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
            blame(o, &e);
        }
        give_up(o);
        return;
    }
    o->start += (size_t)n;
    if (o->start > o->queue.len / 2) { /* seldom enough to cost nothing */
        buf_drop(&o->queue, o->start);
        o->start = 0;
    }
    left = o->queue.len - o->start;
    if (left == 0)
        watch_events(o->watch, 0);
    if (left <= OUTLET_LOW)
        tell(o, OUTLET_OPEN);
}

struct outlet *
outlet_new(struct loop *l, int fd, outlet_cb *cb, void *arg, struct err *e)
{
    struct outlet *o = calloc(1, sizeof(*o));
    struct err why = {0};

    if (!o) {
        err_set(e, ERR_NOMEM, "out of memory");
        return NULL;
    }
    *o = (struct outlet){
        .fd = fd, .cb = cb, .arg = arg, .queue = buf_of(QUEUE_MAX)};
    o->watch = loop_fd(l, fd, LOOP_WRITE, on_ready, o, &why);
    if (o->watch)
        watch_events(o->watch, 0);
    return o;
}

void
outlet_free(struct outlet *o)
{
    if (!o)
        return;
    watch_free(o->watch);
    buf_done(&o->queue);
    free(o);
}

void
outlet_add(struct outlet *o, const void *bytes, size_t n)
{
    struct err e = {0};

    if (o->state == OUTLET_GONE || n == 0)
        return;
    if (!o->watch) {
        if (fd_write_all(o->fd, bytes, n, -1, &e) < 0)
            blame(o, &e);
        return;
    }
    if (outlet_is_empty(o))
        watch_events(o->watch, LOOP_WRITE);
    buf_add(&o->queue, bytes, n);
    if (buf_ok(&o->queue, "the output queue", &e) < 0) {
        blame(o, &e);
        give_up(o);
        return;
    }
    if (o->queue.len - o->start > OUTLET_HIGH)
        tell(o, OUTLET_FULL);
}
