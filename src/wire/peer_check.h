/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peer_check.h - admits local TCP connections of this user alone, and none of
 * a confined process.
 *
 * On loopback the kernel admits every process of the machine. Where a server
 * asks for no token, a connection is admitted if
 *
 *   - its socket was made by this user, or by root;
 *   - and a process holds it that does not descend from a launcher of a
 *     sandbox (base/process_list.h), nor from this process. What runs
 *     confined, with the network, could otherwise ask the server to run
 * something unconfined, or answer what a person is asked.
 *
 * Where that cannot be seen the connection is refused, also while nothing is
 * confined: a socket may outlive who has hidden it. This needs no
 * list of what to keep out: a socket that confined processes hide, as by
 * passing it around, is held by nobody else. */
#ifndef WIRE_PEER_CHECK_H
#define WIRE_PEER_CHECK_H

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/loop.h"

struct peer_check;

/* checked(arg, fd, why) is called by the loop for each connection, which it
 * owns. why: NULL where it is admitted, else why not: ERR_PERMISSION, another
 * user; ERR_DENIED, a confined process; ERR_UNSUPPORTED, that cannot be seen
 * here; ERR_PEER, it has closed. It may free the check. NULL with ERR_NOMEM. */
struct peer_check *peer_check_new(struct loop *l,
                                  void (*checked)(void *arg, int fd,
                                                  const struct err *why),
                                  void *arg, struct err *e);
/* Closes the connections that are not checked yet. Accepts NULL. */
void peer_check_free(struct peer_check *p);
DEFINE_CLEANUP(struct peer_check, peer_check_free)

/* Takes a connection. Those that come while a thread looks for others wait for
 * the next one. */
void peer_check_take(struct peer_check *p, int fd);
/* No more can be taken before some are checked. */
bool peer_check_is_full(const struct peer_check *p);

#endif
