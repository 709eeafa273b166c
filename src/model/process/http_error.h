/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_error.h - describes in one line why an HTTP request failed: what
 * happened, where, and what to do. provider/api_error.h describes errors that
 * the server reports. */
#ifndef MODEL_PROCESS_HTTP_ERROR_H
#define MODEL_PROCESS_HTTP_ERROR_H

#include "model/process/http_request.h"

/* What libcurl's code means, before an answer has begun: "connection refused".
 */
const char *http_error_reason(const struct http_request *x);

/* Each sets e and returns -1. host: the server, as provider_url_host() has it.
 */
int http_error_request(const struct http_request *x, const char *host,
                       const struct provider_request *req, struct err *e);
/* to: the URL of the redirect; NULL: none. */
int http_error_redirect(const char *host, const struct provider_request *req,
                        const char *to, struct err *e);
/* A proxy answered 407 (Proxy Authentication Required). */
int http_error_proxy_login(const struct http_request *x, const char *host,
                           struct err *e);
/* Whether the body of an error says that the port speaks TLS, not HTTP. */
bool http_error_wants_tls(const char *body);
int http_error_no_tls(const char *host, const struct provider_request *req,
                      struct err *e);
int http_error_total_timeout(const char *host, int64_t limit_ms, struct err *e);
/* e says why an answer is unusable: adds the server, and what to do. */
int http_error_bad_answer(const char *host, struct err *e);

/* Whether the connection failed before any part of the answer came, in a way
 * that may not happen again. */
bool http_error_is_transient(const struct http_request *x);

#endif
