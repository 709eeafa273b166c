/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay.c - a command on a terminal of its own, between it and the person's. */
#include "person/relay.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/proc.h"
#include "person/relay_keys.h"
#include "term/pty.h"
#include "term/term.h"
#include "term/term_filter.h"

#define READ_BYTES 65536
#define SHOWN_MAX  (4 * READ_BYTES) /* a byte is at most three, and resets */
#define LATE_MS    200 /* for the output of what outlives the command */
#define LATE_READS 32  /* of 4 KiB at most: more than a pty holds */
#define SETTLE_MS  20
#define FLUSH_MS   2000 /* for a terminal that takes its time at the end */
#define N_SIGNALS  7

struct relay {
    struct loop *loop;
    enum relay_kind kind;
    struct proc *proc;
    struct pty pty;
    struct term_filter filter;
    struct relay_keys keys;
    int out;          /* the person's terminal, not blocking */
    struct buf shown; /* filtered, and not yet taken by it */
    struct watch *master, *ready, *ended, *late;
    struct watch *signals[N_SIGNALS];
    bool drained; /* the pty has nothing more to say */
    bool over;    /* the command has ended, with: */
    int status;
    int signo; /* that ended us; 0 */
};

enum relay_kind
relay_kind(void)
{
    if (isatty(STDOUT_FILENO))
        return RELAY_ALL;
    return isatty(STDERR_FILENO) ? RELAY_ERROR : RELAY_NONE;
}

static void
relay_done(struct relay *r)
{
    watch_free(r->master);
    watch_free(r->ready);
    watch_free(r->ended);
    watch_free(r->late);
    for (size_t i = 0; i < N_SIGNALS; i++)
        watch_free(r->signals[i]);
    relay_keys_done(&r->keys);
    pty_close(&r->pty); /* hangs up on what still runs */
    proc_free(r->proc);
    fd_close_p(&r->out);
    buf_done(&r->shown);
}

/* The command waits while the person's terminal does. */
static void
attend(struct relay *r)
{
    unsigned events = r->shown.len > 0 || r->drained ? 0 : LOOP_READ;

    watch_events(r->ready, r->shown.len > 0 ? LOOP_WRITE : 0);
    watch_events(r->master, events | (r->pty.keys.len > 0 ? LOOP_WRITE : 0));
    if (r->over && r->drained && r->shown.len == 0)
        loop_stop(r->loop);
}

static void
show(struct relay *r)
{
    ssize_t n = write(r->out, r->shown.p, r->shown.len);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    /* a terminal that is gone says so on the reading side too */
    buf_drop(&r->shown, n < 0 ? r->shown.len : (size_t)n);
}

static void
on_ready(void *arg, unsigned events)
{
    struct relay *r = arg;

    (void)events;
    show(r);
    attend(r);
}

/* Whether there was something to read. */
static bool
read_master(struct relay *r)
{
    char bytes[READ_BYTES];
    ssize_t n = read(r->pty.master, bytes, sizeof(bytes));

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (n <= 0) { /* EIO: nobody has the other side open any more */
        r->drained = true;
        return false;
    }
    (void)term_filter_add(&r->filter, bytes, (size_t)n, &r->shown);
    show(r);
    return true;
}

static void
on_master(void *arg, unsigned events)
{
    struct relay *r = arg;

    if (events & LOOP_WRITE)
        relay_keys_wanted(&r->keys, pty_type(&r->pty, "", 0));
    if (events & (LOOP_READ | LOOP_HUP))
        (void)read_master(r);
    attend(r);
}

static void
on_late(void *arg, unsigned events)
{
    struct relay *r = arg;

    (void)events;
    /* where the machine is busy, output and this moment come together */
    for (int i = 0; i < LATE_READS && r->shown.len == 0; i++) {
        if (!read_master(r))
            break;
    }
    if (r->shown.len > 0) /* the person's terminal is what is slow */
        watch_again(r->late, LATE_MS);
    else
        r->drained = true;
    attend(r);
}

/* What it printed is still on its way: the pty is read until it is over. */
static void
on_ended(void *arg, unsigned events)
{
    struct relay *r = arg;

    (void)events;
    if (proc_wait(r->proc, 0, &r->status, NULL) != 0)
        return;
    r->over = true;
    watch_events(r->ended, 0);
    r->late = loop_timer(r->loop, LATE_MS, on_late, r, NULL);
    r->drained |= !r->late;
    attend(r);
}

/* What was printed before the stop is shown before it: a program on the whole
 * screen gives it back with its last bytes. They come by way of the kernel's
 * background work. */
static void
settle(struct relay *r)
{
    struct pollfd pfd = {.fd = r->pty.master, .events = POLLIN};
    int64_t until = clock_ms() + LATE_MS;

    while (!r->drained && clock_ms() < until && poll(&pfd, 1, SETTLE_MS) > 0) {
        (void)read_master(r);
        (void)fd_write_all(r->out, r->shown.p, r->shown.len, LATE_MS, NULL);
        buf_clear(&r->shown);
    }
}

/* As the terminal would have stopped all of us, had it seen the key. */
static void
stop(struct relay *r)
{
    sigset_t set, before;

    relay_keys_leave(&r->keys);
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    (void)kill(0, SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &set, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    relay_keys_enter(&r->keys);
}

static void
resize(struct relay *r)
{
    struct winsize ws;

    if (ioctl(r->out, TIOCGWINSZ, &ws) == 0)
        (void)ioctl(r->pty.master, TIOCSWINSZ, &ws);
}

static void
on_signal(void *arg, unsigned signo)
{
    struct relay *r = arg;

    switch (signo) {
    case SIGCHLD:
        if (!proc_was_stopped(r->proc))
            return;
        settle(r);
        stop(r);
        proc_signal(r->proc, SIGCONT);
        return;
    case SIGTSTP:
        stop(r);
        return;
    case SIGCONT:
        relay_keys_enter(&r->keys);
        resize(r);
        return;
    case SIGWINCH:
        resize(r);
        return;
    default: /* SIGTERM, SIGHUP, and SIGINT when it was sent by kill(1) */
        if (r->kind == RELAY_ERROR && signo == SIGINT)
            return; /* from the keyboard, the command has it too */
        r->signo = (int)signo;
        loop_stop(r->loop);
    }
}

static int
watch_signals(struct relay *r, struct err *e)
{
    static const int all[N_SIGNALS] = {SIGTERM, SIGHUP,  SIGINT, SIGWINCH,
                                       SIGCHLD, SIGCONT, SIGTSTP};

    for (size_t i = 0; i < N_SIGNALS; i++) {
        bool natural = all[i] == SIGTSTP || all[i] == SIGCONT;

        if (r->kind == RELAY_ERROR && natural)
            continue; /* the terminal stops and continues all of us */
        r->signals[i] = loop_signal(r->loop, all[i], on_signal, r, e);
        if (!r->signals[i])
            return -1;
    }
    return 0;
}

static int
open_pty(struct relay *r, struct err *e)
{
    struct termios modes;
    struct winsize ws;
    int fd = r->kind == RELAY_ALL ? STDOUT_FILENO : STDERR_FILENO;

    r->out = term_open_again(fd, O_WRONLY | O_NONBLOCK);
    if (r->out < 0 || tcgetattr(r->out, &modes) < 0)
        return err_sys(e, "terminal");
    if (ioctl(r->out, TIOCGWINSZ, &ws) < 0 || ws.ws_col == 0)
        ws = (struct winsize){.ws_row = TERM_ROWS_DEFAULT,
                              .ws_col = TERM_COLUMNS_DEFAULT};
    if (r->kind == RELAY_ERROR) /* the person's adds what is needed */
        modes.c_oflag &= ~(tcflag_t)OPOST;
    return pty_open(&r->pty, &ws, &modes, e);
}

static int
start(struct relay *r, const struct relay_command *c, struct err *e)
{
    bool all = r->kind == RELAY_ALL;
    struct proc_spec spec = {.argv = c->argv,
                             .envp = c->envp,
                             .pass_fd = c->pass_fd,
                             .session = all,
                             .job = all,
                             .foreground = !all};

    for (int i = 0; i < 3; i++) {
        bool ours = all ? isatty(i) : i == STDERR_FILENO;

        spec.fds[i] = ours ? r->pty.slave : PROC_INHERIT;
    }
    r->proc = proc_start(&spec, e);
    if (!r->proc)
        return -1;
    fd_close_p(&r->pty.slave); /* the end of the commands is the pty's */
    r->pty.slave = -1;
    r->master = loop_fd(r->loop, r->pty.master, LOOP_READ, on_master, r, e);
    r->ready = loop_fd(r->loop, r->out, 0, on_ready, r, e);
    r->ended = loop_fd(r->loop, proc_pidfd(r->proc), LOOP_READ, on_ended, r, e);
    return r->master && r->ready && r->ended ? 0 : -1;
}

static int
run(struct relay *r, const struct relay_command *c, struct err *e)
{
    struct term screen;

    term_init(&screen, STDOUT_FILENO, false);
    term_filter_init(&r->filter,
                     TERM_FILTER_COLOR | TERM_FILTER_MOVES |
                         (r->kind == RELAY_ALL ? TERM_FILTER_SCREEN : 0));
    if (open_pty(r, e) < 0 || watch_signals(r, e) < 0 || start(r, c, e) < 0)
        return -1;
    if (r->kind == RELAY_ALL &&
        relay_keys_open(&r->keys, r->loop, &r->pty, e) < 0)
        return -1;
    if (loop_run(r->loop, e) < 0)
        return -1;
    (void)term_filter_end(&r->filter, &r->shown);
    /* a terminal that hung up takes no more, and that is how it ended */
    (void)fd_write_all(r->out, r->shown.p, r->shown.len, FLUSH_MS, NULL);
    return 0;
}

int
relay_run(struct loop *l, enum relay_kind kind, const struct relay_command *c,
          int *status, struct err *e)
{
    CLEANUP(relay_done)
    struct relay r = {.loop = l,
                      .kind = kind,
                      .pty = {.master = -1, .slave = -1},
                      .keys = {.fd = -1},
                      .out = -1};

    buf_init(&r.shown, SHOWN_MAX);
    if (run(&r, c, e) < 0 && !r.over)
        return -1;
    *status = r.signo ? 128 + r.signo : r.status;
    return 0;
}
