/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin_process.c - a plugin's process, the lines from and to it, its log. */
#include "tool/plugin_process.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/linebuf.h"
#include "base/proc_end.h"
#include "guard/exit_status.h"
#include "sandbox/launch/launch.h"

#define LINE_MAX_BYTES  (16u << 20) /* a response: 2 MiB of text, escaped */
#define WRITE_MS        5000        /* without reading a byte of what is sent */
#define LOG_BYTES       4096        /* bytes of its log, for an error text */
#define REASON_MAX      200         /* bytes of the log; err.text is 256 */
#define LAUNCHER_PREFIX "agentsh-launch: "
#define STILL_RUNS      (-1) /* no exit status: it still runs */

struct plugin_process {
    struct loop *loop;
    struct spawned is;
    struct linebuf *lines;
    struct watch *in, *out, *log, *ended;
    struct watch *late, *slow;
    struct buf queue;    /* what was not written yet */
    size_t taken;        /* of queue */
    bool last;           /* its input ends with the queue */
    size_t piped;        /* bytes in the pipe of what was sent last */
    struct buf log_tail; /* the end of its standard error */
    const struct plugin_process_events *ev;
    void *arg;
    bool paused; /* its output is not read */
    bool closed; /* its output is at its end */
    bool over;   /* its process has ended, with status */
    int status;
    bool gone;        /* its owner was told that it is gone */
    int64_t end_by;   /* clock_ms: SIGTERM was sent; 0: it was not */
    int leave_ms;     /* to end by itself before that */
    int64_t leave_by; /* clock_ms: its input has ended; 0: it has not */
    struct watch *leave;
    bool ends;   /* `late` says when it has ended */
    bool later;  /* on a shared loop its end is left to that */
    bool *freed; /* set when it is freed by who gets a line */
};

void
plugin_process_set_leave(struct plugin_process *p, int ms)
{
    p->leave_ms = ms;
}

static void
send_sigterm(struct plugin_process *p)
{
    if (p->over || p->end_by)
        return;
    p->end_by = clock_ms() + SPAWN_END_MS;
    plugin_process_signal(p, SIGTERM);
    plugin_process_signal(p, SIGCONT);
}

void
plugin_process_terminate(struct plugin_process *p)
{
    if (!p || p->leave_by)
        return;
    if (p->leave_ms == 0 || p->over) {
        send_sigterm(p);
        return;
    }
    p->leave_by = clock_ms() + p->leave_ms;
    plugin_process_end_input(p);
}

static void
on_leave(void *arg, unsigned events)
{
    (void)events;
    send_sigterm(arg);
}

int
plugin_process_end(struct plugin_process *p, loop_cb *cb, void *arg,
                   struct err *e)
{
    struct watch *leave = NULL, *late;

    if (p->leave_ms &&
        !(leave = loop_timer(p->loop, p->leave_ms, on_leave, p, e)))
        return -1;
    late = loop_timer(p->loop, p->over ? 0 : p->leave_ms + SPAWN_END_MS, cb,
                      arg, e);
    if (!late) {
        watch_free(leave);
        return -1;
    }
    watch_free(p->leave);
    watch_free(p->late);
    p->leave = leave;
    p->late = late;
    p->ends = p->gone = true;
    watch_events(p->out, 0);
    plugin_process_terminate(p);
    return 0;
}

/* Waits while the launcher ends all processes, then itself. */
static void
await_end(struct plugin_process *p)
{
    int64_t left;
    int status;

    plugin_process_terminate(p);
    left = p->leave_by - clock_ms();
    if (p->leave_by &&
        proc_wait(p->is.proc, left > 0 ? (int)left : 0, &status, NULL) == 0)
        return;
    send_sigterm(p);
    left = p->end_by - clock_ms();
    (void)proc_wait(p->is.proc, left > 0 ? (int)left : 0, &status, NULL);
}

/* Whether the loop waits for its end, and nobody else. */
static bool
leave_to_loop(struct plugin_process *p)
{
    int64_t leave;

    if (!loop_is_shared(p->loop))
        return false;
    plugin_process_terminate(p);
    leave = p->end_by ? 0 : p->leave_by - clock_ms();
    if (proc_end_later(p->loop, p->is.proc, leave > 0 ? leave : 0, SPAWN_END_MS,
                       NULL) < 0)
        return false;
    p->is.proc = NULL;
    return true;
}

void
plugin_process_set_later(struct plugin_process *p)
{
    p->later = true;
}

void
plugin_process_free(struct plugin_process *p)
{
    if (!p)
        return;
    if (p->freed)
        *p->freed = true;
    watch_free(p->in);
    watch_free(p->out);
    watch_free(p->log);
    watch_free(p->ended);
    watch_free(p->late);
    watch_free(p->slow);
    watch_free(p->leave);
    p->in = p->slow = NULL; /* what follows may end the input */
    if (!p->over && !(p->later && leave_to_loop(p)))
        await_end(p);
    spawned_done(&p->is);
    linebuf_free(p->lines);
    buf_done(&p->queue);
    buf_done(&p->log_tail);
    free(p);
}

void
plugin_process_signal(struct plugin_process *p, int signo)
{
    proc_signal(p->is.proc, signo);
}

void
plugin_process_set_events(struct plugin_process *p,
                          const struct plugin_process_events *ev, void *arg)
{
    p->ev = ev;
    p->arg = arg;
}

void
plugin_process_pause(struct plugin_process *p, bool paused)
{
    p->paused = paused;
    if (!p->gone && !p->closed)
        watch_events(p->out, paused ? 0 : LOOP_READ);
}

/* Reports the end. The callback may free the process. */
static void
report_gone(struct plugin_process *p, struct err *why)
{
    if (p->gone)
        return;
    p->gone = true;
    watch_events(p->out, 0);
    p->ev->gone(p->arg, why);
}

static void
input_done(struct plugin_process *p)
{
    watch_free(p->in);
    watch_free(p->slow);
    p->in = p->slow = NULL;
    buf_clear(&p->queue);
    p->taken = 0;
    if (p->last)
        proc_close_fd(p->is.proc, 0);
}

/* Writes what the pipe takes. Returns whether that was all. A plugin that has
 * closed its input reads nothing, and may still answer. */
static bool
write_queue(struct plugin_process *p)
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
    struct plugin_process *p = arg;

    (void)events;
    if (write_queue(p))
        input_done(p);
    else
        watch_again(p->slow, WRITE_MS);
}

static void
on_slow(void *arg, unsigned events)
{
    struct err why = {0};

    (void)events;
    err_set(&why, ERR_PEER, "it does not read its request");
    report_gone(arg, &why);
}

void
plugin_process_end_input(struct plugin_process *p)
{
    p->last = true;
    if (!p->in)
        input_done(p);
}

/* Forgets what was written: else a queue that is never empty grows. */
static void
drop_taken(struct plugin_process *p)
{
    if (p->taken > 0)
        buf_drop(&p->queue, p->taken);
    p->taken = 0;
}

/* The queue has one more line. */
static int
send_queue(struct plugin_process *p, bool last, struct err *e)
{
    buf_ch(&p->queue, '\n');
    if (buf_ok(&p->queue, "the request", e) < 0)
        return -1;
    p->last = last;
    p->piped = 0;
    if (p->in)
        return 0;
    if (write_queue(p)) {
        input_done(p);
        return 0;
    }
    if (!(p->slow = loop_timer(p->loop, WRITE_MS, on_slow, p, e)))
        return -1;
    p->in = loop_fd(p->loop, proc_fd(p->is.proc, 0), LOOP_WRITE, on_in, p, e);
    if (p->in)
        return 0;
    watch_free(p->slow);
    p->slow = NULL;
    return -1;
}

int
plugin_process_send(struct plugin_process *p, const char *line, size_t n,
                    bool last, struct err *e)
{
    drop_taken(p);
    buf_add(&p->queue, line, n);
    return send_queue(p, last, e);
}

int
plugin_process_take(struct plugin_process *p, struct buf *line, bool last,
                    struct err *e)
{
    size_t max = p->queue.max;

    drop_taken(p);
    if (p->queue.len > 0) {
        buf_add(&p->queue, line->p, line->len);
        buf_done(line);
    } else {
        buf_done(&p->queue);
        p->queue = *line;
        p->queue.max = max;
        buf_init(line, 0);
    }
    return send_queue(p, last, e);
}

static void
on_log(void *arg, unsigned events)
{
    struct plugin_process *p = arg;
    char bytes[1024];
    ssize_t n = read(proc_fd(p->is.proc, 2), bytes, sizeof(bytes));

    (void)events;
    if (n <= 0) {
        if (n == 0 || errno != EAGAIN)
            watch_events(p->log, 0);
        return;
    }
    if (p->log_tail.len + (size_t)n > LOG_BYTES)
        buf_drop(&p->log_tail, p->log_tail.len - LOG_BYTES / 2);
    buf_add(&p->log_tail, bytes, (size_t)n);
}

/* False: no more are wanted, or p is freed. */
static bool
deliver_line(struct plugin_process *p, const char *line, size_t n)
{
    bool freed = false, more;

    /* cppcheck-suppress autoVariables ; it is taken back before we return */
    p->freed = &freed;
    more = p->ev->line(p->arg, line, n);
    if (freed)
        return false;
    p->freed = NULL;
    return more;
}

/* Delivers the lines that are there. False: p may be freed. */
static bool
deliver_lines(struct plugin_process *p)
{
    const char *line;
    size_t n;

    while ((line = linebuf_next(p->lines, &n)) != NULL) {
        if (n > 0 && !deliver_line(p, line, n))
            return false;
    }
    return true;
}

static void
on_late(void *arg, unsigned events)
{
    struct err why = {0};

    (void)events;
    report_gone(arg, &why);
}

/* Waits for the process to end, for a limited time. False: there was no memory
 * for that, the end was reported, and p may be freed. */
static bool
report_gone_later(struct plugin_process *p, int64_t ms)
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
end_output(struct plugin_process *p)
{
    size_t n;
    const char *rest = linebuf_rest(p->lines, &n);

    p->closed = true;
    watch_events(p->out, 0);
    /* a last line may lack its newline */
    if (rest && !deliver_line(p, rest, n))
        return;
    if (report_gone_later(p, p->over ? 0 : SPAWN_END_MS) && p->ev->closed)
        p->ev->closed(p->arg);
}

static void
on_out(void *arg, unsigned events)
{
    struct plugin_process *p = arg;
    struct err e = {0};
    long got = linebuf_read(p->lines, proc_fd(p->is.proc, 1), &e);

    (void)events;
    if (got < 0 && e.sys == EAGAIN)
        return;
    if (got < 0)
        report_gone(p, &e);
    else if (got == 0)
        end_output(p);
    else
        (void)deliver_lines(p);
}

static void
on_ended(void *arg, unsigned events)
{
    struct plugin_process *p = arg;

    watch_free(p->ended);
    p->ended = NULL;
    on_log(p, events);
    (void)proc_wait(p->is.proc, 0, &p->status, NULL);
    p->over = true;
    if (p->ends)
        watch_again(p->late, 0);
    else if (p->closed)
        (void)report_gone_later(p, 0);
    else if (!p->gone && !p->paused) /* paused: the rest is in its pipe */
        (void)report_gone_later(p,
                                SPAWN_LATE_MS); /* a child may hold the pipe */
}

static bool
has_unread_lines(const struct plugin_process *p)
{
    size_t n;

    return linebuf_next(p->lines, &n) || linebuf_rest(p->lines, &n);
}

bool
plugin_process_has_more(struct plugin_process *p)
{
    struct pollfd out = {.fd = proc_fd(p->is.proc, 1), .events = POLLIN};

    return has_unread_lines(p) ||
           (poll(&out, 1, 0) > 0 && (out.revents & POLLIN));
}

bool
plugin_process_is_quiet(struct plugin_process *p)
{
    struct pollfd both[] = {{.fd = proc_fd(p->is.proc, 1), .events = POLLIN},
                            {.fd = proc_pidfd(p->is.proc), .events = POLLIN}};

    return !p->over && !p->closed && !p->gone && !p->in &&
           !has_unread_lines(p) && poll(both, 2, 0) == 0;
}

bool
plugin_process_is_alive(const struct plugin_process *p)
{
    struct pollfd end = {.fd = proc_pidfd(p->is.proc), .events = POLLIN};

    return !p->over && !p->closed && !p->gone && poll(&end, 1, 0) == 0;
}

bool
plugin_process_is_untouched(const struct plugin_process *p)
{
    int fd = proc_fd(p->is.proc, 0), unread = 0;

    return fd >= 0 && ioctl(fd, FIONREAD, &unread) == 0 &&
           (size_t)unread == p->piped;
}

void
plugin_process_read_denials(struct plugin_process *p, struct denials *out)
{
    (void)denials_read(p->is.report, out, NULL);
}

const char *
plugin_process_log(const struct plugin_process *p)
{
    return p->log_tail.p;
}

/* Copies the line that ends before n, without control characters. Returns where
 * it begins. */
static size_t
copy_last_line(const char *log, size_t n, char *out, size_t size)
{
    size_t begin, len = 0;

    for (begin = n; begin > 0 && log[begin - 1] != '\n';)
        begin--;
    for (size_t i = begin; i < n && len + 1 < size; i++)
        out[len++] = (unsigned char)log[i] < ' ' ? ' ' : log[i];
    out[len] = '\0';
    return begin;
}

/* "TypeError: x is not a function", "[error] …", "panic: …" */
static bool
log_names_error(const char *line)
{
    static const char *const words[] = {"error", "panic", "fatal", "exception"};

    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        if (strcasestr(line, words[i]))
            return true;
    return false;
}

/* The line of the log that gives the reason: the last one with the word of an
 * error, as some programs print a stack or their version after it; else the
 * last line. */
static void
find_reason(const struct buf *b, char *out, size_t size)
{
    char line[REASON_MAX];
    size_t n = b->len;

    out[0] = '\0';
    while (n > 0) {
        size_t begin = copy_last_line(b->p, n, line, sizeof(line));

        if (line[strspn(line, " ")] && (!out[0] || log_names_error(line)))
            snprintf(out, size, "%s", line);
        if (log_names_error(line))
            return;
        n = begin > 0 ? begin - 1 : 0;
    }
}

/* Drops the launcher's name, with which its messages begin. The name tells its
 * status from that of the program, which may be the same: like a shell, the
 * launcher has no other way to its caller than standard error and a status. */
static const char *
skip_launcher_name(const char *log_tail)
{
    const size_t n = sizeof(LAUNCHER_PREFIX) - 1;

    return strncmp(log_tail, LAUNCHER_PREFIX, n) == 0 ? log_tail + n : log_tail;
}

/* A program reports a read-only file system only by the text of EROFS: its
 * status and the launcher's report do not hold the error's number. */
static enum err_kind
exit_kind(const char *log_tail, int status)
{
    if (strstr(log_tail, "Read-only file system"))
        return ERR_KIND_READ_ONLY;
    return status == EXIT_STATUS_NOT_FOUND ? ERR_KIND_NO_START : ERR_KIND_ENDED;
}

/* status: of the process, or STILL_RUNS. The errors are those of
 * plugin_process_explain. */
static int
explain_exit(const struct buf *log, int status, struct err *e)
{
    char log_tail[REASON_MAX];

    find_reason(log, log_tail, sizeof(log_tail));
    if (status == STILL_RUNS)
        return err_set(e, ERR_PEER, "closed its output without an answer%s%s",
                       log_tail[0] ? ": " : "", log_tail);
    if (status == LAUNCH_FAILED)
        return err_set(e, ERR_SANDBOX,
                       "nothing ran: %s. To do: agentsh doctor says what is "
                       "missing",
                       skip_launcher_name(log_tail));
    if (status == LAUNCH_LATE && log_tail != skip_launcher_name(log_tail))
        return err_set(e, ERR_TIMEOUT, "%s", skip_launcher_name(log_tail));
    return err_set_kind(e, ERR_PEER, exit_kind(log_tail, status),
                        "ended without an answer (status %d)%s%s", status,
                        log_tail[0] ? ": " : "", log_tail);
}

int
plugin_process_explain(const struct plugin_process *p, struct err *e)
{
    return explain_exit(&p->log_tail, p->over ? p->status : STILL_RUNS, e);
}

static int
watch_all(struct plugin_process *p, struct err *e)
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

struct plugin_process *
plugin_process_new(struct loop *l, struct spawned *started, struct err *e)
{
    CLEANUP(plugin_process_free_p)
    struct plugin_process *p = calloc(1, sizeof(*p));

    if (!p) {
        err_set(e, ERR_NOMEM, "a plugin's process");
        spawned_done(started);
        return NULL;
    }
    p->loop = l;
    p->is = *started;
    *started = (struct spawned){.report = -1};
    buf_init(&p->queue, LINE_MAX_BYTES + 1);
    buf_init(&p->log_tail, LOG_BYTES);
    if (!(p->lines = linebuf_new(LINE_MAX_BYTES, e)) || watch_all(p, e) < 0)
        return NULL;
    return TAKE_PTR(p);
}
