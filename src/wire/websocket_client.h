/* SPDX-License-Identifier: GPL-3.0-or-later */
/* websocket_client.h - connects to a server of WebSocket.
 *
 * It does not block, and has a time limit. A URL is ws://HOST:PORT/PATH, or
 * wss:// for TLS, where HOST is an address or localhost (names are not
 * looked up), or unix:PATH of a socket. */
#ifndef WIRE_WEBSOCKET_CLIENT_H
#define WIRE_WEBSOCKET_CLIENT_H

#include "wire/websocket.h"

#define WEBSOCKET_CLIENT_URL_MAX 4096 /* bytes */

struct websocket_client; /* a connection that is being made */

/* The texts are copied; the rest is borrowed while there is a connection. */
struct websocket_client_setup {
    struct websocket_shared *shared; /* the WebSocket is one of these */
    const char *url;
    const char *path;  /* with unix:PATH: the path of the request; NULL: / */
    const char *token; /* Authorization: Bearer; NULL: none is sent */
    struct tls_context *trust; /* with wss://; NULL: the system's authorities */
    int64_t timeout_ms;        /* for all of it */
    const struct websocket_events *events; /* of the WebSocket */
    void *owner;
    /* Called once, from the loop: with the WebSocket, or NULL and why. The
     * websocket_client is freed before. ERR_PEER: the server has refused, with
     * this text, or its certificate is not accepted; ERR_TIMEOUT; else the
     * system's error. */
    void (*opened)(void *owner, struct websocket *ws, const struct err *why);
};

/* Begins to connect. ERR_USAGE: the URL is invalid. */
struct websocket_client *
websocket_client_new(const struct websocket_client_setup *set, struct err *e);
/* Gives up: `opened` is not called. Accepts NULL. */
void websocket_client_free(struct websocket_client *c);
DEFINE_CLEANUP(struct websocket_client, websocket_client_free)

#endif
