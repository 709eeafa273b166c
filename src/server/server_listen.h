/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_listen.h - the addresses and connections of a server. */
#ifndef SERVER_SERVER_LISTEN_H
#define SERVER_SERVER_LISTEN_H

#include "base/err.h"
#include "base/seat.h"

#define SERVER_LISTENERS_MAX 16

struct server_listen {
    /* addresses of wire/listener.h, NULL at the end; borrowed in part */
    const char *at[SERVER_LISTENERS_MAX + 1];
    size_t n; /* 0: standard input and output are the only connection */
    char passed[SERVER_LISTENERS_MAX][16];
    int in, out; /* that connection; borrowed */
};

/* Listens on the sockets that a service manager passes (LISTEN_FDS), and on the
 * address, unless it is NULL. A connection that the manager has accepted
 * replaces standard input and output. */
void server_listen_choose(struct server_listen *l, const struct seat *s,
                          const char *address);

/* Completes what --listen says to an address of wire/listener.h: HOST:PORT is
 * of TCP, PORT of 127.0.0.1, and what begins with a slash a Unix socket.
 * ERR_USAGE: it is none, in words that say what is. */
int server_listen_address(const char *text, char *out, size_t size,
                          struct err *e);

/* Reads --max-connections; NULL: *out stays as it is. ERR_USAGE. */
int server_listen_connections(const char *text, unsigned *out, struct err *e);

#endif
