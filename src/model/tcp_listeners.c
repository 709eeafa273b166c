/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tcp_listeners.c - asks the kernel which TCP ports have a listener. */
#include "model/tcp_listeners.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "base/sock_diag.h"

#define REPLY_MS 100

/* The ports that are asked for. */
struct wanted_listeners {
    struct tcp_listener *v;
    size_t n;
};

/* How specific the address of a socket is: of the listeners that a connection
 * to 127.0.0.1 can reach, the kernel takes the one with the highest value. A
 * listener on all IPv6 addresses accepts IPv4 too. 0: it cannot be reached. */
static unsigned
address_rank(const struct inet_diag_msg *m)
{
    const uint32_t *a = m->id.idiag_src;

    if (m->idiag_family == AF_INET)
        return ntohl(a[0]) >> 24 == 127 ? 4 : a[0] == 0 ? 3 : 0;
    if (a[0] || a[1] || a[2])
        return 0;
    return a[3] == 0 ? 2 : a[3] == htonl(1) ? 1 : 0;
}

static void
on_listener(void *arg, const struct inet_diag_msg *m)
{
    const struct wanted_listeners *w = arg;
    unsigned near = address_rank(m);

    for (size_t i = 0; i < w->n; i++) {
        struct tcp_listener *l = &w->v[i];

        if (ntohs(m->id.idiag_sport) != l->port || near <= l->near)
            continue;
        l->near = near;
        l->inode = m->idiag_inode;
        l->uid = m->idiag_uid;
    }
}

static bool
list_family(int family, struct wanted_listeners *w)
{
    const struct sock_diag_query q = {.family = family,
                                      .states = 1u << TCP_LISTEN,
                                      .all = true,
                                      .wait_ms = REPLY_MS};

    return sock_diag_ask(&q, on_listener, w) == SOCK_DIAG_DONE;
}

bool
tcp_listeners_find(struct tcp_listener *v, size_t n)
{
    struct wanted_listeners w = {v, n};

    for (size_t i = 0; i < n; i++)
        v[i] = (struct tcp_listener){.port = v[i].port};
    if (!list_family(AF_INET, &w))
        return false;
    (void)list_family(AF_INET6, &w); /* a kernel without IPv6 fails */
    return true;
}
