/* SPDX-License-Identifier: GPL-3.0-or-later */
/* captured.c - runs one program by the launcher, and keeps what it writes. */
#include "tool/captured.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/terminal_keeper.h"
#include "base/utf8.h"
#include "tool/spawn.h"

#define READ_BYTES 65536

/* One stream of the program. */
struct stream_output {
    const char *name;
    struct watch *watch; /* NULL: it has ended, or is not ours */
    struct buf kept;
    struct buf partial; /* bytes of an incomplete character */
    struct buf text;    /* what was kept, as UTF-8 */
};

/* The person's terminal, while a program has it. */
struct lent_terminal {
    int fd;    /* -1: it has none */
    bool lent; /* the program, or the launcher, is in the foreground */
    struct termios found;
    sigset_t before;
    struct watch *child; /* SIGCHLD: it was stopped */
};

struct captured {
    struct loop *loop;
    struct spawned is;
    struct lent_terminal tty;
    struct stream_output outputs[2]; /* stdout, stderr */
    struct watch *ended, *late;
    const struct captured_events *ev;
    void *arg;
    size_t kept_max;
    bool stream, paused, over, truncated;
    struct captured_end end;
    int64_t began;
};

static int
open_own_terminal(struct err *e)
{
    int fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);

    if (fd >= 0 && tcgetpgrp(fd) == getpgrp())
        return fd;
    err_set(e, ERR_UNSUPPORTED, "%s",
            fd < 0 ? "there is no controlling terminal"
                   : "another job has the terminal");
    fd_close_p(&fd);
    return -1;
}

int
captured_find_terminal(struct err *e)
{
    CLEANUP(fd_close_p) int fd = open_own_terminal(e);

    return fd < 0 ? -1 : 0;
}

/* While we are in the background SIGTTOU would stop us at each change of the
 * terminal, and with `stty tostop` at each line. */
static int
lend_terminal(struct lent_terminal *t, struct err *e)
{
    sigset_t out;

    t->fd = open_own_terminal(e);
    if (t->fd < 0)
        return -1;
    (void)tcgetattr(t->fd, &t->found);
    sigemptyset(&out);
    sigaddset(&out, SIGTTOU);
    sigprocmask(SIG_BLOCK, &out, &t->before);
    t->lent = true;
    return 0;
}

/* Makes our group the foreground group again, unless the shell has become it
 * meanwhile: then we are stopped, or run in the background. */
static void
take_foreground(struct lent_terminal *t)
{
    if (t->lent && tcgetpgrp(t->fd) != getsid(0))
        (void)tcsetpgrp(t->fd, getpgrp());
    t->lent = false;
}

/* The launcher has put the modes back, unless it was killed itself. */
static void
end_loan(struct lent_terminal *t)
{
    watch_free(t->child);
    t->child = NULL;
    if (t->fd < 0)
        return;
    take_foreground(t);
    terminal_keeper_end(t->fd, &t->found);
    sigprocmask(SIG_SETMASK, &t->before, NULL);
    fd_close_p(&t->fd);
    t->fd = -1;
}

void
captured_free(struct captured *c)
{
    if (!c)
        return;
    watch_free(c->ended);
    watch_free(c->late);
    for (int i = 0; i < 2; i++) {
        watch_free(c->outputs[i].watch);
        buf_done(&c->outputs[i].kept);
        buf_done(&c->outputs[i].partial);
        buf_done(&c->outputs[i].text);
    }
    if (c->is.proc && !c->over) {
        int status;

        proc_signal(c->is.proc, SIGTERM);
        proc_signal(c->is.proc, SIGCONT); /* where Ctrl-Z has stopped it */
        (void)proc_wait(c->is.proc, SPAWN_END_MS, &status, NULL);
    }
    spawned_done(&c->is);
    end_loan(&c->tty);
    free(c);
}

/* Gives the terminal to the launcher again, which gives it to the program. */
static void
continue_with_terminal(struct captured *c)
{
    c->tty.lent = tcgetpgrp(c->tty.fd) == getpgrp();
    if (c->tty.lent)
        (void)tcsetpgrp(c->tty.fd, proc_pid(c->is.proc));
    proc_signal(c->is.proc, SIGCONT);
}

void
captured_signal(struct captured *c, int signo)
{
    if (c->over)
        return;
    if (c->tty.fd < 0)
        proc_signal(c->is.proc, signo);
    else if (signo == SIGCONT)
        continue_with_terminal(c);
    else if (signo != SIGTSTP || c->tty.lent) /* Ctrl-Z has stopped it */
        spawn_signal(c->is.proc, signo);
}

/* Ctrl-Z stopped the program, and so the launcher: we stop too, as the job that
 * the shell knows. Where somebody waits for SIGTSTP, that is told. */
static void
on_child(void *arg, unsigned signo)
{
    struct captured *c = arg;
    sigset_t now;

    (void)signo;
    if (c->over || !proc_was_stopped(c->is.proc))
        return;
    take_foreground(&c->tty);
    sigprocmask(SIG_BLOCK, NULL, &now);
    (void)raise(SIGTSTP);
    if (!sigismember(&now, SIGTSTP))
        continue_with_terminal(c);
}

static void
put_kept_text(struct captured *c, int which)
{
    struct stream_output *s = &c->outputs[which];
    struct buf *text = &s->text;

    utf8_repair(text, s->kept.p, s->kept.len);
    c->truncated |= text->len > c->kept_max;
    if (text->len > c->kept_max && c->stream)
        buf_drop(text,
                 utf8_boundary(text->p, text->len, text->len - c->kept_max));
    else if (text->len > c->kept_max)
        buf_cut(text, utf8_boundary(text->p, text->len, c->kept_max));
    c->end.text[which] = text->p;
    c->end.len[which] = text->len;
}

static void
finish_captured(void *arg, unsigned events)
{
    struct captured *c = arg;

    (void)events;
    watch_free(c->late);
    c->late = NULL;
    for (int i = 0; i < 2; i++)
        put_kept_text(c, i);
    c->end.truncated = c->truncated;
    c->end.ms = clock_ms() - c->began;
    end_loan(&c->tty);
    c->ev->done(c->arg, &c->end);
}

/* Has the end told from the loop. */
static int
finish_from_loop(struct captured *c, int64_t ms, struct err *e)
{
    watch_free(c->late);
    c->late = loop_timer(c->loop, ms, finish_captured, c, e);
    return c->late ? 0 : -1;
}

void
captured_pause(struct captured *c, bool paused)
{
    c->paused = paused;
    for (int i = 0; i < 2; i++) {
        if (c->outputs[i].watch)
            watch_events(c->outputs[i].watch, paused ? 0 : LOOP_READ);
    }
    if (!paused && c->over && !c->late)
        (void)finish_from_loop(c, SPAWN_LATE_MS, NULL);
}

static void
keep_output(struct captured *c, struct stream_output *s, const char *p,
            size_t len)
{
    size_t room;

    if (c->stream && s->kept.len + len > s->kept.max) {
        c->truncated = true;
        buf_drop(&s->kept, s->kept.len + len - s->kept.max);
    }
    room = s->kept.max - s->kept.len;
    c->truncated |= len > room;
    buf_add(&s->kept, p, len < room ? len : room);
}

/* Delivers whole characters; an incomplete one waits for its next bytes. */
static void
stream_bytes(struct captured *c, struct stream_output *s, const char *p,
             size_t len)
{
    CLEANUP_BUF struct buf text = buf_of((size_t)3 * (READ_BYTES + 4));
    size_t whole;

    buf_add(&s->partial, p, len);
    whole = s->partial.len -
            (len ? utf8_incomplete_tail(s->partial.p, s->partial.len) : 0);
    utf8_repair(&text, s->partial.p, whole);
    buf_drop(&s->partial, whole);
    if (text.len > 0)
        c->ev->output(c->arg, s->name, text.p, text.len);
}

static void
read_stream(struct captured *c, int which)
{
    struct stream_output *s = &c->outputs[which];
    char bytes[READ_BYTES];
    ssize_t got = read(proc_fd(c->is.proc, which + 1), bytes, sizeof(bytes));

    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (got > 0)
        keep_output(c, s, bytes, (size_t)got);
    if (c->stream)
        stream_bytes(c, s, bytes, got > 0 ? (size_t)got : 0);
    if (got > 0)
        return;
    watch_free(s->watch);
    s->watch = NULL;
    if (c->over && !c->outputs[1 - which].watch)
        (void)finish_from_loop(c, 0, NULL);
}

static void
on_stdout(void *arg, unsigned events)
{
    (void)events;
    read_stream(arg, 0);
}

static void
on_stderr(void *arg, unsigned events)
{
    (void)events;
    read_stream(arg, 1);
}

static void
on_ended(void *arg, unsigned events)
{
    struct captured *c = arg;
    bool open = c->outputs[0].watch || c->outputs[1].watch;

    (void)events;
    watch_free(c->ended);
    c->ended = NULL;
    (void)proc_wait(c->is.proc, 0, &c->end.status, NULL);
    c->end.killed_by = proc_killed_by(c->is.proc);
    c->over = true;
    if (open && c->paused) /* the rest is read from its pipes later */
        return;
    if (finish_from_loop(c, open ? SPAWN_LATE_MS : 0, NULL) < 0)
        finish_captured(c, 0);
}

static int
watch_streams(struct captured *c, struct err *e)
{
    static loop_cb *const on_output[] = {on_stdout, on_stderr};

    for (int i = 0; i < 2; i++) {
        int fd = proc_fd(c->is.proc, i + 1);

        if (fd < 0)
            continue;
        if (fd_set_nonblock(fd, true, e) < 0)
            return -1;
        c->outputs[i].watch = loop_fd(c->loop, fd, LOOP_READ, on_output[i], c,
                                      e);
        if (!c->outputs[i].watch)
            return -1;
    }
    c->ended = loop_fd(c->loop, proc_pidfd(c->is.proc), LOOP_READ, on_ended, c,
                       e);
    return c->ended ? 0 : -1;
}

static struct captured *
captured_new(struct loop *l, const struct captured_params *p,
             const struct captured_events *ev, void *arg)
{
    struct captured *c = calloc(1, sizeof(*c));

    if (!c)
        return NULL;
    *c = (struct captured){.loop = l,
                           .is = {.report = -1},
                           .tty = {.fd = -1},
                           .ev = ev,
                           .arg = arg,
                           .kept_max = p->kept_max,
                           .stream = p->stream,
                           .began = clock_ms()};
    for (int i = 0; i < 2; i++) {
        c->outputs[i].name = i == 0 ? "stdout" : "stderr";
        buf_init(&c->outputs[i].kept, p->kept_max);
        buf_init(&c->outputs[i].partial, READ_BYTES + 4);
        buf_init(&c->outputs[i].text, 3 * p->kept_max);
    }
    return c;
}

struct captured *
captured_start(struct loop *l, const struct captured_params *p,
               const struct captured_events *ev, void *arg, struct err *e)
{
    CLEANUP(captured_free_p) struct captured *c = captured_new(l, p, ev, arg);
    CLEANUP(spawn_done) struct spawn launch = {0};
    bool whole = p->terminal == CAPTURED_WHOLE;

    if (!c) {
        err_nomem(e);
        return NULL;
    }
    if (spawn_prepare(&launch, p->argv, p->setting, e) < 0)
        return NULL;
    if (p->terminal != CAPTURED_ALONE &&
        (lend_terminal(&c->tty, e) < 0 ||
         !(c->tty.child = loop_signal(l, SIGCHLD, on_child, c, e))))
        return NULL;
    if (spawn_start_alone(&launch, p->cwd, c->tty.fd, whole, &c->is, e) < 0 ||
        watch_streams(c, e) < 0)
        return NULL;
    return TAKE_PTR(c);
}
