/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listeners.h - sockets that wait for others, by sock_diag(7).
 *
 * The kernel itself leaves out the connected ones, however many. */
#ifndef PLUGINS_SERVICES_LISTENERS_H
#define PLUGINS_SERVICES_LISTENERS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define LISTENERS_MAX 16384 /* two of every port's number are not met */

struct listener {
    bool udp, ipv6;
    char address[INET6_ADDRSTRLEN + 12]; /* link-local: with its "%index" */
    unsigned port;
    uint64_t uid, inode;
    int pid;       /* lowest of those who hold it; 0: none that is seen */
    int processes; /* how many hold it */
    int last;      /* counted last, while they are looked for */
};

struct listeners {
    struct listener *rows;
    size_t n, room;
    unsigned only; /* this port; 0: every one */
    bool udp;      /* what is being asked for at the moment */
    bool full;     /* there are more than LISTENERS_MAX */
};

/* Asks for TCP and UDP of both families. What the kernel has not is left out;
 * an error is that nothing could be asked at all. l begins zeroed but for
 * `only`, and needs listeners_done. */
int listeners_ask(struct listeners *l, struct err *e);
void listeners_done(struct listeners *l);

/* Takes one message in, a netlink_cb. */
bool listeners_take(void *arg, unsigned type, const void *payload, size_t n);

/* By port, protocol, address, process; one row for those that differ in
 * nothing of it, as with SO_REUSEPORT. */
void listeners_sort(struct listeners *l);

#endif
