/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listen.h - who listens on a port of this machine. */
#ifndef MODEL_LISTEN_H
#define MODEL_LISTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define LISTEN_NOBODY ((uid_t)-1) /* a user: the kernel does not tell whose */

/* The socket that a connection to 127.0.0.1 would reach. */
struct listener {
    int port;       /* asked for; the rest is the answer */
    unsigned near;  /* how near its address is to 127.0.0.1; 0: nobody */
    uint32_t inode; /* its own until it is closed: another one is another
                       server, or the same started anew */
    uid_t uid;      /* whose it is */
};

/* Looks up n ports. Asks the kernel for its listening sockets alone
 * (sock_diag(7)), and connects to nobody: reading /proc/net/tcp walks every
 * socket there may be, 5 ms on a big machine. false: the kernel does not tell,
 * then only asking the ports tells. */
bool listen_look(struct listener *v, size_t n);

#endif
