/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tls.h - encrypts a socket's bytes by TLS 1.2 or 1.3, or leaves them as they
 * are.
 *
 * The first context loads OpenSSL, which reads and writes the socket only in
 * the handshake. After it, what a read brings is decrypted at once, completely
 * and in place, and what is sent is encrypted into a queue of the connection.
 * So a read never depends on a write, and no decrypted byte is left in OpenSSL:
 * for code on the loop an encrypted socket differs from a plain one by
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

struct tls_context; /* a certificate, or the trusted authorities */
struct tls;         /* of one socket */

/* Bytes that may be encrypted ahead of a slow reader. */
#define TLS_AHEAD_BYTES (128u << 10)

/* For a server: two PEM files, the certificate followed by its intermediate
 * certificates, and its private key, which other users must not be able to
 * read. ERR_USAGE names the file and what is wrong with it; ERR_UNSUPPORTED:
 * OpenSSL 3 is not installed. */
struct tls_context *tls_server_context_new(const char *certificate,
                                           const char *key, struct err *e);
/* For a client: trusts the system's authorities, and the certificates of the
 * file, which may be NULL. */
struct tls_context *tls_client_context_new(const char *ca_file, struct err *e);
/* Sockets that use it keep a reference. Accepts NULL. */
void tls_context_free(struct tls_context *c);
DEFINE_CLEANUP(struct tls_context, tls_context_free)

/* Whether a server's certificate is for a host name or address, of n bytes. */
bool tls_context_is_for(const struct tls_context *c, const char *name,
                        size_t n);

/* For a connected, non-blocking socket, which the caller keeps open until
 * tls_free. name: for a client, the host name or address that the server's
 * certificate must be for; NULL for a server. */
struct tls *tls_new(struct tls_context *c, int fd, const char *name,
                    struct err *e);
/* Sends no close_notify, which tls_shut does. Accepts NULL. */
void tls_free(struct tls *t);
DEFINE_CLEANUP(struct tls, tls_free)

/* Continues the handshake. 1: it is done. 0: call again when the socket is
 * readable, or writable while tls_unsent is not 0. -1 with ERR_PEER: it failed.
 */
int tls_handshake(struct tls *t, struct err *e);

/* As read(2), of n bytes, at least TLS_READ_MIN. 0: the peer has sent
 * close_notify; ECONNRESET: the connection ended without it; EPROTO: a
 * violation of TLS. */
#define TLS_READ_MIN (36u << 10)
ssize_t tls_read(struct tls *t, int fd, char *bytes, size_t n);

/* As sendmsg(2), without blocking. With TLS all bytes are taken, but the socket
 * may have had no room for the last of them: see tls_unsent. To be called while
 * tls_unsent is 0, with TLS_AHEAD_BYTES at most. */
ssize_t tls_send(struct tls *t, int fd, struct iovec *parts, size_t n);

/* Encrypted bytes that the socket had no room for; tls_flush sends what it can
 * of them, and returns how many, or -1 with errno. */
size_t tls_unsent(const struct tls *t);
ssize_t tls_flush(struct tls *t);

/* Encrypts at most TLS_AHEAD_BYTES of the parts, to be sent after what is
 * unsent, and returns how many it took; -1 with errno. */
ssize_t tls_encrypt(struct tls *t, const struct iovec *parts, size_t n);

/* As shutdown(2) with SHUT_WR: with t, close_notify is sent first, if the
 * socket has room. */
void tls_shut(struct tls *t, int fd);

#endif
