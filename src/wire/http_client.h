/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_client.h - asks one server of HTTP/1.1, from the loop.
 *
 * Requests go one after another over one connection, which is kept, and made
 * anew where the server has closed it: a request that meets that, and cannot be
 * done twice by it, is sent once more. Each has a time limit, which holds from
 * when it is handed in; nothing waits. What the server sends is untrusted: the
 * response is read strictly, and has a largest size. */
#ifndef WIRE_HTTP_CLIENT_H
#define WIRE_HTTP_CLIENT_H

#include <stdint.h>

#include "base/loop.h"
#include "wire/http_reply.h"

#define HTTP_CLIENT_QUEUE_MAX 64 /* requests that wait */

struct http_client;

/* address: unix:PATH or tcp:HOST:PORT, copied. max_body: bytes of a response.
 * ERR_USAGE: the address is none. Nothing is connected yet. */
struct http_client *http_client_new(struct loop *l, const char *address,
                                    size_t max_body, struct err *e);
/* Gives up all requests; their callbacks are not called. Accepts NULL. */
void http_client_free(struct http_client *c);
DEFINE_CLEANUP(struct http_client, http_client_free)

/* Called once for a request, from the loop: with the response, which is
 * borrowed but for its body, or with NULL and why: ERR_TIMEOUT, ERR_PEER, or
 * why there is no connection. It may free the client. */
typedef void http_reply_cb(void *arg, struct http_reply *r,
                           const struct err *why);

/* Asks. type: of the body; NULL: there is none. The bytes of body, which may be
 * NULL, are copied. ERR_NOMEM: too many wait. */
int http_client_ask(struct http_client *c, const char *method, const char *path,
                    const char *type, const struct buf *body,
                    int64_t timeout_ms, http_reply_cb *cb, void *arg,
                    struct err *e);

#endif
