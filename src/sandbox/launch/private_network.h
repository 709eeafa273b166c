/* SPDX-License-Identifier: GPL-3.0-or-later */
/* private_network.h - an empty network namespace that many children share.
 *
 * Making a network namespace costs more than making all others together, and
 * children that have no network can share one. A process that starts many
 * children makes one, with a user namespace that owns it, and forks the
 * children into namespaces below that. It does not enter it itself, since it
 * looks up paths with all of its rights. */
#ifndef SANDBOX_LAUNCH_PRIVATE_NETWORK_H
#define SANDBOX_LAUNCH_PRIVATE_NETWORK_H

#include <sys/types.h>

struct private_network {
    int user, net; /* descriptors of the namespaces; -1: there are none */
};

/* Makes both namespaces; where that is not possible both stay -1. */
void private_network_make(struct private_network *n);
void private_network_close(struct private_network *n);

/* Forks a child of ours into namespaces below these, as namespaces_fork does;
 * the child calls run, which does not return. When this returns, its ids are
 * mapped and the byte that lets it go on has been sent on `channel`, the other
 * end of the child's. -1: there is no child. */
typedef void private_network_run_fn(void *arg);
pid_t private_network_fork(const struct private_network *n, unsigned namespaces,
                           int channel, private_network_run_fn *run, void *arg);

#endif
