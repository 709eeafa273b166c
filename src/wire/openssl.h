/* SPDX-License-Identifier: GPL-3.0-or-later */
/* openssl.h - the functions of OpenSSL that are used, loaded when they are. */
#ifndef WIRE_OPENSSL_H
#define WIRE_OPENSSL_H

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "base/err.h"

/* Each is as OpenSSL's manual has it (ssl(7), crypto(7)). */
struct openssl {
    const SSL_METHOD *(*TLS_server_method)(void);
    const SSL_METHOD *(*TLS_client_method)(void);
    SSL_CTX *(*SSL_CTX_new)(const SSL_METHOD *);
    void (*SSL_CTX_free)(SSL_CTX *);
    long (*SSL_CTX_ctrl)(SSL_CTX *, int, long, void *);
    uint64_t (*SSL_CTX_set_options)(SSL_CTX *, uint64_t);
    int (*SSL_CTX_set_cipher_list)(SSL_CTX *, const char *);
    int (*SSL_CTX_use_certificate)(SSL_CTX *, X509 *);
    int (*SSL_CTX_use_PrivateKey)(SSL_CTX *, EVP_PKEY *);
    int (*SSL_CTX_check_private_key)(const SSL_CTX *);
    X509 *(*SSL_CTX_get0_certificate)(const SSL_CTX *);
    int (*X509_check_host)(X509 *, const char *, size_t, unsigned, char **);
    int (*X509_check_ip_asc)(X509 *, const char *, unsigned);
    int (*SSL_CTX_set_default_verify_paths)(SSL_CTX *);
    X509_STORE *(*SSL_CTX_get_cert_store)(const SSL_CTX *);
    void (*SSL_CTX_set_verify)(SSL_CTX *, int, SSL_verify_cb);
    int (*X509_STORE_add_cert)(X509_STORE *, X509 *);
    SSL *(*SSL_new)(SSL_CTX *);
    void (*SSL_free)(SSL *);
    long (*SSL_ctrl)(SSL *, int, long, void *);
    void (*SSL_set0_rbio)(SSL *, BIO *);
    void (*SSL_set0_wbio)(SSL *, BIO *);
    void (*SSL_set_accept_state)(SSL *);
    void (*SSL_set_connect_state)(SSL *);
    int (*SSL_set1_host)(SSL *, const char *);
    X509_VERIFY_PARAM *(*SSL_get0_param)(SSL *);
    int (*X509_VERIFY_PARAM_set1_ip_asc)(X509_VERIFY_PARAM *, const char *);
    void (*X509_VERIFY_PARAM_set_hostflags)(X509_VERIFY_PARAM *, unsigned);
    int (*SSL_do_handshake)(SSL *);
    int (*SSL_read_ex)(SSL *, void *, size_t, size_t *);
    int (*SSL_write_ex)(SSL *, const void *, size_t, size_t *);
    int (*SSL_shutdown)(SSL *);
    int (*SSL_get_error)(const SSL *, int);
    long (*SSL_get_verify_result)(const SSL *);
    const char *(*X509_verify_cert_error_string)(long);
    BIO *(*BIO_new)(const BIO_METHOD *);
    BIO *(*BIO_new_mem_buf)(const void *, int);
    int (*BIO_free)(BIO *);
    BIO *(*BIO_new_socket)(int, int);
    const BIO_METHOD *(*BIO_s_mem)(void);
    long (*BIO_ctrl)(BIO *, int, long, void *);
    X509 *(*PEM_read_bio_X509)(BIO *, X509 **, pem_password_cb *, void *);
    EVP_PKEY *(*PEM_read_bio_PrivateKey)(BIO *, EVP_PKEY **, pem_password_cb *,
                                         void *);
    void (*X509_free)(X509 *);
    void (*EVP_PKEY_free)(EVP_PKEY *);
    void (*ERR_clear_error)(void);
    unsigned long (*ERR_peek_last_error)(void);
    const char *(*ERR_reason_error_string)(unsigned long);
};

/* ERR_UNSUPPORTED: OpenSSL 3 is not installed, or lacks one of the functions.
 */
int openssl_load(struct openssl *o, struct err *e);

/* Why the last call of OpenSSL in this thread failed; constant text. */
const char *openssl_reason(const struct openssl *o);

#endif
