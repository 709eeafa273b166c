/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listener.h - accepts connections on a socket, from the loop.
 *
 * An address is
 *
 *     unix:PATH       a socket that the user of this process alone can reach
 *     tcp:HOST:PORT   HOST is an address, or localhost; PORT 0: any that is
 *                     free
 *     vsock:PORT      of a virtual machine (vsock(7)), for whoever runs it
 *     fd:N            a socket that listens already, as a service manager
 *                     passes it
 *
 * A socket that fails, as one may when a virtual machine goes on from a
 * snapshot, is made anew. */
#ifndef WIRE_LISTENER_H
#define WIRE_LISTENER_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/loop.h"

struct listener;

struct listener_events {
    /* A connection, which the callee owns: non-blocking, close-on-exec. The
     * callee may free the listener. */
    void (*accepted)(void *arg, int fd);
    /* A connection that listener_keep_to_user does not admit, and why, the
     * callee's likewise: to say so before it is closed. NULL: it is closed. */
    void (*refused)(void *arg, int fd, const struct err *why);
    /* An error after which the listener goes on: it creates its socket again,
     * or could not accept. */
    void (*trouble)(void *arg, const struct err *why);
};

/* Begins to listen. ERR_USAGE: the address is invalid; else the system's error.
 * The file of a Unix socket that no process listens on is replaced; another
 * file is not. */
struct listener *listener_new(struct loop *l, const char *address,
                              const struct listener_events *ev, void *arg,
                              struct err *e);
/* Removes a Unix socket that it made. Accepts NULL. */
void listener_free(struct listener *l);
DEFINE_CLEANUP(struct listener, listener_free)

/* For a server that asks for no token. From now on a Unix socket admits this
 * user and root alone, since one from a service manager, or whose mode was
 * changed, may be open to all; a TCP socket admits whom peer_check.h admits,
 * which keeps confined processes out too. ERR_NOMEM. */
int listener_keep_to_user(struct listener *l, struct err *e);

/* Whether peers of other machines, or of other users, may reach it: any TCP
 * address but loopback. */
bool listener_is_open(const struct listener *l);

/* Appends the address, with the port that was chosen. */
void listener_put_address(const struct listener *l, struct buf *out);

/* The number of descriptors, from 3 on, that a service manager passed by
 * LISTEN_PID and LISTEN_FDS (sd_listen_fds(3)). */
#define LISTENER_FIRST_FD 3
int listener_passed_fds(const char *pid, const char *fds);

/* Connects to an address, not fd:N, for a client; waits for timeout_ms at most.
 * -1 with e. */
int listener_connect(const char *address, int timeout_ms, struct err *e);

#endif
