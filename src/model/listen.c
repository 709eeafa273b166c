/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listen.c - who listens on a port of this machine. */
#include "model/listen.h"

#include <arpa/inet.h>
#include <errno.h>
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

enum told { MORE, ALL, UNTOLD };

/* A listener on all addresses takes IPv4 too, but one on 127.0.0.1 comes
 * before it. Those on other addresses are not reached from here. */
static unsigned
nearness(const struct inet_diag_msg *m)
{
    const uint32_t *a = m->id.idiag_src;

    if (m->idiag_family == AF_INET)
        return ntohl(a[0]) >> 24 == 127 ? 4 : a[0] == 0 ? 3 : 0;
    if (a[0] || a[1] || a[2])
        return 0;
    return a[3] == 0 ? 2 : a[3] == htonl(1) ? 1 : 0;
}

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

static void
take(const struct nlmsghdr *h, struct listener *v, size_t n)
{
    struct inet_diag_msg m;
    unsigned near;

    if (h->nlmsg_len < NLMSG_LENGTH(sizeof(m)))
        return;
    memcpy(&m, (const char *)h + NLMSG_HDRLEN, sizeof(m));
    near = nearness(&m);
    for (size_t i = 0; i < n; i++) {
        if (ntohs(m.id.idiag_sport) != v[i].port || near <= v[i].near)
            continue;
        v[i].near = near;
        v[i].inode = m.idiag_inode;
        v[i].uid = m.idiag_uid;
    }
}

/* Looks through one datagram of the answer. */
static enum told
look(const char *bytes, size_t got, struct listener *v, size_t n)
{
    size_t at = 0;

    while (at + sizeof(struct nlmsghdr) <= got) {
        const struct nlmsghdr *h = (const void *)(bytes + at);

        if (h->nlmsg_len < sizeof(*h) || h->nlmsg_len > got - at)
            return UNTOLD;
        at += NLMSG_ALIGN(h->nlmsg_len);
        if (h->nlmsg_type == NLMSG_ERROR)
            return UNTOLD;
        if (h->nlmsg_type == NLMSG_DONE)
            return ALL;
        take(h, v, n);
    }
    return MORE;
}

static enum told
look_family(int family, struct listener *v, size_t n)
{
    CLEANUP(fd_close_p)
    int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    enum told told = MORE;

    if (fd < 0 || ask_kernel(fd, family) < 0)
        return UNTOLD;
    while (told == MORE) {
        _Alignas(struct nlmsghdr) char bytes[REPLY_BYTES];
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int ready = poll(&p, 1, REPLY_MS);
        ssize_t got = ready == 1 ? recv(fd, bytes, sizeof(bytes), 0) : -1;

        if (ready < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return UNTOLD;
        told = look(bytes, (size_t)got, v, n);
    }
    return told;
}

bool
listen_look(struct listener *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        v[i] = (struct listener){.port = v[i].port};
    if (look_family(AF_INET, v, n) == UNTOLD)
        return false;
    (void)look_family(AF_INET6, v, n); /* a kernel without it has none */
    return true;
}
