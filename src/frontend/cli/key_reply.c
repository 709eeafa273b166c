/* SPDX-License-Identifier: GPL-3.0-or-later */
/* key_reply.c - what a key of a shell gets from `agentsh line --for-key`. */
#include "frontend/cli/key_reply.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/message.h"
#include "term/progress_line.h"

#define REPLY_MAX (1u << 20)
#define WRITE_MS  10000
#define KEYS_SIZE 256
#define DELAY_MS  300 /* nothing that is faster says that it waits */
#define LINES_MIN 6   /* that are shown on the lowest screen */

struct key_reply {
    const struct seat *seat;
    bool shows;
    int was[2]; /* standard output and standard error */
    int now[2]; /* in memory */
    int tty;    /* -1: not ours to read */
    struct termios modes;
    struct watch *keys, *slow;
    bool wait_shown; /* the line below the cursor says that we wait */
};

/* Below the cursor, which stays where it is: the shell does not know of it. */
static bool
put_below(const struct key_reply *r, const char *words)
{
    CLEANUP_BUF struct buf text = buf_of(KEYS_SIZE);

    progress_line_put_below(&text, words);
    return text.len > 0 && write(r->tty, text.p, text.len) > 0;
}

static void
restore_key_modes(struct key_reply *r)
{
    watch_free(r->keys);
    watch_free(r->slow);
    r->keys = r->slow = NULL;
    if (r->wait_shown)
        (void)put_below(r, "");
    r->wait_shown = false;
    if (r->tty >= 0)
        (void)tcsetattr(r->tty, TCSAFLUSH, &r->modes);
    fd_close_p(&r->tty);
}

static void
on_slow(void *arg, unsigned events)
{
    struct key_reply *r = arg;
    const char *kind = seat_variable(r->seat, "TERM");

    (void)events;
    watch_stop(r->slow);
    r->wait_shown = kind && strcmp(kind, "dumb") != 0 &&
                    put_below(r, _("asking ... (Ctrl-C stops)"));
}

/* The signal ends what waits, or this process. */
static void
on_key(void *arg, unsigned events)
{
    struct key_reply *r = arg;
    char bytes[KEYS_SIZE];
    ssize_t n = read(r->tty, bytes, sizeof(bytes));
    char intr = (char)r->modes.c_cc[VINTR];

    (void)events;
    if (n > 0 && !memchr(bytes, intr, (size_t)n) &&
        !memchr(bytes, 3, (size_t)n))
        return;
    if (n < 0)
        return;
    restore_key_modes(r);
    (void)raise(SIGINT);
}

/* Another job has the terminal where somebody else reads the keys. */
static void
watch_keys(struct key_reply *r, struct loop *l)
{
    struct termios raw;

    r->tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (r->tty < 0 || tcgetpgrp(r->tty) != getpgrp() ||
        tcgetattr(r->tty, &r->modes) < 0) {
        fd_close_p(&r->tty);
        return;
    }
    raw = r->modes;
    raw.c_lflag &= ~(tcflag_t)(ISIG | ICANON | ECHO | IEXTEN);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    r->keys = loop_fd(l, r->tty, LOOP_READ, on_key, r, NULL);
    r->slow = loop_timer(l, DELAY_MS, on_slow, r, NULL);
    if (r->keys)
        (void)tcsetattr(r->tty, TCSANOW, &raw);
    else
        fd_close_p(&r->tty);
}

static int
collect_stream(struct key_reply *r, int fd, struct err *e)
{
    int at = fd - STDOUT_FILENO;

    r->was[at] = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    r->now[at] = memfd_create("reply", MFD_CLOEXEC);
    if (r->was[at] < 0 || r->now[at] < 0)
        return err_sys(e, "the reply");
    return fd_set_output(fd, r->now[at], e);
}

static void
free_key_reply(struct key_reply *r)
{
    if (!r)
        return;
    restore_key_modes(r);
    for (int i = 0; i < 2; i++) {
        if (r->was[i] >= 0)
            (void)fd_set_output(STDOUT_FILENO + i, r->was[i], NULL);
        fd_close_p(&r->was[i]);
        fd_close_p(&r->now[i]);
    }
    free(r);
}
DEFINE_CLEANUP(struct key_reply, free_key_reply)

struct key_reply *
key_reply_open(struct loop *l, const struct seat *s, bool shows, struct err *e)
{
    CLEANUP(free_key_reply_p) struct key_reply *r = calloc(1, sizeof(*r));

    if (!r) {
        err_nomem(e);
        return NULL;
    }
    *r = (struct key_reply){
        .seat = s, .shows = shows, .was = {-1, -1}, .now = {-1, -1}, .tty = -1};
    if (collect_stream(r, STDOUT_FILENO, e) < 0 ||
        collect_stream(r, STDERR_FILENO, e) < 0)
        return NULL;
    watch_keys(r, l);
    return TAKE_PTR(r);
}

/* As many lines as leave the edited line on the screen. */
static size_t
lines_to_show(const struct key_reply *r)
{
    const char *rows = seat_variable(r->seat, "LINES");
    long n = rows ? strtol(rows, NULL, 10) : 0;

    n = n > 0 && n < 1000 ? n - LINES_MIN : 18;
    return n < LINES_MIN ? LINES_MIN : (size_t)n;
}

static void
put_first_lines(const struct key_reply *r, const struct buf *text,
                struct buf *out)
{
    const char *p = text->p;
    size_t left = lines_to_show(r);

    for (; *p && left > 0; left--) {
        size_t n = strcspn(p, "\n");

        buf_add(out, p, n);
        buf_ch(out, '\n');
        p += n + (p[n] == '\n');
    }
    if (*p)
        buf_str(out, _("... (all of it: ai explain)\n"));
}

int
key_reply_finish(void *arg, int status)
{
    CLEANUP(free_key_reply_p) struct key_reply *r = arg;
    CLEANUP_BUF struct buf out = buf_of(REPLY_MAX);
    CLEANUP_BUF struct buf printed = buf_of(REPLY_MAX);
    CLEANUP_BUF struct buf errors = buf_of(REPLY_MAX);

    (void)lseek(r->now[0], 0, SEEK_SET);
    (void)lseek(r->now[1], 0, SEEK_SET);
    if (file_read_fd(r->now[0], &printed, NULL) < 0 ||
        file_read_fd(r->now[1], &errors, NULL) < 0)
        return err_exit_status(ERR_NOMEM);
    if (!r->shows && status == 0)
        buf_add(&out, printed.p, strcspn(printed.p, "\n"));
    buf_ch(&out, '\n');
    if (r->shows)
        put_first_lines(r, &printed, &out);
    put_first_lines(r, &errors, &out);
    restore_key_modes(r);
    if (fd_write_all(r->was[0], out.p, out.len, WRITE_MS, NULL) < 0)
        return status ? status : err_exit_status(ERR_IO);
    return status;
}
