/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pty_relay.c - runs a command on a pseudo-terminal of its own. */
#include "ui/pty_relay.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/loop.h"
#include "base/proc.h"
#include "base/pty.h"
#include "base/terminal_keeper.h"
#include "term/term.h"
#include "term/term_filter.h"

#define FOREGROUND_MS 250 /* a key that waits so long seems to work at once */
#define READ_BYTES    65536
#define SHOWN_MAX     (4 * READ_BYTES) /* a byte becomes three, and resets */
#define LATE_MS       200 /* for output of processes that outlive the command */
#define LATE_READS    32  /* of at most 4 KiB: more than a pty holds */
#define SETTLE_MS     20
#define FLUSH_MS      2000 /* for a slow terminal at the end */
#define N_SIGNALS     7

/* The user's keyboard. In the background of a shell the terminal is left alone,
 * and looked at again from time to time: no signal says that the shell has
 * brought a running job to the front. */
struct relay_keyboard {
    struct loop *loop;
    struct pty *pty;
    int fd; /* the terminal; -1: none */
    bool owned;
    bool raw;             /* its modes are set by us */
    struct termios saved; /* its modes before that */
    int keeper;           /* of these; -1: none */
    struct watch *watch, *recheck;
};

static bool
in_foreground(const struct relay_keyboard *k)
{
    return tcgetpgrp(k->fd) == getpgrp();
}

/* Makes keys go to the pty as they are typed, while we are in the foreground.
 */
static void
keyboard_enter(struct relay_keyboard *k)
{
    struct termios raw;

    if (k->fd < 0 || !k->watch)
        return;
    if (!in_foreground(k)) {
        k->raw = false;
        watch_events(k->watch, 0);
        watch_again(k->recheck, FOREGROUND_MS);
        return;
    }
    if (k->raw || tcgetattr(k->fd, &k->saved) < 0)
        return;
    if (k->keeper < 0)
        k->keeper = terminal_keeper_start(k->fd);
    raw = k->saved;
    cfmakeraw(&raw);
    terminal_keeper_mark(&raw, &k->saved);
    k->raw = tcsetattr(k->fd, TCSADRAIN, &raw) == 0;
    watch_events(k->watch, LOOP_READ);
}

/* Gives the terminal its modes back. */
static void
keyboard_leave(struct relay_keyboard *k)
{
    if (k->fd < 0 || !k->raw)
        return;
    k->raw = false;
    watch_events(k->watch, 0);
    if (in_foreground(k))
        (void)tcsetattr(k->fd, TCSADRAIN, &k->saved);
}

/* Says whether the pty takes more keys. */
static void
keyboard_enable(struct relay_keyboard *k, bool wanted)
{
    if (k->raw)
        watch_events(k->watch, wanted ? LOOP_READ : 0);
}

static void
on_keyboard(void *arg, unsigned events)
{
    struct relay_keyboard *k = arg;
    char bytes[4096];
    ssize_t n;

    (void)events;
    if (!in_foreground(k)) { /* reading would stop us (SIGTTIN) */
        keyboard_enter(k);
        return;
    }
    n = read(k->fd, bytes, sizeof(bytes));
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        watch_events(k->watch, 0);
        (void)raise(SIGHUP); /* it is gone; perhaps no other signal says so */
        return;
    }
    keyboard_enable(k, pty_type(k->pty, bytes, (size_t)n));
}

static void
on_recheck(void *arg, unsigned events)
{
    (void)events;
    keyboard_enter(arg);
}

/* Opens the keyboard, if there is one, and enters it. */
static int
keyboard_open(struct relay_keyboard *k, struct loop *l, struct pty *pty,
              struct err *e)
{
    *k = (struct relay_keyboard){
        .loop = l, .pty = pty, .fd = STDIN_FILENO, .keeper = -1};
    if (!isatty(STDIN_FILENO)) {
        k->fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
        k->owned = true;
    }
    if (k->fd < 0)
        return 0;
    k->watch = loop_fd(l, k->fd, 0, on_keyboard, k, e);
    k->recheck = loop_timer(l, FOREGROUND_MS, on_recheck, k, e);
    if (!k->watch || !k->recheck)
        return -1;
    keyboard_enter(k); /* before any output, so that newlines pass unchanged */
    return 0;
}

static void
keyboard_done(struct relay_keyboard *k)
{
    if (k->fd < 0)
        return;
    keyboard_leave(k);
    watch_free(k->watch);
    watch_free(k->recheck);
    terminal_keeper_stop(k->keeper);
    if (k->owned)
        close(k->fd);
    k->fd = -1;
}

/* A relay between the command's pty and the user's terminal. */
struct pty_relay {
    struct loop *loop;
    enum pty_relay_kind kind;
    struct proc *proc;
    struct pty pty;
    struct term_filter filter;
    struct relay_keyboard keys;
    int out;          /* the user's terminal, non-blocking */
    struct buf shown; /* filtered bytes that it has not yet taken */
    struct watch *master, *ready, *ended, *late;
    struct watch *signals[N_SIGNALS];
    bool drained; /* the pty has no more output */
    bool over;    /* the command has ended, with `status`: */
    int status;
    int signo; /* the signal that ended us; 0: none */
};

enum pty_relay_kind
pty_relay_detect(void)
{
    if (isatty(STDOUT_FILENO))
        return PTY_RELAY_ALL;
    return isatty(STDERR_FILENO) ? PTY_RELAY_ERROR : PTY_RELAY_NONE;
}

static void
relay_done(struct pty_relay *r)
{
    watch_free(r->master);
    watch_free(r->ready);
    watch_free(r->ended);
    watch_free(r->late);
    for (size_t i = 0; i < N_SIGNALS; i++)
        watch_free(r->signals[i]);
    keyboard_done(&r->keys);
    pty_close(&r->pty); /* sends SIGHUP to what still runs */
    proc_free(r->proc);
    fd_close_p(&r->out);
    buf_done(&r->shown);
}

/* Watches what can go on; while the user's terminal is full nothing is read
 * from the command. */
static void
update_watches(struct pty_relay *r)
{
    unsigned events = r->shown.len > 0 || r->drained ? 0 : LOOP_READ;

    watch_events(r->ready, r->shown.len > 0 ? LOOP_WRITE : 0);
    watch_events(r->master, events | (r->pty.keys.len > 0 ? LOOP_WRITE : 0));
    if (r->over && r->drained && r->shown.len == 0)
        loop_stop(r->loop);
}

static void
write_shown(struct pty_relay *r)
{
    ssize_t n = write(r->out, r->shown.p, r->shown.len);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    /* the loss of the terminal is seen where its keys are read */
    buf_drop(&r->shown, n < 0 ? r->shown.len : (size_t)n);
}

static void
on_terminal_ready(void *arg, unsigned events)
{
    struct pty_relay *r = arg;

    (void)events;
    write_shown(r);
    update_watches(r);
}

/* Reads and shows output of the command; false: there was none. */
static bool
read_master(struct pty_relay *r)
{
    char bytes[READ_BYTES];
    ssize_t n = read(r->pty.master, bytes, sizeof(bytes));

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (n <= 0) { /* EIO: no process has the other side open */
        r->drained = true;
        return false;
    }
    (void)term_filter_add(&r->filter, bytes, (size_t)n, &r->shown);
    write_shown(r);
    return true;
}

static void
on_master(void *arg, unsigned events)
{
    struct pty_relay *r = arg;

    if (events & LOOP_WRITE)
        keyboard_enable(&r->keys, pty_type(&r->pty, "", 0));
    if (events & (LOOP_READ | LOOP_HUP))
        (void)read_master(r);
    update_watches(r);
}

static void
on_late_output(void *arg, unsigned events)
{
    struct pty_relay *r = arg;

    (void)events;
    /* on a busy machine output comes together with this timer */
    for (int i = 0; i < LATE_READS && r->shown.len == 0; i++) {
        if (!read_master(r))
            break;
    }
    if (r->shown.len > 0) /* the user's terminal is slow */
        watch_again(r->late, LATE_MS);
    else
        r->drained = true;
    update_watches(r);
}

/* The command has ended. Its last output is still in the pty, which is read
 * until it is empty. */
static void
on_ended(void *arg, unsigned events)
{
    struct pty_relay *r = arg;

    (void)events;
    if (proc_wait(r->proc, 0, &r->status, NULL) != 0)
        return;
    r->over = true;
    watch_events(r->ended, 0);
    r->late = loop_timer(r->loop, LATE_MS, on_late_output, r, NULL);
    r->drained |= !r->late;
    update_watches(r);
}

/* Shows what was printed before the stop: the last bytes of a full-screen
 * program give the screen back. They arrive late, since the kernel moves them
 * in a work queue. */
static void
show_rest_before_stop(struct pty_relay *r)
{
    struct pollfd pfd = {.fd = r->pty.master, .events = POLLIN};
    int64_t until = clock_ms() + LATE_MS;

    while (!r->drained && clock_ms() < until && poll(&pfd, 1, SETTLE_MS) > 0) {
        (void)read_master(r);
        (void)fd_write_all(r->out, r->shown.p, r->shown.len, LATE_MS, NULL);
        buf_clear(&r->shown);
    }
}

/* Stops our process group, as the terminal does at Ctrl-Z. */
static void
stop_with_command(struct pty_relay *r)
{
    sigset_t set, before;

    keyboard_leave(&r->keys);
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    (void)kill(0, SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &set, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    keyboard_enter(&r->keys);
}

static void
resize_pty(struct pty_relay *r)
{
    struct winsize ws;

    if (ioctl(r->out, TIOCGWINSZ, &ws) == 0)
        (void)ioctl(r->pty.master, TIOCSWINSZ, &ws);
}

static void
on_signal(void *arg, unsigned signo)
{
    struct pty_relay *r = arg;

    switch (signo) {
    case SIGCHLD:
        if (!proc_was_stopped(r->proc))
            return;
        show_rest_before_stop(r);
        stop_with_command(r);
        proc_signal(r->proc, SIGCONT);
        return;
    case SIGTSTP:
        stop_with_command(r);
        return;
    case SIGCONT:
        keyboard_enter(&r->keys);
        resize_pty(r);
        return;
    case SIGWINCH:
        resize_pty(r);
        return;
    default: /* SIGTERM, SIGHUP, and SIGINT when it was sent by kill(1) */
        if (r->kind == PTY_RELAY_ERROR && signo == SIGINT)
            return; /* the keyboard sends it to the command too */
        r->signo = (int)signo;
        loop_stop(r->loop);
    }
}

static int
watch_signals(struct pty_relay *r, struct err *e)
{
    static const int all[N_SIGNALS] = {SIGTERM, SIGHUP,  SIGINT, SIGWINCH,
                                       SIGCHLD, SIGCONT, SIGTSTP};

    for (size_t i = 0; i < N_SIGNALS; i++) {
        bool natural = all[i] == SIGTSTP || all[i] == SIGCONT;

        if (r->kind == PTY_RELAY_ERROR && natural)
            continue; /* the terminal stops and continues us with the command */
        r->signals[i] = loop_signal(r->loop, all[i], on_signal, r, e);
        if (!r->signals[i])
            return -1;
    }
    return 0;
}

static int
open_pty(struct pty_relay *r, struct err *e)
{
    struct termios modes;
    struct winsize ws;
    int fd = r->kind == PTY_RELAY_ALL ? STDOUT_FILENO : STDERR_FILENO;

    r->out = term_open_again(fd, O_WRONLY | O_NONBLOCK);
    if (r->out < 0 || tcgetattr(r->out, &modes) < 0)
        return err_sys(e, "terminal");
    if (ioctl(r->out, TIOCGWINSZ, &ws) < 0 || ws.ws_col == 0)
        ws = (struct winsize){.ws_row = TERM_ROWS_DEFAULT,
                              .ws_col = TERM_COLUMNS_DEFAULT};
    if (r->kind ==
        PTY_RELAY_ERROR) /* the user's terminal does this processing */
        modes.c_oflag &= ~(tcflag_t)OPOST;
    return pty_open(&r->pty, &ws, &modes, e);
}

static int
start_relayed_command(struct pty_relay *r, const struct pty_relay_command *c,
                      struct err *e)
{
    bool all = r->kind == PTY_RELAY_ALL;
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
    fd_close_p(&r->pty.slave); /* only the command has its end open */
    r->pty.slave = -1;
    r->master = loop_fd(r->loop, r->pty.master, LOOP_READ, on_master, r, e);
    r->ready = loop_fd(r->loop, r->out, 0, on_terminal_ready, r, e);
    r->ended = loop_fd(r->loop, proc_pidfd(r->proc), LOOP_READ, on_ended, r, e);
    return r->master && r->ready && r->ended ? 0 : -1;
}

static int
relay_command(struct pty_relay *r, const struct pty_relay_command *c,
              struct err *e)
{
    struct term screen;

    term_init(&screen, STDOUT_FILENO, false);
    term_filter_init(&r->filter,
                     TERM_FILTER_COLOR | TERM_FILTER_MOVES |
                         (r->kind == PTY_RELAY_ALL ? TERM_FILTER_SCREEN : 0));
    if (open_pty(r, e) < 0 || watch_signals(r, e) < 0 ||
        start_relayed_command(r, c, e) < 0)
        return -1;
    if (r->kind == PTY_RELAY_ALL &&
        keyboard_open(&r->keys, r->loop, &r->pty, e) < 0)
        return -1;
    if (loop_run(r->loop, e) < 0)
        return -1;
    (void)term_filter_end(&r->filter, &r->shown);
    /* fails on a terminal that hung up, which has ended the command anyway */
    (void)fd_write_all(r->out, r->shown.p, r->shown.len, FLUSH_MS, NULL);
    return 0;
}

int
pty_relay_run(struct loop *l, enum pty_relay_kind kind,
              const struct pty_relay_command *c, int *status, struct err *e)
{
    CLEANUP(relay_done)
    struct pty_relay r = {.loop = l,
                          .kind = kind,
                          .pty = {.master = -1, .slave = -1},
                          .keys = {.fd = -1},
                          .out = -1};

    buf_init(&r.shown, SHOWN_MAX);
    if (relay_command(&r, c, e) < 0 && !r.over)
        return -1;
    *status = r.signo ? 128 + r.signo : r.status;
    return 0;
}
