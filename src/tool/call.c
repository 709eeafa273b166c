/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call.c - one plugin process: request out, events and a response in. */
#include "tool/call.h"

#include <signal.h>
#include <string.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/linebuf.h"
#include "tool/launch.h"
#include "tool/response.h"

#define LINE_MAX_BYTES  (16u << 20) /* a response: 2 MiB of text, escaped */
#define NAME_MAX_BYTES  64
#define SEND_MS         5000 /* a plugin that does not read its request */
#define NOTE_BYTES      4096 /* of its log, for the error text */
#define SANDBOX_MISSING 125  /* the launcher's exit status: nothing ran */
#define LAUNCHER_NAME   "agentsh-launch: "
#define END_MS          2000 /* from its response to its end */
#define LATE_MS         200  /* for output of a process that has ended */

struct tool_call {
    struct loop *loop;
    struct proc *proc;
    struct linebuf *lines;
    struct watch *out, *log, *ended, *late;
    struct buf note; /* the tail of its standard error */
    int report;      /* where the launcher says what it refused */
    struct refused refused;
    const struct tool_events *ev;
    void *arg;
    char name[NAME_MAX_BYTES + 1];
    bool answered; /* done or failed was called */
    bool held;     /* its output waits */
    bool closed;   /* its standard output is at its end */
    bool over;     /* the process has ended, with: */
    int status;
};

void
tool_call_free(struct tool_call *c)
{
    if (!c)
        return;
    watch_free(c->out);
    watch_free(c->log);
    watch_free(c->ended);
    watch_free(c->late);
    if (c->proc) { /* the launcher ends what left its group, then itself */
        int status;

        proc_signal(c->proc, SIGTERM);
        (void)proc_wait(c->proc, END_MS, &status, NULL);
    }
    proc_free(c->proc);
    linebuf_free(c->lines);
    buf_done(&c->note);
    refused_done(&c->refused);
    fd_close_p(&c->report);
    free(c);
}

void
tool_call_signal(struct tool_call *c, int signo)
{
    proc_signal(c->proc, signo);
}

void
tool_call_hold(struct tool_call *c, bool held)
{
    c->held = held;
    if (!c->answered && !c->closed)
        watch_events(c->out, held ? 0 : LOOP_READ);
}

static void
fail(struct tool_call *c, struct err *e)
{
    const struct tool_events *ev = c->ev;

    if (c->answered)
        return;
    c->answered = true;
    watch_events(c->out, 0);
    err_wrap(e, "%s", c->name);
    ev->failed(c->arg, e);
}

/* One line of the plugin. Returns whether reading goes on: after a response
 * the call may be freed already. */
static bool
take_line(struct tool_call *c, const char *line, size_t n)
{
    CLEANUP(response_done) struct response r = {0};
    struct err e = {0};

    if (response_parse(line, n, &r, &e) < 0) {
        fail(c, &e);
        return false;
    }
    if (r.is_event) {
        if (c->ev->output)
            c->ev->output(c->arg, r.stream, r.data, r.data_len);
        return true;
    }
    c->answered = true;
    watch_events(c->out, 0);
    (void)refused_read(c->report, &c->refused, NULL);
    r.result.refused = &c->refused;
    c->ev->done(c->arg, &r.result);
    return false;
}

static void
on_log(void *arg, unsigned events)
{
    struct tool_call *c = arg;
    char bytes[1024];
    ssize_t n = read(proc_fd(c->proc, 2), bytes, sizeof(bytes));

    (void)events;
    if (n <= 0) {
        if (n == 0 || errno != EAGAIN)
            watch_events(c->log, 0);
        return;
    }
    if (c->note.len + (size_t)n > NOTE_BYTES)
        buf_clear(&c->note);
    buf_add(&c->note, bytes, (size_t)n);
}

/* The last line of its log, without control characters, for the reason. */
static void
last_note(const struct tool_call *c, char *out, size_t size)
{
    const char *p = c->note.p;
    size_t n = c->note.len, from, len = 0;

    while (n > 0 && p[n - 1] == '\n')
        n--;
    for (from = n; from > 0 && p[from - 1] != '\n';)
        from--;
    for (; from < n && len + 1 < size; from++)
        out[len++] = (unsigned char)p[from] < ' ' ? ' ' : p[from];
    out[len] = '\0';
}

/* The launcher begins its sentences with its name. */
static const char *
without_name(const char *note)
{
    const size_t n = sizeof(LAUNCHER_NAME) - 1;

    return strncmp(note, LAUNCHER_NAME, n) == 0 ? note + n : note;
}

/* It ended and said all it had to say, but no response. */
static void
conclude(struct tool_call *c)
{
    struct err e = {0};
    char note[160];

    last_note(c, note, sizeof(note));
    if (c->status == SANDBOX_MISSING)
        err_set(&e, ERR_SANDBOX,
                "nothing ran: %s. To do: agentsh doctor says what is missing",
                without_name(note));
    else
        err_set(&e, ERR_PEER, "ended without an answer (status %d)%s%s",
                c->status, note[0] ? ": " : "", note);
    fail(c, &e);
}

static void
on_late(void *arg, unsigned events)
{
    (void)events;
    conclude(arg);
}

static void
on_out(void *arg, unsigned events)
{
    struct tool_call *c = arg;
    struct err e = {0};
    long got = linebuf_read(c->lines, proc_fd(c->proc, 1), &e);
    const char *line;
    size_t n;

    (void)events;
    if (got < 0 && e.sys == EAGAIN)
        return;
    if (got < 0) {
        fail(c, &e);
        return;
    }
    while ((line = linebuf_next(c->lines, &n)) != NULL) {
        if (n > 0 && !take_line(c, line, n))
            return;
    }
    if (got > 0)
        return;
    c->closed = true;
    watch_events(c->out, 0);
    if (c->over)
        conclude(c);
}

static void
on_ended(void *arg, unsigned events)
{
    struct tool_call *c = arg;

    watch_free(c->ended);
    c->ended = NULL;
    on_log(c, events);
    (void)proc_wait(c->proc, 0, &c->status, NULL);
    c->over = true;
    if (c->answered || c->held) /* held: its pipe tells the rest later */
        return;
    if (!c->closed) /* what left its group may hold the pipe: not for ever */
        c->late = loop_timer(c->loop, LATE_MS, on_late, c, NULL);
    if (!c->late)
        conclude(c);
}

static bool
is_tool_name(const char *name)
{
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_.-");

    return n > 0 && n <= NAME_MAX_BYTES && !name[n] && name[0] != '.' &&
           name[0] != '-';
}

static int
watch_all(struct tool_call *c, struct err *e)
{
    struct proc *p = c->proc;

    for (int i = 0; i < 3; i++) {
        if (fd_set_nonblock(proc_fd(p, i), true, e) < 0)
            return -1;
    }
    if (fd_set_nonblock(c->report, true, e) < 0)
        return -1;
    c->out = loop_fd(c->loop, proc_fd(p, 1), LOOP_READ, on_out, c, e);
    c->log = loop_fd(c->loop, proc_fd(p, 2), LOOP_READ, on_log, c, e);
    c->ended = loop_fd(c->loop, proc_pidfd(p), LOOP_READ, on_ended, c, e);
    return c->out && c->log && c->ended ? 0 : -1;
}

static int
send_request(struct tool_call *c, const char *request, size_t n, struct err *e)
{
    if (fd_write_all(proc_fd(c->proc, 0), request, n, SEND_MS, e) < 0 ||
        fd_write_all(proc_fd(c->proc, 0), "\n", 1, SEND_MS, e) < 0)
        return -1;
    proc_close_fd(c->proc, 0); /* one request: it ends after its answer */
    return 0;
}

struct tool_call *
tool_call_start(struct loop *l, const char *tool, const char *request, size_t n,
                const struct tool_setting *setting,
                const struct tool_events *ev, void *arg, struct err *e)
{
    CLEANUP(tool_call_free_p) struct tool_call *c = NULL;

    if (!is_tool_name(tool)) {
        err_set(e, ERR_INVALID, "'%.64s' is no name of a tool", tool);
        return NULL;
    }
    c = calloc(1, sizeof(*c));
    if (!c) {
        err_set(e, ERR_NOMEM, "%s: no memory", tool);
        return NULL;
    }
    c->report = -1;
    if (!(c->lines = linebuf_new(LINE_MAX_BYTES, e)))
        return NULL;
    c->loop = l;
    c->ev = ev;
    c->arg = arg;
    memcpy(c->name, tool, strlen(tool) + 1);
    buf_init(&c->note, NOTE_BYTES);
    c->proc = launch_plugin(tool, setting, &c->report, e);
    if (!c->proc || watch_all(c, e) < 0 || send_request(c, request, n, e) < 0) {
        err_wrap(e, "%s", tool);
        return NULL;
    }
    return TAKE_PTR(c);
}
