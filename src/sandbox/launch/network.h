/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network.h - a network with nobody in it, for many children.
 *
 * A new network namespace costs more than all others together, and what has no
 * network does not mind whose it shares: who starts many children makes one,
 * with a user namespace that owns it, and the children begin below that. Who
 * starts them stays where it is: it looks up paths with all of its rights. */
#ifndef SANDBOX_NETWORK_H
#define SANDBOX_NETWORK_H

#include <sys/types.h>

struct network {
    int user, net; /* the namespaces, which nobody need be in; -1: none */
};

/* Makes both; where that is not to be had they stay -1. */
void network_make(struct network *n);
void network_close(struct network *n);

/* A child of ours in namespaces below, as namespaces_fork; run, in it, does
 * not return. Its ids are mapped, and the word for it to go on was sent on
 * `line`, the other end of its own. -1: it cannot be made, and is not there. */
typedef void network_run(void *arg);
pid_t network_fork(const struct network *n, unsigned namespaces, int line,
                   network_run *run, void *arg);

#endif
