/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus.h - the message bus: JSON-RPC on WebSockets, for agents and programs.
 *
 * A client subscribes to patterns of topics, and is sent each message that
 * matches as a request; its answer may stop the message, before those that
 * connected later get it. Who has sent the message is answered at the end.
 *
 *     bus_topic     which topics a pattern matches
 *     bus_route     who subscribed to what
 *     bus_keep      messages, those that are kept, and their numbers
 *     bus_numbers   the name of those, and what nodes tell each other of them
 *     bus_delivery  one subscriber after another
 *     bus_replay    what was kept, for who subscribes later
 *     bus_hub       all of these together
 *     bus_subscription  when a subscription holds
 *     bus_method    what a client may ask (bus_quick: the usual, quickly)
 *     bus           the connections, and their end
 *     bus_client    the other side: agentsh bus pub and sub */
#ifndef SERVER_BUS_BUS_H
#define SERVER_BUS_BUS_H

#include "server/bus/bus_hub.h"
#include "server/server_options.h"

#define BUS_LISTEN      "127.0.0.1:7892" /* unless the person says otherwise */
#define BUS_CONNECTIONS 1024

struct bus;

/* Borrowed while the bus lives. */
struct bus_setup {
    struct loop *loop;
    const struct server_options *options; /* listen and who may connect */
    bool keeps;                           /* number and keep messages */
    struct bus_keep_limits keep;
    const char *nats; /* the server that joins nodes; NULL: there is one node */
    bool lifecycle;
    void (*log)(void *arg, const char *line);
    uint64_t (*log_lost)(const void *arg); /* as of server_http.h */
    void (*ended)(void *arg); /* after bus_stop; called from the loop */
    void *arg;                /* of both */
};

struct bus *bus_new(const struct bus_setup *set, struct err *e);
void bus_free(struct bus *b); /* accepts NULL */
DEFINE_CLEANUP(struct bus, bus_free)

/* Loads the certificate anew, as of server_http.h. */
int bus_load(struct bus *b, struct err *e);

/* Takes no more connections and messages, waits a while for what is on its way,
 * and closes. Then `ended` is called. */
void bus_stop(struct bus *b);

#endif
