/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process_pipe.c - starts the model process and exchanges lines with it. */
#include "model/process_pipe.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/proc.h"
#include "model/ipc.h"
#include "model/process_start.h"
#include "wire/line_reader.h"
#include "wire/sender.h"

#define REAP_MS 60 /* from the end of its output to its exit */
/* Queries that the process has not taken yet: one of the largest, and more. */
#define QUEUE_MAX (2 * (size_t)IPC_LINE_MAX)

struct process_pipe {
    struct proc *proc; /* NULL: the process is another's */
    int lent;          /* a socket to it; -1: it is ours */
    struct read_buffer *buffer;
    struct line_reader *in;
    struct sender *out;
    struct process_pipe_events ev;
    void *arg;
};

void
process_pipe_free(struct process_pipe *p)
{
    if (!p)
        return;
    line_reader_free(p->in);
    read_buffer_free(p->buffer);
    sender_free(p->out);
    proc_free(p->proc);
    if (p->lent >= 0) /* it reads the end of its input, and ends */
        (void)shutdown(p->lent, SHUT_RDWR);
    fd_close_p(&p->lent);
    free(p);
}

static void
on_line(void *arg, char *line, size_t n)
{
    struct process_pipe *p = arg;

    p->ev.line(p->arg, line, n);
}

static void
on_too_long(void *arg)
{
    struct process_pipe *p = arg;

    p->ev.gone(p->arg, -1);
}

static void
on_end(void *arg, char *rest, size_t n, const struct err *why)
{
    struct process_pipe *p = arg;
    int status = 0;

    (void)rest;
    (void)n;
    (void)why;
    if (p->proc)
        (void)proc_wait(p->proc, REAP_MS, &status, NULL);
    p->ev.gone(p->arg, status);
}

/* A process that reads slowly may: what waits for it is bounded. One that has
 * ended shows on the other side. */
static void
on_sender_state(void *arg, enum sender_state state)
{
    (void)arg;
    (void)state;
}

static struct process_pipe *
new_pipe(const struct process_pipe_events *ev, void *arg, struct err *e)
{
    CLEANUP(process_pipe_free_p) struct process_pipe *p = calloc(1, sizeof(*p));

    if (!p) {
        err_sys(e, "model");
        return NULL;
    }
    p->lent = -1;
    p->ev = *ev;
    p->arg = arg;
    p->buffer = read_buffer_new(e);
    return p->buffer ? TAKE_PTR(p) : NULL;
}

/* in is what the process reads, out what it writes. */
static int
watch_pipe(struct process_pipe *p, struct loop *l, int in, int out,
           struct err *e)
{
    static const struct line_reader_events lines = {
        .line = on_line, .too_long = on_too_long, .end = on_end};

    if (fd_set_nonblock(in, true, e) < 0 || fd_set_nonblock(out, true, e) < 0)
        return -1;
    p->in = line_reader_new(l, out, p->buffer, 2 * (size_t)IPC_EVENT_MAX,
                            &lines, p, e);
    p->out = p->in ? sender_new(l, in, QUEUE_MAX, on_sender_state, p, e) : NULL;
    if (!p->out)
        return -1;
    sender_keep_secret(p->out); /* a query holds the key */
    return 0;
}

struct process_pipe *
process_pipe_start(struct loop *l, const char *const *env,
                   const struct process_pipe_events *ev, void *arg,
                   struct err *e)
{
    CLEANUP(process_pipe_free_p) struct process_pipe *p = new_pipe(ev, arg, e);

    if (!p)
        return NULL;
    p->proc = process_start(env, -1, e);
    return p->proc && watch_pipe(p, l, proc_fd(p->proc, 0), proc_fd(p->proc, 1),
                                 e) == 0
               ? TAKE_PTR(p)
               : NULL;
}

struct process_pipe *
process_pipe_borrow(struct loop *l, int socket,
                    const struct process_pipe_events *ev, void *arg,
                    struct err *e)
{
    static const char begin[] = "{}\n";
    CLEANUP(process_pipe_free_p) struct process_pipe *p = new_pipe(ev, arg, e);
    struct pollfd end = {.fd = socket, .events = POLLIN};

    if (!p)
        return NULL;
    if (poll(&end, 1, 0) != 0) { /* at its end, or with bytes of nobody's */
        (void)shutdown(socket, SHUT_RDWR);
        err_set(e, ERR_PEER, "the model process has ended");
        return NULL;
    }
    if ((p->lent = fcntl(socket, F_DUPFD_CLOEXEC, 0)) < 0) {
        err_sys(e, "model");
        return NULL;
    }
    /* a line that asks for nothing, and now: the owner starts the process,
     * which then loads while the caller is busy */
    if (send(p->lent, begin, sizeof(begin) - 1, MSG_DONTWAIT | MSG_NOSIGNAL) !=
        (ssize_t)sizeof(begin) - 1) {
        err_sys(e, "model");
        return NULL;
    }
    return watch_pipe(p, l, p->lent, p->lent, e) == 0 ? TAKE_PTR(p) : NULL;
}

void
process_pipe_return(struct process_pipe *p)
{
    if (p && p->lent >= 0 && sender_is_empty(p->out)) {
        line_reader_free(p->in); /* before what it reads is closed */
        sender_free(p->out);
        p->in = NULL;
        p->out = NULL;
        fd_close_p(&p->lent);
        p->lent = -1;
    }
    process_pipe_free(p);
}

int
process_pipe_send(struct process_pipe *p, struct buf *lines, struct err *e)
{
    if (buf_ok(lines, "the question", e) < 0)
        return -1;
    if (sender_room(p->out) < lines->len)
        return err_set(e, ERR_INVALID,
                       "too much data is queued for the model process");
    sender_take(p->out, lines);
    return 0;
}
