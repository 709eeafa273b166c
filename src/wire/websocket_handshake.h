/* SPDX-License-Identifier: GPL-3.0-or-later */
/* websocket_handshake.h - the upgrade of an HTTP connection to WebSocket. */
#ifndef WIRE_WEBSOCKET_HANDSHAKE_H
#define WIRE_WEBSOCKET_HANDSHAKE_H

#include "wire/http_parser.h"

#define WEBSOCKET_KEY_SIZE    25 /* of the text of a key, with its NUL */
#define WEBSOCKET_ACCEPT_SIZE 29 /* of what it is answered with */

/* Whether a request asks for an upgrade to WebSocket, valid or not. */
bool websocket_handshake_is_asked(const struct http_incoming *r);

/* Checks the request (RFC 6455, 4.2.1). 0: it is valid, and fields has the
 * header lines of the response 101; else the status that refuses it, with its
 * header lines in fields, and *why says what is wrong. */
int websocket_handshake_check(const struct http_incoming *r, struct buf *fields,
                              const char **why);

/* Makes a client's key of random bytes; and the value of Sec-WebSocket-Accept
 * for a key. */
int websocket_handshake_key(char key[WEBSOCKET_KEY_SIZE], struct err *e);
void websocket_handshake_accept(const char *key,
                                char out[WEBSOCKET_ACCEPT_SIZE]);

#endif
