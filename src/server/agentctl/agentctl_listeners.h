/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_listeners.h - the clients of a stream: each gets every message.
 *
 * One that reads too slowly is closed (wire/websocket.h), and delays nobody. */
#ifndef SERVER_AGENTCTL_AGENTCTL_LISTENERS_H
#define SERVER_AGENTCTL_AGENTCTL_LISTENERS_H

#include "server/agentctl/agentctl_message.h"
#include "server/server_http.h"
#include "wire/parse_thread.h"

struct agentctl_listener; /* one client */

struct agentctl_listeners {
    struct server_http *http;
    struct loop *loop;
    struct agentctl_listener *first;
    size_t n;
    /* A listener is there: it may be sent what went before. May be NULL. */
    void (*opened)(void *arg, struct agentctl_listener *l);
    /* A message of its own, parsed (agentctl_message.h). NULL: messages are
     * ignored. */
    void (*message)(void *arg, struct agentctl_listener *l,
                    struct agentctl_reading *read, struct jsonrpc *m, int rc,
                    const struct err *why);
    /* It is gone, and freed when this returns. May be NULL. */
    void (*left)(void *arg, struct agentctl_listener *l);
    void *arg;
};

/* Makes a listener of a connection; a request that asks for no WebSocket is
 * answered. before: how many lines it wants that went before. */
void agentctl_listeners_open(struct agentctl_listeners *s,
                             struct http_connection *c, size_t before);
size_t agentctl_listener_before(const struct agentctl_listener *l);

/* A text of n bytes; what is no UTF-8 in it is replaced. */
void agentctl_listeners_send(struct agentctl_listeners *s, const char *text,
                             size_t n);
void agentctl_listener_send(struct agentctl_listener *l, const char *text,
                            size_t n);

/* Closes all. */
void agentctl_listeners_close(struct agentctl_listeners *s, unsigned status,
                              const char *reason);

/* Frees all, without a callback; before the server of HTTP is freed. */
void agentctl_listeners_done(struct agentctl_listeners *s);

#endif
