/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_client.h - the WebSocket of one client. */
#ifndef SERVER_GATEWAY_GATEWAY_CLIENT_H
#define SERVER_GATEWAY_GATEWAY_CLIENT_H

#include "server/gateway/gateway_shared.h"
#include "server/server_http.h"

/* Answers the request for a WebSocket, with one or with what is wrong. */
void gateway_client_open(struct gateway *g, struct http_connection *c);

/* What the last gateway left is known: those that wait are heard. */
void gateway_client_resume_all(struct gateway *g);

/* Of all; their WebSockets are the server's. */
void gateway_client_free_all(struct gateway *g);

#endif
