/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_client.c - asks one server of HTTP/1.1, from the loop. */
#include "wire/http_client.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/str.h"
#include "wire/address.h"

#define READ_BYTES  (16u << 10)
#define REQUEST_MAX (64u << 20) /* the largest message, and its frame */

struct http_ask {
    struct http_ask *next;
    struct http_client *client;
    struct buf bytes; /* the whole request */
    bool idempotent;  /* it may be sent twice (RFC 9110, 9.2.2) */
    bool again;       /* it is sent a second time */
    struct watch *timer;
    http_reply_cb *cb;
    void *arg;
};

struct http_client {
    struct loop *loop;
    struct address at;
    size_t max_body;
    int fd;              /* -1: there is no connection */
    struct watch *watch; /* of it */
    struct watch *soon;  /* to begin the next request */
    bool connecting;
    bool kept;                        /* it has served a request before */
    bool responding;                  /* to the first request */
    size_t written;                   /* of the first request */
    struct http_reply_parser *parser; /* of its response; NULL: it is not
                                         begun */
    struct http_ask *first, **last;
    size_t n;
};

static void
free_ask(struct http_ask *a)
{
    watch_free(a->timer);
    buf_done(&a->bytes);
    free(a);
}

static void
close_connection(struct http_client *c)
{
    watch_free(c->watch);
    c->watch = NULL;
    if (c->fd >= 0)
        close(c->fd);
    c->fd = -1;
    c->connecting = c->kept = false;
}

/* What was read, and how far the first request was written. */
static void
reset_exchange(struct http_client *c)
{
    http_reply_free(c->parser);
    c->parser = NULL;
    c->written = 0;
    c->responding = false;
}

/* Takes a request out of the queue; with the first one goes what was read. */
static void
remove_ask(struct http_client *c, struct http_ask *a)
{
    struct http_ask **at = &c->first;

    if (a == c->first)
        reset_exchange(c);
    while (*at != a)
        at = &(*at)->next;
    *at = a->next;
    if (c->last == &a->next)
        c->last = at;
    c->n--;
    if (c->first)
        watch_again(c->soon, 0);
}

/* The last that is done with the client. Without a response the connection is
 * of no more use. */
static void
fail_ask(struct http_client *c, struct http_ask *a, const struct err *why)
{
    http_reply_cb *cb = a->cb;
    void *arg = a->arg;

    if (a == c->first)
        close_connection(c);
    remove_ask(c, a);
    free_ask(a);
    cb(arg, NULL, why);
}

static void
finish_ask(struct http_client *c)
{
    struct http_ask *a = c->first;
    struct http_reply_parser *p = c->parser;
    http_reply_cb *cb = a->cb;
    void *arg = a->arg;

    c->parser = NULL;
    /* what is left of a request would be read as the next one */
    if (!http_reply_response(p)->keeps || c->written < a->bytes.len)
        close_connection(c);
    else
        watch_events(c->watch, LOOP_READ);
    c->kept = c->fd >= 0;
    remove_ask(c, a);
    free_ask(a);
    cb(arg, http_reply_response(p), NULL);
    http_reply_free(p);
}

static void
on_ask_late(void *arg, unsigned events)
{
    struct http_ask *a = arg;
    struct err e = {0};

    (void)events;
    err_set(&e, ERR_TIMEOUT, "no answer in time");
    fail_ask(a->client, a, &e);
}

/* -1: e says why; else 0. */
static int
write_ask(struct http_client *c, struct err *e)
{
    const struct buf *b = &c->first->bytes;
    ssize_t n;

    while (c->written < b->len) {
        n = send(c->fd, b->p + c->written, b->len - c->written,
                 MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            break;
        if (n < 0)
            return err_sys(e, "request");
        c->written += (size_t)n;
    }
    watch_events(c->watch, LOOP_READ | (c->written < b->len ? LOOP_WRITE : 0));
    return 0;
}

static enum http_reply_step
read_client_reply(struct http_client *c, struct err *e)
{
    char bytes[READ_BYTES];
    ssize_t n = recv(c->fd, bytes, sizeof(bytes), MSG_DONTWAIT);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return REPLY_MORE;
    if (n < 0) {
        err_sys(e, "response");
        return REPLY_WRONG;
    }
    c->responding = c->responding || n > 0;
    return n == 0 ? http_reply_end(c->parser, e)
                  : http_reply_feed(c->parser, bytes, (size_t)n, e);
}

static int
end_connect(struct http_client *c, struct err *e)
{
    int sys = 0;
    socklen_t len = sizeof(sys);

    if (getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &sys, &len) == 0)
        errno = sys;
    if (errno != 0)
        return err_sys(e, "connect");
    c->connecting = false;
    return 0;
}

/* The server may have closed a kept connection just when the next request was
 * on its way there (RFC 9112, 9.3.1). That is sent once more, on a connection
 * of its own, where it cannot be done twice: nothing of it was sent, or it may
 * be. */
static bool
try_ask_again(struct http_client *c)
{
    struct http_ask *a = c->first;

    if (!c->kept || c->responding || a->again ||
        !(a->idempotent || c->written == 0))
        return false;
    a->again = true;
    close_connection(c);
    reset_exchange(c);
    watch_again(c->soon, 0);
    return true;
}

static void
on_client_socket(void *arg, unsigned events)
{
    struct http_client *c = arg;
    enum http_reply_step step = REPLY_MORE;
    struct err e = {0};

    if (!c->first || !c->parser) { /* closed while nothing was asked */
        close_connection(c);
        return;
    }
    errno = 0;
    if ((c->connecting && end_connect(c, &e) < 0) ||
        ((events & LOOP_WRITE) && write_ask(c, &e) < 0))
        step = REPLY_WRONG;
    else if (events & (LOOP_READ | LOOP_HUP))
        step = read_client_reply(c, &e);
    if (step == REPLY_WRONG && !try_ask_again(c))
        fail_ask(c, c->first, &e);
    else if (step == REPLY_WHOLE)
        finish_ask(c);
}

static int
open_client_socket(struct http_client *c, struct err *e)
{
    c->fd = socket(c->at.at.ss_family,
                   SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (c->fd < 0)
        return err_sys(e, "socket");
    if (connect(c->fd, (const struct sockaddr *)&c->at.at, c->at.len) < 0 &&
        errno != EINPROGRESS)
        return err_sys(e, "connect");
    c->connecting = true;
    c->watch = loop_fd(c->loop, c->fd, LOOP_WRITE, on_client_socket, c, e);
    return c->watch ? 0 : -1;
}

static void
begin_ask(void *arg, unsigned events)
{
    struct http_client *c = arg;
    struct err e = {0};

    (void)events;
    if (!c->first || c->parser)
        return;
    c->written = 0;
    if (!(c->parser = http_reply_new(c->max_body, &e)) ||
        (c->fd < 0 && open_client_socket(c, &e) < 0))
        fail_ask(c, c->first, &e);
    else
        watch_events(c->watch, LOOP_READ | LOOP_WRITE);
}

struct http_client *
http_client_new(struct loop *l, const char *address, size_t max_body,
                struct err *e)
{
    CLEANUP(http_client_free_p) struct http_client *c = calloc(1, sizeof(*c));

    if (!c) {
        err_nomem(e);
        return NULL;
    }
    c->loop = l;
    c->fd = -1;
    c->max_body = max_body;
    c->last = &c->first;
    if (address_read(address, &c->at, e) < 0)
        return NULL;
    if (c->at.fd >= 0) {
        err_set(e, ERR_USAGE, "fd:N is no address to connect to");
        return NULL;
    }
    if (!(c->soon = loop_timer(l, 0, begin_ask, c, e)))
        return NULL;
    watch_stop(c->soon);
    return TAKE_PTR(c);
}

void
http_client_free(struct http_client *c)
{
    struct http_ask *next;

    if (!c)
        return;
    for (struct http_ask *a = c->first; a; a = next) {
        next = a->next;
        free_ask(a);
    }
    http_reply_free(c->parser);
    close_connection(c);
    watch_free(c->soon);
    free(c);
}

/* A Unix socket has no host; what listens on loopback takes this one. */
static void
put_client_request(struct buf *out, const char *method, const char *path,
                   const char *type, const struct buf *body)
{
    buf_printf(out, "%s %s HTTP/1.1\r\nHost: localhost\r\n", method, path);
    if (type)
        http_put_field(out, "Content-Type", type);
    if (strcmp(method, "GET") != 0)
        buf_printf(out, "Content-Length: %zu\r\n", body ? body->len : 0);
    buf_str(out, "\r\n");
    if (body)
        buf_add(out, body->p, body->len);
}

int
http_client_ask(struct http_client *c, const char *method, const char *path,
                const char *type, const struct buf *body, int64_t timeout_ms,
                http_reply_cb *cb, void *arg, struct err *e)
{
    static const char *const idempotent[] = {"GET", "HEAD", "PUT", "DELETE"};
    struct http_ask *a;

    if (c->n == HTTP_CLIENT_QUEUE_MAX)
        return err_set(e, ERR_NOMEM, "more than %d requests wait",
                       HTTP_CLIENT_QUEUE_MAX);
    a = calloc(1, sizeof(*a));
    if (!a)
        return err_nomem(e);
    buf_init(&a->bytes, REQUEST_MAX);
    a->client = c;
    a->cb = cb;
    a->arg = arg;
    a->idempotent = STR_IN(method, idempotent);
    put_client_request(&a->bytes, method, path, type, body);
    a->timer = loop_timer(c->loop, timeout_ms, on_ask_late, a, e);
    if (!a->timer || buf_ok(&a->bytes, "the request", e) < 0) {
        free_ask(a);
        return -1;
    }
    *c->last = a;
    c->last = &a->next;
    if (c->n++ == 0)
        watch_again(c->soon, 0);
    return 0;
}
