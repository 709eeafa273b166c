/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_listen.c - the addresses and connections of a server. */
#include "server/server_listen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/str.h"
#include "wire/address.h"
#include "wire/listener.h"

#define CONNECTIONS_MOST 10000

void
server_listen_choose(struct server_listen *l, const struct seat *s,
                     const char *address)
{
    int n = listener_passed_fds(seat_variable(s, "LISTEN_PID"),
                                seat_variable(s, "LISTEN_FDS"));

    *l = (struct server_listen){.in = STDIN_FILENO, .out = STDOUT_FILENO};
    for (int i = 0; i < n && l->n < SERVER_LISTENERS_MAX - 1; i++) {
        int fd = LISTENER_FIRST_FD + i, listens = 0;
        socklen_t size = sizeof(listens);

        if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 &&
            !listens) {
            l->in = l->out = fd;
            continue;
        }
        snprintf(l->passed[l->n], sizeof(l->passed[0]), "fd:%d", fd);
        l->at[l->n] = l->passed[l->n];
        l->n++;
    }
    if (address)
        l->at[l->n++] = address;
}

int
server_listen_address(const char *text, char *out, size_t size, struct err *e)
{
    bool whole = address_has_kind(text);
    struct address a;

    snprintf(out, size, "%s%s",
             whole                                          ? ""
             : text[0] == '/'                               ? "unix:"
             : text[0] && !text[strspn(text, "0123456789")] ? "tcp:127.0.0.1:"
                                                            : "tcp:",
             text);
    if (str_begins(out, "fd:") || address_read(out, &a, e) == 0)
        return 0;
    if (whole)
        return err_wrap(e, "--listen");
    return err_set(e, ERR_USAGE,
                   "--listen %.80s: it takes HOST:PORT (HOST is an address, or "
                   "localhost), a port of 127.0.0.1, or the path of a Unix "
                   "socket",
                   text);
}

int
server_listen_connections(const char *text, unsigned *out, struct err *e)
{
    char *end;
    long n;

    if (!text)
        return 0;
    n = strtol(text, &end, 10);
    if (end == text || *end || n < 1 || n > CONNECTIONS_MOST)
        return err_set(e, ERR_USAGE, "--max-connections is from 1 to %d",
                       CONNECTIONS_MOST);
    *out = (unsigned)n;
    return 0;
}
