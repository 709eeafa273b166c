/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tcp_peer_diag.c - finds a socket by the ends of its connection. */
#include "wire/tcp_peer_diag.h"

#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

#include "base/sock_diag.h"

#define REPLY_MS  1000
#define ANY_STATE 0xfffu

struct diag_search {
    const struct tcp_ends *wanted;
    struct tcp_peer *out;
    bool found;
};

static void
put_diag_address(__be32 out[4], bool is_4, const struct in6_addr *address)
{
    if (is_4)
        memcpy(out, &address->s6_addr[12], 4);
    else
        memcpy(out, address, sizeof(*address));
}

/* Where there is no connection the kernel names whatever listens at that port:
 * both ends are compared. */
static void
on_diag_socket(void *arg, const struct inet_diag_msg *m)
{
    struct diag_search *s = arg;
    const struct tcp_ends found = {
        tcp_end_make(m->idiag_family, m->id.idiag_src, m->id.idiag_sport),
        tcp_end_make(m->idiag_family, m->id.idiag_dst, m->id.idiag_dport)};

    if (!tcp_ends_are_equal(s->wanted, &found) ||
        m->idiag_state == TCP_LISTEN || m->idiag_inode == 0)
        return;
    s->out->uid = m->idiag_uid;
    s->out->inode = m->idiag_inode;
    s->found = true;
}

/* An address of IPv4 is looked up as such, also where one of the sockets is of
 * IPv6. */
enum diag_answer
tcp_peer_diag_find(const struct tcp_ends *w, struct tcp_peer *out)
{
    struct diag_search s = {.wanted = w, .out = out};
    bool is_4 = IN6_IS_ADDR_V4MAPPED(&w->own.address);
    struct sock_diag_query q = {
        .family = is_4 ? AF_INET : AF_INET6,
        .states = ANY_STATE,
        .id = {.idiag_sport = w->own.port,
               .idiag_dport = w->other.port,
               .idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}},
        .wait_ms = REPLY_MS};

    put_diag_address(q.id.idiag_src, is_4, &w->own.address);
    put_diag_address(q.id.idiag_dst, is_4, &w->other.address);
    if (sock_diag_ask(&q, on_diag_socket, &s) == SOCK_DIAG_FAILED)
        return DIAG_MISSING;
    return s.found ? DIAG_FOUND : DIAG_NOT_FOUND;
}
