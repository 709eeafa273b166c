/* SPDX-License-Identifier: GPL-3.0-or-later */
/* websocket_handshake.h - how a connection of HTTP becomes one of WebSocket. */
#ifndef WIRE_WEBSOCKET_HANDSHAKE_H
#define WIRE_WEBSOCKET_HANDSHAKE_H

#include "wire/http_parser.h"

#define WEBSOCKET_KEY_SIZE    25 /* of the text of a key, with its NUL */
#define WEBSOCKET_ACCEPT_SIZE 29 /* of what it is answered with */

/* Whether a request asks for a WebSocket, rightly or not. */
bool websocket_handshake_is_asked(const struct http_incoming *r);

/* Checks the request (RFC 6455, 4.2.1). 0: it is right, and fields has the
 * lines of the answer 101; else the status that refuses it, fields has the
 * lines for it, and *why says what is wrong. */
int websocket_handshake_check(const struct http_incoming *r, struct buf *fields,
                              const char **why);

/* A key of a client's, of random bytes; and the answer to one. */
int websocket_handshake_key(char key[WEBSOCKET_KEY_SIZE], struct err *e);
void websocket_handshake_accept(const char *key,
                                char out[WEBSOCKET_ACCEPT_SIZE]);

#endif
