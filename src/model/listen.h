/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listen.h - whether somebody listens on a port of this machine. */
#ifndef MODEL_LISTEN_H
#define MODEL_LISTEN_H

#include <stdbool.h>
#include <stddef.h>

/* Whether somebody listens on one of the n TCP ports. Asks the kernel for its
 * listening sockets alone (sock_diag(7)), and connects to nobody: reading
 * /proc/net/tcp walks every socket there may be, 5 ms on a big machine. True
 * also when the kernel does not tell: then only asking tells. */
bool listen_on_any(const int *ports, size_t n);

#endif
