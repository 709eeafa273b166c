/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tcp_ends.h - the addresses of both ends of a TCP connection. */
#ifndef WIRE_TCP_ENDS_H
#define WIRE_TCP_ENDS_H

#include <netinet/in.h>
#include <stdbool.h>

/* One end, with an address of IPv4 as ::ffff:a.b.c.d. */
struct tcp_end {
    struct in6_addr address;
    in_port_t port; /* in network order */
};

/* As one of its sockets sees the connection. */
struct tcp_ends {
    struct tcp_end own, other;
};

/* The end that has these bytes as its address, 4 of AF_INET or 16 of AF_INET6,
 * and this port, in network order. */
struct tcp_end tcp_end_make(int family, const void *address, in_port_t port);

/* The ends of a connected socket, as its peer sees them. False: it is not of
 * TCP, or not connected. */
bool tcp_ends_of_peer(int fd, struct tcp_ends *out);

bool tcp_ends_are_equal(const struct tcp_ends *a, const struct tcp_ends *b);

#endif
