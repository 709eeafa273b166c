/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tls_handshake.h - the handshake of TLS on the loop, of a server or a client.
 *
 * A peer that is slow, or sends something else, is dropped: nothing waits. */
#ifndef WIRE_TLS_HANDSHAKE_H
#define WIRE_TLS_HANDSHAKE_H

#include <stdint.h>

#include "base/loop.h"
#include "wire/tls.h"

struct tls_handshake;

/* Of all its rounds: as for the head of a request. */
#define TLS_HANDSHAKE_MS 10000

/* It is done, and t is the callee's; or it is not: t is NULL, and why says it.
 * Called once, from the loop; it frees the handshake. */
typedef void tls_handshake_cb(void *arg, struct tls *t, const struct err *why);

/* fd is connected and non-blocking; the caller keeps it open. name: of a
 * client, as of tls_new. */
struct tls_handshake *tls_handshake_new(struct loop *l, struct tls_context *c,
                                        int fd, const char *name,
                                        tls_handshake_cb *done, void *arg,
                                        struct err *e);
void tls_handshake_free(struct tls_handshake *h); /* accepts NULL */
DEFINE_CLEANUP(struct tls_handshake, tls_handshake_free)

#endif
