/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tcp_peer_proc.h - finds a socket by the ends of its connection, in
 * /proc/net/tcp. */
#ifndef WIRE_TCP_PEER_PROC_H
#define WIRE_TCP_PEER_PROC_H

#include "wire/tcp_ends.h"
#include "wire/tcp_peer.h"

/* Reads all sockets of this network namespace, until it is found. False: it is
 * not there. */
bool tcp_peer_proc_find(const struct tcp_ends *wanted, struct tcp_peer *out);

#endif
