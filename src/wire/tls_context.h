/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tls_context.h - what TLS sockets have in common. */
#ifndef WIRE_TLS_CONTEXT_H
#define WIRE_TLS_CONTEXT_H

#include <stdbool.h>

#include "wire/openssl.h"

/* A certificate with its key, or the trusted authorities. Each socket holds a
 * reference. */
struct tls_context {
    struct openssl calls;
    SSL_CTX *ctx;
    size_t holders;
    bool client;
};

#endif
