/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listeners.c - sockets that wait for others, by sock_diag(7). */
#include "plugins/services/listeners.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/sock_diag.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/lib/netlink.h"

/* The kernel's numbers of states (TCP_CLOSE and TCP_LISTEN of its tcp_states.h)
 * are the protocol's own; a UDP socket that is not connected is closed. */
#define STATE_CLOSE  7
#define STATE_LISTEN 10

void
listeners_done(struct listeners *l)
{
    free(l->rows);
    *l = (struct listeners){0};
}

static bool
grow(struct listeners *l)
{
    size_t room = l->room ? 2 * l->room : 64;
    struct listener *rows;

    if (l->n < l->room)
        return true;
    rows = reallocarray(l->rows, room, sizeof(*rows));
    if (!rows)
        return false;
    l->rows = rows;
    l->room = room;
    return true;
}

static void
name_address(struct listener *one, const struct inet_diag_msg *m)
{
    char text[INET6_ADDRSTRLEN] = "";
    const struct in6_addr *six = (const void *)m->id.idiag_src;
    bool local = one->ipv6 && IN6_IS_ADDR_LINKLOCAL(six);

    (void)inet_ntop(one->ipv6 ? AF_INET6 : AF_INET, m->id.idiag_src, text,
                    sizeof(text));
    if (local && m->id.idiag_if)
        snprintf(one->address, sizeof(one->address), "%s%%%u", text,
                 m->id.idiag_if);
    else
        snprintf(one->address, sizeof(one->address), "%s", text);
}

bool
listeners_take(void *arg, unsigned type, const void *payload, size_t n)
{
    struct listeners *l = arg;
    struct inet_diag_msg m;
    struct listener one = {.udp = l->udp};

    if (type != SOCK_DIAG_BY_FAMILY || n < sizeof(m))
        return true;
    memcpy(&m, payload, sizeof(m));
    if (m.idiag_family != AF_INET && m.idiag_family != AF_INET6)
        return true;
    one.ipv6 = m.idiag_family == AF_INET6;
    one.port = ntohs(m.id.idiag_sport);
    one.uid = m.idiag_uid;
    one.inode = m.idiag_inode;
    name_address(&one, &m);
    if (one.port == 0 || (l->only && one.port != l->only))
        return true;
    l->full = l->n == LISTENERS_MAX;
    if (l->full || !grow(l))
        return false;
    l->rows[l->n++] = one;
    return true;
}

int
listeners_ask(struct listeners *l, struct err *e)
{
    static const int families[] = {AF_INET, AF_INET6};
    int heard = 0;

    for (int i = 0; i < 4; i++) {
        struct inet_diag_req_v2 q = {0};

        l->udp = i >= 2;
        q.sdiag_family = (uint8_t)families[i % 2];
        q.sdiag_protocol = l->udp ? IPPROTO_UDP : IPPROTO_TCP;
        q.idiag_states = 1u << (l->udp ? STATE_CLOSE : STATE_LISTEN);
        heard += netlink_dump(NETLINK_SOCK_DIAG, SOCK_DIAG_BY_FAMILY, &q,
                              sizeof(q), LISTENERS_MAX + 1, listeners_take, l,
                              e) == 0;
    }
    return heard > 0 ? 0 : -1;
}

static int
compare(const void *a, const void *b)
{
    const struct listener *x = a, *y = b;
    int by_address = strcmp(x->address, y->address);

    if (x->port != y->port)
        return x->port < y->port ? -1 : 1;
    if (x->udp != y->udp)
        return x->udp ? 1 : -1;
    if (by_address != 0)
        return by_address;
    return x->pid - y->pid;
}

void
listeners_sort(struct listeners *l)
{
    size_t kept = 0;

    if (l->n == 0)
        return;
    qsort(l->rows, l->n, sizeof(*l->rows), compare);
    for (size_t i = 1; i < l->n; i++) {
        if (compare(&l->rows[kept], &l->rows[i]) != 0)
            l->rows[++kept] = l->rows[i];
    }
    l->n = kept + 1;
}
