/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tls.c - encrypts a socket's bytes by TLS, or leaves them as they are. */
#include "wire/tls.h"

#include <arpa/inet.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "wire/tls_context.h"

/* One record of TLS, of which a part came before. */
#define RECORD_ROOM (18u << 10)
_Static_assert(TLS_READ_MIN >= 2 * RECORD_ROOM, "a read has room for a record");
/* The encrypted output, and the protocol's own messages. */
#define OUT_MAX   (2u * TLS_AHEAD_BYTES)
#define OUT_KEPT  (4u << 10) /* bytes of memory that an idle queue may hold */
#define NAME_SIZE 256

struct tls {
    struct tls_context *context;
    SSL *ssl;
    BIO *out;    /* the encrypted output of ssl */
    size_t sent; /* bytes of it that the socket has taken */
    int fd;      /* borrowed */
    bool done;   /* the handshake is */
    bool closed; /* the peer has sent close_notify */
    bool shut;   /* we have sent it */
    bool failed; /* an error: nothing more can be encrypted or decrypted */
};

static const struct openssl *
calls_of(const struct tls *t)
{
    return &t->context->calls;
}

/* All encrypted bytes, including those that were sent. */
static size_t
encrypted_bytes(const struct tls *t, char **out)
{
    long n = calls_of(t)->BIO_ctrl(t->out, BIO_CTRL_INFO, 0, out);

    return n > 0 ? (size_t)n : 0;
}

/* Replaces the queue, since a large one would keep its memory. */
static int
renew_output(struct tls *t)
{
    const struct openssl *o = calls_of(t);
    BIO *out = o->BIO_new(o->BIO_s_mem());

    if (!out)
        return -1;
    o->SSL_set0_wbio(t->ssl, out);
    t->out = out;
    t->sent = 0;
    return 0;
}

/* Sets what the peer's certificate must be for: a host name, or an address. */
static int
expect_name(struct tls *t, const char *name, struct err *e)
{
    const struct openssl *o = calls_of(t);
    X509_VERIFY_PARAM *param = o->SSL_get0_param(t->ssl);
    unsigned char address[16];
    char copy[NAME_SIZE];

    if (strlen(name) >= sizeof(copy))
        return err_set(e, ERR_USAGE, "a host name that is too long");
    if (inet_pton(AF_INET, name, address) == 1 ||
        inet_pton(AF_INET6, name, address) == 1)
        return o->X509_VERIFY_PARAM_set1_ip_asc(param, name) == 1
                   ? 0
                   : err_nomem(e);
    memcpy(copy, name, strlen(name) + 1);
    o->X509_VERIFY_PARAM_set_hostflags(param,
                                       X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    if (o->SSL_set1_host(t->ssl, name) != 1 ||
        o->SSL_ctrl(t->ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME,
                    TLSEXT_NAMETYPE_host_name, copy) != 1)
        return err_set(e, ERR_USAGE, "'%.100s' is no host name", name);
    return 0;
}

static int
open_tls(struct tls *t, const char *name, struct err *e)
{
    const struct openssl *o = calls_of(t);
    BIO *in;

    if (!(t->ssl = o->SSL_new(t->context->ctx)) || renew_output(t) < 0 ||
        !(in = o->BIO_new_socket(t->fd, BIO_NOCLOSE)))
        return err_nomem(e);
    o->SSL_set0_rbio(t->ssl, in);
    if (!t->context->client) {
        o->SSL_set_accept_state(t->ssl);
        return 0;
    }
    o->SSL_set_connect_state(t->ssl);
    return expect_name(t, name, e);
}

struct tls *
tls_new(struct tls_context *c, int fd, const char *name, struct err *e)
{
    CLEANUP(tls_free_p) struct tls *t = calloc(1, sizeof(*t));

    if (!t) {
        err_nomem(e);
        return NULL;
    }
    t->context = c;
    c->holders++;
    t->fd = fd;
    return open_tls(t, name, e) < 0 ? NULL : TAKE_PTR(t);
}

void
tls_free(struct tls *t)
{
    if (!t)
        return;
    if (t->ssl)
        calls_of(t)->SSL_free(t->ssl);
    tls_context_free(t->context);
    free(t);
}

size_t
tls_unsent(const struct tls *t)
{
    char *bytes;

    return t ? encrypted_bytes(t, &bytes) - t->sent : 0;
}

ssize_t
tls_flush(struct tls *t)
{
    char *bytes;
    size_t n = encrypted_bytes(t, &bytes), left = n - t->sent;
    ssize_t done;

    if (left == 0)
        return 0;
    done = send(t->fd, bytes + t->sent, left, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (done < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : -1;
    t->sent += (size_t)done;
    if (t->sent < n)
        return done;
    if (n > OUT_KEPT) {
        if (renew_output(t) < 0)
            t->failed = true;
    } else {
        (void)calls_of(t)->BIO_ctrl(t->out, BIO_CTRL_RESET, 0, NULL);
        t->sent = 0;
    }
    return done;
}

/* Why the handshake failed. */
static int
handshake_error(struct tls *t, int reason, int sys, struct err *e)
{
    const struct openssl *o = calls_of(t);
    long trust = t->context->client ? o->SSL_get_verify_result(t->ssl) : 0;

    t->failed = true;
    (void)tls_flush(t); /* the alert to the peer */
    if (trust != X509_V_OK)
        return err_set(e, ERR_PEER, "TLS: the certificate is not accepted: %s",
                       o->X509_verify_cert_error_string(trust));
    if (reason == SSL_ERROR_SSL)
        return err_set(e, ERR_PEER, "TLS: %s", openssl_reason(o));
    return err_set(e, ERR_PEER, "TLS: the peer left in the handshake%s%s",
                   sys ? ": " : "", sys ? strerror(sys) : "");
}

int
tls_handshake(struct tls *t, struct err *e)
{
    const struct openssl *o = calls_of(t);
    int rc, reason, sys;

    o->ERR_clear_error();
    errno = 0;
    rc = o->SSL_do_handshake(t->ssl);
    sys = errno;
    reason = rc == 1 ? SSL_ERROR_NONE : o->SSL_get_error(t->ssl, rc);
    if (reason != SSL_ERROR_NONE && reason != SSL_ERROR_WANT_READ)
        return handshake_error(t, reason, sys, e);
    if (tls_unsent(t) > OUT_MAX || tls_flush(t) < 0) {
        t->failed = true;
        return err_set(e, ERR_PEER, "TLS: the peer left in the handshake");
    }
    t->done = rc == 1;
    return t->done;
}

/* Shuts the socket down for reading, so that a caller who polls it sees the end
 * as with a plain peer that has closed, although this peer keeps the connection
 * open. */
static void
take_end(struct tls *t)
{
    t->closed = true;
    (void)shutdown(t->fd, SHUT_RD);
}

/* Decrypts n bytes that were read, into out, which begins RECORD_ROOM before
 * them. A record is decrypted when all its bytes were consumed, so that the
 * output never overtakes the input. */
static ssize_t
open_records(struct tls *t, char *out, size_t n)
{
    const struct openssl *o = calls_of(t);
    BIO *in = o->BIO_new_mem_buf(out + RECORD_ROOM, (int)n);
    size_t got = 0, part = 0;
    bool waits = tls_unsent(t) > 0; /* the caller, for room to send it */
    int rc = 1, reason;

    if (!in) {
        errno = ENOMEM;
        return -1;
    }
    /* at its end: there will be more */
    (void)o->BIO_ctrl(in, BIO_C_SET_BUF_MEM_EOF_RETURN, -1, NULL);
    o->SSL_set0_rbio(t->ssl, in);
    o->ERR_clear_error();
    while (rc == 1) {
        rc = o->SSL_read_ex(t->ssl, out + got, RECORD_ROOM + n - got, &part);
        if (rc == 1)
            got += part;
    }
    reason = o->SSL_get_error(t->ssl, rc);
    if (reason == SSL_ERROR_ZERO_RETURN) {
        take_end(t);
        return (ssize_t)got;
    }
    if (!waits) /* the protocol's own answers */
        (void)tls_flush(t);
    if (reason == SSL_ERROR_WANT_READ && tls_unsent(t) <= OUT_MAX) {
        errno = EAGAIN;
        return got > 0 ? (ssize_t)got : -1;
    }
    t->failed = true;
    errno = EPROTO;
    return -1;
}

ssize_t
tls_read(struct tls *t, int fd, char *bytes, size_t n)
{
    ssize_t got;

    if (!t)
        return read(fd, bytes, n);
    if (t->failed) {
        errno = EPROTO;
        return -1;
    }
    got = read(fd, bytes + RECORD_ROOM, n - RECORD_ROOM);
    if (got > 0 && !t->closed)
        return open_records(t, bytes, (size_t)got);
    if (got == 0 && !t->closed) {
        errno = ECONNRESET;
        return -1;
    }
    return got > 0 ? 0 : got;
}

/* One write is one record, or as few as there can be. */
static int
encrypt_bytes(struct tls *t, const char *bytes, size_t n)
{
    const struct openssl *o = calls_of(t);
    size_t done = 0;

    if (n == 0)
        return 0;
    o->ERR_clear_error();
    if (!t->done || t->shut || t->failed ||
        o->SSL_write_ex(t->ssl, bytes, n, &done) != 1 || done != n) {
        t->failed = true;
        errno = EPROTO;
        return -1;
    }
    return 0;
}

ssize_t
tls_encrypt(struct tls *t, const struct iovec *parts, size_t n)
{
    CLEANUP_BUF struct buf whole = buf_of(TLS_AHEAD_BYTES);

    if (n == 1 && parts[0].iov_len <= TLS_AHEAD_BYTES)
        return encrypt_bytes(t, parts[0].iov_base, parts[0].iov_len) < 0
                   ? -1
                   : (ssize_t)parts[0].iov_len;
    for (size_t i = 0; i < n && whole.len < TLS_AHEAD_BYTES; i++) {
        size_t room = TLS_AHEAD_BYTES - whole.len;

        buf_add(&whole, parts[i].iov_base,
                parts[i].iov_len < room ? parts[i].iov_len : room);
    }
    if (whole.bad) {
        errno = ENOMEM;
        return -1;
    }
    return encrypt_bytes(t, whole.p, whole.len) < 0 ? -1 : (ssize_t)whole.len;
}

ssize_t
tls_send(struct tls *t, int fd, struct iovec *parts, size_t n)
{
    struct msghdr m = {.msg_iov = parts, .msg_iovlen = n};
    ssize_t done;

    if (!t)
        return sendmsg(fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL);
    done = tls_encrypt(t, parts, n);
    return done < 0 || tls_flush(t) < 0 ? -1 : done;
}

void
tls_shut(struct tls *t, int fd)
{
    if (t && t->done && !t->shut && !t->failed) {
        t->shut = true;
        calls_of(t)->ERR_clear_error();
        (void)calls_of(t)->SSL_shutdown(t->ssl);
        (void)tls_flush(t);
    }
    (void)shutdown(fd, SHUT_WR);
}
