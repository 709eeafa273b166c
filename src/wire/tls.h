/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tls.h - a socket's bytes sealed by TLS 1.2 or 1.3, or as they are.
 *
 * OpenSSL is loaded by the first context. It never reads or writes a socket
 * but in the handshake: what a read brought is opened at once and whole, where
 * it lies, and what is sent is sealed into a queue of the connection's own. So
 * a read waits for nothing to be written, and nothing that was read waits
 * unseen: who works with the loop knows a sealed socket from a plain one by
 * tls_unsent alone.
 *
 * A pointer to a `struct tls` may be NULL everywhere: the socket is plain. */
#ifndef WIRE_TLS_H
#define WIRE_TLS_H

#include <stdbool.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "base/cleanup.h"
#include "base/err.h"

struct tls_context; /* a certificate, or whom to trust */
struct tls;         /* of one socket */

/* Bytes that are sealed ahead of a slow reader. */
#define TLS_AHEAD_BYTES (128u << 10)

/* For a server: two files of PEM, the certificate with those between it and
 * its root behind it, and its private key, which others must not be able to
 * read. ERR_USAGE names the file and what is wrong with it; ERR_UNSUPPORTED:
 * there is no OpenSSL 3. */
struct tls_context *tls_server_context_new(const char *certificate,
                                           const char *key, struct err *e);
/* For a client: trusts what the system does, and the certificates of the file,
 * which may be NULL. */
struct tls_context *tls_client_context_new(const char *ca_file, struct err *e);
/* Sockets that use it go on with it. Accepts NULL. */
void tls_context_free(struct tls_context *c);
DEFINE_CLEANUP(struct tls_context, tls_context_free)

/* Whether a server's certificate is for a host name or address, of n bytes. */
bool tls_context_is_for(const struct tls_context *c, const char *name,
                        size_t n);

/* For a connected, non-blocking socket, which the caller keeps open until
 * tls_free. name: of a client, the host name or address that the peer's
 * certificate is to be for; NULL for a server. */
struct tls *tls_new(struct tls_context *c, int fd, const char *name,
                    struct err *e);
/* Without a word to the peer: that is tls_shut's. Accepts NULL. */
void tls_free(struct tls *t);
DEFINE_CLEANUP(struct tls, tls_free)

/* Goes on with the handshake. 1: it is done. 0: call again when the socket can
 * be read, or written while tls_unsent is not 0. ERR_PEER: why it failed. */
int tls_handshake(struct tls *t, struct err *e);

/* As read(2): of n bytes, at least TLS_READ_MIN. 0: the peer sends no more,
 * by its own word; where the connection was only cut, ECONNRESET, and EPROTO
 * where something else came than TLS allows. */
#define TLS_READ_MIN (36u << 10)
ssize_t tls_read(struct tls *t, int fd, char *bytes, size_t n);

/* As sendmsg(2) that never blocks. Sealed bytes are all taken, but for the last
 * of them the socket may have had no room: tls_unsent. To be called where
 * nothing is unsent, with TLS_AHEAD_BYTES at most. */
ssize_t tls_send(struct tls *t, int fd, struct iovec *parts, size_t n);

/* Sealed bytes that the socket had no room for; tls_flush sends what it can of
 * them, and returns how many, or -1 with errno. */
size_t tls_unsent(const struct tls *t);
ssize_t tls_flush(struct tls *t);

/* Seals TLS_AHEAD_BYTES at most of the parts behind what is unsent, and returns
 * how many it took; -1 with errno. */
ssize_t tls_seal(struct tls *t, const struct iovec *parts, size_t n);

/* As shutdown(2) of what is written: the peer is told, where the socket has
 * room. Without t nothing is told. */
void tls_shut(struct tls *t, int fd);

#endif
