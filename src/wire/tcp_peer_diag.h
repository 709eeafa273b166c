/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tcp_peer_diag.h - finds a socket by the ends of its connection, by
 * sock_diag(7). */
#ifndef WIRE_TCP_PEER_DIAG_H
#define WIRE_TCP_PEER_DIAG_H

#include "wire/tcp_ends.h"
#include "wire/tcp_peer.h"

enum diag_answer {
    DIAG_FOUND,
    DIAG_NOT_FOUND,
    DIAG_MISSING /* the kernel does not have it, or did not answer */
};

/* Asks for that one socket: its cost does not grow with their number. */
enum diag_answer tcp_peer_diag_find(const struct tcp_ends *wanted,
                                    struct tcp_peer *out);

#endif
