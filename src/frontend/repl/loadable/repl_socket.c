/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repl_socket.c - the loadable's end of the socket to the REPL. */
#include "frontend/repl/loadable/internals.h"

#include "frontend/repl/loadable/repl_socket.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void
repl_socket_send_raw(const struct repl_socket *l, const char *p, size_t n)
{
    while (send(l->fd, p, n, MSG_NOSIGNAL) < 0 && errno == EINTR)
        ;
}

void
repl_socket_send(const struct repl_socket *l, char kind, const char *text)
{
    char p[512];
    int n = snprintf(p, sizeof(p), "%c%s", kind, text);

    repl_socket_send_raw(l, p,
                         (size_t)n < sizeof(p) ? (size_t)n + 1 : sizeof(p));
}

void
repl_socket_send_fields(struct repl_socket *l, char kind, char *const *fields)
{
    buf_clear(&l->reply);
    for (; fields && *fields; fields++) {
        size_t n = strlen(*fields) + 1;

        if (n >= BASH_MSG_MAX) /* it fits in no packet: it is left out */
            continue;
        if (l->reply.len + n > BASH_MSG_MAX) {
            repl_socket_send_raw(l, l->reply.p, l->reply.len);
            buf_clear(&l->reply);
        }
        if (l->reply.len == 0)
            buf_ch(&l->reply, kind);
        buf_add(&l->reply, *fields, n);
    }
    if (l->reply.len > 0)
        repl_socket_send_raw(l, l->reply.p, l->reply.len);
    repl_socket_send(l, BASH_MSG_DONE, "");
}

ssize_t
repl_socket_receive(struct repl_socket *l)
{
    struct pollfd pfd = {.fd = l->fd, .events = POLLIN};
    ssize_t n;

    for (;;) {
        /* poll, because a signal ends it even where recv would go on */
        if (poll(&pfd, 1, -1) < 0 && errno != EINTR)
            return -1;
        check_signals_and_traps();
        n = recv(l->fd, l->packet, BASH_MSG_MAX, MSG_DONTWAIT);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n >= 0)
            l->packet[n] = '\0';
        return n;
    }
}
