/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exchange.h - one HTTP request to the server, and the messages of its answer,
 * as they come. */
#ifndef MODEL_MCP_HTTP_EXCHANGE_H
#define MODEL_MCP_HTTP_EXCHANGE_H

#include "model/mcp_http/endpoint.h"
#include "model/process/curl_loop.h"

#define EXCHANGE_CONNECT_MS 20000 /* names, TCP, TLS, proxies */

struct exchange;

/* All is borrowed until exchange_start returns, but what says otherwise. */
struct exchange_spec {
    const struct endpoint *to; /* borrowed until the end */
    const char *method;
    const char *headers; /* lines, beside those of the endpoint */
    const char *body;    /* borrowed until the end; NULL: none */
    size_t n;
    int64_t wait_ms; /* until the answer begins, and between its bytes */
    void *arg;
    /* One message of a successful answer: of a body of JSON, or of an event. It
     * must not free the exchange. */
    void (*message)(void *arg, const char *text, size_t n);
    /* Called once, last; may free it. */
    void (*end)(void *arg, struct exchange *x);
};

struct exchange *exchange_start(struct loop *l, struct curl_loop *c,
                                const struct exchange_spec *spec,
                                struct err *e);
void exchange_free(struct exchange *x); /* accepts NULL; without a callback */
DEFINE_CLEANUP(struct exchange, exchange_free)

/* No more messages are needed: it ends by itself, or soon. */
void exchange_linger(struct exchange *x);

/* Takes no more of the answer, or goes on; exchange_resume may end it. */
void exchange_pause(struct exchange *x);
void exchange_resume(struct exchange *x);

/* These are valid from `end` on. Strings are borrowed. */
int exchange_status(const struct exchange *x); /* 0: there is none */
/* Whether the status says success, and the answer is complete. */
bool exchange_is_complete(const struct exchange *x);
/* Whether its answer is, or was, an event stream. */
bool exchange_is_stream(const struct exchange *x);
/* Of the stream: the id of its last event (""), and event_stream_retry_ms. */
const char *exchange_last_event(const struct exchange *x);
int64_t exchange_retry_ms(const struct exchange *x);
const char *exchange_redirect(const struct exchange *x); /* NULL: none */
/* The body of an answer that is no success, as far as it is kept. */
const struct buf *exchange_body(const struct exchange *x);
/* Sets e to why there is no message, in words for a person; returns -1. */
int exchange_explain(const struct exchange *x, struct err *e);

/* The session that the headers of the answer name; "": none. Valid in `message`
 * too. */
const char *exchange_session(const struct exchange *x);

#endif
