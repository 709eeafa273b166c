/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_http.h - a server of HTTP: its listeners, who may ask, its paths.
 *
 * Whatever listens for HTTP stands on this. Without a token it listens where
 * this machine alone reaches it. A Host or an Origin that is not ours is
 * refused (server_http_gate.h), and then who shows neither the token nor the
 * cookie of a page that was given it (server_cookie.h), or comes too often
 * (peer_table.h). /health and /metrics are answered here, and which methods a
 * path has. */
#ifndef SERVER_SERVER_HTTP_H
#define SERVER_SERVER_HTTP_H

#include "server/server_http_metrics.h"

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
    const char *token;                 /* NULL: none is asked for */
    const char *origins;               /* --allow-origin; NULL: no other one */
    const char *tls_cert, *tls_key;    /* files of PEM; NULL: not sealed */
    unsigned max_connections;          /* WebSockets too */
    size_t max_body;                   /* bytes */
    struct websocket_limits websocket; /* zero: the usual ones */
    const struct server_http_route *routes;
    const char *const *open; /* paths at which no token is asked for, NULL at
                                the end; or NULL */
    /* The body of a refusal, as of http_shared; NULL: it is text. */
    const char *(*put_refusal)(struct buf *out, int status, const char *why);
    /* Appends what a refusal for the token has behind "Bearer"; NULL: nothing.
     * shown: a token was. */
    void (*put_challenge)(void *arg, struct http_connection *c, bool shown,
                          struct buf *out);
    /* Appends lines for /metrics. */
    void (*metrics)(void *arg, struct buf *out);
    void *arg; /* of routes, challenges and metrics */
    void (*log)(void *arg, const char *line);
    void *log_arg;
    /* how many lines of the log were lost, by log_arg; NULL: not known */
    uint64_t (*log_lost)(const void *arg);
};

/* ERR_USAGE: an option is wrong; ERR_DENIED: other machines could reach it, and
 * there is no token. Else why the socket cannot be made. */
struct server_http *server_http_new(const struct server_http_setup *set,
                                    struct err *e);
/* Loads the certificate anew, for connections that come from then on; without
 * TLS there is nothing to do. On an error it stays that it was. */
int server_http_reload_certificate(struct server_http *h, struct err *e);
/* Closes all connections, as if the clients had. Accepts NULL. */
void server_http_free(struct server_http *h);
DEFINE_CLEANUP(struct server_http, server_http_free)

/* Appends the fields that an answer to the request at hand needs, so that a
 * page of an allowed origin may read it. */
void server_http_put_fields(const struct server_http *h,
                            struct http_connection *c, struct buf *out);

/* Answers the request at hand with 401. shown: it showed a token, which is a
 * wrong one; an address that shows many is not listened to for a while,
 * whatever it shows. */
void server_http_refuse_token(struct server_http *h, struct http_connection *c,
                              bool shown);

/* Makes a WebSocket of the connection, whose request at hand is for a route. A
 * request that asks for none, or wrongly, is answered, and false returned. Else
 * `opened` is called from the loop with the WebSocket, whose owner and events
 * are these; or with NULL where the client was gone before. It may be closed
 * there, not freed. */
bool
server_http_open_websocket(struct server_http *h, struct http_connection *c,
                           const struct websocket_events *ev, void *owner,
                           void (*opened)(void *owner, struct websocket *ws));

/* The same; fields are whole lines for the answer to the upgrade, or NULL. */
bool server_http_open_named_websocket(
    struct server_http *h, struct http_connection *c, const struct buf *fields,
    const struct websocket_events *ev, void *owner,
    void (*opened)(void *owner, struct websocket *ws));

/* Closes all of them, as a server that goes away. */
void server_http_close_websockets(struct server_http *h, const char *reason);

/* Takes no new work: each connection ends when it has its answer, and a new one
 * is told 503, at /health too. What a service manager passed is listened at no
 * more, so that the next server has it. */
void server_http_drain(struct server_http *h);
/* How many there are; while it drains, how many wait for an answer. */
size_t server_http_connections(const struct server_http *h);

#endif
