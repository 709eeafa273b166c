/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tls_context.h - what sockets have in common that are sealed alike. */
#ifndef WIRE_TLS_CONTEXT_H
#define WIRE_TLS_CONTEXT_H

#include <stdbool.h>

#include "wire/openssl.h"

/* A certificate with its key, or whom to trust. Each socket holds it. */
struct tls_context {
    struct openssl calls;
    SSL_CTX *ctx;
    size_t holders;
    bool client;
};

#endif
