/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fastserver.c - a model server without think time, to measure clients by.
 *
 * fastserver [CHUNKS [SIZE]]
 *
 * Listens on a loopback port of its own, prints "port N", and answers every
 * request at once with the same stream of OpenAI's format: an answer_only
 * AiAction whose text comes in CHUNKS events of SIZE bytes each (50 of 20).
 * The answer is made before the first request and sent with as few writes as
 * the socket takes, so that what is measured is the client. Connections are
 * kept alive. It ends with the program that started it. */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "base/buf.h"
#include "base/loop.h"

#define REQUEST_MAX (1u << 20)   /* a client under test sends a few KiB */
#define ANSWER_MAX  (256u << 20) /* a million chunks of 20 bytes fit */
#define BACKLOG     64
#define READ_BYTES  16384
#define N_MAX       1000000 /* chunks, and bytes of one */

struct server {
    struct loop *loop;
    struct buf answer;
    int fd;
};

struct conn {
    struct server *server;
    struct watch *watch;
    struct buf in;
    size_t sent; /* of the answer */
    bool answering;
    int fd;
};

static void
conn_free(struct conn *c)
{
    watch_free(c->watch);
    buf_done(&c->in);
    fd_close_p(&c->fd);
    free(c);
}

/* Length of the first request in the buffer with its body; 0: not whole. */
static size_t
request_len(const struct buf *in)
{
    static const char field[] = "\nContent-Length:";
    const char *end = memmem(in->p, in->len, "\r\n\r\n", 4), *at;
    size_t len;

    if (!end)
        return 0;
    len = (size_t)(end - in->p) + 4;
    for (at = in->p; at < end; at++)
        if (strncasecmp(at, field, sizeof(field) - 1) == 0)
            len += strtoul(at + sizeof(field) - 1, NULL, 10);
    return len <= in->len ? len : 0;
}

/* Sends what the socket takes; false when the connection is broken. */
static bool
conn_send(struct conn *c)
{
    const struct buf *a = &c->server->answer;

    while (c->sent < a->len) {
        ssize_t n = send(c->fd, a->p + c->sent, a->len - c->sent,
                         MSG_NOSIGNAL | MSG_DONTWAIT);

        if (n < 0 && errno == EAGAIN)
            return true;
        if (n < 0)
            return false;
        c->sent += (size_t)n;
    }
    c->answering = false;
    return true;
}

static bool
conn_serve(struct conn *c)
{
    size_t len;

    while (!c->answering && (len = request_len(&c->in)) > 0) {
        buf_drop(&c->in, len);
        c->sent = 0;
        c->answering = true;
        if (!conn_send(c))
            return false;
    }
    watch_events(c->watch, c->answering ? LOOP_WRITE : LOOP_READ);
    return true;
}

static void
on_conn(void *arg, unsigned events)
{
    struct conn *c = arg;
    bool alive = true;

    if (c->answering) {
        alive = !(events & LOOP_HUP) && conn_send(c);
    } else {
        ssize_t n = buf_room(&c->in, READ_BYTES)
                        ? -1
                        : recv(c->fd, c->in.p + c->in.len, READ_BYTES, 0);

        alive = n > 0;
        if (alive)
            c->in.len += (size_t)n;
    }
    if (!alive || !conn_serve(c))
        conn_free(c);
}

static void
on_accept(void *arg, unsigned events)
{
    struct server *s = arg;
    struct conn *c = calloc(1, sizeof(*c));
    int one = 1;

    (void)events;
    if (!c)
        return;
    c->server = s;
    buf_init(&c->in, REQUEST_MAX);
    c->fd = accept4(s->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (c->fd >= 0) {
        setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
        c->watch = loop_fd(s->loop, c->fd, LOOP_READ, on_conn, c, NULL);
    }
    if (!c->watch)
        conn_free(c);
}

/* One event with text, as a chunk of the body. */
static void
add_event(struct buf *b, const char *text, const char *finish)
{
    static const char shape[] =
        "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\","
        "\"created\":0,\"model\":\"fast\",\"choices\":[{\"index\":0,"
        "\"delta\":{\"content\":\"%s\"},\"finish_reason\":%s}]}\n\n";
    int len = snprintf(NULL, 0, shape, text, finish);

    buf_printf(b, "%x\r\n", (unsigned)len);
    buf_printf(b, shape, text, finish);
    buf_str(b, "\r\n");
}

static int
make_answer(struct buf *b, size_t chunks, size_t size, struct err *e)
{
    static const char usage[] =
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,"
        "\"completion_tokens\":9}}\n\ndata: [DONE]\n\n";
    CLEANUP(free_p) char *text = malloc(size + 1);

    if (!text)
        return err_sys(e, "chunk of %zu bytes", size);
    memset(text, 'x', size);
    text[size] = '\0';
    buf_str(b, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
               "Transfer-Encoding: chunked\r\n\r\n");
    add_event(b, "{\\\"kind\\\":\\\"answer_only\\\",\\\"summary\\\":\\\"",
              "null");
    while (chunks-- > 0)
        add_event(b, text, "null");
    add_event(b, "\\\"}", "\"stop\"");
    buf_printf(b, "%zx\r\n%s\r\n0\r\n\r\n", sizeof(usage) - 1, usage);
    return buf_ok(b, "answer", e);
}

static int
listen_on_loopback(struct err *e)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(a);
    CLEANUP(fd_close_p)
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0 || bind(fd, (struct sockaddr *)&a, len) < 0 ||
        listen(fd, BACKLOG) < 0 ||
        getsockname(fd, (struct sockaddr *)&a, &len) < 0)
        return err_sys(e, "listening on loopback");
    printf("port %d\n", ntohs(a.sin_port));
    fflush(stdout);
    return TAKE_FD(fd);
}

static int
number(const char *arg, size_t fallback, size_t *out, struct err *e)
{
    char *end;
    unsigned long n = arg ? strtoul(arg, &end, 10) : fallback;

    if (n == 0 || n > N_MAX || (arg && *end))
        return err_set(e, ERR_USAGE, "%s is not 1 to %d", arg, N_MAX);
    *out = n;
    return 0;
}

static int
serve(const char *chunks_arg, const char *size_arg, struct err *e)
{
    CLEANUP(loop_free_p) struct loop *l = loop_new(e);
    struct server s = {.loop = l, .fd = -1};
    size_t chunks, size;
    int ret = -1;

    buf_init(&s.answer, ANSWER_MAX);
    if (l && number(chunks_arg, 50, &chunks, e) == 0 &&
        number(size_arg, 20, &size, e) == 0 &&
        make_answer(&s.answer, chunks, size, e) == 0 &&
        (s.fd = listen_on_loopback(e)) >= 0 &&
        loop_fd(l, s.fd, LOOP_READ, on_accept, &s, e))
        ret = loop_run(l, e);
    fd_close_p(&s.fd);
    buf_done(&s.answer);
    return ret;
}

int
main(int argc, char **argv)
{
    struct err e = {0};

    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (argc > 3 ||
        serve(argc > 1 ? argv[1] : NULL, argc > 2 ? argv[2] : NULL, &e) < 0) {
        fprintf(stderr, "fastserver: %s\n",
                e.text[0] ? e.text : "fastserver [CHUNKS [SIZE]]");
        return 2;
    }
    return 0;
}
