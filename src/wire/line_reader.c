/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line_reader.c - hands out the lines that a peer sends, from the loop. */
#include "wire/line_reader.h"

#include <string.h>

#include "base/clock.h"

#define HOLD_NS (LINE_READER_HOLD_MS * INT64_C(1000000))

struct line_reader {
    int fd;
    struct tls *tls;     /* NULL: plain */
    struct watch *input; /* NULL: a file, which can always be read */
    struct watch *soon;  /* for what waits here, and for a file */
    struct read_buffer *buffer;
    size_t max;
    const struct line_reader_events *ev;
    void *arg;
    struct buf kept; /* the beginning of a line; or lines that wait */
    struct buf *own; /* the memory of the line that is handed out, or NULL */
    bool waiting;    /* there may be whole lines in it */
    bool skipping;   /* what comes belongs to a line that was too long */
    bool busy;       /* lines are being handed out */
    bool paused, ended;
    bool left;   /* the peer has, which was told */
    bool *freed; /* set when the reader is freed by what is called */
};

/* Waits for what is to be done next. */
static void
await_more(struct line_reader *r)
{
    bool reads = !r->paused && !r->ended && !r->busy;
    unsigned idle = r->ev->left && !r->left && !r->ended ? LOOP_LEFT : 0;

    if (r->input)
        watch_events(r->input, reads && !r->waiting ? LOOP_READ : idle);
    if (reads && (r->waiting || !r->input))
        watch_again(r->soon, 0);
    else
        watch_stop(r->soon);
}

/* Takes over what is kept, to be done. */
static struct buf
take_kept(struct line_reader *r)
{
    struct buf taken = r->kept;

    buf_init(&r->kept, taken.max);
    r->kept.secret = taken.secret;
    return taken;
}

/* The length of a line without the CR at its end. */
static size_t
line_length(const char *line, size_t n)
{
    return n > 0 && line[n - 1] == '\r' ? n - 1 : n;
}

/* There is room for a NUL behind the n bytes. */
static void
hand_out(struct line_reader *r, char *line, size_t n)
{
    n = line_length(line, n);
    line[n] = '\0';
    if (n > r->max)
        r->ev->too_long(r->arg);
    else
        r->ev->line(r->arg, line, n);
}

/* Hands out the whole lines among n bytes until they are used up, the reader is
 * paused or it has taken long. Returns how many bytes are done with. */
static size_t
hand_out_lines(struct line_reader *r, char *p, size_t n)
{
    const bool *freed = r->freed;
    int64_t until_ns = clock_ns() + HOLD_NS;
    size_t used = 0;
    char *end;

    while (!*freed && !r->paused && !r->ended && clock_ns() < until_ns &&
           (end = memchr(p + used, '\n', n - used)) != NULL) {
        char *line = p + used;

        used = (size_t)(end - p) + 1;
        if (r->skipping)
            r->skipping = false;
        else
            hand_out(r, line, (size_t)(end - line));
    }
    return used;
}

static void
end_input(struct line_reader *r, const struct err *why)
{
    CLEANUP_BUF struct buf rest = buf_of(0);
    size_t n = line_length(r->kept.p, r->kept.len);

    r->ended = true;
    await_more(r);
    if (n > 0) {
        rest = take_kept(r);
        rest.p[n] = '\0';
    }
    r->ev->end(r->arg, n > 0 ? rest.p : NULL, n, why);
}

/* Adds to what is kept. False: there is no memory, which ends the input. */
static bool
keep_bytes(struct line_reader *r, const char *p, size_t n)
{
    struct err e = {0};

    if (buf_add(&r->kept, p, n) == 0)
        return true;
    err_nomem(&e);
    buf_clear(&r->kept);
    end_input(r, &e);
    return false;
}

/* Drops the beginning of a line that is too long. */
static void
check_kept(struct line_reader *r)
{
    if (line_length(r->kept.p, r->kept.len) <= r->max)
        return;
    buf_done(&r->kept);
    r->skipping = true;
    r->ev->too_long(r->arg);
}

/* Adds to the beginning of a line that is kept, and hands it out when it is
 * whole. Returns how many of the n bytes are done with. */
static size_t
complete_kept(struct line_reader *r, const char *p, size_t n)
{
    const char *end = memchr(p, '\n', n);
    CLEANUP_BUF struct buf line = buf_of(0);
    const bool *freed;
    size_t len = end ? (size_t)(end - p) : n;

    if (!keep_bytes(r, p, len))
        return n;
    if (!end) {
        check_kept(r);
        return n;
    }
    line = take_kept(r);
    /* cppcheck-suppress autoVariables ; it is taken back before we return */
    r->own = &line;
    freed = r->freed;
    hand_out(r, line.p, line.len);
    if (!*freed)
        r->own = NULL;
    return len + 1;
}

/* Keeps what could not be handed out. */
static void
keep_rest(struct line_reader *r, const char *p, size_t n)
{
    r->waiting = memchr(p, '\n', n) != NULL;
    if ((r->skipping && !r->waiting) || !keep_bytes(r, p, n))
        return;
    if (!r->waiting)
        check_kept(r);
}

/* Deals with n bytes of input. There is room for a NUL behind each line. */
static void
take_input(struct line_reader *r, char *p, size_t n)
{
    bool freed = false;
    size_t used = 0;

    /* cppcheck-suppress autoVariables ; it is taken back before we return */
    r->freed = &freed;
    r->busy = true;
    if (r->kept.len > 0)
        used = complete_kept(r, p, n);
    if (!freed)
        used += hand_out_lines(r, p + used, n - used);
    if (!freed && !r->ended)
        keep_rest(r, p + used, n - used);
    if (freed)
        return;
    r->freed = NULL;
    r->busy = false;
    await_more(r);
}

static void
read_once(struct line_reader *r)
{
    struct read_buffer *buffer = r->buffer;
    struct err e = {0};
    char *bytes = read_buffer_borrow(buffer, &e);
    bool secret = r->kept.secret;
    ssize_t n;

    if (!bytes) {
        end_input(r, &e);
        return;
    }
    n = tls_read(r->tls, r->fd, bytes, READ_BUFFER_BYTES);
    if (n < 0)
        err_sys(&e, "reading");
    if (n > 0)
        take_input(r, bytes, (size_t)n);
    else if (n == 0)
        end_input(r, NULL);
    else if (e.sys != EAGAIN && e.sys != EINTR)
        end_input(r, &e);
    else
        await_more(r);
    if (secret && n > 0)
        explicit_bzero(bytes, (size_t)n);
    read_buffer_give_back(buffer, bytes);
}

static void
on_input(void *arg, unsigned events)
{
    struct line_reader *r = arg;
    bool freed = false;

    if (events & LOOP_HUP && r->ev->left && !r->left) {
        bool *outer = r->freed;

        r->left = true;
        /* cppcheck-suppress autoVariables ; it is taken back before we return
         */
        r->freed = &freed;
        r->ev->left(r->arg);
        if (freed)
            return;
        r->freed = outer;
        await_more(r);
    }
    if (!(events & LOOP_READ) && (r->paused || r->ended || r->waiting))
        return;
    if (r->busy) /* a callback turns the loop */
        await_more(r);
    else
        read_once(r);
}

static void
on_soon(void *arg, unsigned events)
{
    struct line_reader *r = arg;
    CLEANUP_BUF struct buf lines = buf_of(0);

    (void)events;
    if (!r->waiting) {
        read_once(r);
        return;
    }
    lines = take_kept(r);
    take_input(r, lines.p, lines.len);
}

void
line_reader_use_tls(struct line_reader *r, struct tls *t)
{
    r->tls = t;
}

void
line_reader_limit(struct line_reader *r, size_t max)
{
    r->max = max;
    r->kept.max = max + 1 + READ_BUFFER_BYTES;
}

struct line_reader *
line_reader_new(struct loop *l, int fd, struct read_buffer *buffer, size_t max,
                const struct line_reader_events *ev, void *arg, struct err *e)
{
    CLEANUP(line_reader_free_p) struct line_reader *r = calloc(1, sizeof(*r));
    struct err why = {0};

    if (!r) {
        err_nomem(e);
        return NULL;
    }
    *r = (struct line_reader){
        .fd = fd, .buffer = buffer, .max = max, .ev = ev, .arg = arg};
    /* a line, its CR, and what one read brings after it */
    buf_init(&r->kept, max + 1 + READ_BUFFER_BYTES);
    if (!(r->soon = loop_soon(l, on_soon, r, e)))
        return NULL;
    r->input = loop_fd(l, fd, LOOP_READ, on_input, r, &why);
    if (!r->input && why.sys != EPERM) {
        if (e)
            *e = why;
        return NULL;
    }
    await_more(r);
    return TAKE_PTR(r);
}

void
line_reader_free(struct line_reader *r)
{
    if (!r)
        return;
    if (r->freed)
        *r->freed = true;
    watch_free(r->input);
    watch_free(r->soon);
    buf_done(&r->kept);
    free(r);
}

void
line_reader_keep_secret(struct line_reader *r)
{
    r->kept.secret = true;
}

bool
line_reader_take(struct line_reader *r, struct buf *out)
{
    if (!r->own)
        return false;
    *out = *r->own;
    buf_init(r->own, 0);
    return true;
}

void
line_reader_pause(struct line_reader *r, bool paused)
{
    r->paused = paused;
    await_more(r);
}
