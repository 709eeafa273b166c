/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peer.c - a plugin's process, its lines, its log. */
#include "tool/peer.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/linebuf.h"
#include "tool/note.h"

#define LINE_MAX_BYTES (16u << 20) /* a response: 2 MiB of text, escaped */
#define TAKE_MS        5000 /* without taking a byte of what is sent to it */
#define NOTE_BYTES     4096 /* of its log, for the error text */
#define END_MS         2000 /* for the launcher to end what it started */
#define LATE_MS        200  /* for output of a process that has ended */

struct peer {
    struct loop *loop;
    struct launched is;
    struct linebuf *lines;
    struct watch *in, *out, *log, *ended;
    struct watch *late, *slow;
    struct buf queue; /* what it has not taken yet */
    size_t taken;     /* of queue */
    bool last;        /* its input ends with the queue */
    size_t piped;     /* of what was sent last: bytes in the pipe */
    struct buf note;  /* the tail of its standard error */
    const struct peer_events *ev;
    void *arg;
    bool held;   /* its output waits */
    bool closed; /* its output is at its end */
    bool over;   /* its process has ended, with: */
    int status;
    bool gone;      /* and its owner knows */
    int64_t end_by; /* clock_ms: it was told to end; 0: it was not */
};

void
peer_tell_end(struct peer *p)
{
    if (!p || p->over || p->end_by)
        return;
    p->end_by = clock_ms() + END_MS;
    peer_signal(p, SIGTERM);
    peer_signal(p, SIGCONT);
}

/* The launcher ends what left its group, then itself. */
static void
await_end(struct peer *p)
{
    int64_t left;
    int status;

    peer_tell_end(p);
    left = p->end_by - clock_ms();
    (void)proc_wait(p->is.proc, left > 0 ? (int)left : 0, &status, NULL);
}

void
peer_free(struct peer *p)
{
    if (!p)
        return;
    watch_free(p->in);
    watch_free(p->out);
    watch_free(p->log);
    watch_free(p->ended);
    watch_free(p->late);
    watch_free(p->slow);
    if (!p->over)
        await_end(p);
    launched_done(&p->is);
    linebuf_free(p->lines);
    buf_done(&p->queue);
    buf_done(&p->note);
    free(p);
}

void
peer_signal(struct peer *p, int signo)
{
    proc_signal(p->is.proc, signo);
}

void
peer_attend(struct peer *p, const struct peer_events *ev, void *arg)
{
    p->ev = ev;
    p->arg = arg;
}

void
peer_hold(struct peer *p, bool held)
{
    p->held = held;
    if (!p->gone && !p->closed)
        watch_events(p->out, held ? 0 : LOOP_READ);
}

/* Whoever hears it may free the peer. */
static void
go(struct peer *p, struct err *why)
{
    if (p->gone)
        return;
    p->gone = true;
    watch_events(p->out, 0);
    p->ev->gone(p->arg, why);
}

static void
input_done(struct peer *p)
{
    watch_free(p->in);
    watch_free(p->slow);
    p->in = p->slow = NULL;
    buf_clear(&p->queue);
    p->taken = 0;
    if (p->last)
        proc_close_fd(p->is.proc, 0);
}

/* Returns whether it took all. One that has closed its input takes nothing,
 * and may answer all the same. */
static bool
push(struct peer *p)
{
    while (p->taken < p->queue.len) {
        ssize_t n = write(proc_fd(p->is.proc, 0), p->queue.p + p->taken,
                          p->queue.len - p->taken);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return false;
        p->taken = n < 0 ? p->queue.len : p->taken + (size_t)n;
        p->piped += n < 0 ? 0 : (size_t)n;
    }
    return true;
}

static void
on_in(void *arg, unsigned events)
{
    struct peer *p = arg;

    (void)events;
    if (push(p))
        input_done(p);
    else
        watch_again(p->slow, TAKE_MS);
}

static void
on_slow(void *arg, unsigned events)
{
    struct err why = {0};

    (void)events;
    err_set(&why, ERR_PEER, "it does not read its request");
    go(arg, &why);
}

void
peer_end_input(struct peer *p)
{
    p->last = true;
    if (!p->in)
        input_done(p);
}

int
peer_send(struct peer *p, const char *line, size_t n, bool last, struct err *e)
{
    buf_add(&p->queue, line, n);
    buf_ch(&p->queue, '\n');
    if (buf_ok(&p->queue, "the request", e) < 0)
        return -1;
    p->last = last;
    p->piped = 0;
    if (p->in)
        return 0;
    if (push(p)) {
        input_done(p);
        return 0;
    }
    p->in = loop_fd(p->loop, proc_fd(p->is.proc, 0), LOOP_WRITE, on_in, p, e);
    p->slow = loop_timer(p->loop, TAKE_MS, on_slow, p, e);
    return p->in && p->slow ? 0 : -1;
}

static void
on_log(void *arg, unsigned events)
{
    struct peer *p = arg;
    char bytes[1024];
    ssize_t n = read(proc_fd(p->is.proc, 2), bytes, sizeof(bytes));

    (void)events;
    if (n <= 0) {
        if (n == 0 || errno != EAGAIN)
            watch_events(p->log, 0);
        return;
    }
    if (p->note.len + (size_t)n > NOTE_BYTES)
        buf_drop(&p->note, p->note.len - NOTE_BYTES / 2);
    buf_add(&p->note, bytes, (size_t)n);
}

/* Hands on what is there. False: nothing of p may be touched any more. */
static bool
hand_on(struct peer *p)
{
    const char *line;
    size_t n;

    while ((line = linebuf_next(p->lines, &n)) != NULL) {
        if (n > 0 && !p->ev->line(p->arg, line, n))
            return false;
    }
    return true;
}

static void
on_late(void *arg, unsigned events)
{
    struct err why = {0};

    (void)events;
    go(arg, &why);
}

/* Waits for the rest of its end, but not for ever. False: there is no memory
 * to wait with, its owner was told, and nothing of p may be touched any more.
 */
static bool
go_later(struct peer *p, int64_t ms)
{
    watch_free(p->late);
    p->late = loop_timer(p->loop, ms, on_late, p, NULL);
    if (p->late)
        return true;
    on_late(p, 0);
    return false;
}

/* The end of its output. */
static void
close_out(struct peer *p)
{
    size_t n;
    const char *rest = linebuf_rest(p->lines, &n);

    p->closed = true;
    watch_events(p->out, 0);
    /* a last line may lack its newline */
    if (rest && !p->ev->line(p->arg, rest, n))
        return;
    if (go_later(p, p->over ? 0 : END_MS) && p->ev->closed)
        p->ev->closed(p->arg);
}

static void
on_out(void *arg, unsigned events)
{
    struct peer *p = arg;
    struct err e = {0};
    long got = linebuf_read(p->lines, proc_fd(p->is.proc, 1), &e);

    (void)events;
    if (got < 0 && e.sys == EAGAIN)
        return;
    if (got < 0)
        go(p, &e);
    else if (got == 0)
        close_out(p);
    else
        (void)hand_on(p);
}

static void
on_ended(void *arg, unsigned events)
{
    struct peer *p = arg;

    watch_free(p->ended);
    p->ended = NULL;
    on_log(p, events);
    (void)proc_wait(p->is.proc, 0, &p->status, NULL);
    p->over = true;
    if (p->closed)
        (void)go_later(p, 0);
    else if (!p->gone && !p->held)  /* held: its pipe tells the rest later */
        (void)go_later(p, LATE_MS); /* what left its group may hold the pipe */
}

bool
peer_has_more(struct peer *p)
{
    struct pollfd out = {.fd = proc_fd(p->is.proc, 1), .events = POLLIN};
    size_t n;

    return linebuf_next(p->lines, &n) || linebuf_rest(p->lines, &n) ||
           (poll(&out, 1, 0) > 0 && (out.revents & POLLIN));
}

bool
peer_is_quiet(struct peer *p)
{
    struct pollfd end = {.fd = proc_pidfd(p->is.proc), .events = POLLIN};

    return !p->over && !p->closed && !p->gone && !p->in && !peer_has_more(p) &&
           poll(&end, 1, 0) == 0;
}

bool
peer_is_alive(const struct peer *p)
{
    struct pollfd end = {.fd = proc_pidfd(p->is.proc), .events = POLLIN};

    return !p->over && !p->closed && !p->gone && poll(&end, 1, 0) == 0;
}

bool
peer_is_untouched(const struct peer *p)
{
    int fd = proc_fd(p->is.proc, 0), unread = 0;

    return fd >= 0 && ioctl(fd, FIONREAD, &unread) == 0 &&
           (size_t)unread == p->piped;
}

void
peer_refused(struct peer *p, struct denials *out)
{
    (void)denials_read(p->is.report, out, NULL);
}

const char *
peer_log(const struct peer *p)
{
    return p->note.p;
}

int
peer_explain(const struct peer *p, struct err *e)
{
    return note_explain(&p->note, p->over ? p->status : NOTE_GOES_ON, e);
}

static int
watch_all(struct peer *p, struct err *e)
{
    struct proc *proc = p->is.proc;

    for (int i = 0; i < 3; i++) {
        if (fd_set_nonblock(proc_fd(proc, i), true, e) < 0)
            return -1;
    }
    if (fd_set_nonblock(p->is.report, true, e) < 0)
        return -1;
    p->out = loop_fd(p->loop, proc_fd(proc, 1), LOOP_READ, on_out, p, e);
    p->log = loop_fd(p->loop, proc_fd(proc, 2), LOOP_READ, on_log, p, e);
    p->ended = loop_fd(p->loop, proc_pidfd(proc), LOOP_READ, on_ended, p, e);
    return p->out && p->log && p->ended ? 0 : -1;
}

struct peer *
peer_new(struct loop *l, struct launched *started, struct err *e)
{
    CLEANUP(peer_free_p) struct peer *p = calloc(1, sizeof(*p));

    if (!p) {
        err_set(e, ERR_NOMEM, "a plugin's process");
        launched_done(started);
        return NULL;
    }
    p->loop = l;
    p->is = *started;
    *started = (struct launched){.report = -1};
    buf_init(&p->queue, LINE_MAX_BYTES + 1);
    buf_init(&p->note, NOTE_BYTES);
    if (!(p->lines = linebuf_new(LINE_MAX_BYTES, e)) || watch_all(p, e) < 0)
        return NULL;
    return TAKE_PTR(p);
}
