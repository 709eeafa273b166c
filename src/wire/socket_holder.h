/* SPDX-License-Identifier: GPL-3.0-or-later */
/* socket_holder.h - finds sockets that an unconfined process holds. */
#ifndef WIRE_SOCKET_HOLDER_H
#define WIRE_SOCKET_HOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/process_list.h"
#include "wire/tcp_peer.h"

struct held_socket {
    struct tcp_peer peer;
    bool unconfined; /* the answer */
};

/* Processes that were found lately, and not confined, which a process does not
 * become. One that connects again and again has its sockets one behind the
 * other: they are found there without a look at all others. */
#define SOCKET_HOLDERS 16
struct socket_holders {
    struct {
        struct process_entry process; /* pid 0: none */
        int fd;                       /* behind the last one that was found */
    } v[SOCKET_HOLDERS];
    size_t next; /* to be forgotten */
};

/* By the inode, for qsort(3) and bsearch(3). */
int socket_holder_compare(const void *a, const void *b);

/* Looks for n sockets of this user or root, sorted by socket_holder_compare: in
 * the descriptors of each process that is neither confined nor a descendant of
 * this one, as far as they can be read. Those of root's processes can be read
 * by root alone: for another user root's sockets are unconfined where no
 * process of root's is confined. Takes milliseconds: for a thread. Why not all
 * of /proc can be read, or ERR_NOMEM. */
int socket_holder_find(struct socket_holders *known, struct held_socket *v,
                       size_t n, struct err *e);

#endif
