/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_connection.c - one connection of a client of HTTP/1.1. */
#include "wire/http_connection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/fd.h"
#include "wire/http_response.h"
#include "wire/sender.h"

#define HOLD_US    2000        /* of work on the requests of a pipeline */
#define DIRECT_MAX (64u << 10) /* bytes that are written at once */
#define COPY_MAX   (16u << 10) /* of a body that goes with its head */
#define QUEUE_MAX  (48u << 20) /* bytes: the largest answer, and more */
#define LINGER_MS  1000        /* for a client to read what was sent last */
#define CHUNK_HEAD 20          /* bytes */
#define WORDS_MAX  4096        /* bytes: why it is refused */

enum http_connection_phase {
    PHASE_IDLE,   /* no byte of a request has come */
    PHASE_HEAD,   /* some have */
    PHASE_BODY,   /* the head was whole */
    PHASE_ANSWER, /* its owner has the request */
    PHASE_FLUSH,  /* the answer is to be written */
    PHASE_LEAVE,  /* another protocol takes the socket */
    PHASE_LINGER, /* nothing more is sent, and what comes is dropped */
    PHASE_OVER,   /* which is reported from the loop */
};

struct http_connection {
    struct http_shared *sh;
    int fd;
    struct tls *tls; /* NULL: plain */
    enum http_connection_phase phase;
    struct watch *socket, *timer, *soon;
    struct http_parser *parser; /* NULL: no request has begun */
    struct buf kept;            /* bytes of the next requests */
    struct sender *sender;      /* NULL: all was written */
    size_t counted;             /* bytes of sh->held */
    size_t body_bytes;          /* of the owner's request, which may take it */
    size_t stepped;             /* bytes of the body when the timer was armed */
    uint64_t sent, seen;        /* bytes written; when the timer was armed */
    bool closes;                /* after this request */
    bool whole;                 /* the request was read to its end */
    bool head_only, chunked;    /* of the answer */
    bool left;                  /* the client sends no more */
    bool open;                  /* a request has no answer yet */
    void (*on_left)(void *arg);
    void (*on_gone)(void *arg);
    void *owner;
    http_upgraded_cb *upgraded;
    void *upgrade_arg;
};

static size_t
queued_bytes(const struct http_connection *c)
{
    return c->sender ? QUEUE_MAX - sender_room(c->sender) : 0;
}

/* Counts what is held for the client. */
static void
count_held(struct http_connection *c)
{
    size_t now = c->kept.len + queued_bytes(c);

    if (c->parser)
        now += c->phase == PHASE_ANSWER
                   ? c->body_bytes
                   : http_parser_request(c->parser)->body.len;
    c->sh->held += now - c->counted;
    c->counted = now;
}

/* Waits for what is to be done next. */
static void
await_client(struct http_connection *c)
{
    unsigned events = 0;

    if (c->phase < PHASE_ANSWER || c->phase == PHASE_LINGER)
        events = c->kept.len > 0 ? 0 : LOOP_READ;
    else if (c->phase == PHASE_ANSWER && !c->left)
        events = LOOP_LEFT;
    watch_events(c->socket, events);
}

static void
end_connection(struct http_connection *c)
{
    if (c->phase == PHASE_OVER)
        return;
    c->phase = PHASE_OVER;
    watch_stop(c->timer);
    await_client(c);
    watch_again(c->soon, 0);
}

static void
drop_client(struct http_connection *c)
{
    c->sh->dropped += c->phase != PHASE_OVER;
    end_connection(c);
}

static void
on_sender_state(void *arg, enum sender_state state)
{
    if (state == SENDER_GONE)
        end_connection(arg);
}

static void
queue_rest(struct http_connection *c, const char *bytes, size_t n)
{
    if (!c->sender && !(c->sender = sender_new(c->sh->loop, c->fd, QUEUE_MAX,
                                               on_sender_state, c, NULL))) {
        end_connection(c);
        return;
    }
    sender_use_tls(c->sender, c->tls);
    sender_add(c->sender, bytes, n);
    c->sent += n;
}

static ssize_t
send_now(struct http_connection *c, const char *bytes, size_t n)
{
    struct iovec part = {.iov_base = (char *)bytes, .iov_len = n};

    if (!c->tls)
        return send(c->fd, bytes, n, MSG_DONTWAIT | MSG_NOSIGNAL);
    return tls_send(c->tls, c->fd, &part, 1);
}

/* A short piece is written at once where the client has room for it. */
static void
write_bytes(struct http_connection *c, const char *bytes, size_t n)
{
    ssize_t done = 0;

    if (c->phase == PHASE_OVER || n == 0)
        return;
    if (n <= DIRECT_MAX && (!c->sender || sender_is_empty(c->sender))) {
        done = send_now(c, bytes, n);
        if (done < 0 && errno != EAGAIN && errno != EINTR) {
            end_connection(c);
            return;
        }
        done = done < 0 ? 0 : done;
        c->sent += (size_t)done;
    }
    if ((size_t)done < n || tls_unsent(c->tls) > 0)
        queue_rest(c, bytes + done, n - (size_t)done);
}

/* The same for bytes that are many, and taken. */
static void
write_large(struct http_connection *c, struct buf *b)
{
    if (b->len <= DIRECT_MAX || c->phase == PHASE_OVER) {
        write_bytes(c, b->p, b->len);
        return;
    }
    if (!c->sender)
        queue_rest(c, b->p, 0);
    if (!c->sender)
        return;
    c->sent += b->len;
    sender_take(c->sender, b);
}

static void
arm_stall(struct http_connection *c)
{
    c->seen = c->sent - queued_bytes(c);
    watch_again(c->timer, c->sh->limits.stall_ms);
}

static void
await_next_request(struct http_connection *c)
{
    http_parser_free(TAKE_PTR(c->parser));
    sender_free(TAKE_PTR(c->sender));
    c->whole = c->left = c->head_only = c->chunked = false;
    c->phase = PHASE_IDLE;
    watch_again(c->timer, c->sh->limits.idle_ms);
    if (c->kept.len > 0)
        watch_again(c->soon, 0);
}

/* What has been sent would be lost where bytes of the client are not read
 * (RFC 9112, 9.6). */
static void
begin_linger(struct http_connection *c)
{
    sender_free(TAKE_PTR(c->sender));
    buf_done(&c->kept);
    c->phase = PHASE_LINGER;
    tls_shut(c->tls, c->fd);
    watch_again(c->timer, LINGER_MS);
}

static void
on_flushed(void *arg)
{
    struct http_connection *c = arg;

    if (c->phase != PHASE_FLUSH)
        return;
    if (c->upgraded) {
        c->phase = PHASE_LEAVE;
        watch_stop(c->timer);
        watch_again(c->soon, 0);
    } else if (c->closes)
        begin_linger(c);
    else
        await_next_request(c);
    count_held(c);
    await_client(c);
}

/* The answer is made. */
static void
end_answer(struct http_connection *c)
{
    c->open = false;
    c->on_left = c->on_gone = NULL;
    if (c->phase == PHASE_OVER)
        return;
    c->phase = PHASE_FLUSH;
    if (queued_bytes(c) > 0) {
        arm_stall(c);
        sender_on_empty(c->sender, on_flushed, c);
        count_held(c);
        await_client(c);
    } else {
        on_flushed(c);
    }
}

static void
put_answer_head(struct http_connection *c, struct http_response *r,
                struct buf *out)
{
    const struct http_incoming *rq = c->parser ? http_parser_request(c->parser)
                                               : NULL;

    c->head_only = rq && rq->method && strcmp(rq->method, "HEAD") == 0;
    c->closes = c->closes || !c->whole || !rq->keeps;
    r->closes = c->closes;
    if (r->status >= 100 && r->status < 600)
        c->sh->answers[r->status / 100]++;
    http_response_put_head(out, r, time(NULL));
}

void
http_answer(struct http_connection *c, int status, const struct buf *fields,
            const char *type, struct buf *body)
{
    CLEANUP_BUF struct buf head = buf_of(HTTP_RESPONSE_HEAD_MAX + COPY_MAX);
    size_t n = body ? body->len : 0;
    struct http_response r = {
        .status = status, .type = type, .fields = fields, .length = (int64_t)n};

    put_answer_head(c, &r, &head);
    if (n > 0 && n <= COPY_MAX && !c->head_only)
        buf_add(&head, body->p, n);
    write_bytes(c, head.p, head.len);
    if (n > COPY_MAX && !c->head_only)
        write_large(c, body);
    end_answer(c);
}

void
http_answer_text(struct http_connection *c, int status,
                 const struct buf *fields, const char *text)
{
    CLEANUP_BUF struct buf body = buf_of(WORDS_MAX);
    const char *type = "text/plain; charset=utf-8";

    if (c->sh->put_refusal && status >= 400)
        type = c->sh->put_refusal(&body, status, text);
    else
        buf_printf(&body, "%.500s\n", text);
    http_answer(c, status, fields, type, &body);
}

void
http_stream_begin(struct http_connection *c, const struct buf *fields,
                  const char *type)
{
    CLEANUP_BUF struct buf head = buf_of(HTTP_RESPONSE_HEAD_MAX);
    struct http_response r = {
        .status = 200, .type = type, .fields = fields, .length = -1};

    c->chunked = r.chunked = !http_parser_request(c->parser)->old;
    put_answer_head(c, &r, &head);
    write_bytes(c, head.p, head.len);
    if (queued_bytes(c) > 0)
        arm_stall(c);
    count_held(c);
}

void
http_stream_take(struct http_connection *c, struct buf *part)
{
    CLEANUP_BUF struct buf head = buf_of(CHUNK_HEAD + COPY_MAX);
    bool waits = queued_bytes(c) > 0;

    if (c->head_only || part->len == 0 || c->phase == PHASE_OVER)
        return;
    if (part->bad || queued_bytes(c) > HTTP_STREAM_BEHIND) {
        drop_client(c);
        return;
    }
    if (c->chunked) {
        buf_printf(&head, "%zx\r\n", part->len);
        buf_str(part, "\r\n");
    }
    if (part->len <= COPY_MAX) {
        buf_add(&head, part->p, part->len);
        write_bytes(c, head.p, head.len);
    } else {
        write_bytes(c, head.p, head.len);
        write_large(c, part);
    }
    if (!waits && queued_bytes(c) > 0)
        arm_stall(c);
    count_held(c);
}

void
http_stream_end(struct http_connection *c)
{
    if (c->chunked && !c->head_only)
        write_bytes(c, "0\r\n\r\n", 5);
    end_answer(c);
}

void
http_upgrade(struct http_connection *c, const struct buf *fields,
             http_upgraded_cb *upgraded, void *arg)
{
    CLEANUP_BUF struct buf head = buf_of(HTTP_RESPONSE_HEAD_MAX);

    buf_str(&head, "HTTP/1.1 101 Switching Protocols\r\n");
    buf_add(&head, fields->p, fields->len);
    buf_str(&head, "\r\n");
    c->upgraded = upgraded;
    c->upgrade_arg = arg;
    c->sh->answers[1]++;
    write_bytes(c, head.p, head.len);
    end_answer(c);
}

/* Refuses what cannot be read on from. */
static void
refuse_client(struct http_connection *c, int status, const char *why)
{
    c->whole = false;
    c->sh->dropped++;
    http_answer_text(c, status, NULL, why);
}

static void
take_http_head(struct http_connection *c, bool more)
{
    struct http_incoming *r = http_parser_request(c->parser);
    static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";

    c->sh->requests++;
    c->phase = PHASE_ANSWER;
    c->open = true;
    c->whole = !r->has_body;
    c->body_bytes = 0;
    if (!c->sh->events->head(c->sh->arg, c))
        return;
    c->phase = PHASE_BODY;
    c->stepped = 0;
    watch_again(c->timer, c->sh->limits.body_ms);
    if (r->waits && !more)
        write_bytes(c, go_on, sizeof(go_on) - 1);
}

static void
take_whole_request(struct http_connection *c)
{
    c->whole = true;
    c->phase = PHASE_ANSWER;
    c->body_bytes = http_parser_request(c->parser)->body.len;
    watch_stop(c->timer);
    c->sh->events->request(c->sh->arg, c);
}

/* What the next bytes have made of the request. False: no more is read now. */
static bool
take_step(struct http_connection *c, enum http_step step, bool more)
{
    const char *why;
    int status;

    switch (step) {
    case HTTP_MORE:
        return false;
    case HTTP_HEAD:
        take_http_head(c, more);
        break;
    case HTTP_WHOLE:
        take_whole_request(c);
        break;
    case HTTP_WRONG:
        status = http_parser_status(c->parser, &why);
        refuse_client(c, status, why);
        break;
    }
    return c->phase < PHASE_ANSWER;
}

static bool
begin_request(struct http_connection *c)
{
    if (c->parser)
        return true;
    c->parser = http_parser_new(c->sh->limits.body_bytes, NULL);
    if (!c->parser) {
        drop_client(c);
        return false;
    }
    c->phase = PHASE_HEAD;
    watch_again(c->timer, c->sh->limits.head_ms);
    return true;
}

static void
feed_parser(struct http_connection *c, const char *bytes, size_t n)
{
    int64_t until_us = clock_us() + HOLD_US;
    bool more = true;

    while (more && (n > 0 || c->parser) && begin_request(c)) {
        size_t used;
        enum http_step step = http_parser_feed(c->parser, bytes, n, &used);

        bytes += used;
        n -= used;
        more = take_step(c, step, n > 0) &&
               (c->phase != PHASE_IDLE || clock_us() < until_us);
    }
    /* also where it closes: they may be behind an upgrade */
    if (n > 0 && c->phase < PHASE_LINGER) {
        if (buf_add(&c->kept, bytes, n) < 0)
            drop_client(c); /* else a part of its requests would be missing */
        else if (c->phase == PHASE_IDLE)
            watch_again(c->soon, 0);
    }
    count_held(c);
    if (c->phase == PHASE_BODY && c->sh->held > c->sh->limits.held_bytes)
        refuse_client(c, 503, "too much is held for others: try again later");
}

/* The client sends no more. */
static void
on_read_end(struct http_connection *c)
{
    if (c->phase == PHASE_HEAD || c->phase == PHASE_BODY)
        drop_client(c);
    else
        end_connection(c);
}

static void
read_client(struct http_connection *c)
{
    struct read_buffer *buffer = c->sh->buffer;
    char *bytes = read_buffer_borrow(buffer, NULL);
    ssize_t n;

    if (!bytes) {
        drop_client(c);
        return;
    }
    n = tls_read(c->tls, c->fd, bytes, READ_BUFFER_BYTES);
    if (n > 0 && c->phase < PHASE_ANSWER)
        feed_parser(c, bytes, (size_t)n);
    else if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        on_read_end(c);
    read_buffer_give_back(buffer, bytes);
}

static void
on_http_socket(void *arg, unsigned events)
{
    struct http_connection *c = arg;

    if (c->phase < PHASE_ANSWER || c->phase == PHASE_LINGER) {
        read_client(c);
    } else if (events & LOOP_HUP && c->phase == PHASE_ANSWER && !c->left) {
        c->left = true;
        if (c->on_left)
            c->on_left(c->owner);
    }
    await_client(c);
}

static void
check_body(struct http_connection *c)
{
    size_t n = http_parser_request(c->parser)->body.len;

    if (n - c->stepped < HTTP_BODY_STEP) {
        refuse_client(c, 408, "the body did not come in time");
        return;
    }
    c->stepped = n;
    watch_again(c->timer, c->sh->limits.body_ms);
}

static void
check_http_reader(struct http_connection *c)
{
    if (queued_bytes(c) == 0)
        return;
    if (c->sent - queued_bytes(c) == c->seen)
        drop_client(c);
    else
        arm_stall(c);
}

static void
on_http_timer(void *arg, unsigned events)
{
    struct http_connection *c = arg;

    (void)events;
    switch (c->phase) {
    case PHASE_HEAD:
        refuse_client(c, 408, "the head did not come in time");
        break;
    case PHASE_BODY:
        check_body(c);
        break;
    case PHASE_ANSWER:
    case PHASE_FLUSH:
        check_http_reader(c);
        break;
    case PHASE_IDLE:
    case PHASE_LEAVE:
    case PHASE_LINGER:
    case PHASE_OVER:
        end_connection(c);
        break;
    }
    await_client(c);
}

static void
on_http_soon(void *arg, unsigned events)
{
    struct http_connection *c = arg;
    CLEANUP_BUF struct buf bytes = buf_of(0);

    (void)events;
    if (c->phase == PHASE_LEAVE) {
        watch_free(TAKE_PTR(c->socket));
        sender_free(TAKE_PTR(c->sender));
        c->upgraded(c->upgrade_arg, TAKE_FD(c->fd), TAKE_PTR(c->tls), &c->kept);
        c->upgraded = NULL;
        c->sh->events->ended(c->sh->arg, c);
        return;
    }
    if (c->phase == PHASE_OVER) {
        if (c->open && c->on_gone)
            c->on_gone(c->owner);
        c->sh->events->ended(c->sh->arg, c);
        return;
    }
    if (c->phase != PHASE_IDLE || c->kept.len == 0)
        return;
    bytes = c->kept;
    buf_init(&c->kept, READ_BUFFER_BYTES);
    feed_parser(c, bytes.p, bytes.len);
    await_client(c);
}

struct http_connection *
http_connection_new(struct http_shared *sh, int fd, struct err *e)
{
    CLEANUP(http_connection_free_p)
    struct http_connection *c = calloc(1, sizeof(*c));

    if (!c) {
        fd_close_p(&fd);
        err_nomem(e);
        return NULL;
    }
    c->sh = sh;
    c->fd = fd;
    buf_init(&c->kept, READ_BUFFER_BYTES);
    if (!(c->socket = loop_fd(sh->loop, fd, LOOP_READ, on_http_socket, c, e)) ||
        !(c->timer = loop_timer(sh->loop, sh->limits.head_ms, on_http_timer, c,
                                e)) ||
        !(c->soon = loop_soon(sh->loop, on_http_soon, c, e)))
        return NULL;
    watch_stop(c->soon);
    return TAKE_PTR(c);
}

void
http_connection_use_tls(struct http_connection *c, struct tls *t)
{
    c->tls = t;
}

void
http_connection_free(struct http_connection *c)
{
    if (!c)
        return;
    c->sh->held -= c->counted;
    if (c->upgraded)
        c->upgraded(c->upgrade_arg, -1, NULL, NULL);
    watch_free(c->socket);
    watch_free(c->timer);
    watch_free(c->soon);
    sender_free(c->sender);
    http_parser_free(c->parser);
    buf_done(&c->kept);
    if (c->tls)
        tls_shut(c->tls, c->fd);
    tls_free(c->tls);
    fd_close_p(&c->fd);
    free(c);
}

struct http_incoming *
http_connection_request(struct http_connection *c)
{
    return http_parser_request(c->parser);
}

int
http_connection_fd(const struct http_connection *c)
{
    return c->fd;
}

void
http_on_leaving(struct http_connection *c, void (*left)(void *arg),
                void (*gone)(void *arg), void *arg)
{
    c->on_left = left;
    c->on_gone = gone;
    c->owner = arg;
    if (left && c->left) { /* before somebody listened: it is said again */
        c->left = false;
        await_client(c);
    }
}

void
http_connection_close_after(struct http_connection *c)
{
    c->closes = true;
}

bool
http_connection_is_idle(const struct http_connection *c)
{
    return c->phase == PHASE_IDLE;
}

void
http_connection_drain(struct http_connection *c)
{
    c->closes = true;
    if (c->phase == PHASE_IDLE)
        end_connection(c);
}
