/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_client.h - a client of a bus: connects, initializes, asks, is sent. */
#ifndef SERVER_BUS_BUS_CLIENT_H
#define SERVER_BUS_BUS_CLIENT_H

#include "wire/jsonrpc.h"
#include "wire/relay.h"

#define BUS_CLIENT_URL   "ws://127.0.0.1:7892/"
#define BUS_CLIENT_BYTES (2u << 20) /* of a message of the bus */

struct bus_client;

/* Borrowed while the client lives. */
struct bus_client_setup {
    struct loop *loop;
    const char *url, *token; /* as of struct websocket_client_setup */
    const char *name;        /* the client's id */
    /* The bus has answered to bus_client_ask; m is valid until this returns. */
    void (*answered)(void *arg, const struct jsonrpc *m);
    /* A message, as its params are written. It is to be answered by
     * bus_client_answer with this id, now or later. May be NULL. */
    void (*message)(void *arg, const char *id, const struct json *params);
    /* It is over: called once. */
    void (*ended)(void *arg, const struct err *why);
    void *arg;
};

struct bus_client *bus_client_new(const struct bus_client_setup *set,
                                  struct err *e);
void bus_client_free(struct bus_client *c); /* accepts NULL */
DEFINE_CLEANUP(struct bus_client, bus_client_free)

/* Sends one request, once the bus knows the client. params: an object. */
int bus_client_ask(struct bus_client *c, const char *method,
                   const struct buf *params, struct err *e);

/* RELAY_FAILED: as an error with why as its text. */
void bus_client_answer(struct bus_client *c, const char *id,
                       enum relay_outcome outcome, const char *why);
/* Reads no more from the bus, or goes on. */
void bus_client_pause(struct bus_client *c, bool paused);
/* Says goodbye; `ended` follows, with NULL. */
void bus_client_close(struct bus_client *c);

#endif
