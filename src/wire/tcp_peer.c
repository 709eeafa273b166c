/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tcp_peer.c - finds the other end of a TCP connection within this machine. */
#include "wire/tcp_peer.h"

#include "wire/tcp_peer_diag.h"
#include "wire/tcp_peer_proc.h"

bool
tcp_peer_find(int fd, struct tcp_peer *out)
{
    struct tcp_ends wanted;

    if (!tcp_ends_of_peer(fd, &wanted))
        return false;
    switch (tcp_peer_diag_find(&wanted, out)) {
    case DIAG_FOUND:
        return true;
    case DIAG_NOT_FOUND:
        return false;
    default:
        return tcp_peer_proc_find(&wanted, out);
    }
}
