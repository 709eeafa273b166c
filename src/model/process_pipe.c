/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process_pipe.c - starts the model process and exchanges lines with it. */
#include "model/process_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/linebuf.h"
#include "base/proc.h"
#include "model/ipc.h"
#include "model/process_start.h"

#define REAP_MS 60 /* from the end of its output to its exit */

struct process_pipe {
    struct proc *proc; /* NULL: the process is another's */
    int lent, writer;  /* a socket to it, for each direction; -1: ours */
    struct watch *reading, *writing;
    struct linebuf *in;
    struct buf out; /* queued: the pipe has not taken it yet */
    struct process_pipe_events ev;
    void *arg;
    bool in_callback, freed; /* freed: by that callback */
};

/* What is written for the process to read, and the reverse. */
static int
input_of(const struct process_pipe *p)
{
    return p->proc ? proc_fd(p->proc, 0) : p->writer;
}

static int
output_of(const struct process_pipe *p)
{
    return p->proc ? proc_fd(p->proc, 1) : p->lent;
}

void
process_pipe_free(struct process_pipe *p)
{
    if (!p)
        return;
    watch_free(p->reading);
    watch_free(p->writing);
    linebuf_free(p->in);
    buf_done(&p->out);
    proc_free(p->proc);
    if (p->lent >= 0) /* it reads the end of its input, and ends */
        (void)shutdown(p->lent, SHUT_RDWR);
    fd_close_p(&p->lent);
    fd_close_p(&p->writer);
    p->freed = true;
    if (!p->in_callback)
        free(p);
}

/* Writes without SIGPIPE: a model process that has ended is an error here and
 * must not end the front, whatever the front does about its own pipes. */
static ssize_t
write_no_sigpipe(int fd, const void *bytes, size_t n)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    ssize_t rc;
    int sys;

    sigaction(SIGPIPE, &ignore, &before);
    rc = write(fd, bytes, n);
    sys = errno;
    sigaction(SIGPIPE, &before, NULL);
    errno = sys;
    return rc;
}

static void
on_writable(void *arg, unsigned events)
{
    struct process_pipe *p = arg;
    ssize_t n = write_no_sigpipe(input_of(p), p->out.p, p->out.len);

    (void)events;
    if (n < 0 && errno != EAGAIN && errno != EINTR)
        n = (ssize_t)p->out.len; /* it has ended: the read side will notice */
    if (n > 0)
        buf_drop(&p->out, (size_t)n);
    watch_events(p->writing, p->out.len > 0 ? LOOP_WRITE : 0);
}

static void
on_readable(void *arg, unsigned events)
{
    struct process_pipe *p = arg;
    struct err e = {0};
    const char *line;
    size_t len;
    int status = 0;
    long n = linebuf_read(p->in, output_of(p), &e);

    (void)events;
    if (n < 0 && e.sys == EAGAIN)
        return;
    p->in_callback = true;
    while (n > 0 && !p->freed && (line = linebuf_next(p->in, &len)) != NULL)
        p->ev.line(p->arg, line, len);
    p->in_callback = false;
    if (p->freed) {
        free(p);
        return;
    }
    if (n > 0)
        return;
    if (p->proc)
        (void)proc_wait(p->proc, REAP_MS, &status, NULL);
    p->ev.gone(p->arg, status);
}

static struct process_pipe *
new_pipe(const struct process_pipe_events *ev, void *arg, struct err *e)
{
    CLEANUP(process_pipe_free_p) struct process_pipe *p = calloc(1, sizeof(*p));

    if (!p) {
        err_sys(e, "model");
        return NULL;
    }
    p->lent = p->writer = -1;
    p->ev = *ev;
    p->arg = arg;
    p->out = buf_of_secret(IPC_LINE_MAX); /* a query holds the key */
    p->in = linebuf_new(2 * IPC_EVENT_MAX, e);
    return p->in ? TAKE_PTR(p) : NULL;
}

static int
watch_pipe(struct process_pipe *p, struct loop *l, struct err *e)
{
    if (fd_set_nonblock(input_of(p), true, e) < 0 ||
        fd_set_nonblock(output_of(p), true, e) < 0)
        return -1;
    p->reading = loop_fd(l, output_of(p), LOOP_READ, on_readable, p, e);
    p->writing = p->reading ? loop_fd(l, input_of(p), 0, on_writable, p, e)
                            : NULL;
    return p->writing ? 0 : -1;
}

struct process_pipe *
process_pipe_start(struct loop *l, const struct process_pipe_events *ev,
                   void *arg, struct err *e)
{
    CLEANUP(process_pipe_free_p) struct process_pipe *p = new_pipe(ev, arg, e);

    if (!p)
        return NULL;
    p->proc = process_start((const char *const *)environ, -1, e);
    return p->proc && watch_pipe(p, l, e) == 0 ? TAKE_PTR(p) : NULL;
}

/* A loop waits for a descriptor once, so the two directions of the socket are
 * two descriptors. */
struct process_pipe *
process_pipe_borrow(struct loop *l, int socket,
                    const struct process_pipe_events *ev, void *arg,
                    struct err *e)
{
    CLEANUP_BUF struct buf begin = buf_of(8);
    CLEANUP(process_pipe_free_p) struct process_pipe *p = new_pipe(ev, arg, e);
    struct pollfd end = {.fd = socket, .events = POLLIN};

    if (!p)
        return NULL;
    if (poll(&end, 1, 0) != 0) { /* at its end, or with bytes of nobody's */
        (void)shutdown(socket, SHUT_RDWR);
        err_set(e, ERR_PEER, "the model process has ended");
        return NULL;
    }
    if ((p->lent = fcntl(socket, F_DUPFD_CLOEXEC, 0)) < 0 ||
        (p->writer = fcntl(socket, F_DUPFD_CLOEXEC, 0)) < 0) {
        err_sys(e, "model");
        return NULL;
    }
    /* a line that asks for nothing: the owner starts the process */
    buf_str(&begin, "{}\n");
    if (watch_pipe(p, l, e) < 0 || process_pipe_send(p, &begin, e) < 0)
        return NULL;
    return TAKE_PTR(p);
}

void
process_pipe_return(struct process_pipe *p)
{
    if (p && p->lent >= 0 && p->out.len == 0) {
        fd_close_p(&p->lent);
        p->lent = -1;
    }
    process_pipe_free(p);
}

int
process_pipe_send(struct process_pipe *p, const struct buf *lines,
                  struct err *e)
{
    if (p->out.max - p->out.len < lines->len)
        return err_set(e, ERR_INVALID,
                       "too much data is queued for the model process");
    buf_add(&p->out, lines->p, lines->len);
    if (buf_ok(&p->out, "the question", e) < 0)
        return -1;
    on_writable(p, LOOP_WRITE);
    return 0;
}
