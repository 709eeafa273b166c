/* SPDX-License-Identifier: GPL-3.0-or-later */
/* link.c - a running model process, as lines to it and from it. */
#include "model/link.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/linebuf.h"
#include "base/proc.h"
#include "model/ask.h"
#include "model/start.h"

#define REAP_MS 60 /* between the end of its output and its own */

struct link {
    struct proc *proc;
    struct watch *reading, *writing;
    struct linebuf *in;
    struct buf out; /* what the pipe did not take yet */
    struct link_events ev;
    void *arg;
    bool busy, dead; /* in a callback; freed by it */
};

void
link_free(struct link *k)
{
    if (!k)
        return;
    watch_free(k->reading);
    watch_free(k->writing);
    linebuf_free(k->in);
    buf_done(&k->out);
    proc_free(k->proc);
    k->dead = true;
    if (!k->busy)
        free(k);
}

/* A process that is gone is an error here, not the end of the front, whatever
 * the door does about closed pipes of its own. */
static ssize_t
write_unsignalled(int fd, const void *p, size_t n)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    ssize_t rc;
    int sys;

    sigaction(SIGPIPE, &ignore, &before);
    rc = write(fd, p, n);
    sys = errno;
    sigaction(SIGPIPE, &before, NULL);
    errno = sys;
    return rc;
}

static void
on_writable(void *arg, unsigned events)
{
    struct link *k = arg;
    ssize_t n = write_unsignalled(proc_fd(k->proc, 0), k->out.p, k->out.len);

    (void)events;
    if (n < 0 && errno != EAGAIN && errno != EINTR)
        n = (ssize_t)k->out.len; /* it is gone: the other pipe will say so */
    if (n > 0)
        buf_drop(&k->out, (size_t)n);
    watch_events(k->writing, k->out.len > 0 ? LOOP_WRITE : 0);
}

static void
on_readable(void *arg, unsigned events)
{
    struct link *k = arg;
    struct err e = {0};
    const char *line;
    size_t len;
    int status = 0;
    long n = linebuf_read(k->in, proc_fd(k->proc, 1), &e);

    (void)events;
    if (n < 0 && e.sys == EAGAIN)
        return;
    k->busy = true;
    while (n > 0 && !k->dead && (line = linebuf_next(k->in, &len)) != NULL)
        k->ev.line(k->arg, line, len);
    k->busy = false;
    if (k->dead) {
        free(k);
        return;
    }
    if (n > 0)
        return;
    (void)proc_wait(k->proc, REAP_MS, &status, NULL);
    k->ev.gone(k->arg, status);
}

struct link *
link_start(struct loop *l, const struct link_events *ev, void *arg,
           struct err *e)
{
    CLEANUP(link_free_p) struct link *k = calloc(1, sizeof(*k));

    if (!k) {
        err_sys(e, "model");
        return NULL;
    }
    k->ev = *ev;
    k->arg = arg;
    k->out = buf_of_secret(ASK_LINE_MAX); /* a question holds the key */
    k->in = linebuf_new(2 * ASK_EVENT_MAX, e);
    k->proc = k->in ? model_process_start(e) : NULL;
    if (!k->proc || fd_set_nonblock(proc_fd(k->proc, 0), true, e) < 0 ||
        fd_set_nonblock(proc_fd(k->proc, 1), true, e) < 0)
        return NULL;
    k->reading = loop_fd(l, proc_fd(k->proc, 1), LOOP_READ, on_readable, k, e);
    k->writing = loop_fd(l, proc_fd(k->proc, 0), 0, on_writable, k, e);
    return k->reading && k->writing ? TAKE_PTR(k) : NULL;
}

int
link_send(struct link *k, const struct buf *lines, struct err *e)
{
    if (k->out.max - k->out.len < lines->len)
        return err_set(e, ERR_INVALID,
                       "too much data is queued for the model process");
    buf_add(&k->out, lines->p, lines->len);
    if (buf_ok(&k->out, "the question", e) < 0)
        return -1;
    on_writable(k, LOOP_WRITE);
    return 0;
}
