/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listen.c - whether somebody listens on a port of this machine. */
#include "model/listen.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "base/cleanup.h"

#define TCP_LISTEN_STATE 10 /* TCP_LISTEN of the kernel's tcp_states.h */
#define REPLY_BYTES      16384
#define REPLY_MS         100 /* the kernel answers at once, or not at all */

enum found { NOBODY, SOMEBODY, UNTOLD };

static int
ask_kernel(int fd, int family)
{
    struct {
        struct nlmsghdr head;
        struct inet_diag_req_v2 body;
    } q = {
        .head = {.nlmsg_len = sizeof(q),
                 .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                 .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
        .body = {.sdiag_family = (unsigned char)family,
                 .sdiag_protocol = IPPROTO_TCP,
                 .idiag_states = 1u << TCP_LISTEN_STATE},
    };

    return send(fd, &q, sizeof(q), MSG_NOSIGNAL) == (ssize_t)sizeof(q) ? 0 : -1;
}

static bool
is_wanted(const struct nlmsghdr *h, const int *ports, size_t n)
{
    struct inet_diag_msg m;

    if (h->nlmsg_len < NLMSG_LENGTH(sizeof(m)))
        return false;
    memcpy(&m, NLMSG_DATA(h), sizeof(m));
    for (size_t i = 0; i < n; i++) {
        if (ntohs(m.id.idiag_sport) == ports[i])
            return true;
    }
    return false;
}

/* Looks through one datagram of the answer; *more says whether another one
 * follows. */
static enum found
look(char *bytes, size_t got, const int *ports, size_t n, bool *more)
{
    unsigned left = (unsigned)got;
    struct nlmsghdr *h = (struct nlmsghdr *)(void *)bytes;

    *more = true;
    for (; NLMSG_OK(h, left); h = NLMSG_NEXT(h, left)) {
        if (h->nlmsg_type == NLMSG_ERROR)
            return UNTOLD;
        if (h->nlmsg_type == NLMSG_DONE) {
            *more = false;
            return NOBODY;
        }
        if (is_wanted(h, ports, n))
            return SOMEBODY;
    }
    return NOBODY;
}

static enum found
family_has(int family, const int *ports, size_t n)
{
    CLEANUP(fd_close_p)
    int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    enum found found = NOBODY;
    bool more = true;

    if (fd < 0 || ask_kernel(fd, family) < 0)
        return UNTOLD;
    while (more && found == NOBODY) {
        _Alignas(struct nlmsghdr) char bytes[REPLY_BYTES];
        struct pollfd p = {.fd = fd, .events = POLLIN};
        ssize_t got = poll(&p, 1, REPLY_MS) == 1
                          ? recv(fd, bytes, sizeof(bytes), 0)
                          : -1;

        if (got <= 0)
            return UNTOLD;
        found = look(bytes, (size_t)got, ports, n, &more);
    }
    return found;
}

bool
listen_on_any(const int *ports, size_t n)
{
    enum found v4 = family_has(AF_INET, ports, n);

    return v4 != NOBODY || family_has(AF_INET6, ports, n) == SOMEBODY;
}
