/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tls_context.c - loads certificates, keys and trusted authorities from
 * files. */
#include "wire/tls_context.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "wire/tls.h"

#define PEM_MAX (1u << 20) /* bytes: a system's whole bundle, and more */
#define KEY_MAX (64u << 10)

#define NAME_SIZE 256 /* of a host, and its NUL */

/* The suites of TLS 1.2 that have what TLS 1.3 has: ephemeral keys and
 * authenticated encryption. */
#define CIPHERS "ECDHE+AESGCM:ECDHE+CHACHA20"

static int
wrong_file(const struct tls_context *c, const char *option, const char *path,
           const char *what, struct err *e)
{
    return err_set(e, ERR_USAGE, "%s %.100s: %s: %s", option, path, what,
                   openssl_reason(&c->calls));
}

/* A file that cannot be read is a wrong option, too. */
static int
unread_file(const char *option, struct err *e)
{
    if (e)
        e->code = ERR_USAGE;
    return err_wrap(e, "%s", option);
}

/* Calls take for each certificate of the file, in its order. */
static int
read_certificates(struct tls_context *c, const char *option, const char *path,
                  int (*take)(struct tls_context *c, X509 *x, size_t at),
                  struct err *e)
{
    const struct openssl *o = &c->calls;
    CLEANUP_BUF struct buf text = buf_of(PEM_MAX);
    X509 *x;
    size_t n = 0;
    BIO *in;
    int rc = 1;

    if (file_read_regular(path, &text, e) < 0)
        return unread_file(option, e);
    if (!(in = o->BIO_new_mem_buf(text.p, (int)text.len)))
        return err_nomem(e);
    o->ERR_clear_error();
    while (rc == 1 && (x = o->PEM_read_bio_X509(in, NULL, NULL, NULL))) {
        rc = take(c, x, n++);
        o->X509_free(x);
    }
    o->BIO_free(in);
    /* at the end of the file there is no next one, which is an error too */
    if (rc != 1 ||
        ERR_GET_REASON(o->ERR_peek_last_error()) != PEM_R_NO_START_LINE)
        return wrong_file(c, option, path, "a certificate cannot be used", e);
    if (n == 0)
        return err_set(e, ERR_USAGE,
                       "%s %.100s: it holds no certificate in PEM", option,
                       path);
    o->ERR_clear_error();
    return 0;
}

/* The first is the server's own, the others lead to its root. */
static int
take_own_certificate(struct tls_context *c, X509 *x, size_t at)
{
    if (at == 0)
        return c->calls.SSL_CTX_use_certificate(c->ctx, x);
    return (int)c->calls.SSL_CTX_ctrl(c->ctx, SSL_CTRL_CHAIN_CERT, 1, x);
}

static int
take_trusted_certificate(struct tls_context *c, X509 *x, size_t at)
{
    (void)at;
    return c->calls.X509_STORE_add_cert(c->calls.SSL_CTX_get_cert_store(c->ctx),
                                        x);
}

static int
refuse_passphrase(char *out, int size, int writes, void *asked)
{
    (void)out;
    (void)size;
    (void)writes;
    *(bool *)asked = true;
    return -1;
}

static int
use_private_key(struct tls_context *c, const char *path, struct err *e)
{
    const struct openssl *o = &c->calls;
    CLEANUP_BUF struct buf text = buf_of_secret(KEY_MAX);
    bool asked = false;
    EVP_PKEY *key = NULL;
    BIO *in;
    int rc;

    if (file_read_private(path, &text, e) < 0)
        return unread_file("--tls-key", e);
    o->ERR_clear_error();
    if ((in = o->BIO_new_mem_buf(text.p, (int)text.len)))
        key = o->PEM_read_bio_PrivateKey(in, NULL, refuse_passphrase, &asked);
    o->BIO_free(in);
    if (asked)
        return err_set(e, ERR_USAGE,
                       "--tls-key %.100s needs a passphrase, which nobody can "
                       "be asked for. To do: openssl pkey writes it without",
                       path);
    if (!key)
        return wrong_file(c, "--tls-key", path,
                          "it holds no private key in PEM", e);
    rc = o->SSL_CTX_use_PrivateKey(c->ctx, key) == 1 &&
         o->SSL_CTX_check_private_key(c->ctx) == 1;
    o->EVP_PKEY_free(key);
    return rc ? 0
              : wrong_file(c, "--tls-key", path,
                           "it is not the key of the certificate", e);
}

static struct tls_context *
new_context(bool client, struct err *e)
{
    CLEANUP(tls_context_free_p) struct tls_context *c = calloc(1, sizeof(*c));
    const struct openssl *o;

    if (!c) {
        err_nomem(e);
        return NULL;
    }
    c->holders = 1;
    c->client = client;
    o = &c->calls;
    if (openssl_load(&c->calls, e) < 0)
        return NULL;
    c->ctx = o->SSL_CTX_new(client ? o->TLS_client_method()
                                   : o->TLS_server_method());
    if (!c->ctx || o->SSL_CTX_set_cipher_list(c->ctx, CIPHERS) != 1 ||
        o->SSL_CTX_ctrl(c->ctx, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION,
                        NULL) != 1) {
        err_set(e, ERR_UNSUPPORTED, "TLS: %s", openssl_reason(o));
        return NULL;
    }
    (void)o->SSL_CTX_set_options(c->ctx, SSL_OP_NO_RENEGOTIATION |
                                             SSL_OP_NO_COMPRESSION |
                                             SSL_OP_CIPHER_SERVER_PREFERENCE);
    /* an idle connection holds no buffers, and no session is kept for
     * resumption */
    (void)o->SSL_CTX_ctrl(c->ctx, SSL_CTRL_MODE, SSL_MODE_RELEASE_BUFFERS,
                          NULL);
    (void)o->SSL_CTX_ctrl(c->ctx, SSL_CTRL_SET_SESS_CACHE_MODE,
                          SSL_SESS_CACHE_OFF, NULL);
    return TAKE_PTR(c);
}

struct tls_context *
tls_server_context_new(const char *certificate, const char *key, struct err *e)
{
    CLEANUP(tls_context_free_p) struct tls_context *c = new_context(false, e);

    if (!c ||
        read_certificates(c, "--tls-cert", certificate, take_own_certificate,
                          e) < 0 ||
        use_private_key(c, key, e) < 0)
        return NULL;
    return TAKE_PTR(c);
}

struct tls_context *
tls_client_context_new(const char *ca_file, struct err *e)
{
    CLEANUP(tls_context_free_p) struct tls_context *c = new_context(true, e);

    if (!c)
        return NULL;
    c->calls.SSL_CTX_set_verify(c->ctx, SSL_VERIFY_PEER, NULL);
    if (c->calls.SSL_CTX_set_default_verify_paths(c->ctx) != 1) {
        err_set(e, ERR_UNSUPPORTED, "TLS: %s", openssl_reason(&c->calls));
        return NULL;
    }
    if (ca_file && read_certificates(c, "certificates", ca_file,
                                     take_trusted_certificate, e) < 0)
        return NULL;
    return TAKE_PTR(c);
}

bool
tls_context_is_for(const struct tls_context *c, const char *name, size_t n)
{
    const struct openssl *o = &c->calls;
    X509 *x = o->SSL_CTX_get0_certificate(c->ctx);
    char text[NAME_SIZE];

    if (n == 0 || n >= sizeof(text))
        return false;
    memcpy(text, name, n);
    text[n] = '\0';
    return o->X509_check_host(x, text, n, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS,
                              NULL) == 1 ||
           o->X509_check_ip_asc(x, text, 0) == 1;
}

void
tls_context_free(struct tls_context *c)
{
    if (!c || --c->holders > 0)
        return;
    if (c->ctx)
        c->calls.SSL_CTX_free(c->ctx);
    free(c);
}
