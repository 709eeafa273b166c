/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_answer.h - how a request of HTTP is answered. */
#ifndef SERVER_AGENTCTL_AGENTCTL_ANSWER_H
#define SERVER_AGENTCTL_AGENTCTL_ANSWER_H

#include "server/server_http.h"

/* The bytes of body, which are JSON, are taken. */
void agentctl_answer_json(struct server_http *h, struct http_connection *c,
                          int status, struct buf *body);

/* {"success":…}, with "message"; or, where the status is an error, "error". */
void agentctl_answer_outcome(struct server_http *h, struct http_connection *c,
                             int status, const char *text);

/* {"error":CODE,"message","details"?,"http_status"}. invalid: the body is JSON,
 * but not what it should be. details: NULL or "": none. */
void agentctl_answer_error(struct server_http *h, struct http_connection *c,
                           int status, bool invalid, const char *message,
                           const char *details);

/* Appends such a body for a request that is refused by its head
 * (http_connection.h); returns its type. */
const char *agentctl_answer_put_refusal(struct buf *out, int status,
                                        const char *why);

#endif
