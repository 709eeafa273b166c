/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_request.h - one HTTP request and its response, with time limits. */
#ifndef MODEL_PROCESS_HTTP_REQUEST_H
#define MODEL_PROCESS_HTTP_REQUEST_H

#include <stdbool.h>
#include <sys/socket.h>

#include "model/ipc.h"
#include "model/process/connections.h"
#include "model/process/curl_loop.h"

#define HTTP_REQUEST_HEADERS_MAX (64u << 10)

struct http_request;

/* How far the request came. Each phase has its own time limit. */
enum http_phase {
    HTTP_PHASE_CONNECT, /* name resolution, connection, TLS, proxy */
    HTTP_PHASE_SENT,    /* the request is sent; no byte came back */
    HTTP_PHASE_HEAD,    /* the response has begun */
    HTTP_PHASE_BODY,    /* status and headers are complete */
};

enum http_result {
    HTTP_RESULT_COMPLETE,          /* the response is complete */
    HTTP_RESULT_FAILED,            /* libcurl's code tells why */
    HTTP_RESULT_TIMEOUT,           /* the limit of the phase passed */
    HTTP_RESULT_STOPPED,           /* on_body wanted no more */
    HTTP_RESULT_HEADERS_TOO_LARGE, /* more than HTTP_REQUEST_HEADERS_MAX */
};

struct http_request_spec {
    const char *url;
    const char *headers; /* lines, each ended by "\n"; NULL: none */
    const char *method;  /* NULL: POST with a body, GET without */
    const char *body;    /* NULL: none; borrowed until the end */
    size_t body_len;
    bool fresh; /* on a new connection */
    /* whose connections it may use; NULL: those of other such requests */
    const struct connection_group *group;
    const char *ca_file; /* NULL: the CA certificates of the system */
    const struct model_limits *limits; /* borrowed until the end */
    void *arg;
    /* Whether an address may be connected to, that of a proxy too. NULL: any.
     */
    bool (*may_connect)(void *arg, const struct sockaddr *a);
    /* A line of the headers, with its end; NULL: not called. */
    void (*on_header)(void *arg, const char *line, size_t n);
    /* Bytes of the body, decompressed. -1: stop. */
    int (*on_body)(void *arg, int status, const char *bytes, size_t n);
    /* Called once at the end; it may free the request. */
    void (*on_end)(void *arg, struct http_request *x);
};

struct http_request *http_request_start(struct loop *l, struct curl_loop *c,
                                        const struct http_request_spec *spec,
                                        struct err *e);
/* Ends the request without a callback. */
void http_request_free(struct http_request *x);
DEFINE_CLEANUP(struct http_request, http_request_free)

/* Takes no more of the body, except the piece that on_body is called for: the
 * rest stays with the server. Its time limits do not run. */
void http_request_pause(struct http_request *x);
/* Goes on. It may call on_body and on_end; not to be called by on_body. */
void http_request_resume(struct http_request *x);

/* These are valid from on_end to http_request_free(). Strings are borrowed. */
enum http_result http_request_result(const struct http_request *x);
enum http_phase http_request_phase(const struct http_request *x);
CURLcode http_request_curl_code(const struct http_request *x);
const char *http_request_curl_text(const struct http_request *x);
int http_request_status(const struct http_request *x); /* 0: none came */
/* The header Retry-After; NULL: none. */
const char *http_request_retry_after(const struct http_request *x);
/* The URL to which the server redirects, absolute; NULL: none. */
const char *http_request_redirect(const struct http_request *x);
/* The environment variable of the proxy through which it may have gone; NULL:
 * none, as for every server on this machine. */
const char *http_request_proxy_variable(const struct http_request *x);
/* Whether the server, or the proxy, took the connection; TLS comes after. */
bool http_request_was_accepted(const struct http_request *x);
/* What the proxy answered to CONNECT; 0: it was not asked. */
int http_request_proxy_status(const struct http_request *x);
/* Whether it went over a connection that was kept from an earlier request. */
bool http_request_was_kept(const struct http_request *x);
const struct model_limits *http_request_limits(const struct http_request *x);

#endif
