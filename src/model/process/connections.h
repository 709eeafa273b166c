/* SPDX-License-Identifier: GPL-3.0-or-later */
/* connections.h - which transfers may share a connection.
 *
 * A connection that stands open after a query serves the next one only where
 * provider, address, key, further headers, CA certificates and proxy are the
 * same: these are one group. A group's connections and TLS sessions are in a
 * share of libcurl's (libcurl-share(3)) and not in the multi handle, where all
 * transfers would find them. No key is kept, only a hash that nobody else can
 * make. Two transfers never use one connection at a time: one that is paused
 * would hold up the other. */
#ifndef MODEL_PROCESS_CONNECTIONS_H
#define MODEL_PROCESS_CONNECTIONS_H

#include <curl/curl.h>

#include "model/ipc.h"

struct connections;      /* all groups of the process */
struct connection_group; /* one of them */

struct connections *connections_new(struct err *e);
/* After all transfers have ended. */
void connections_free(struct connections *c);
DEFINE_CLEANUP(struct connections, connections_free)

/* The group of a query, which is in use until it is given back. */
struct connection_group *connections_take(struct connections *c,
                                          const struct ipc_query *q,
                                          struct err *e);
/* Keeps its connections open for the next query, and ends the groups that were
 * not used for the longest time. Accepts NULL. */
void connections_give_back(struct connections *c, struct connection_group *g);

/* Lets a transfer use the group's connections. */
void connection_group_join(const struct connection_group *g, CURL *easy);

#endif
