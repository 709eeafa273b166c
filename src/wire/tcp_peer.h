/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tcp_peer.h - finds the other end of a TCP connection within this machine.
 *
 * The kernel knows each socket's user and inode: by sock_diag(7)
 * (tcp_peer_diag.h), or where it does not have that, by /proc/net/tcp
 * (tcp_peer_proc.h). */
#ifndef WIRE_TCP_PEER_H
#define WIRE_TCP_PEER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct tcp_peer {
    uid_t uid;      /* of the process that made the socket */
    uint64_t inode; /* as in socket:[INODE] of /proc/PID/fd */
};

/* Finds the peer of a connected socket. False: no open socket of this machine,
 * or of this network namespace, is at the other end. */
bool tcp_peer_find(int fd, struct tcp_peer *out);

#endif
