/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sender.c - queues output for a reader that may be slow or gone. */
#include "wire/sender.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "base/fd.h"

#define PIECE_BYTES (32u << 10)  /* small additions are gathered in one */
#define PIECES      64           /* of one write */
#define WRITE_BYTES (512u << 10) /* of one write: copied within 1 ms */

/* Bytes that are queued one after another. */
struct piece {
    struct piece *next;
    size_t start, end; /* what is not yet written */
    size_t cap;
    char *bytes;
    struct buf taken; /* of sender_take: has the bytes */
    char own[];       /* else the bytes themselves */
};

/* How to write to the descriptor without blocking. */
enum sending {
    SEND_PLAIN,  /* it is non-blocking itself */
    SEND_SOCKET, /* MSG_DONTWAIT */
    SEND_LITTLE, /* a blocking one that is ready accepts PIPE_BUF bytes without
                    blocking (pipe(7), poll(2)) */
};

struct sender {
    int fd;      /* written to */
    int open_fd; /* opened here, non-blocking; -1: fd is the caller's */
    int copy_fd; /* a copy of the caller's, for a second watch; -1: none */
    enum sending how;
    sender_cb *cb;
    void *arg;
    void (*empty)(void *arg); /* of sender_on_empty; NULL: not requested */
    void *empty_arg;
    struct watch *watch; /* NULL: a file, which is always writable */
    struct piece *first, *last;
    struct tls *tls;    /* NULL: what is queued is written as it is */
    size_t encrypted;   /* bytes at the front of the queue: tls has them */
    size_t queued, max; /* bytes */
    uint64_t written;   /* bytes */
    enum sender_state state;
    bool secret;    /* what is queued may hold a key */
    bool notices;   /* watches for the reader's end while nothing is queued */
    struct err why; /* the first error, except that the reader has gone */
};

void
sender_keep_secret(struct sender *s)
{
    s->secret = true;
}

uint64_t
sender_written(const struct sender *s)
{
    return s->written;
}

void
sender_use_tls(struct sender *s, struct tls *t)
{
    s->tls = t;
}

/* Bytes that the descriptor is still to get. */
static size_t
bytes_left(const struct sender *s)
{
    return s->queued - s->encrypted + tls_unsent(s->tls);
}

size_t
sender_room(const struct sender *s)
{
    size_t left = bytes_left(s);

    return left < s->max ? s->max - left : 0;
}

bool
sender_is_empty(const struct sender *s)
{
    return bytes_left(s) == 0;
}

const struct err *
sender_error(const struct sender *s)
{
    return s->why.code == ERR_NONE ? NULL : &s->why;
}

static void
keep_error(struct sender *s, const struct err *why)
{
    if (s->why.code == ERR_NONE && why->code != ERR_PEER)
        s->why = *why;
}

static void
set_sender_state(struct sender *s, enum sender_state state)
{
    if (s->state == state)
        return;
    s->state = state;
    s->cb(s->arg, state);
}

void
sender_on_empty(struct sender *s, void (*cb)(void *arg), void *arg)
{
    s->empty = cb;
    s->empty_arg = arg;
}

static void
report_empty(struct sender *s)
{
    void (*cb)(void *arg) = s->empty;

    s->empty = NULL;
    cb(s->empty_arg);
}

static void
drop_first_piece(struct sender *s)
{
    struct piece *p = s->first;

    s->first = p->next;
    if (!s->first)
        s->last = NULL;
    if (s->secret && !p->taken.secret) /* which is wiped as it is done */
        explicit_bzero(p->bytes, p->end);
    buf_done(&p->taken);
    free(p);
}

/* Arms the watches for what is to be done next. */
static void
await_reader(struct sender *s)
{
    unsigned idle = s->notices && s->state != SENDER_GONE ? LOOP_HUP : 0;

    if (s->watch)
        watch_events(s->watch, bytes_left(s) > 0 ? LOOP_WRITE : idle);
}

void
sender_notice_leaving(struct sender *s)
{
    s->notices = true;
    await_reader(s);
}

/* From now on all output is dropped. */
static void
lose_reader(struct sender *s)
{
    bool awaited = s->empty != NULL; /* else the callback may free s */

    while (s->first)
        drop_first_piece(s);
    s->queued = s->encrypted = 0;
    watch_events(s->watch, 0);
    set_sender_state(s, SENDER_GONE);
    if (awaited)
        report_empty(s);
}

/* The first pieces, of `left` bytes at most. Returns how many. */
static size_t
first_pieces(const struct sender *s, struct iovec v[PIECES], size_t left)
{
    size_t n = 0;

    for (struct piece *p = s->first; p && n < PIECES && left > 0; p = p->next) {
        size_t len = p->end - p->start;

        v[n].iov_base = p->bytes + p->start;
        v[n].iov_len = len < left ? len : left;
        left -= v[n++].iov_len;
    }
    return n;
}

static ssize_t
write_pieces(struct sender *s)
{
    struct iovec v[PIECES];
    struct msghdr m = {.msg_iov = v};

    m.msg_iovlen = first_pieces(s, v,
                                s->how == SEND_LITTLE ? PIPE_BUF : WRITE_BYTES);
    if (s->how == SEND_SOCKET)
        return sendmsg(s->fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL);
    return writev(s->fd, v, (int)m.msg_iovlen);
}

static void
drop_written(struct sender *s, size_t n)
{
    s->queued -= n;
    while (n > 0) {
        struct piece *p = s->first;
        size_t len = p->end - p->start;

        if (n < len) {
            p->start += n;
            return;
        }
        n -= len;
        drop_first_piece(s);
    }
}

/* A piece stays until all bytes that it was encrypted to are sent. */
static int
write_encrypted(struct sender *s)
{
    struct iovec v[PIECES];
    size_t total = 0;
    ssize_t n;

    do {
        if (tls_unsent(s->tls) == 0) {
            n = tls_encrypt(s->tls, v, first_pieces(s, v, TLS_AHEAD_BYTES));
            if (n < 0)
                return -1;
            s->encrypted = (size_t)n;
        }
        if ((n = tls_flush(s->tls)) < 0)
            return -1;
        s->written += (size_t)n;
        total += (size_t)n;
        if (tls_unsent(s->tls) == 0) {
            drop_written(s, s->encrypted);
            s->encrypted = 0;
        }
    } while (n > 0 && bytes_left(s) > 0 && total < WRITE_BYTES);
    return 0;
}

/* Writes what the descriptor has room for. -1 with errno. */
static int
write_some(struct sender *s)
{
    ssize_t n;

    if (s->tls)
        return write_encrypted(s);
    if ((n = write_pieces(s)) < 0)
        return -1;
    s->written += (size_t)n;
    drop_written(s, (size_t)n);
    return 0;
}

static void
on_write_error(struct sender *s)
{
    struct err e = {0};

    if (errno == EINTR || errno == EAGAIN)
        return;
    err_sys(&e, "writing");
    if (errno != EPIPE && errno != ECONNRESET)
        keep_error(s, &e);
    lose_reader(s);
}

static void
on_ready(void *arg, unsigned events)
{
    struct sender *s = arg;
    bool awaited = s->empty != NULL; /* else the callback may free s */

    (void)events;
    if (sender_is_empty(s)) { /* the reader must have gone */
        lose_reader(s);
        return;
    }
    if (write_some(s) < 0) {
        on_write_error(s);
        return;
    }
    await_reader(s);
    awaited = awaited && sender_is_empty(s);
    if (s->queued <= SENDER_LOW)
        set_sender_state(s, SENDER_OPEN);
    if (awaited && sender_is_empty(s)) /* the callback may have added more */
        report_empty(s);
}

void
sender_flush(struct sender *s)
{
    struct pollfd p = {.fd = s->fd, .events = POLLOUT};

    while (bytes_left(s) > 0 && poll(&p, 1, 0) > 0)
        if (write_some(s) < 0) {
            on_write_error(s);
            return;
        }
}

static bool
is_a(int fd, mode_t type)
{
    struct stat st;

    return fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) == type;
}

/* Finds how fd is written without blocking. O_NONBLOCK is of the open file,
 * which other processes share, so a blocking pipe or terminal is opened once
 * more where that is possible. */
static void
choose_sending(struct sender *s, int fd)
{
    char path[64];
    int flags = fcntl(fd, F_GETFL);

    s->fd = fd;
    s->how = SEND_LITTLE;
    if (is_a(fd, S_IFSOCK)) {
        s->how = SEND_SOCKET;
        return;
    }
    if (flags >= 0 && !(flags & O_NONBLOCK)) {
        snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
        s->open_fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (s->open_fd < 0)
            return;
        s->fd = s->open_fd;
    }
    s->how = SEND_PLAIN;
}

/* Waits for the descriptor; leaves the watch out where epoll cannot. What is
 * read, too, as a socket or a terminal, is watched by a copy: the watch that
 * waits for its input may be paused now, and then could not go on where ours
 * has taken its place. */
static int
watch_reader(struct sender *s, struct loop *l, int fd, struct err *e)
{
    struct err why = {0};

    if (!is_a(fd, S_IFIFO)) {
        s->copy_fd = fcntl(fd, F_DUPFD_CLOEXEC, FD_FIRST_FREE);
        if (s->copy_fd < 0)
            return err_sys(e, "descriptor %d", fd);
    }
    s->watch = loop_fd(l, s->copy_fd < 0 ? fd : s->copy_fd, LOOP_WRITE,
                       on_ready, s, &why);
    if (s->watch) {
        watch_events(s->watch, 0);
        choose_sending(s, fd);
    } else if (why.sys != EPERM) {
        if (e)
            *e = why;
        return -1;
    }
    return 0;
}

struct sender *
sender_new(struct loop *l, int fd, size_t max, sender_cb *cb, void *arg,
           struct err *e)
{
    CLEANUP(sender_free_p) struct sender *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    *s = (struct sender){.fd = fd,
                         .open_fd = -1,
                         .copy_fd = -1,
                         .cb = cb,
                         .arg = arg,
                         .max = max};
    return watch_reader(s, l, fd, e) < 0 ? NULL : TAKE_PTR(s);
}

void
sender_free(struct sender *s)
{
    if (!s)
        return;
    watch_free(s->watch);
    fd_close_p(&s->open_fd);
    fd_close_p(&s->copy_fd);
    while (s->first)
        drop_first_piece(s);
    free(s);
}

static void
append_piece(struct sender *s, struct piece *p)
{
    *(s->last ? &s->last->next : &s->first) = p;
    s->last = p;
}

/* Appends bytes: to the last piece what fits, the rest in one of its own. */
static int
queue_bytes(struct sender *s, const char *bytes, size_t n)
{
    struct piece *p = s->last;
    size_t part = p ? p->cap - p->end : 0, cap;

    if (part > n)
        part = n;
    cap = n - part < PIECE_BYTES ? PIECE_BYTES : n - part;
    if (part < n) {
        p = malloc(sizeof(*p) + cap);
        if (!p)
            return -1;
        *p = (struct piece){.end = n - part, .cap = cap, .bytes = p->own};
        memcpy(p->bytes, bytes + part, n - part);
    }
    if (part > 0) {
        memcpy(s->last->bytes + s->last->end, bytes, part);
        s->last->end += part;
    }
    if (p != s->last)
        append_piece(s, p);
    s->queued += n;
    return 0;
}

/* The buffer's memory becomes a piece. */
static int
queue_buf(struct sender *s, struct buf *b)
{
    struct piece *p = malloc(sizeof(*p));

    if (!p)
        return -1;
    *p = (struct piece){
        .end = b->len, .cap = b->len, .bytes = b->p, .taken = *b};
    buf_init(b, b->max);
    append_piece(s, p);
    s->queued += p->end;
    return 0;
}

/* taken: the bytes are those of this buffer; NULL: they are copied. */
static void
add_output(struct sender *s, const void *bytes, size_t n, struct buf *taken)
{
    struct err e = {0};

    if (s->state == SENDER_GONE)
        return;
    if (n == 0) {
        await_reader(s);
        return;
    }
    if (!s->watch) {
        if (fd_write_all(s->fd, bytes, n, -1, &e) < 0)
            keep_error(s, &e);
        return;
    }
    if (n > s->max - s->queued)
        err_set(&e, ERR_NOMEM, "the output queue is larger than %zu bytes",
                s->max);
    else if ((taken ? queue_buf(s, taken) : queue_bytes(s, bytes, n)) < 0)
        err_nomem(&e);
    if (e.code != ERR_NONE) {
        keep_error(s, &e);
        lose_reader(s);
        return;
    }
    await_reader(s);
    if (s->queued > SENDER_HIGH)
        set_sender_state(s, SENDER_FULL);
}

void
sender_add(struct sender *s, const void *bytes, size_t n)
{
    add_output(s, bytes, n, NULL);
}

void
sender_take(struct sender *s, struct buf *b)
{
    struct buf mine = *b;

    buf_init(b, b->max);
    b->secret = mine.secret;
    add_output(s, mine.p, mine.len, mine.len < PIECE_BYTES ? NULL : &mine);
    buf_done(&mine);
}
