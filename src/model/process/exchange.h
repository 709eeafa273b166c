/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exchange.h - one HTTP request and its response, with its time limits. */
#ifndef MODEL_PROCESS_EXCHANGE_H
#define MODEL_PROCESS_EXCHANGE_H

#include <stdbool.h>

#include "model/ask.h"
#include "model/process/pump.h"

#define EXCHANGE_HEADERS_MAX (64u << 10)

struct exchange;

/* How far it came: each has a limit of its own. */
enum exchange_phase {
    PHASE_CONNECT, /* name, connection, TLS, proxy */
    PHASE_SENT,    /* the request is on its way, nothing came back */
    PHASE_HEAD,    /* the response has begun */
    PHASE_BODY,    /* its status is known, its headers are whole */
};

enum exchange_fate {
    FATE_ANSWERED, /* the response is whole */
    FATE_BROKEN,   /* libcurl's code says why */
    FATE_LATE,     /* the limit of its phase passed */
    FATE_STOPPED,  /* the caller's body callback did not want more */
    FATE_HEADERS,  /* more than EXCHANGE_HEADERS_MAX */
};

struct exchange_spec {
    const char *url;
    const char *headers; /* lines, each ended by "\n"; NULL: none */
    const char *body;    /* NULL: a GET; borrowed until the end */
    size_t body_len;
    const struct ask_limits *limits; /* borrowed until the end */
    void *arg;
    /* Bytes of the body, decompressed. -1: no more. */
    int (*take)(void *arg, int status, const char *bytes, size_t n);
    /* Once; the exchange may be freed from inside. */
    void (*end)(void *arg, struct exchange *x);
};

struct exchange *exchange_start(struct loop *l, struct pump *p,
                                const struct exchange_spec *spec,
                                struct err *e);
void exchange_free(struct exchange *x); /* ends it without a word */
DEFINE_CLEANUP(struct exchange, exchange_free)

/* After its end. */
enum exchange_fate exchange_fate(const struct exchange *x);
enum exchange_phase exchange_phase(const struct exchange *x);
CURLcode exchange_code(const struct exchange *x);
const char *exchange_curl_text(const struct exchange *x); /* libcurl's words */
int exchange_status(const struct exchange *x);            /* 0: none came */
const char *exchange_retry_after(const struct exchange *x); /* NULL: none */
const char *exchange_redirect(const struct exchange *x);    /* absolute; NULL */
const struct ask_limits *exchange_limits(const struct exchange *x);

#endif
