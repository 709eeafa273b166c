/* SPDX-License-Identifier: GPL-3.0-or-later */
/* screen.c - the person's terminal: its modes, and a queue in front of it. */
#include "frontend/repl/screen.h"

#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/terminal_keeper.h"
#include "term/term.h"

/* A read of the pty and what a delimiter held back are 64 KiB and a little; the
 * rest is for the end of a shell, when nobody waits for the queue. */
#define QUEUE_MAX (1024 * 1024)

struct screen {
    int fd; /* an open file of its own: O_NONBLOCK is nobody else's */
    struct termios found;
    int keeper; /* of what was found, should we be killed */
    struct buf queue;
    struct watch *watch;
    screen_cb *drained;
    void *arg;
};

static void
on_writable(void *arg, unsigned events)
{
    struct screen *s = arg;
    ssize_t n = write(s->fd, s->queue.p, s->queue.len);

    (void)events;
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    /* a terminal that is gone says so on the reading side too */
    buf_drop(&s->queue, n < 0 ? s->queue.len : (size_t)n);
    if (s->queue.len == 0) {
        watch_events(s->watch, 0);
        s->drained(s->arg);
    }
}

struct screen *
screen_open(struct loop *l, screen_cb *drained, void *arg, struct err *e)
{
    struct screen *s = calloc(1, sizeof(*s));

    if (!s) {
        err_sys(e, "terminal");
        return NULL;
    }
    *s = (struct screen){.fd = term_open_again(1, O_WRONLY | O_NONBLOCK),
                         .drained = drained,
                         .arg = arg};
    buf_init(&s->queue, QUEUE_MAX);
    if (s->fd < 0 || tcgetattr(STDIN_FILENO, &s->found) < 0) {
        err_sys(e, "terminal");
        fd_close_p(&s->fd);
        free(s);
        return NULL;
    }
    s->keeper = terminal_keeper_start(STDIN_FILENO);
    s->watch = loop_fd(l, s->fd, 0, on_writable, s, e);
    if (!s->watch) {
        screen_close(s);
        return NULL;
    }
    return s;
}

void
screen_close(struct screen *s)
{
    if (!s)
        return;
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &s->found);
    watch_free(s->watch);
    terminal_keeper_stop(s->keeper);
    fd_close_p(&s->fd);
    buf_done(&s->queue);
    free(s);
}

void
screen_raw(struct screen *s)
{
    struct termios raw = s->found;

    cfmakeraw(&raw);
    terminal_keeper_mark(&raw, &s->found);
    (void)tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

/* As Readline would set them. Signals stay on whatever was left: Ctrl-C must
 * always work at a prompt. */
void
screen_edit(struct screen *s, const struct termios *pty)
{
    struct termios modes = *pty;

    modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    modes.c_lflag |= ISIG;
    modes.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | ISTRIP | INPCK);
    modes.c_oflag |= OPOST | ONLCR;
    modes.c_cc[VMIN] = 1;
    modes.c_cc[VTIME] = 0;
    modes.c_cc[VLNEXT] = _POSIX_VDISABLE;
    terminal_keeper_mark(&modes, &s->found);
    (void)tcsetattr(STDIN_FILENO, TCSANOW, &modes);
}

void
screen_lent(struct screen *s)
{
    struct termios modes = s->found;

    modes.c_cc[VSUSP] = _POSIX_VDISABLE;
    terminal_keeper_mark(&modes, &s->found);
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
}

const struct termios *
screen_modes(const struct screen *s)
{
    return &s->found;
}

void
screen_size(const struct screen *s, struct winsize *ws)
{
    if (ioctl(s->fd, TIOCGWINSZ, ws) < 0 || ws->ws_col == 0)
        *ws = (struct winsize){.ws_row = TERM_ROWS_DEFAULT,
                               .ws_col = TERM_COLUMNS_DEFAULT};
}

void
screen_put(struct screen *s, const char *p, size_t n)
{
    ssize_t done = 0;

    if (s->queue.len == 0)
        done = write(s->fd, p, n);
    if (done < 0 && errno != EAGAIN && errno != EINTR)
        return;
    done = done < 0 ? 0 : done;
    if ((size_t)done == n)
        return;
    buf_add(&s->queue, p + done, n - (size_t)done);
    watch_events(s->watch, LOOP_WRITE);
}

bool
screen_is_busy(const struct screen *s)
{
    return s->queue.len > 0;
}

void
screen_flush(struct screen *s, int timeout_ms)
{
    (void)fd_write_all(s->fd, s->queue.p, s->queue.len, timeout_ms, NULL);
    buf_clear(&s->queue);
    watch_events(s->watch, 0);
}
