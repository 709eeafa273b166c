/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tcp_listeners.h - finds out which TCP ports of this machine have a listener.
 */
#ifndef MODEL_TCP_LISTENERS_H
#define MODEL_TCP_LISTENERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define TCP_LISTENER_UID_UNKNOWN ((uid_t)-1) /* the kernel does not tell */

/* The socket that a connection to 127.0.0.1 would reach. */
struct tcp_listener {
    int port;       /* set by the caller; the other members are the result */
    unsigned near;  /* how specific its address is; 0: nobody listens */
    uint32_t inode; /* unique while the socket is open: another inode means
                       another server, or the same one restarted */
    uid_t uid;      /* the owner */
};

/* Looks up n ports. The kernel lists its listening sockets over sock_diag(7);
 * no connection is made. (Reading /proc/net/tcp walks every possible socket,
 * 5 ms on a large machine.) Returns false when the kernel does not answer: only
 * a connection can tell then. */
bool tcp_listeners_find(struct tcp_listener *v, size_t n);

#endif
