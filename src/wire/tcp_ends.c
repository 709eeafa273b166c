/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tcp_ends.c - the addresses of both ends of a TCP connection. */
#include "wire/tcp_ends.h"

#include <string.h>
#include <sys/socket.h>

struct tcp_end
tcp_end_make(int family, const void *address, in_port_t port)
{
    struct tcp_end end = {.port = port};

    if (family == AF_INET6) {
        memcpy(&end.address, address, sizeof(end.address));
    } else {
        end.address.s6_addr[10] = end.address.s6_addr[11] = 0xff;
        memcpy(&end.address.s6_addr[12], address, sizeof(struct in_addr));
    }
    return end;
}

static bool
read_socket_end(const struct sockaddr_storage *at, struct tcp_end *out)
{
    const struct sockaddr_in *in = (const void *)at;
    const struct sockaddr_in6 *in6 = (const void *)at;

    if (at->ss_family == AF_INET6)
        *out = tcp_end_make(AF_INET6, &in6->sin6_addr, in6->sin6_port);
    else
        *out = tcp_end_make(AF_INET, &in->sin_addr, in->sin_port);
    return at->ss_family == AF_INET || at->ss_family == AF_INET6;
}

bool
tcp_ends_of_peer(int fd, struct tcp_ends *out)
{
    struct sockaddr_storage here = {0}, there = {0};
    socklen_t n_here = sizeof(here), n_there = sizeof(there);

    return getsockname(fd, (struct sockaddr *)&here, &n_here) == 0 &&
           getpeername(fd, (struct sockaddr *)&there, &n_there) == 0 &&
           read_socket_end(&there, &out->own) &&
           read_socket_end(&here, &out->other);
}

static bool
is_same_end(const struct tcp_end *a, const struct tcp_end *b)
{
    return a->port == b->port &&
           memcmp(&a->address, &b->address, sizeof(a->address)) == 0;
}

bool
tcp_ends_are_equal(const struct tcp_ends *a, const struct tcp_ends *b)
{
    return is_same_end(&a->own, &b->own) && is_same_end(&a->other, &b->other);
}
