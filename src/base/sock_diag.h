/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sock_diag.h - asks the kernel for TCP sockets of this network namespace, by
 * sock_diag(7). */
#ifndef BASE_SOCK_DIAG_H
#define BASE_SOCK_DIAG_H

#include <linux/inet_diag.h>
#include <stdbool.h>

struct sock_diag_query {
    int family;      /* AF_INET or AF_INET6 */
    unsigned states; /* a bit for each, as 1 << TCP_LISTEN */
    bool all;        /* every socket of these states; else the one of `id` */
    struct inet_diag_sockid id;
    int wait_ms; /* the kernel answers at once or never */
};

enum sock_diag_answer {
    SOCK_DIAG_DONE,
    SOCK_DIAG_NONE,  /* there is no such socket */
    SOCK_DIAG_FAILED /* the kernel does not have it, or did not answer */
};

/* Calls found for each socket of the answer; it may do so before it fails. */
enum sock_diag_answer
sock_diag_ask(const struct sock_diag_query *q,
              void (*found)(void *arg, const struct inet_diag_msg *m),
              void *arg);

#endif
