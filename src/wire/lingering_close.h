/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lingering_close.h - closes connections whose peers have still to read.
 *
 * Where a closed socket is sent to, the kernel resets the connection, and the
 * peer's next write fails before it has read why it was refused (RFC 9112,
 * 9.6). So nothing more is sent, what comes is dropped, and the socket is
 * closed when the peer has closed its end, has sent 64 KiB, or a second is
 * over. */
#ifndef WIRE_LINGERING_CLOSE_H
#define WIRE_LINGERING_CLOSE_H

#include "base/cleanup.h"
#include "base/loop.h"

#define LINGERING_CLOSE_MAX 32 /* at a time */

struct lingering_close;

struct lingering_close *lingering_close_new(struct loop *l, struct err *e);
/* Closes those that are left, at once. Accepts NULL. */
void lingering_close_free(struct lingering_close *g);
DEFINE_CLEANUP(struct lingering_close, lingering_close_free)

/* Takes over a non-blocking socket to which all has been written. Beyond
 * LINGERING_CLOSE_MAX the one that was taken first is closed. */
void lingering_close_take(struct lingering_close *g, int fd);

#endif
