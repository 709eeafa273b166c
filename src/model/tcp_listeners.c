/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tcp_listeners.c - asks the kernel which TCP ports have a listener. */
#include "model/tcp_listeners.h"

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
#define REPLY_MS         100 /* the kernel answers at once or never */

enum diag_reply { REPLY_MORE, REPLY_DONE, REPLY_FAILED };

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

static int
send_query(int fd, int family)
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
add_socket(const struct nlmsghdr *h, struct tcp_listener *v, size_t n)
{
    struct inet_diag_msg m;
    unsigned near;

    if (h->nlmsg_len < NLMSG_LENGTH(sizeof(m)))
        return;
    memcpy(&m, (const char *)h + NLMSG_HDRLEN, sizeof(m));
    near = address_rank(&m);
    for (size_t i = 0; i < n; i++) {
        if (ntohs(m.id.idiag_sport) != v[i].port || near <= v[i].near)
            continue;
        v[i].near = near;
        v[i].inode = m.idiag_inode;
        v[i].uid = m.idiag_uid;
    }
}

/* Reads one datagram of the kernel's reply. */
static enum diag_reply
read_datagram(const char *bytes, size_t got, struct tcp_listener *v, size_t n)
{
    size_t at = 0;

    while (at + sizeof(struct nlmsghdr) <= got) {
        const struct nlmsghdr *h = (const void *)(bytes + at);

        if (h->nlmsg_len < sizeof(*h) || h->nlmsg_len > got - at)
            return REPLY_FAILED;
        at += NLMSG_ALIGN(h->nlmsg_len);
        if (h->nlmsg_type == NLMSG_ERROR)
            return REPLY_FAILED;
        if (h->nlmsg_type == NLMSG_DONE)
            return REPLY_DONE;
        add_socket(h, v, n);
    }
    return REPLY_MORE;
}

static enum diag_reply
list_family(int family, struct tcp_listener *v, size_t n)
{
    CLEANUP(fd_close_p)
    int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    enum diag_reply reply = REPLY_MORE;

    if (fd < 0 || send_query(fd, family) < 0)
        return REPLY_FAILED;
    while (reply == REPLY_MORE) {
        _Alignas(struct nlmsghdr) char bytes[REPLY_BYTES];
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int ready = poll(&p, 1, REPLY_MS);
        ssize_t got = ready == 1 ? recv(fd, bytes, sizeof(bytes), 0) : -1;

        if (ready < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return REPLY_FAILED;
        reply = read_datagram(bytes, (size_t)got, v, n);
    }
    return reply;
}

bool
tcp_listeners_find(struct tcp_listener *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        v[i] = (struct tcp_listener){.port = v[i].port};
    if (list_family(AF_INET, v, n) == REPLY_FAILED)
        return false;
    (void)list_family(AF_INET6, v, n); /* a kernel without IPv6 fails */
    return true;
}
