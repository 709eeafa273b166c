/* SPDX-License-Identifier: GPL-3.0-or-later */
/* term_query.c - queries the terminal by a control sequence and reads the
 * reply. */
#include "term/term_query.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"

/* The kernel's queue of a terminal holds 4095 bytes: the keys that are put back
 * must fit in, with those that are in it then. */
#define TYPED_MAX    4000
#define SEQUENCE_MAX 64 /* bytes; a longer one is no reply */

struct term_query {
    struct term *t;
    char final;
    unsigned want;
    struct buf bytes; /* read, but not yet sorted into replies and keys */
    struct buf typed;
    struct buf *replies;
};

/* Newer kernels can restrict TIOCSTI to root. */
static bool
can_put_back(void)
{
    CLEANUP_BUF struct buf b = buf_of(16);

    return geteuid() == 0 ||
           file_read("/proc/sys/dev/tty/legacy_tiocsti", &b, NULL) < 0 ||
           b.p[0] != '0';
}

static bool
is_foreground(const struct term *t)
{
    return tcgetpgrp(t->in) == getpgrp();
}

/* The length of the control sequence at p: 0 where there is none, n + 1 where
 * it may be incomplete. */
static size_t
sequence_length(const char *p, size_t n)
{
    size_t i = 2;

    if (p[0] != '\033' || (n > 1 && p[1] != '['))
        return 0;
    while (i < n && p[i] >= 0x20 && p[i] < 0x40)
        i++;
    if (i >= SEQUENCE_MAX)
        return 0;
    return i < n ? i + 1 : n + 1;
}

/* Sorts the bytes into replies and keys. */
static void
sort_bytes(struct term_query *q)
{
    const char *p = q->bytes.p;
    size_t n = q->bytes.len, at = 0;

    while (at < n) {
        size_t len = sequence_length(p + at, n - at);

        if (len > n - at)
            break;
        if (len > 0 && q->want > 0 && p[at + len - 1] == q->final) {
            buf_add(q->replies, p + at + 2, len - 3);
            buf_ch(q->replies, '\n');
            q->want--;
        } else {
            len = len ? len : 1;
            buf_add(&q->typed, p + at, len);
        }
        at += len;
    }
    memmove(q->bytes.p, p + at, n - at);
    buf_cut(&q->bytes, n - at);
}

/* Whether all waiting keys could be put back; if not, they stay in the queue,
 * in their order. */
static bool
has_room(const struct term_query *q)
{
    int waiting = 0;

    return ioctl(q->t->in, FIONREAD, &waiting) == 0 &&
           q->typed.len + q->bytes.len + (size_t)waiting <= TYPED_MAX;
}

static bool
read_terminal_reply(struct term_query *q, int ms)
{
    struct pollfd pfd = {.fd = q->t->in, .events = POLLIN};
    char bytes[64];
    ssize_t n;

    if (poll(&pfd, 1, ms) <= 0 || !has_room(q))
        return false;
    n = read(q->t->in, bytes, sizeof(bytes));
    if (n <= 0)
        return false;
    buf_add(&q->bytes, bytes, (size_t)n);
    sort_bytes(q);
    return true;
}

static void
read_replies(struct term_query *q)
{
    int64_t until = clock_ms() + QUERY_MS, left;

    while (q->want > 0 && (left = until - clock_ms()) > 0) {
        if (!read_terminal_reply(q, (int)left))
            break;
    }
    while (
        read_terminal_reply(q, 0)) /* bytes behind the replies are keys, too */
        continue;
    buf_add(&q->typed, q->bytes.p, q->bytes.len);
}

/* Puts the keys back in the mode from before, so that they are echoed and
 * edited as usual. */
static void
put_mode_back(const struct term_query *q)
{
    for (size_t i = 0; i < q->typed.len; i++)
        (void)ioctl(q->t->in, TIOCSTI, &q->typed.p[i]);
}

/* Waiting keys may be an incomplete line, which only the non-canonical mode
 * counts. */
static void
send_question(struct term_query *q, const char *question)
{
    struct termios before, ours;
    int waiting = 0;

    if (tcgetattr(q->t->in, &before) < 0)
        return;
    ours = before;
    ours.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    ours.c_cc[VMIN] = 1;
    ours.c_cc[VTIME] = 0;
    if (tcsetattr(q->t->in, TCSANOW, &ours) < 0)
        return;
    if (ioctl(q->t->in, FIONREAD, &waiting) == 0 && waiting == 0 &&
        term_write(q->t, question, strlen(question), NULL) == 0)
        read_replies(q);
    (void)tcsetattr(q->t->in, TCSANOW, &before);
    put_mode_back(q);
}

int
term_query(struct term *t, const char *question, char final, unsigned want,
           struct buf *replies)
{
    struct term_query q = {.t = t,
                           .final = final,
                           .want = want,
                           .bytes = buf_of(QUERY_BYTES),
                           .typed = buf_of(TYPED_MAX),
                           .replies = replies};
    sigset_t held, before;

    if (!t->moves || term_keys(t, NULL) < 0 || !is_foreground(t) ||
        !can_put_back())
        return -1;
    /* a signal that kills the process now would leave the terminal in our mode
     */
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGHUP);
    sigaddset(&held, SIGQUIT);
    sigaddset(&held, SIGTSTP);
    sigprocmask(SIG_BLOCK, &held, &before);
    send_question(&q, question);
    sigprocmask(SIG_SETMASK, &before, NULL);
    buf_done(&q.bytes);
    buf_done(&q.typed);
    return q.want == 0 ? 0 : -1;
}
