/* SPDX-License-Identifier: GPL-3.0-or-later */
/* websocket_client.c - connects to a server of WebSocket. */
#include "wire/websocket_client.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "wire/address.h"
#include "wire/http_parser.h"
#include "wire/tls_handshake.h"
#include "wire/websocket_handshake.h"

#define REQUEST_MAX   (WEBSOCKET_CLIENT_URL_MAX + (8u << 10))
#define AUTHORITY_MAX 256 /* bytes of HOST:PORT */
#define ANSWER_MAX    (HTTP_HEAD_MAX + READ_BUFFER_BYTES)
#define STATUS_MAX    80  /* bytes of the first line of a refusal */
#define SAID_MAX      220 /* of its body: an error has room for no more */

static void on_client_socket(void *arg, unsigned events);

struct websocket_client {
    struct websocket_client_setup set;
    struct address address;
    int fd;
    struct watch *socket, *deadline;
    bool connected;
    bool encrypted;            /* is to be, by TLS */
    char name[AUTHORITY_MAX];  /* of the host, for that */
    struct tls_context *trust; /* NULL: not needed, or the setup's */
    struct tls_handshake *handshake;
    struct tls *tls; /* NULL: plain, or not yet */
    char key[WEBSOCKET_KEY_SIZE];
    struct buf request; /* what is left of it */
    struct buf answer;  /* what has come of it */
};

void
websocket_client_free(struct websocket_client *c)
{
    if (!c)
        return;
    watch_free(c->socket);
    watch_free(c->deadline);
    tls_handshake_free(c->handshake);
    tls_free(c->tls);
    tls_context_free(c->trust);
    fd_close_p(&c->fd);
    buf_done(&c->request);
    buf_done(&c->answer);
    free(c);
}

static void
end_connecting(struct websocket_client *c, struct websocket *ws,
               const struct err *why)
{
    struct websocket_client_setup set = c->set;

    websocket_client_free(c);
    set.opened(set.owner, ws, why);
}

/* Of HOST:PORT, without the brackets of an address of IPv6. */
static void
put_host_name(char out[AUTHORITY_MAX], const char *authority)
{
    bool bracket = authority[0] == '[';
    const char *host = authority + bracket;

    snprintf(out, AUTHORITY_MAX, "%.*s",
             (int)strcspn(host, bracket ? "]" : ":"), host);
}

/* Splits a URL into HOST:PORT, where the port may be left out, and the path. */
static int
read_url(struct websocket_client *c, const char *url, char *authority,
         const char **path, struct err *e)
{
    CLEANUP_BUF struct buf at = buf_of(AUTHORITY_MAX + 16);
    const char *host = url +
                       (c->encrypted ? strlen("wss://") : strlen("ws://"));
    size_t n = strcspn(host, "/?#");

    if (n == 0 || n >= AUTHORITY_MAX || memchr(host, '@', n) ||
        strlen(url) > WEBSOCKET_CLIENT_URL_MAX || host[n] == '#')
        return err_set(e, ERR_USAGE, "%.80s: a URL is ws://HOST:PORT/PATH",
                       url);
    memcpy(authority, host, n);
    authority[n] = '\0';
    *path = host + n;
    for (const char *s = *path; *s; s++)
        if (*s <= 0x20 || *s > 0x7e || *s == '#')
            return err_set(e, ERR_USAGE, "%.80s: a byte that is to be encoded",
                           url);
    buf_printf(&at, "tcp:%s", authority);
    if (!strchr(authority, ':') || authority[n - 1] == ']')
        buf_str(&at, c->encrypted ? ":443" : ":80");
    put_host_name(c->name, authority);
    return address_read(at.p, &c->address, e);
}

static int
read_websocket_url(struct websocket_client *c, const char *url, char *authority,
                   const char **path, struct err *e)
{
    *path = c->set.path ? c->set.path : "";
    snprintf(authority, AUTHORITY_MAX, "localhost");
    c->encrypted = strncmp(url, "wss://", 6) == 0;
    if (c->encrypted || strncmp(url, "ws://", 5) == 0)
        return read_url(c, url, authority, path, e);
    if (strncmp(url, "unix:", 5) == 0)
        return address_read(url, &c->address, e);
    return err_set(e, ERR_USAGE,
                   "%.80s: a URL is ws://HOST:PORT/PATH, wss://HOST:PORT/PATH "
                   "or unix:PATH",
                   url);
}

static int
write_handshake(struct websocket_client *c, const char *authority,
                const char *path, struct err *e)
{
    struct buf *b = &c->request;

    if (websocket_handshake_key(c->key, e) < 0)
        return -1;
    buf_printf(b, "GET %s%s HTTP/1.1\r\n", *path == '/' ? "" : "/", path);
    http_put_field(b, "Host", authority);
    buf_str(b, "Upgrade: websocket\r\nConnection: Upgrade\r\n"
               "Sec-WebSocket-Version: 13\r\n");
    http_put_field(b, "Sec-WebSocket-Key", c->key);
    if (c->set.token) {
        buf_str(b, "Authorization: Bearer ");
        buf_str(b, c->set.token);
        buf_str(b, "\r\n");
    }
    buf_str(b, "\r\n");
    return buf_ok(b, "the request", e);
}

/* The text of the error: the status of the refusal, and the first line of its
 * body. */
static void
refuse_upgrade(struct websocket_client *c, char *head, const char *body)
{
    struct err why = {0};
    size_t n = strcspn(body, "\r\n");

    head[strcspn(head, "\r\n")] = '\0';
    err_set(&why, ERR_PEER, "the server refuses: %.*s%s%.*s", STATUS_MAX,
            strncmp(head, "HTTP/1.", 7) == 0 && strlen(head) > 9 ? head + 9
                                                                 : head,
            n > 0 ? ": " : "", (int)(n < SAID_MAX ? n : SAID_MAX), body);
    end_connecting(c, NULL, &why);
}

/* A header that the response must have exactly once, or must not have. */
struct answer_fields {
    unsigned upgrades, connects, accepts, extends;
};

static bool
read_answer_field(const struct websocket_client *c, char *line, size_t n,
                  struct answer_fields *f)
{
    char accept[WEBSOCKET_ACCEPT_SIZE];
    struct http_field field;

    if (!http_field_read(line, n, &field))
        return false;
    websocket_handshake_accept(c->key, accept);
    f->upgrades += strcmp(field.name, "upgrade") == 0 &&
                   http_list_has(field.value, "websocket");
    f->connects += strcmp(field.name, "connection") == 0 &&
                   http_list_has(field.value, "upgrade");
    f->accepts += strcmp(field.name, "sec-websocket-accept") == 0 &&
                  strcmp(field.value, accept) == 0;
    f->extends += strcmp(field.name, "sec-websocket-extensions") == 0 ||
                  strcmp(field.name, "sec-websocket-protocol") == 0;
    return true;
}

/* Whether the headers accept the upgrade (RFC 6455, 4.1). */
static bool
is_upgraded(const struct websocket_client *c, char *line)
{
    struct answer_fields f = {0};

    while (*line) {
        char *end = strstr(line, "\r\n");

        if (!end)
            return false;
        *end = '\0';
        if (!read_answer_field(c, line, (size_t)(end - line), &f))
            return false;
        line = end + 2;
    }
    return f.upgrades == 1 && f.connects == 1 && f.accepts == 1 &&
           f.extends == 0;
}

/* The head is complete; body is what follows it. */
static void
take_upgrade(struct websocket_client *c, size_t size)
{
    char *head = c->answer.p, *body = head + size;
    char *fields = strstr(head, "\r\n") + 2;
    CLEANUP_BUF struct buf begun = buf_of(ANSWER_MAX);
    struct err why = {0};
    struct websocket *ws;

    if (strncmp(head, "HTTP/1.1 101", 12) != 0) {
        refuse_upgrade(c, head, body);
        return;
    }
    buf_add(&begun, body, c->answer.len - size);
    head[size - 2] = '\0';
    if (!is_upgraded(c, fields)) {
        err_set(&why, ERR_PEER, "the server speaks no WebSocket there");
        end_connecting(c, NULL, &why);
        return;
    }
    watch_free(TAKE_PTR(c->socket));
    ws = websocket_new(c->set.shared, TAKE_FD(c->fd), &begun, true,
                       c->set.events, c->set.owner, &why);
    if (ws)
        websocket_use_tls(ws, TAKE_PTR(c->tls));
    end_connecting(c, ws, ws ? NULL : &why);
}

static void
fail_connecting(struct websocket_client *c, int sys)
{
    CLEANUP_BUF struct buf name = buf_of(AUTHORITY_MAX);
    struct err why = {0};

    address_put(&name, &c->address);
    errno = sys;
    if (sys)
        err_sys(&why, "%s", name.p);
    else
        err_set(&why, ERR_PEER, "%s: the server closed the connection", name.p);
    end_connecting(c, NULL, &why);
}

/* Adds what has come to the response. False: there is nothing new, or c is
 * freed. */
static bool
read_more(struct websocket_client *c)
{
    struct read_buffer *buffer = c->set.shared->buffer;
    char *bytes = read_buffer_borrow(buffer, NULL);
    int sys = bytes ? 0 : ENOMEM;
    ssize_t n = bytes ? tls_read(c->tls, c->fd, bytes, READ_BUFFER_BYTES) : -1;

    if (n > 0)
        buf_add(&c->answer, bytes, (size_t)n);
    else if (n < 0 && bytes)
        sys = errno;
    if (bytes)
        read_buffer_give_back(buffer, bytes);
    if (n == 0 || (n < 0 && sys != EAGAIN && sys != EINTR))
        fail_connecting(c, sys);
    return n > 0;
}

/* Whether the first line of a refusal's body has come, of which n bytes have:
 * head and body may come one after another. */
static bool
is_refusal_whole(const char *head, const char *body, size_t n)
{
    const char *length = strcasestr(head, "\r\ncontent-length:");

    return !length || length >= body || strncmp(head, "HTTP/1.", 7) != 0 ||
           strncmp(head, "HTTP/1.1 101", 12) == 0 || n >= SAID_MAX ||
           memchr(body, '\n', n) ||
           n >= strtoul(strchr(length, ':') + 1, NULL, 10);
}

static void
read_upgrade(struct websocket_client *c)
{
    const char *end, *body;
    struct err why = {0};

    if (!read_more(c))
        return;
    end = strstr(c->answer.p, "\r\n\r\n");
    if (end) {
        body = end + 4;
        if (is_refusal_whole(c->answer.p, body,
                             c->answer.len - (size_t)(body - c->answer.p)))
            take_upgrade(c, (size_t)(body - c->answer.p));
    } else if (c->answer.len > HTTP_HEAD_MAX || c->answer.bad ||
               strlen(c->answer.p) < c->answer.len) {
        err_set(&why, ERR_PEER, "the server speaks no HTTP there");
        end_connecting(c, NULL, &why);
    }
}

static void
write_request(struct websocket_client *c)
{
    struct iovec part = {c->request.p, c->request.len};
    ssize_t n = part.iov_len > 0 ? tls_send(c->tls, c->fd, &part, 1)
                                 : tls_flush(c->tls);

    if (n < 0 && errno != EAGAIN && errno != EINTR) {
        fail_connecting(c, errno);
        return;
    }
    if (n > 0 && part.iov_len > 0)
        buf_drop(&c->request, (size_t)n);
    if (c->request.len == 0 && tls_unsent(c->tls) == 0)
        watch_events(c->socket, LOOP_READ);
}

static int
watch_client(struct websocket_client *c, struct err *e)
{
    c->socket = loop_fd(c->set.shared->loop, c->fd, LOOP_READ | LOOP_WRITE,
                        on_client_socket, c, e);
    return c->socket ? 0 : -1;
}

static void
on_client_handshake(void *arg, struct tls *t, const struct err *why)
{
    struct websocket_client *c = arg;
    struct err e = {0};

    c->tls = t;
    tls_handshake_free(TAKE_PTR(c->handshake));
    if (why)
        end_connecting(c, NULL, why);
    else if (watch_client(c, &e) < 0)
        end_connecting(c, NULL, &e);
}

static void
begin_client_handshake(struct websocket_client *c)
{
    struct err e = {0};

    watch_free(TAKE_PTR(c->socket));
    c->handshake = tls_handshake_new(c->set.shared->loop,
                                     c->trust ? c->trust : c->set.trust, c->fd,
                                     c->name, on_client_handshake, c, &e);
    if (!c->handshake)
        end_connecting(c, NULL, &e);
}

static void
on_client_socket(void *arg, unsigned events)
{
    struct websocket_client *c = arg;
    int sys = 0;
    socklen_t size = sizeof(sys);

    if (!c->connected) {
        if (getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &sys, &size) < 0 ||
            sys != 0) {
            fail_connecting(c, sys ? sys : errno);
            return;
        }
        c->connected = true;
        if (c->encrypted) {
            begin_client_handshake(c);
            return;
        }
    }
    if (c->request.len > 0 || tls_unsent(c->tls) > 0)
        write_request(c);
    else if (events & (LOOP_READ | LOOP_HUP))
        read_upgrade(c);
}

static void
on_client_deadline(void *arg, unsigned events)
{
    struct websocket_client *c = arg;
    CLEANUP_BUF struct buf name = buf_of(AUTHORITY_MAX);
    struct err why = {0};

    (void)events;
    address_put(&name, &c->address);
    err_set(&why, ERR_TIMEOUT, "%s: no answer within %lld s", name.p,
            (long long)(c->set.timeout_ms / 1000));
    end_connecting(c, NULL, &why);
}

static int
begin_connecting(struct websocket_client *c, const char *url, struct err *e)
{
    struct loop *l = c->set.shared->loop;
    int family = c->address.at.ss_family;
    const int on = 1;

    c->fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (c->fd < 0)
        return err_sys(e, "%s", url);
    if (family != AF_UNIX)
        (void)setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    if (connect(c->fd, (const struct sockaddr *)&c->address.at,
                c->address.len) < 0 &&
        errno != EINPROGRESS)
        return err_sys(e, "%s", url);
    if (watch_client(c, e) < 0)
        return -1;
    c->deadline = loop_timer(l, c->set.timeout_ms, on_client_deadline, c, e);
    return c->deadline ? 0 : -1;
}

struct websocket_client *
websocket_client_new(const struct websocket_client_setup *set, struct err *e)
{
    CLEANUP(websocket_client_free_p)
    struct websocket_client *c = calloc(1, sizeof(*c));
    char authority[AUTHORITY_MAX];
    const char *path;

    if (!c) {
        err_nomem(e);
        return NULL;
    }
    c->set = *set;
    c->fd = -1;
    c->request = buf_of_secret(REQUEST_MAX);
    buf_init(&c->answer, ANSWER_MAX);
    if (read_websocket_url(c, set->url, authority, &path, e) < 0 ||
        (c->encrypted && !set->trust &&
         !(c->trust = tls_client_context_new(NULL, e))) ||
        write_handshake(c, authority, path, e) < 0 ||
        begin_connecting(c, set->url, e) < 0)
        return NULL;
    c->set.url = c->set.path = c->set.token = NULL;
    return TAKE_PTR(c);
}
