/* SPDX-License-Identifier: GPL-3.0-or-later */
/* term.c - finds out what the terminal can do, sets its modes, writes to it. */
#include "term/term.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/terminal_keeper.h"
#include "base/utf8.h"

/* Wider than any screen; a larger number is a mistake, or an attack on the
 * memory of code that pads to it. */
#define SIDE_MAX 2000

static const char *
get_variable(const char *name)
{
    const char *v = getenv(name);

    return v && *v ? v : NULL;
}

/* ACCESSIBLE, as other programs take it: set, and not to 0. */
static bool
is_accessible(void)
{
    const char *v = get_variable("ACCESSIBLE");

    return v && strcmp(v, "0") != 0;
}

void
term_init(struct term *t, int fd, bool no_color)
{
    const char *name = get_variable("TERM");

    *t = (struct term){.out = fd, .in = -1, .tty = isatty(fd) == 1};
    t->moves = t->tty && name && strcmp(name, "dumb") != 0;
    t->color = t->moves && !no_color && !get_variable("NO_COLOR");
    t->unicode = utf8_is_locale();
    t->plain = t->tty && name && !t->moves;
    if (is_accessible())
        term_set_plain(t);
    term_measure(t);
}

void
term_set_plain(struct term *t)
{
    t->plain = t->words = true;
    t->moves = t->color = false;
}

void
term_done(struct term *t)
{
    if (!t)
        return;
    term_mode_restore(t);
    terminal_keeper_stop(t->keeper - 1);
    t->keeper = 0;
    if (t->in_owned)
        close(t->in);
    t->in = -1;
    t->in_owned = false;
}

/* The size that the terminal reports, else the variable's, else the default. */
static int
screen_side(unsigned reported, const char *name, int fallback)
{
    const char *v = get_variable(name);
    char *end;
    long n = reported;

    if (n == 0 && v) {
        n = strtol(v, &end, 10);
        if (*end)
            n = 0;
    }
    if (n < 1)
        return fallback;
    return n > SIDE_MAX ? SIDE_MAX : (int)n;
}

void
term_measure(struct term *t)
{
    struct winsize ws = {0};

    if (t->tty && ioctl(t->out, TIOCGWINSZ, &ws) < 0)
        ws = (struct winsize){0};
    t->columns = screen_side(ws.ws_col, "COLUMNS", TERM_COLUMNS_DEFAULT);
    t->rows = screen_side(ws.ws_row, "LINES", TERM_ROWS_DEFAULT);
}

int
term_keys(struct term *t, struct err *e)
{
    if (t->in >= 0)
        return 0;
    if (!t->tty)
        return err_set(e, ERR_DENIED, "no terminal to ask on");
    if (isatty(STDIN_FILENO)) {
        t->in = STDIN_FILENO;
        return 0;
    }
    t->in = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (t->in < 0)
        return err_set(e, ERR_DENIED, "no keyboard to answer on");
    t->in_owned = true;
    return 0;
}

/* Whether another job has the terminal, which our mode would affect. */
static bool
in_background(const struct term *t)
{
    pid_t owner = tcgetpgrp(t->in);

    return owner > 0 && owner != getpgrp();
}

/* Whether a signal that ends us is pending: kill(1) of a stopped job continues
 * it to end it. */
static bool
is_signal_ending(void)
{
    sigset_t waiting;

    return sigpending(&waiting) == 0 && (sigismember(&waiting, SIGTERM) == 1 ||
                                         sigismember(&waiting, SIGHUP) == 1);
}

/* Sets our mode. In the background this stops the process until `fg`, unless it
 * is about to end. */
static int
enter_term_mode(struct term *t, struct err *e)
{
    if (in_background(t) && is_signal_ending())
        return 0;
    t->changed = true;
    if (tcsetattr(t->in, TCSAFLUSH, &t->ours) < 0)
        return err_sys(e, "terminal mode");
    return 0;
}

static int
prepare_mode(struct term *t, struct err *e)
{
    if (term_keys(t, e) < 0)
        return -1;
    if (!t->changed && tcgetattr(t->in, &t->sane) < 0)
        return err_sys(e, "terminal mode");
    if (!t->keeper && !in_background(t))
        t->keeper = terminal_keeper_start(t->in) + 1;
    t->ours = t->sane;
    terminal_keeper_mark(&t->ours, &t->sane);
    t->ours.c_iflag |= ICRNL;
    t->ours.c_oflag |= OPOST | ONLCR;
    t->ours.c_lflag |= ISIG;
    return 0;
}

int
term_mode_keys(struct term *t, struct err *e)
{
    if (prepare_mode(t, e) < 0)
        return -1;
    t->ours.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
    t->ours.c_cc[VMIN] = 1;
    t->ours.c_cc[VTIME] = 0;
    return enter_term_mode(t, e);
}

int
term_mode_lines(struct term *t, struct err *e)
{
    if (prepare_mode(t, e) < 0)
        return -1;
    t->ours.c_lflag |= ICANON | ECHO | ECHOE | IEXTEN;
    return enter_term_mode(t, e);
}

int
term_mode_secret(struct term *t, struct err *e)
{
    if (prepare_mode(t, e) < 0)
        return -1;
    t->ours.c_lflag |= ICANON | IEXTEN;
    t->ours.c_lflag &= ~(tcflag_t)(ECHO | ECHONL);
    return enter_term_mode(t, e);
}

void
term_mode_restore(struct term *t)
{
    if (!t->changed)
        return;
    t->changed = false;
    if (!in_background(t))
        (void)tcsetattr(t->in, TCSANOW, &t->sane);
}

void
term_suspend(struct term *t)
{
    bool changed = t->changed;
    sigset_t stop, before;

    term_mode_restore(t);
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    /* SIGTSTP and not SIGSTOP: the kernel drops it where no shell could ever
     * continue us */
    raise(SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &stop, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (changed && tcgetattr(t->in, &t->sane) == 0)
        (void)enter_term_mode(t, NULL);
}

int
term_open_again(int fd, int flags)
{
    char name[32];
    int again;

    snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
    again = open(name, flags | O_NOCTTY | O_CLOEXEC);
    if (again < 0) /* after su(1) the device may belong to another user */
        again = open("/dev/tty", flags | O_NOCTTY | O_CLOEXEC);
    return again;
}

int
term_write(const struct term *t, const void *bytes, size_t n, struct err *e)
{
    return fd_write_all(t->out, bytes, n, -1, e);
}

int
term_put(const struct term *t, struct buf *b, struct err *e)
{
    int rc = buf_ok(b, "text for the terminal", e);

    if (rc == 0)
        rc = term_write(t, b->p, b->len, e);
    buf_clear(b);
    return rc;
}
