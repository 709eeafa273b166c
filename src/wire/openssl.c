/* SPDX-License-Identifier: GPL-3.0-or-later */
/* openssl.c - loads OpenSSL when it is needed. */
#include "wire/openssl.h"

#include <dlfcn.h>
#include <stddef.h>

#include "base/array.h"

/* It loads libcrypto too, whose functions are then found by the same handle. */
#define LIBRARY "libssl.so.3"

struct openssl_symbol {
    const char *name;
    size_t at; /* offset of its pointer in struct openssl */
};

#define SYMBOL(name)                                                           \
    {                                                                          \
#name, offsetof(struct openssl, name)                                  \
    }

static const struct openssl_symbol openssl_symbols[] = {
    SYMBOL(TLS_server_method),
    SYMBOL(TLS_client_method),
    SYMBOL(SSL_CTX_new),
    SYMBOL(SSL_CTX_free),
    SYMBOL(SSL_CTX_ctrl),
    SYMBOL(SSL_CTX_set_options),
    SYMBOL(SSL_CTX_set_cipher_list),
    SYMBOL(SSL_CTX_use_certificate),
    SYMBOL(SSL_CTX_use_PrivateKey),
    SYMBOL(SSL_CTX_check_private_key),
    SYMBOL(SSL_CTX_get0_certificate),
    SYMBOL(X509_check_host),
    SYMBOL(X509_check_ip_asc),
    SYMBOL(SSL_CTX_set_default_verify_paths),
    SYMBOL(SSL_CTX_get_cert_store),
    SYMBOL(SSL_CTX_set_verify),
    SYMBOL(X509_STORE_add_cert),
    SYMBOL(SSL_new),
    SYMBOL(SSL_free),
    SYMBOL(SSL_ctrl),
    SYMBOL(SSL_set0_rbio),
    SYMBOL(SSL_set0_wbio),
    SYMBOL(SSL_set_accept_state),
    SYMBOL(SSL_set_connect_state),
    SYMBOL(SSL_set1_host),
    SYMBOL(SSL_get0_param),
    SYMBOL(X509_VERIFY_PARAM_set1_ip_asc),
    SYMBOL(X509_VERIFY_PARAM_set_hostflags),
    SYMBOL(SSL_do_handshake),
    SYMBOL(SSL_read_ex),
    SYMBOL(SSL_write_ex),
    SYMBOL(SSL_shutdown),
    SYMBOL(SSL_get_error),
    SYMBOL(SSL_get_verify_result),
    SYMBOL(X509_verify_cert_error_string),
    SYMBOL(BIO_new),
    SYMBOL(BIO_new_mem_buf),
    SYMBOL(BIO_free),
    SYMBOL(BIO_new_socket),
    SYMBOL(BIO_s_mem),
    SYMBOL(BIO_ctrl),
    SYMBOL(PEM_read_bio_X509),
    SYMBOL(PEM_read_bio_PrivateKey),
    SYMBOL(X509_free),
    SYMBOL(EVP_PKEY_free),
    SYMBOL(ERR_clear_error),
    SYMBOL(ERR_peek_last_error),
    SYMBOL(ERR_reason_error_string),
};

int
openssl_load(struct openssl *o, struct err *e)
{
    /* it stays in memory: it has hooks for the end of the process */
    void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);

    if (!library)
        return err_set(e, ERR_UNSUPPORTED,
                       "TLS needs OpenSSL 3: " LIBRARY " is not installed");
    for (size_t i = 0; i < ARRAY_SIZE(openssl_symbols); i++) {
        /* the conversion to a function that POSIX prescribes for dlsym */
        void **at = (void **)(void *)((char *)o + openssl_symbols[i].at);

        *at = dlsym(library, openssl_symbols[i].name);
        if (!*at) {
            (void)dlclose(library);
            return err_set(e, ERR_UNSUPPORTED, LIBRARY " has no %s",
                           openssl_symbols[i].name);
        }
    }
    (void)dlclose(library);
    return 0;
}

const char *
openssl_reason(const struct openssl *o)
{
    unsigned long code = o->ERR_peek_last_error();
    const char *text = code ? o->ERR_reason_error_string(code) : NULL;

    return text ? text : "for a reason that OpenSSL does not say";
}
