/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_http.h - a server of HTTP: its listeners, who may ask, its paths.
 *
 * Whatever listens for HTTP stands on this. Without a token it listens where
 * this machine alone reaches it. A Host or an Origin that is not ours is
 * refused (server_http_gate.h), and then who does not show the token. /health
 * and /metrics are answered here, and which methods a path has. */
#ifndef SERVER_SERVER_HTTP_H
#define SERVER_SERVER_HTTP_H

#include "wire/http_connection.h"

#define SERVER_HTTP_CONNECTIONS 256 /* unless the person says otherwise */

struct server_http;

struct server_http_route {
    const char *path;    /* NULL: the end of the table */
    const char *methods; /* those it has, such as "POST, GET" */
    /* Answers the request, now or later. */
    void (*request)(void *arg, struct http_connection *c);
};

/* Borrowed while the server lives. */
struct server_http_setup {
    struct loop *loop;
    /* addresses of wire/listener.h, or HOST:PORT; NULL at the end */
    const char *const *listen;
    const char *token;   /* NULL: none is asked for */
    const char *origins; /* --allow-origin; NULL: no other one */
    unsigned max_connections;
    size_t max_body; /* bytes */
    const struct server_http_route *routes;
    /* Appends lines for /metrics. */
    void (*metrics)(void *arg, struct buf *out);
    void *arg; /* of routes and metrics */
    void (*log)(void *arg, const char *line);
    void *log_arg;
};

/* ERR_USAGE: an option is wrong; ERR_DENIED: other machines could reach it, and
 * there is no token. Else why the socket cannot be made. */
struct server_http *server_http_new(const struct server_http_setup *set,
                                    struct err *e);
/* Closes all connections, as if the clients had. Accepts NULL. */
void server_http_free(struct server_http *h);
DEFINE_CLEANUP(struct server_http, server_http_free)

/* Appends the fields that an answer to the request at hand needs, so that a
 * page of an allowed origin may read it. */
void server_http_put_fields(const struct server_http *h,
                            struct http_connection *c, struct buf *out);

/* Listens no more, and ends each connection when it has its answer. */
void server_http_drain(struct server_http *h);
size_t server_http_connections(const struct server_http *h);

/* Appends a number for /metrics. kind: counter or gauge. */
void server_http_put_metric(struct buf *out, const char *name, const char *kind,
                            const char *help, uint64_t value);

#endif
