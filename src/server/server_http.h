/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_http.h - an HTTP server: its listeners, its access checks, its routes.
 *
 * Every server that listens for HTTP is built on this. Without a token it
 * listens only on addresses that other machines cannot reach. A request is
 * refused whose Host or Origin is not ours (server_http_gate.h), that has
 * neither the token nor the cookie (server_cookie.h), or whose address has
 * exceeded a limit (peer_table.h). /health, /metrics and OPTIONS are
 * answered here. */
#ifndef SERVER_SERVER_HTTP_H
#define SERVER_SERVER_HTTP_H

#include "server/server_http_metrics.h"

#define SERVER_HTTP_CONNECTIONS 256 /* unless an option says otherwise */

struct server_http;

struct server_http_route {
    const char *path;    /* NULL: the end of the table */
    const char *methods; /* as in Allow, such as "POST, GET" */
    /* Answers the request, now or later. */
    void (*request)(void *arg, struct http_connection *c);
};

/* Borrowed while the server lives. */
struct server_http_setup {
    struct loop *loop;
    /* addresses of wire/listener.h, or HOST:PORT; NULL at the end */
    const char *const *listen;
    const char *token;                 /* NULL: no token is required */
    const char *token_seen;            /* its file, where others may read it */
    const char *origins;               /* --allow-origin; NULL: no other one */
    const char *tls_cert, *tls_key;    /* PEM files; NULL: no TLS */
    unsigned max_connections;          /* WebSockets included */
    size_t max_body;                   /* bytes */
    struct websocket_limits websocket; /* zero: the defaults */
    const struct server_http_route *routes;
    const char *const
        *open; /* paths that need no token, NULL at the end; or NULL */
    /* The body of a refusal, as of http_shared; NULL: it is text. */
    const char *(*put_refusal)(struct buf *out, int status, const char *why);
    /* Appends what WWW-Authenticate has behind "Bearer" in a 401; NULL:
     * nothing. shown: the request had a token. */
    void (*put_challenge)(void *arg, struct http_connection *c, bool shown,
                          struct buf *out);
    /* Appends lines for /metrics. */
    void (*metrics)(void *arg, struct buf *out);
    void *arg; /* of routes, challenges and metrics */
    void (*log)(void *arg, const char *line);
    void *log_arg;
    /* how many lines the log has dropped, by log_arg; NULL: unknown */
    uint64_t (*log_lost)(const void *arg);
};

/* ERR_USAGE: an option is wrong; ERR_DENIED: other machines could reach it, and
 * there is no token. Else why the socket cannot be made. */
struct server_http *server_http_new(const struct server_http_setup *set,
                                    struct err *e);
/* Loads the certificate again, for connections that come from then on; without
 * TLS there is nothing to do. On an error the old one stays in use. */
int server_http_reload_certificate(struct server_http *h, struct err *e);
/* Closes all connections, as if the clients had. Accepts NULL. */
void server_http_free(struct server_http *h);
DEFINE_CLEANUP(struct server_http, server_http_free)

/* Appends the CORS headers for the response to the current request. */
void server_http_put_fields(const struct server_http *h,
                            struct http_connection *c, struct buf *out);

/* Answers the current request with 401. shown: it had a token, which is wrong;
 * after many of them every request from that address with a token is refused
 * for a while. */
void server_http_refuse_token(struct server_http *h, struct http_connection *c,
                              bool shown);

/* Upgrades the connection, whose current request is for a route, to a
 * WebSocket. A request that is no valid upgrade is refused, and false returned.
 * Else `opened` is called from the loop with the WebSocket, which has this
 * owner and these events; or with NULL where the client has gone before. It may
 * be closed there, not freed. */
bool
server_http_open_websocket(struct server_http *h, struct http_connection *c,
                           const struct websocket_events *ev, void *owner,
                           void (*opened)(void *owner, struct websocket *ws));

/* The same; fields are further header lines of the response, or NULL. */
bool server_http_open_named_websocket(
    struct server_http *h, struct http_connection *c, const struct buf *fields,
    const struct websocket_events *ev, void *owner,
    void (*opened)(void *owner, struct websocket *ws));

/* Closes all WebSockets with the status "going away". */
void server_http_close_websockets(struct server_http *h, const char *reason);

/* Takes no new work: each connection ends when it has its response, and a new
 * one gets 503, /health included. A socket that the service manager passed is
 * closed, so that the next server gets its connections. */
void server_http_drain(struct server_http *h);
/* How many there are; while it drains, how many wait for an answer. */
size_t server_http_connections(const struct server_http *h);

#endif
