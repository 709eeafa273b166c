/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tcp_peer_diag.c - finds a socket by the ends of its connection. */
#include "wire/tcp_peer_diag.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "base/cleanup.h"

#define REPLY_BYTES 4096
#define REPLY_MS    1000 /* the kernel answers at once or never */
#define ANY_STATE   0xfffu
#define LISTENING   10 /* TCP_LISTEN of the kernel's tcp_states.h */

static void
put_diag_address(__be32 out[4], bool is_4, const struct in6_addr *address)
{
    if (is_4)
        memcpy(out, &address->s6_addr[12], 4);
    else
        memcpy(out, address, sizeof(*address));
}

/* Asks for that one socket. An address of IPv4 is looked up as such, also where
 * one of the sockets is of IPv6. */
static bool
ask_diag(int netlink, const struct tcp_ends *w)
{
    bool is_4 = IN6_IS_ADDR_V4MAPPED(&w->own.address);
    struct {
        struct nlmsghdr head;
        struct inet_diag_req_v2 body;
    } q = {
        .head = {.nlmsg_len = sizeof(q),
                 .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                 .nlmsg_flags = NLM_F_REQUEST},
        .body = {.sdiag_family = is_4 ? AF_INET : AF_INET6,
                 .sdiag_protocol = IPPROTO_TCP,
                 .idiag_states = ANY_STATE,
                 .id = {.idiag_sport = w->own.port,
                        .idiag_dport = w->other.port,
                        .idiag_cookie = {INET_DIAG_NOCOOKIE,
                                         INET_DIAG_NOCOOKIE}}},
    };

    put_diag_address(q.body.id.idiag_src, is_4, &w->own.address);
    put_diag_address(q.body.id.idiag_dst, is_4, &w->other.address);
    return send(netlink, &q, sizeof(q), MSG_NOSIGNAL) == (ssize_t)sizeof(q);
}

/* Where there is no connection the kernel names whatever listens at that port:
 * both ends are compared. */
static bool
take_diag_reply(const struct tcp_ends *w, const struct inet_diag_msg *m,
                struct tcp_peer *out)
{
    const struct tcp_ends found = {
        tcp_end_make(m->idiag_family, m->id.idiag_src, m->id.idiag_sport),
        tcp_end_make(m->idiag_family, m->id.idiag_dst, m->id.idiag_dport)};

    out->uid = m->idiag_uid;
    out->inode = m->idiag_inode;
    return tcp_ends_are_equal(w, &found) && m->idiag_state != LISTENING &&
           m->idiag_inode != 0;
}

enum diag_answer
tcp_peer_diag_find(const struct tcp_ends *w, struct tcp_peer *out)
{
    CLEANUP(fd_close_p)
    int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    _Alignas(struct nlmsghdr) char bytes[REPLY_BYTES];
    const struct nlmsghdr *head = (const void *)bytes;
    struct pollfd p = {.fd = fd, .events = POLLIN};
    struct inet_diag_msg m;
    struct nlmsgerr failed;
    ssize_t got;

    if (fd < 0 || !ask_diag(fd, w) || poll(&p, 1, REPLY_MS) != 1)
        return DIAG_MISSING;
    got = recv(fd, bytes, sizeof(bytes), 0);
    if (got >= (ssize_t)NLMSG_LENGTH(sizeof(failed)) &&
        head->nlmsg_type == NLMSG_ERROR) {
        memcpy(&failed, bytes + NLMSG_HDRLEN, sizeof(failed));
        return failed.error == -ENOENT ? DIAG_NOT_FOUND : DIAG_MISSING;
    }
    if (got < (ssize_t)NLMSG_LENGTH(sizeof(m)) ||
        head->nlmsg_type != SOCK_DIAG_BY_FAMILY)
        return DIAG_MISSING;
    memcpy(&m, bytes + NLMSG_HDRLEN, sizeof(m));
    return take_diag_reply(w, &m, out) ? DIAG_FOUND : DIAG_NOT_FOUND;
}
