/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tls_acceptor.h - what a server that listens needs for TLS: its certificate,
 * and the handshakes of the connections that it has accepted. */
#ifndef WIRE_TLS_ACCEPTOR_H
#define WIRE_TLS_ACCEPTOR_H

#include <stddef.h>
#include <stdint.h>

#include "base/loop.h"
#include "wire/tls.h"

struct tls_acceptor;

struct tls_acceptor_setup {
    struct loop *loop;
    const char *certificate, *key; /* files, as of tls.h; borrowed */
    /* A connection whose handshake is done; it and t are the callee's. It may
     * not free the acceptor. */
    void (*accepted)(void *arg, int fd, struct tls *t, unsigned number);
    /* The connection with this number was dropped before that; may be NULL. */
    void (*dropped)(void *arg, unsigned number);
    void *arg;
};

/* Loads the certificate. ERR_USAGE also where only one of the files is named.
 * Where neither is, NULL is returned without an error, and connections are
 * plain. */
int tls_acceptor_new(const struct tls_acceptor_setup *set,
                     struct tls_acceptor **out, struct err *e);
/* Drops the handshakes. Accepts NULL. */
void tls_acceptor_free(struct tls_acceptor *a);
DEFINE_CLEANUP(struct tls_acceptor, tls_acceptor_free)

/* Takes over a connection, also on failure. A connection that does not complete
 * the handshake in time is dropped. number: the caller's, for the callbacks. */
void tls_acceptor_take(struct tls_acceptor *a, int fd, unsigned number);

/* Loads the files again, for the handshakes that begin from then on. On an
 * error the old certificate stays in use. a may be NULL: there is nothing to
 * do. */
int tls_acceptor_reload(struct tls_acceptor *a, struct err *e);

/* Whether the certificate is for a host name or address, of n bytes. */
bool tls_acceptor_is_for(const struct tls_acceptor *a, const char *name,
                         size_t n);

/* The numbers of handshakes under way, and of those that have failed. 0 for
 * NULL. */
size_t tls_acceptor_pending(const struct tls_acceptor *a);
uint64_t tls_acceptor_failed(const struct tls_acceptor *a);

#endif
