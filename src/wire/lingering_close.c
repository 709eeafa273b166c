/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lingering_close.c - closes connections whose peers have still to read. */
#include "wire/lingering_close.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define PEER_MS    1000
#define PEER_BYTES (64u << 10)
#define READ_BYTES 4096

struct lingering_socket {
    struct lingering_close *all;
    int fd;
    size_t dropped; /* bytes */
    struct watch *socket, *timer;
};

struct lingering_close {
    struct loop *loop;
    struct lingering_socket *v[LINGERING_CLOSE_MAX]; /* as they came */
    size_t n;
};

static void
free_lingering_socket(struct lingering_socket *s)
{
    watch_free(s->socket);
    watch_free(s->timer);
    fd_close_p(&s->fd);
    free(s);
}

static void
end_lingering_socket(struct lingering_close *g, size_t at)
{
    struct lingering_socket *s = g->v[at];

    memmove(&g->v[at], &g->v[at + 1],
            (--g->n - at) * sizeof(struct lingering_socket *));
    free_lingering_socket(s);
}

static void
on_lingering_time(void *arg, unsigned events)
{
    struct lingering_socket *s = arg;
    size_t at = 0;

    (void)events;
    while (s->all->v[at] != s)
        at++;
    end_lingering_socket(s->all, at);
}

/* Drops what has come. False: there is no more to wait for. */
static bool
drop_bytes(struct lingering_socket *s)
{
    char bytes[READ_BYTES];
    ssize_t n;

    while (s->dropped < PEER_BYTES) {
        n = recv(s->fd, bytes, sizeof(bytes), MSG_DONTWAIT);
        if (n <= 0)
            return n < 0 && (errno == EAGAIN || errno == EINTR);
        s->dropped += (size_t)n;
    }
    return false;
}

static void
on_lingering_bytes(void *arg, unsigned events)
{
    if (!drop_bytes(arg))
        on_lingering_time(arg, events);
}

struct lingering_close *
lingering_close_new(struct loop *l, struct err *e)
{
    struct lingering_close *g = calloc(1, sizeof(*g));

    if (!g) {
        err_nomem(e);
        return NULL;
    }
    g->loop = l;
    return g;
}

void
lingering_close_free(struct lingering_close *g)
{
    if (!g)
        return;
    while (g->n > 0)
        end_lingering_socket(g, g->n - 1);
    free(g);
}

void
lingering_close_take(struct lingering_close *g, int fd)
{
    struct lingering_socket *s = calloc(1, sizeof(*s));

    if (!s) {
        fd_close_p(&fd);
        return;
    }
    s->all = g;
    s->fd = fd;
    (void)shutdown(fd, SHUT_WR);
    s->socket = loop_fd(g->loop, fd, LOOP_READ, on_lingering_bytes, s, NULL);
    s->timer = loop_timer(g->loop, PEER_MS, on_lingering_time, s, NULL);
    if (!s->socket || !s->timer) {
        free_lingering_socket(s);
        return;
    }
    if (g->n == LINGERING_CLOSE_MAX) {
        (void)drop_bytes(g->v[0]); /* with bytes unread it would be reset */
        end_lingering_socket(g, 0);
    }
    g->v[g->n++] = s;
}
