/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_route.h - who subscribed to what, and so who gets a topic's messages. */
#ifndef SERVER_BUS_BUS_ROUTE_H
#define SERVER_BUS_BUS_ROUTE_H

#include "server/bus/bus_peer.h"

#define BUS_PATTERNS_MAX 1024 /* of one peer */

struct bus_routes;

/* The subscribers of a topic as they are at one time, each once, in the order
 * of their places. */
struct bus_route {
    unsigned refs;
    size_t n;
    struct bus_peer *peers[];
};

struct bus_routes *bus_routes_new(struct err *e);
/* After all peers have left. Accepts NULL. */
void bus_routes_free(struct bus_routes *r);
DEFINE_CLEANUP(struct bus_routes, bus_routes_free)

/* ERR_INVALID: it has subscribed to it already; ERR_NOMEM, also where it has
 * BUS_PATTERNS_MAX. */
int bus_routes_subscribe(struct bus_routes *r, struct bus_peer *p,
                         const char *pattern, size_t n, struct err *e);
/* False: it has not subscribed to it. */
bool bus_routes_unsubscribe(struct bus_routes *r, struct bus_peer *p,
                            const char *pattern, size_t n);
/* Unsubscribes from all. */
void bus_routes_leave(struct bus_routes *r, struct bus_peer *p);

/* Whether one of a peer's patterns matches. */
bool bus_routes_has(const struct bus_peer *p, const char *topic, size_t n);

/* The subscribers of a topic, with a reference. NULL: ERR_NOMEM. */
struct bus_route *bus_routes_find(struct bus_routes *r, const char *topic,
                                  size_t n, struct err *e);
void bus_route_unref(struct bus_route *route); /* accepts NULL */

struct bus_route_counts {
    size_t patterns, subscriptions;
};
struct bus_route_counts bus_routes_count(const struct bus_routes *r);

#endif
